import { beforeAll, describe, expect, test } from 'vitest';
import type { Contract } from '../contract/contract.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../contract/json/value.ts';
import { createMock } from './mock.ts';
import { loadInventory, loadPetstore } from '../test/mock/contracts.ts';
import { type TestResponse, type TestClient, createTestClient } from '../test/mock/test-client.ts';

let contract: Contract;
let seed: JsonObject;
let client: TestClient;

beforeAll(async () => {
  contract = await loadPetstore();
  seed = await loadInventory();
});

const open = (options: Parameters<typeof createTestClient>[1] = {}): TestClient =>
  createTestClient(contract, { seed, ...options });
const key = 'demo-business';
const list = (query: string): TestResponse => client.send('GET', `/pets${query}`, { key });
const create = (json: JsonValue): TestResponse => client.send('POST', '/pets', { key, json });
const sendText = (content: string, headers = {}): TestResponse =>
  client.send('POST', '/pets', { key, content, headers });
const ids = ({ json }: TestResponse): readonly JsonValue[] =>
  Array.isArray(json)
    ? json.map((item: JsonValue) => (isJsonObject(item) ? (item['id'] ?? null) : null))
    : [];
const message = ({ json }: TestResponse): JsonValue | undefined =>
  isJsonObject(json) ? json['message'] : undefined;
const code = ({ json }: TestResponse): JsonValue | undefined =>
  isJsonObject(json) ? json['code'] : undefined;
const member = ({ json }: TestResponse, name: string): JsonValue | undefined =>
  isJsonObject(json) ? json[name] : undefined;
const range = (first: number, last: number): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

describe('the list', () => {
  beforeAll(() => {
    client = open();
  });

  test.each([
    ['', range(1, 20)],
    ['?limit=1', [1]],
    ['?limit=3', [1, 2, 3]],
    ['?limit=100', range(1, 30)],
    ['?limit=0003', [1, 2, 3]],
    ['?status=pending', [3, 9, 14, 20, 27]],
    ['?limit=2&status=sold', [2, 7]],
    ['?unknown=1&limit=1', [1]],
    ['?l%69mit=1', [1]],
    ['?', range(1, 20)],
  ])('%s returns the pets in order', (query, expected) => {
    expect([list(query).status, ids(list(query))]).toEqual([200, expected]);
  });

  test.each([
    '?limit=0',
    '?limit=101',
    '?limit=-1',
    '?limit=1.0',
    '?limit=%2B5',
    '?limit=+5',
    '?limit=%205',
    '?limit=',
    '?limit',
    '?limit=1e1',
    '?limit=abc',
    '?limit=0x5',
    '?limit=1&limit=2',
    '?limit=99999999999999999999',
    '?limit=%zz',
    '?limit=1_0',
    '?limit=٣',
    '?status=',
    '?status=Sold',
    '?status=gone',
    '?status=sold&status=sold',
    '?status=sold%00',
  ])('%s is refused with the name of the parameter', (query) => {
    const response = list(query);
    expect([response.status, code(response)]).toEqual([400, 'invalid_parameter']);
    expect(message(response)).toMatch(/^(limit|status) .*\(query parameter (limit|status)\)$/);
  });
});

