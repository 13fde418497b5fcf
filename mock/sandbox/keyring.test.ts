import { expect, test } from 'vitest';
import { loadSample } from '../../test/contract/sample.ts';
import { createMock } from '../mock.ts';
import { createTestClient } from '../../test/mock/test-client.ts';

const security = { security: [{ key: [] }] };
const scheme = { key: { type: 'apiKey', in: 'header', name: 'X-Key' } };

const contract = await loadSample({
  ...security,
  components: { securitySchemes: scheme },
  paths: { '/pets': { get: { responses: { 204: { description: 'Seen.' } } } } },
});

function statusWith(key: string): number {
  const client = createTestClient(contract, {}, (sent) => ({ 'x-key': sent }));
  return client.send('GET', '/pets', { key }).status;
}

test.each(['demo', 'alice', 'demo-2', 'demonstration', 'abc', 'my-invalid-key', 'damn'])(
  'without plans %s is a valid key',
  (key) => {
    expect(statusWith(key)).toBe(204);
  },
);

test.each(['Demo', 'DEMO', 'dem', 'demo1', 'demox', 'xdemo', 'deno', 'demoé', 'emo'])(
  '%s is recognised as a mistyped key',
  (key) => {
    expect(statusWith(key)).toBe(401);
  },
);

test.each(['invalid', 'invalid-key-4', 'INVALID.token', 'invalid1'])(
  '%s is reported as wrong',
  (key) => {
    expect(statusWith(key)).toBe(401);
  },
);

test('configured keys are exact, and no other is accepted', () => {
  const client = createTestClient(contract, { keys: ['alice', 'alice-2'] }, (sent) => ({
    'x-key': sent,
  }));
  const status = (key: string): number => client.send('GET', '/pets', { key }).status;
  expect(['alice', 'alice-2', 'demo'].map(status)).toEqual([204, 204, 204]);
  expect(['alicex', 'alic', 'Alice', 'alice-3', 'bob', ''].map(status)).toEqual([
    401, 401, 401, 401, 401, 401,
  ]);
});

test('images on a foreign page neither create nor evict a sandbox', async () => {
  const inQuery = await loadSample({
    ...security,
    components: { securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'key' } } },
    paths: { '/pets': { get: { responses: { 204: { description: 'Seen.' } } } } },
  });
  const mock = createMock(inQuery, { sandboxes: 2 });
  const get = (key: string, headers: Readonly<Record<string, string>> = {}): number =>
    mock.handle({ method: 'GET', target: `/pets?key=${key}`, headers, content: undefined }).status;
  expect(get('alice')).toBe(204);
  const image = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' };
  for (let count = 0; count < 9; count += 1) expect(get(`evil-${count}`, image)).toBe(204);
  const control = await mock.control();
  expect(control.sandboxes).toEqual(['main', 'alice']);
  expect(get('bob', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' })).toBe(204);
  expect(control.sandboxes).toEqual(['main', 'alice', 'bob']);
});
