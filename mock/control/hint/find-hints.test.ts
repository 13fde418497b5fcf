import { describe, expect, test } from 'vitest';
import type { Contract } from '../../../contract/contract.ts';
import { loadContract } from '../../../contract/load.ts';
import { type Hint, type JournalEntry, type MockOptions, createMock } from '../../index.ts';
import { createTestClock } from '../../../test/mock/test-client.ts';
import { loadPetstore } from '../../../test/mock/contracts.ts';

const petstore = await loadPetstore();

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The hints about one request, with and without a key. */
const hintsOf = async (
  target: string,
  { method = 'GET', headers = { authorization: 'Bearer demo-free' } }: Sent = {},
  { contract = petstore, ...options }: MockOptions & { readonly contract?: Contract } = {},
): Promise<readonly Hint[]> => {
  const entries: JournalEntry[] = [];
  const mock = createMock(contract, { ...options, onEntry: (entry) => void entries.push(entry) });
  const control = await mock.control();
  mock.handle({ method, target, headers, content: undefined });
  return entries.flatMap((entry) => control.hints(entry));
};

const messageOf = async (...sent: Parameters<typeof hintsOf>): Promise<string> =>
  (await hintsOf(...sent)).map(({ kind, message }) => `${kind}: ${message}`).join('\n');

const load = (paths: object, more: object = {}): Promise<Contract> =>
  loadContract({
    name: 'other.json',
    text: JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Other', version: '1' },
      paths,
      ...more,
    }),
  });

const ok = { 200: { description: 'It.' } };

describe('a path that the document does not have', () => {
  test.each([
    ['/pets', 'GET /v1/pets'],
    ['/pets/7', 'GET /v1/pets/7'],
    ['/v1/v1/pets', 'GET /v1/pets'],
    ['/api/v2/pets', 'GET /v1/pets'],
    ['/v1/pets/', 'GET /v1/pets'],
    ['//v1//pets', 'GET /v1/pets'],
    ['/v1/Pets', 'GET /v1/pets'],
    ['/v1/pest?limit=3', 'GET /v1/pets'],
    ['/v1/pet/7', 'GET /v1/pets/7'],
  ])('%s: did you mean %s', async (target, meant) => {
    expect(await messageOf(target)).toBe(`path: Did you mean ${meant}?`);
  });

  test.each(['/', '/v1', '/v1/', '/favicon.ico', '/v1/owners', '/v1/pets/7/8', '/v1/x/7', '/7'])(
    '%s is similar to none',
    async (target) => {
      expect(await messageOf(target)).toBe('');
    },
  );

  test('the response itself names the address where only the base path is missing', () => {
    const mock = createMock(petstore);
    const ask = (target: string): string =>
      mock.handle({ method: 'GET', target, headers: {}, content: undefined }).body;
    expect(ask('/pets?limit=1')).toContain('The API has no path /pets. Did you mean /v1/pets?');
    expect(ask('/owners')).toContain('The API has no path /owners."');
    expect(ask('/v1/owners')).toContain('The API has no path /v1/owners."');
  });

  test('with the method of the request, if the path has it', async () => {
    expect(await messageOf('/pets', { method: 'POST' })).toBe('path: Did you mean POST /v1/pets?');
    expect(await messageOf('/pets', { method: 'DELETE' })).toBe('path: Did you mean GET /v1/pets?');
  });

  test('a path removed at that time is not suggested', async () => {
    const clock = createTestClock(Date.UTC(2300, 0));
    expect(await messageOf('/pets/7', {}, { clock })).toBe('');
    expect(await messageOf('/pets', {}, { clock })).toBe('path: Did you mean GET /v1/pets?');
  });

  test('without a base path, and with nothing but parameters', async () => {
    const contract = await load({
      '/books': { get: { responses: ok } },
      '/{id}': { get: { responses: ok } },
    });
    expect(await messageOf('/v1/books', {}, { contract })).toBe('path: Did you mean GET /books?');
    expect(await messageOf('/a/b', {}, { contract })).toBe('');
  });
});