describe('adding a pet', () => {
  beforeAll(() => {
    client = open();
  });

  test('returns it with a new id and a Location, and lists it', () => {
    const response = create({ name: 'Ida', categoryId: 4, status: 'pending' });
    expect([response.status, response.json]).toEqual([
      201,
      { id: 31, name: 'Ida', categoryId: 4, status: 'pending' },
    ]);
    expect(response.headers.get('location')).toBe('/v1/pets/31');
    expect(client.send('GET', '/pets/31', { key }).text).toBe(response.text);
    expect(ids(list('?status=pending'))).toContain(31);
  });

  test('keeps int64 exact end to end', () => {
    for (const categoryId of [
      '9007199254740993',
      '9223372036854775807',
      '-9223372036854775808',
      '0',
    ]) {
      expect(sendText(`{"name":"n","categoryId":${categoryId}}`).text).toContain(
        `"categoryId":${categoryId},`,
      );
    }
    expect(sendText('{"name":"n","categoryId":1.0}').text).toContain('"categoryId":1,');
    for (const categoryId of [
      '9223372036854775808',
      '-9223372036854775809',
      '1.5',
      '1e400',
      '"1"',
      'null',
      'true',
    ]) {
      expect(sendText(`{"name":"n","categoryId":${categoryId}}`).status).toBe(400);
    }
  });

  test('assigns unique ids', () => {
    const given = range(1, 50).map(() => member(create({ name: 'x', categoryId: 1 }), 'id'));
    expect(new Set(given).size).toBe(50);
  });

  test.each([
    [{ name: 'x' }, /^categoryId is required \(at \/categoryId\)$/],
    [{ categoryId: 1 }, /^name is required \(at \/name\)$/],
    [{ name: 5, categoryId: 1 }, /^name must be .*string.* \(at \/name\)$/],
    [{ name: 'x', categoryId: 1, status: 'gone' }, /^status must be one of .* \(at \/status\)$/],
    [{}, /name is required \(at \/name\); categoryId is required \(at \/categoryId\)/],
    [[], /^The body must be an? object/],
    ['x', /^The body must be an? object/],
    [null, /^The body must be an? object/],
    [7, /^The body must be an? object/],
  ] as const)('%j is refused with the true reason', (body, reason) => {
    const response = create(body);
    expect([response.status, code(response)]).toEqual([400, 'invalid_body']);
    expect(message(response)).toMatch(reason);
  });

  test.each([
    ['{"name":"x",}', /not valid JSON: .*1/],
    ['{', /not valid JSON/],
    ['nonsense', /not valid JSON/],
    ['{"name":"x"} 1', /not valid JSON/],
    ['\uFEFF{"name":"x","categoryId":1}', /byte order mark/],
    ['['.repeat(50_000), /not valid JSON/],
    ["{'name':'x'}", /not valid JSON/],
    [' ', /not valid JSON/],
  ])('%.20s is refused as malformed', (text, reason) => {
    const response = sendText(text);
    expect([response.status, code(response)]).toEqual([400, 'malformed_body']);
    expect(message(response)).toMatch(reason);
  });

  test('refuses bytes that are not UTF-8', () => {
    const response = client.send('POST', '/pets', {
      key,
      content: new Uint8Array([0x7b, 0xff, 0x7d]),
    });
    expect([response.status, message(response)]).toEqual([400, 'The body is not valid UTF-8.']);
  });

  test('refuses a missing and an empty body, whatever its media type', () => {
    expect(
      [client.send('POST', '/pets', { key })].map((response) => [response.status, code(response)]),
    ).toEqual([[400, 'missing_body']]);
    expect(code(sendText('', { 'content-type': 'text/plain' }))).toBe('missing_body');
  });

  test('refuses a body that is too large', () => {
    expect(client.send('POST', '/pets', { key, isTooLarge: true })).toMatchObject({ status: 413 });
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/vnd.pet+json',
    'application',
    '',
  ])('refuses the media type "%s"', (type) => {
    const response = sendText('{"name":"x","categoryId":1}', { 'content-type': type });
    expect([response.status, response.headers.get('accept')]).toEqual([415, 'application/json']);
  });

  test.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json ;charset=latin1',
  ])('accepts the media type "%s"', (type) => {
    expect(sendText('{"name":"x","categoryId":1}', { 'content-type': type }).status).toBe(201);
  });

  test('refuses an encoded body', () => {
    expect(sendText('{"name":"x","categoryId":1}', { 'content-encoding': 'gzip' })).toMatchObject({
      status: 415,
    });
  });

  test('ignores an id and unknown properties, including __proto__', () => {
    const response = sendText(
      '{"id":1,"name":"x","categoryId":1,"__proto__":{"status":"sold"},"constructor":1,"x":2}',
    );
    expect(Object.keys(isJsonObject(response.json) ? response.json : {})).toEqual([
      'id',
      'name',
      'categoryId',
      'status',
    ]);
    expect(member(response, 'status')).toBe('available');
  });

  test('keeps strings unchanged', () => {
    for (const name of ['', ' ', '\u0000', '"\\', '🐢', '\u2028', 'a'.repeat(10_000)])
      expect(member(create({ name, categoryId: 1 }), 'name')).toBe(name);
    expect(sendText('{"name":"\\ud800","categoryId":1}').text).toContain('"name":"\\ud800"');
  });
});

