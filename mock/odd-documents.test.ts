import { describe, expect, test } from 'vitest';
import type { Contract } from '../contract/contract.ts';
import { loadContract } from '../contract/load.ts';
import { createTestClient } from '../test/mock/test-client.ts';

const load = (paths: object, schemas: object = {}): Promise<Contract> =>
  loadContract({
    text: JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Odd', version: '1' },
      paths,
      components: { schemas },
    }),
  });
const json = (schema: object): object => ({ 'application/json': { schema } });
const ok = (status: number, schema: object): object => ({
  [status]: { description: 'Fine.', content: json(schema) },
});
const said = (text: string): object => ({
  200: { description: 'Fine.', content: { 'application/json': { example: text } } },
});

/** A collection at /things, whose items are changed by bodies of another schema. */
const things = (Thing: object, idType = 'integer'): Promise<Contract> =>
  load(
    {
      '/things': {
        get: { responses: ok(200, { type: 'array', items: thing }) },
        post: {
          requestBody: { required: true, content: json({ type: 'object' }) },
          responses: ok(201, thing),
        },
      },
      '/things/{id}': {
        get: { parameters: [id(idType)], responses: ok(200, thing) },
        patch: {
          parameters: [id(idType)],
          requestBody: { required: true, content: json({ type: 'object' }) },
          responses: ok(200, thing),
        },
      },
    },
    { Thing },
  );
const thing = { $ref: '#/components/schemas/Thing' };
const id = (type: string): object => ({ name: 'id', in: 'path', required: true, schema: { type } });

describe('items of other documents', () => {
  test('are named by text ids, and by UUIDs', async () => {
    const named = createTestClient(
      await things(
        {
          type: 'object',
          required: ['id'],
          properties: { id: { type: 'string' }, n: { type: 'integer' } },
        },
        'string',
      ),
      { seed: {} },
    );
    const { json: made, headers } = named.send('POST', '/things', { json: { n: 1 } });
    expect(made).toEqual({ id: expect.any(String), n: 1 });
    expect(named.send('GET', headers.get('location') ?? '').json).toEqual(made);
    const uuids = createTestClient(
      await things(
        {
          type: 'object',
          required: ['id'],
          properties: { id: { type: 'string', format: 'uuid' } },
        },
        'string',
      ),
      { seed: {} },
    );
    expect(uuids.send('POST', '/things', { json: {} }).headers.get('location')).toBe(
      '/things/00000000-0000-4000-8000-000000000001',
    );
    expect(uuids.send('GET', '/things/00000000-0000-4000-8000-000000000001').status).toBe(200);
  });

  test('are counted from the smallest id that the schema allows', async () => {
    const client = createTestClient(
      await things({
        type: 'object',
        required: ['id'],
        properties: { id: { type: 'integer', minimum: 100 } },
      }),
      { seed: {} },
    );
    expect(client.send('POST', '/things', { json: {} }).json).toEqual({ id: 100 });
    expect(client.send('GET', '/things/100').status).toBe(200);
    expect(client.send('GET', '/things/x').status).toBe(404);
  });

  test('that run out of ids return the error shape', async () => {
    const client = createTestClient(
      await things({
        type: 'object',
        required: ['id'],
        properties: { id: { type: 'integer', minimum: 1, maximum: 2 } },
      }),
      { seed: {} },
    );
    const { mock } = client;
    const statuses = [1, 2, 3].map(
      () =>
        mock.handle({
          method: 'POST',
          target: '/things',
          headers: { 'content-type': 'application/json' },
          content: new TextEncoder().encode('{}'),
        }).status,
    );
    expect(statuses).toEqual([201, 201, 409]);
  });

  test('have members that only the service sets', async () => {
    const item = {
      type: 'object',
      required: ['id', 'createdAt', 'kind'],
      properties: {
        id: { type: 'integer' },
        createdAt: { type: 'string', format: 'date-time', readOnly: true },
        kind: { type: 'string', enum: ['a', 'b'], readOnly: true },
      },
    };
    const client = createTestClient(await things(item), { seed: {} });
    expect(client.send('POST', '/things', { json: {} }).json).toEqual({
      id: 1,
      createdAt: '2026-06-01T12:00:00.000Z',
      kind: 'a',
    });
  });

  test('have members named like those of every object', async () => {
    const item = {
      type: 'object',
      required: ['id'],
      properties: {
        id: { type: 'integer' },
        toString: { type: 'string' },
        constructor: { type: 'string' },
      },
    };
    const client = createTestClient(await things(item), { seed: {} });
    expect(client.send('POST', '/things', { json: { constructor: 'x' } }).text).toBe(
      '{"id":1,"constructor":"x"}',
    );
  });

  test('are never changed to break the contract, even if the request schema allows it', async () => {
    const item = {
      type: 'object',
      required: ['id', 'n'],
      properties: { id: { type: 'integer' }, n: { type: 'integer', maximum: 5 } },
    };
    const { mock } = createTestClient(await things(item), {
      seed: { '/things': [{ id: 1, n: 1 }] },
    });
    const patch = mock.handle({
      method: 'PATCH',
      target: '/things/1',
      headers: { 'content-type': 'application/json' },
      content: new TextEncoder().encode('{"n":6}'),
    });
    expect([patch.status, JSON.parse(patch.body)]).toEqual([
      400,
      expect.objectContaining({ detail: expect.stringContaining('(at /n)') }),
    ]);
  });
});