describe('a query parameter that the operation does not have', () => {
  test.each([
    ['/v1/pets?limt=3', 'Unknown query parameter limt; did you mean limit?'],
    ['/v1/pets?LIMIT=3', 'Unknown query parameter LIMIT; did you mean limit?'],
    ['/v1/pets?limit=1&page=2', 'Unknown query parameter page; listPets has limit, status.'],
    ['/v1/pets/7?limit=3', 'Unknown query parameter limit; getPet has none.'],
    ['/v1/pets?%6Cimt', 'Unknown query parameter limt; did you mean limit?'],
  ])('%s', async (target, message) => {
    expect(await hintsOf(target)).toEqual([{ kind: 'query-parameter', message }]);
  });

  test('no more than three are named', async () => {
    const [hint] = await hintsOf('/v1/pets?a=1&b=1&c=1&d=1&e=1');
    expect(hint?.message).toMatch(/Unknown query parameter c; listPets has limit, status\.$/);
  });

  test.each(['/v1/pets', '/v1/pets?', '/v1/pets?limit=3', '/v1/pets?limit=3&limit=4'])(
    'there is no hint for %s',
    async (target) => {
      expect(await hintsOf(target)).toEqual([]);
    },
  );

  test('members of objects, keys and lists are recognised', async () => {
    const contract = await load(
      {
        '/a': {
          get: {
            operationId: 'a',
            parameters: [
              { name: 'deep', in: 'query', style: 'deepObject', schema: { type: 'object' } },
              { name: 'ids[]', in: 'query', schema: { type: 'array', items: {} } },
            ],
            security: [{ key: [] }],
            responses: ok,
          },
        },
        '/any': {
          get: {
            parameters: [{ name: 'any', in: 'query', schema: { type: 'object' } }],
            responses: ok,
          },
        },
        '/whole': {
          get: {
            parameters: [{ name: 'all', in: 'querystring', content: { 'application/json': {} } }],
            responses: ok,
          },
        },
      },
      { components: { securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'token' } } } },
    );
    const all = '/a?token=demo&deep[x]=1&ids[]=1&ids[]=2';
    expect(await hintsOf(all, { headers: {} }, { contract })).toEqual([]);
    expect(await hintsOf('/any?x=1', { headers: {} }, { contract })).toEqual([]);
    expect(await hintsOf('/whole?%7B%7D', { headers: {} }, { contract })).toEqual([]);
    const [hint, ...others] = await hintsOf('/a?token=demo&color=1', { headers: {} }, { contract });
    expect(others).toEqual([]);
    expect(hint?.message).toBe('Unknown query parameter color; a has deep, ids[], token.');
    expect(JSON.stringify(hint)).not.toContain('demo');
  });

  test('if a key belongs in the query, the journal shows none of its values', async () => {
    const contract = await load(
      { '/a': { get: { security: [{ key: [] }], responses: ok } } },
      { components: { securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'token' } } } },
    );
    const targets: string[] = [];
    const mock = createMock(contract, { onEntry: ({ target }) => void targets.push(target) });
    for (const query of [
      'Token=secret',
      'tokn=secret',
      'a=1;token=secret',
      'secret',
      'u=%3Ftoken%3Dsecret',
    ])
      mock.handle({ method: 'GET', target: `/a?${query}`, headers: {}, content: undefined });
    expect(targets).toEqual([
      '/a?Token=[key]',
      '/a?tokn=[key]',
      '/a?a=[key]',
      '/a?[key]',
      '/a?u=[key]',
    ]);
  });
});