describe('getting a pet', () => {
  beforeAll(() => {
    client = open();
  });
  const get = (id: string): TestResponse => client.send('GET', `/pets/${id}`, { key });

  test('returns it as in the list, with the deprecation', () => {
    const response = get('5');
    expect(response.json).toEqual({
      id: 5,
      name: 'Señor Bigotes',
      categoryId: 2,
      status: 'available',
    });
    expect(response.headers.get('sunset')).toBe('Thu, 05 Dec 2030 00:00:00 GMT');
    expect(response.headers.get('link')).toBe('</v1/pets>; rel="successor-version"');
    expect(response.headers.has('deprecation')).toBe(false);
    expect(list('').headers.has('sunset')).toBe(false);
  });

  test('finds an id beyond 2^53, and not the adjacent one', () => {
    const big = createTestClient(contract, {
      seed: { '/pets': [{ id: 9007199254740993n, name: 'Big', categoryId: 1 }] },
    });
    expect(big.send('GET', '/pets/9007199254740993').text).toBe(
      '{"id":9007199254740993,"name":"Big","categoryId":1}',
    );
    expect(big.send('GET', '/pets/9007199254740992').status).toBe(404);
    expect(member(big.send('POST', '/pets', { json: { name: 'Next', categoryId: 1 } }), 'id')).toBe(
      9007199254740994n,
    );
  });

  test('counts from the smallest free id again after the largest int64', () => {
    const full = createTestClient(contract, {
      seed: {
        '/pets': [
          { id: 1, name: 'a', categoryId: 1 },
          { id: 9223372036854775807n, name: 'b', categoryId: 1 },
        ],
      },
    });
    expect(member(full.send('POST', '/pets', { json: { name: 'c', categoryId: 1 } }), 'id')).toBe(
      2,
    );
  });

  test.each([
    '31',
    '0',
    '-1',
    'abc',
    '1.0',
    '1e0',
    '+1',
    '%201',
    '9223372036854775808',
    '99999999999999999999999',
    '%31%00',
    '%zz',
    '%ff',
    '1%2F2',
    '..',
    '%2e%2e',
    '__proto__',
    'constructor',
  ])('%s is not found', (id) => {
    expect(get(id).status).toBe(404);
  });

  test('sends the deprecation on refusals too', () => {
    expect(get('999').headers.has('sunset')).toBe(true);
    expect(client.send('GET', '/pets/1', { key: undefined }).headers.has('sunset')).toBe(true);
  });
});

describe('requests outside of the document', () => {
  beforeAll(() => {
    client = open();
  });

  test.each([
    '/',
    '',
    '/pet',
    '/pets/',
    '/pets//',
    '//pets',
    '/pets/1/2',
    '/Pets',
    '/store/orders',
    '/pets%2F1',
    '/%70ets%00',
    '/pets%zz',
    '/../v1/pets',
  ])('%s is not found', (path) => {
    const response = client.send('GET', path, { key });
    expect(response.status).toBe(404);
  });

  test('a path outside the base path is not found', () => {
    const { status } = client.mock.handle({
      method: 'GET',
      target: '/pets',
      headers: {},
      content: undefined,
    });
    expect(status).toBe(404);
  });

  test.each([
    ['PUT', '/pets', 'GET, POST, HEAD, OPTIONS'],
    ['DELETE', '/pets/1', 'GET, HEAD, OPTIONS'],
    ['POST', '/pets/1', 'GET, HEAD, OPTIONS'],
    ['TRACE', '/pets', 'GET, POST, HEAD, OPTIONS'],
  ])('%s %s is not allowed', (method, path, allow) => {
    const response = client.send(method, path, { key });
    expect([response.status, response.headers.get('allow')]).toEqual([405, allow]);
  });

  test('an absolute target and needless percent-encoding name the same path', () => {
    const { authorization } = { authorization: `Bearer ${key}` };
    for (const target of ['http://localhost:80/v1/pets', '/v1/p%65ts', '/%761/pets?limit=1']) {
      expect(
        client.mock.handle({
          method: 'GET',
          target,
          headers: { authorization },
          content: undefined,
        }).status,
      ).toBe(200);
    }
  });

  test('HEAD is answered like GET', () => {
    expect(client.send('HEAD', '/pets', { key }).text).toBe(list('').text);
    expect(client.send('HEAD', '/pets/99', { key }).status).toBe(404);
  });
});