describe('paths of other documents', () => {
  const responses = said;

  test('match the more concrete template first', async () => {
    const paths = {
      '/a/{x}/{y}': responses('two'),
      '/a/b/{y}': responses('one'),
      '/a/b/c': responses('none'),
      '/a/{x}.txt': responses('suffix'),
    };
    const names = (path: string): object[] =>
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
        name,
        in: 'path',
        required: true,
        schema: { type: 'string' },
      }));
    const contract = await load(
      Object.fromEntries(
        Object.entries(paths).map(([path, said]) => [
          path,
          { get: { parameters: names(path), responses: said } },
        ]),
      ),
    );
    const client = createTestClient(contract);
    const texts = ['/a/b/c', '/a/b/d', '/a/x/c', '/a/x.txt', '/a/b%2Fc/d'].map(
      (path) => client.send('GET', path).text,
    );
    expect(texts).toEqual(['"none"', '"one"', '"two"', '"suffix"', '"two"']);
    expect(
      client.mock.handle({ method: 'GET', target: '/a/xtxt', headers: {}, content: undefined })
        .status,
    ).toBe(404);
  });

  test('with parameters are not linked to as a successor', async () => {
    const deprecated = {
      deprecated: true,
      'x-successor': 'other',
      'x-sunset': '2030-01-01',
      responses: said('old'),
    };
    const contract = await load({
      '/old': { get: deprecated },
      '/new/{id}': {
        get: { operationId: 'other', parameters: [id('string')], responses: said('new') },
      },
    });
    const { headers } = createTestClient(contract).send('GET', '/old');
    expect([headers.has('link'), headers.has('sunset')]).toEqual([false, true]);
  });
});

describe('parameters of other documents', () => {
  test('are read by type, place and number', async () => {
    const parameters = [
      {
        name: 'tags',
        in: 'query',
        schema: { type: 'array', items: { type: 'integer' }, maxItems: 2 },
      },
      { name: 'ratio', in: 'query', schema: { type: 'number', maximum: 1 } },
      { name: 'deep', in: 'query', schema: { type: 'boolean' } },
      { name: 'X-Trace', in: 'header', required: true, schema: { type: 'string', minLength: 2 } },
      { name: 'sid', in: 'cookie', schema: { type: 'integer' } },
    ];
    const { mock } = createTestClient(
      await load({ '/x': { get: { parameters, responses: said('ok') } } }),
    );
    const status = (query: string, headers: Record<string, string> = { 'x-trace': 'ab' }): number =>
      mock.handle({ method: 'GET', target: `/x${query}`, headers, content: undefined }).status;
    expect(
      ['', '?tags=1&tags=2', '?ratio=0.5', '?deep=true', '?ratio=1e-3'].map((query) =>
        status(query),
      ),
    ).toEqual([200, 200, 200, 200, 200]);
    expect(
      ['?tags=1&tags=2&tags=3', '?tags=x', '?ratio=2', '?ratio=.5', '?deep=yes', '?deep='].map(
        (query) => status(query),
      ),
    ).toEqual([400, 400, 400, 400, 400, 400]);
    expect([
      status('', {}),
      status('', { 'x-trace': 'a' }),
      status('', { 'x-trace': 'ab', cookie: 'a=1; sid=x' }),
      status('', { 'x-trace': 'ab', cookie: 'sid=7' }),
    ]).toEqual([400, 400, 400, 200]);
  });
});

test('dates follow the clock', async () => {
  const client = createTestClient(await load({ '/x': { get: { responses: said('ok') } } }));
  const dates = [0, 0.9, 0.1, 3600].map((seconds) => {
    client.clock.advance(seconds);
    return client.send('GET', '/x').headers.get('date')?.slice(17, 25);
  });
  expect(dates).toEqual(['12:00:00', '12:00:00', '12:00:01', '13:00:01']);
});

test('examples of items that no id can identify are omitted', async () => {
  const schema = { type: ['string', 'null'] };
  const item = { type: 'object', required: ['id'], properties: { id: schema } };
  const example = [{ id: null }, { id: 'a' }];
  const list = { 'application/json': { schema: { type: 'array', items: thing }, example } };
  const client = createTestClient(
    await load(
      {
        '/things': {
          get: { responses: { 200: { description: 'Fine.', content: list } } },
          post: { responses: ok(201, thing) },
        },
        '/things/{id}': { get: { parameters: [id('string')], responses: ok(200, thing) } },
      },
      { Thing: item },
    ),
  );
  expect(client.send('GET', '/things').json).toEqual([{ id: 'a' }]);
});