describe('a key that is refused', () => {
  const send = (key: string): Promise<string> =>
    messageOf('/v1/pets', { headers: { authorization: `Bearer ${key}` } });

  test('the accepted forms', async () => {
    const forms =
      'Valid keys: demo-free, demo-pro, demo-business, demo-enterprise, and any of the form free_<name>, pro_<name>, business_<name>, enterprise_<name>.';
    expect(await send('sk_live_4242')).toBe(`credential: ${forms}`);
    expect(await send('alice_free')).not.toContain('alice');
  });

  test('how to send it, if there is none', async () => {
    expect(await messageOf('/v1/pets', { headers: {} })).toBe(
      'credential: Send the key as Authorization: Bearer demo-free.',
    );
    expect(await messageOf('/v1/pets', { headers: { authorization: 'demo-free' } })).toBe(
      'credential: Send the key as Authorization: Bearer demo-free.',
    );
  });

  test('for a document without plans, by its own scheme', async () => {
    const contract = await load(
      { '/a': { get: { responses: ok } } },
      {
        security: [{ key: [] }],
        components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
      },
    );
    expect(await messageOf('/a', { headers: {} }, { contract })).toBe(
      'credential: Send the key as X-Key: demo.',
    );
    expect(await messageOf('/a', { headers: { 'x-key': 'demoo' } }, { contract })).toBe(
      'credential: Any key works, except one that begins with "invalid" or is almost demo.',
    );
    expect(await messageOf('/a', { headers: { 'x-key': 'alice' } }, { contract })).toBe('');
  });
});

describe('a preference that was not followed', () => {
  const prefer = (text: string, key = 'demo-free', target = '/v1/pets'): Promise<string> =>
    messageOf(target, { headers: { authorization: `Bearer ${key}`, prefer: text } });

  test.each([
    ['code=418', 'code=418 was ignored: listPets documents 200, 401, 429.'],
    ['example=nobody', 'example=nobody was ignored: listPets has the examples '],
    ['code=401, example=x', 'example=x was ignored: the 401 of listPets has '],
    ['wait=soon', 'wait=soon was ignored: it must be a number of seconds.'],
    ['cod=404', 'cod=404 was ignored: the mock supports code, example, dynamic and wait.'],
    ['return=minimal', 'return=minimal was ignored: the mock supports'],
  ])('%s', async (text, reason) => {
    expect(await prefer(text)).toContain(reason);
  });

  test.each([
    'code=401',
    'code=200',
    'code=429',
    'example=none',
    'dynamic=true',
    'wait=0.01',
    'code=429, wait=0',
  ])('there is no hint for %s, which was followed', async (text) => {
    expect(await prefer(text)).toBe('');
  });

  test('what came first is named', async () => {
    expect(await prefer('code=429', 'nobody')).toContain(
      'preference: Prefer: code=429 was ignored: the key was rejected first.',
    );
  });
});

test('a moved clock shows its date', async () => {
  const clock = createTestClock();
  const entries: JournalEntry[] = [];
  const mock = createMock(petstore, { clock, onEntry: (entry) => void entries.push(entry) });
  const control = await mock.control();
  const ask = async (): Promise<string | undefined> => {
    const headers = { authorization: 'Bearer free_alice' };
    mock.handle({ method: 'GET', target: '/v1/pets', headers, content: undefined });
    const last = entries.at(-1);
    return last && control.hints(last).at(-1)?.message;
  };
  const alice = control.sandbox('alice').clock;
  expect(await ask()).toBeUndefined();
  alice.advance(-36 * 3_600_000);
  expect(await ask()).toBe(
    'It is 2026-05-31 in the sandbox alice: its clock is 1 day 12 hours behind.',
  );
  alice.set(Date.UTC(2027, 0, 1));
  expect(await ask()).toBe(
    'It is 2027-01-01 in the sandbox alice: its clock is 213 days 12 hours ahead.',
  );
  alice.freeze();
  expect(await ask()).toBe('It is 2027-01-01 in the sandbox alice: its clock is frozen.');
  alice.restore();
  expect(await ask()).toBeUndefined();
});

test('hints are in the journal, and a request without any has none', async () => {
  const mock = createMock(petstore);
  const listening = await mock.listen();
  const { url } = listening;
  const headers = { authorization: 'Bearer free_alice' };
  await fetch(`${url}/pets?limt=3`, { headers });
  await fetch(`${url}/pets?limit=3`, { headers });
  const journal = await fetch(`${new URL(url).origin}/_mock/sandboxes/alice/journal`);
  const { exchanges } = Object(await journal.json());
  expect(exchanges[0].hints).toEqual([
    { kind: 'query-parameter', message: 'Unknown query parameter limt; did you mean limit?' },
  ]);
  expect(exchanges[1]).not.toHaveProperty('hints');
  expect(exchanges[0]).not.toHaveProperty('clues');
  await listening.close();
});