describe('the key', () => {
  beforeAll(() => {
    client = open();
  });
  const sent = (authorization: string): TestResponse =>
    client.send('GET', '/pets', { key: undefined, headers: { authorization } });

  test.each(['Bearer demo-free', 'bearer demo-free', 'BEARER   demo-free'])(
    '%s is accepted',
    (value) => {
      expect(sent(value).status).toBe(200);
    },
  );

  test.each([
    'demo-free',
    'Basic demo-free',
    'Bearerdemo-free',
    'Bearer',
    'Bearer ',
    'Bearer demo free',
    'Bearer Demo-Free',
    'Bearer demo-free,',
    'Bearer demo-freex',
    'Bearer "demo-free"',
    'Bearer __proto__',
    '',
  ])('"%s" is not', (value) => {
    const response = sent(value);
    expect([response.status, code(response)]).toEqual([401, 'unauthorized']);
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer realm="Petstore"/);
  });

  test('is distinguished when missing and when wrong (RFC 6750 section 3)', () => {
    expect(client.send('GET', '/pets', { key: undefined }).headers.get('www-authenticate')).toBe(
      'Bearer realm="Petstore"',
    );
    expect(sent('Bearer wrong').headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  test('is required before the body is read', () => {
    expect(client.send('POST', '/pets', { key: 'wrong', isTooLarge: true }).status).toBe(401);
  });
});

describe('browsers', () => {
  beforeAll(() => {
    client = open();
  });

  test('get a preflight response without a key, which is not counted', () => {
    const headers = { origin: 'https://app.example', 'access-control-request-method': 'POST' };
    const response = client.send('OPTIONS', '/pets', { key: undefined, headers });
    expect([response.status, response.text]).toEqual([204, '']);
    expect(response.headers.get('access-control-allow-methods')).toBe('GET, POST, HEAD, OPTIONS');
    expect(response.headers.get('access-control-allow-headers')).toBe(
      'Authorization, Content-Type, Prefer, *',
    );
    expect(response.headers.get('x-ratelimit-remaining')).toBe('1000');
    expect(client.send('OPTIONS', '/nowhere', { key: undefined }).status).toBe(204);
  });

  test('may read every response and the headers that matter', () => {
    for (const response of [
      list(''),
      list('?limit=0'),
      client.send('GET', '/nowhere'),
      client.send('GET', '/pets', { key: undefined }),
    ]) {
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.has('access-control-allow-credentials')).toBe(false);
      const exposed = response.headers.get('access-control-expose-headers')?.split(', ');
      expect(exposed).toEqual(
        expect.arrayContaining([
          'X-RateLimit-Limit',
          'X-RateLimit-Remaining',
          'X-RateLimit-Reset',
          'Date',
          'Retry-After',
          'Deprecation',
          'Sunset',
          'Link',
          'Location',
        ]),
      );
    }
  });
});

describe('two mocks of one contract', () => {
  test('share nothing', () => {
    const [one, other] = [open(), open()];
    one.send('POST', '/pets', { json: { name: 'x', categoryId: 1 } });
    expect(other.send('GET', '/pets/31').status).toBe(404);
    expect(one.send('GET', '/pets/31').status).toBe(200);
    expect(other.send('GET', '/pets').headers.get('x-ratelimit-remaining')).toBe('58');
  });
});

describe('the start', () => {
  test('uses the examples of the document without a seed', () => {
    expect(ids(createTestClient(contract).send('GET', '/pets'))).toEqual([1, 2]);
    expect(ids(createTestClient(contract, { seed: {} }).send('GET', '/pets'))).toEqual([]);
  });

  test.each([
    [
      { '/pets': [{ id: 1, name: 'x' }] },
      'Seed item 0 of /pets breaks the contract: categoryId is required (at /categoryId).',
    ],
    [
      {
        '/pets': [
          { id: 1, name: 'x', categoryId: 1 },
          { id: 1, name: 'y', categoryId: 1 },
        ],
      },
      'Seed item 1 of /pets has the id 1, which an item before it has.',
    ],
    [{ '/pets': 7 }, 'The seed of /pets must be an array of items.'],
    [{ '/pets': [7] }, 'Seed item 0 of /pets must be an object.'],
    [
      { '/dogs': [] },
      'The seed names /dogs, which is not a collection of the document; it has /pets.',
    ],
  ])('refuses the seed %j', (bad, reason) => {
    expect(() => createMock(contract, { seed: bad })).toThrow(reason);
  });

  test('assigns ids to seed items without one', () => {
    const fresh = createTestClient(contract, {
      seed: {
        '/pets': [
          { name: 'x', categoryId: 1 },
          { name: 'y', categoryId: 1 },
        ],
      },
    });
    expect(ids(fresh.send('GET', '/pets'))).toEqual([1, 2]);
  });
});
