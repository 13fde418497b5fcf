import { describe, expect, test } from 'vitest';
import type { Contract } from '../contract/contract.ts';
import { loadContract } from '../contract/load.ts';
import { createTestClient } from '../test/mock/test-client.ts';

const document = (paths: object): string =>
  JSON.stringify({ openapi: '3.1.0', info: { title: 'Odd', version: '1' }, paths });
const ok = (content: object): object => ({
  200: { description: 'Fine.', ...(Object.keys(content).length === 0 ? {} : { content }) },
});
const load = (paths: object): Promise<Contract> => loadContract({ text: document(paths) });

describe('an operation without a resource', () => {
  test('returns the example of the document', async () => {
    const contract = await load({
      '/status': {
        get: {
          responses: ok({
            'application/json': { schema: { type: 'object' }, example: { up: true } },
          }),
        },
      },
      '/ping': { post: { responses: { 202: { description: 'Taken.' } } } },
    });
    const client = createTestClient(contract);
    expect(client.send('GET', '/status')).toMatchObject({ status: 200, json: { up: true } });
    expect(client.send('POST', '/ping')).toMatchObject({ status: 202, text: '' });
  });

  test('is announced as deprecated, with the date if the document has one (RFC 9745)', async () => {
    const old = {
      deprecated: true,
      'x-deprecated-since': '2026-01-31',
      'x-sunset': '2027-01-31',
      'x-successor': 'new',
    };
    const contract = await load({
      '/old': { get: { ...old, responses: ok({}) } },
      '/new': { get: { operationId: 'new', responses: ok({}) } },
    });
    const { headers } = createTestClient(contract).send('GET', '/old');
    expect(['deprecation', 'sunset', 'link'].map((name) => headers.get(name))).toEqual([
      '@1769817600',
      'Sun, 31 Jan 2027 00:00:00 GMT',
      '</new>; rel="successor-version"',
    ]);
  });

  test('returns a sample of the schema if the document has no example', async () => {
    const contract = await load({
      '/status': {
        get: {
          responses: ok({
            'application/json': {
              schema: {
                type: 'object',
                required: ['up'],
                properties: { up: { type: 'boolean' }, since: { type: 'string', format: 'date' } },
              },
            },
          }),
        },
      },
    });
    const client = createTestClient(contract);
    expect(client.send('GET', '/status').json).toMatchObject({
      up: expect.any(Boolean),
      since: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    });
  });

  test('needs no key, has no rate limit and refuses with problem details if the document has none of them', async () => {
    const contract = await load({ '/status': { get: { responses: ok({}) } } });
    const client = createTestClient(contract);
    expect(client.send('GET', '/status', { key: undefined })).toMatchObject({ status: 200 });
    const { mock } = client;
    const refused = mock.handle({
      method: 'PUT',
      target: '/status',
      headers: {},
      content: undefined,
    });
    expect(refused.headers).toContain('application/problem+json');
    expect(JSON.parse(refused.body)).toEqual({
      title: 'Method Not Allowed',
      status: 405,
      detail: 'PUT is not allowed on this path. Allowed: GET, HEAD, OPTIONS.',
    });
    expect(mock.keys).toEqual([{ key: 'demo', plan: '', limits: [] }]);
  });
});
