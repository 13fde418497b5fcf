import { beforeAll, describe, expect, test } from 'vitest';
import {
  type Sender,
  createMovableClock,
  createSender,
  runConformance,
} from '../conformance/index.ts';
import type { Contract } from '../contract/contract.ts';
import type { JsonObject } from '../contract/json/value.ts';
import { createRandom } from '../contract/sample/random.ts';
import { hasCode } from '../contract/error/petstore-error.ts';
import { packageFile } from '../cli/package/package-root.ts';
import { loadInventory, loadPetstore } from '../test/mock/contracts.ts';
import { type JudgedExchange, loadPrism, type PrismJudge } from '../test/mock/prism.ts';
import { type TestClock, createTestClock } from '../test/mock/test-client.ts';
import { type Mock, createMock } from './mock.ts';
import type { MockOptions } from './served-document/options.ts';

/** Prism, which shares no code with this project, finds nothing wrong in the mock's responses. */
let contract: Contract;
let seed: JsonObject;
let prism: PrismJudge;
/** The documented responses that Prism has judged: `getPet 404`. */
const judged = new Set<string>();

beforeAll(async () => {
  [contract, seed] = await Promise.all([loadPetstore(), loadInventory()]);
  prism = await loadPrism(packageFile('openapi.yaml'));
});

interface Request {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

const open = (options: MockOptions = {}): Mock =>
  createMock(contract, {
    seed,
    clock: createTestClock(),
    limits: { free: { minute: 2 } },
    ...options,
  });

const exchangeWith = async (mock: Mock, request: Request): Promise<JudgedExchange> => {
  const { method, target, headers, body } = request;
  const url = `http://mock.test${contract.basePath}${target}`;
  const response = await mock.fetch(url, { method, headers, body: body ?? null });
  const text = await response.text();
  return { method, target, status: response.status, headers: response.headers, body: text };
};

/** What Prism says of a response, with the response. */
const remarksOn = (exchange: JudgedExchange): readonly string[] => {
  const { method, target, status, body } = exchange;
  const remarks = prism(exchange);
  const operation = contract.operations.find(
    (one) => one.method === method && one.path.split('/').length === target.split('/').length,
  );
  if (remarks?.length === 0) judged.add(`${operation?.id} ${status}`);
  return (remarks ?? []).map(
    (remark) => `${method} ${target} -> ${status} ${body.slice(0, 500)}: ${remark}`,
  );
};

const judgeAll = async (mock: Mock, requests: readonly Request[]): Promise<readonly string[]> => {
  const remarks: string[] = [];
  for (const request of requests) remarks.push(...remarksOn(await exchangeWith(mock, request)));
  return remarks;
};

interface Parts {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const get = (
  target: string,
  { key = 'demo-business', headers = {} }: Parts = {},
  method = 'GET',
): Request => ({ method, target, headers: { authorization: `Bearer ${key}`, ...headers } });
const post = (
  body: string | undefined,
  { key = 'demo-business', headers }: Parts = {},
): Request => ({
  method: 'POST',
  target: '/pets',
  headers: {
    authorization: `Bearer ${key}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...headers,
  },
  body,
});
const pet = '{"name":"Rex","categoryId":1}';
const times = (count: number, request: Request): readonly Request[] =>
  Array.from({ length: count }, () => request);

/** Every response of the document, and every way to be refused. `free` may send two requests. */
const requests: readonly Request[] = [
  ...[
    '/pets',
    '/pets?limit=1',
    '/pets?limit=100',
    '/pets?status=sold',
    '/pets?status=pending&limit=2',
    '/pets/1',
    '/pets/30',
    '/pets?limit=0',
    '/pets?limit=101',
    '/pets?limit=abc',
    '/pets?limit=',
    '/pets?limit=1&limit=2',
    '/pets?status=gone',
    '/pets?cursor=x',
    '/pets?page=0',
    '/pets?page=2',
    '/pets/999',
    '/pets/abc',
    '/pets/9223372036854775808',
    '/pets/a%2Fb',
    '/pets/%00',
    '/pets/%zz',
  ].map((target) => get(target)),
  ...['text/html', 'application/json;q=0', 'text/*, application/json;q=0.5'].map((accept) =>
    get('/pets', { headers: { accept } }),
  ),
  ...[get('/pets'), get('/pets/1'), post(pet)].flatMap((request) =>
    ['', 'Bearer wrong', 'Basic eDp5'].map((authorization) => ({
      ...request,
      headers: { ...request.headers, authorization },
    })),
  ),
  ...[
    pet,
    '{"name":"","categoryId":0,"status":"sold"}',
    '{"name":"a\\u0007","categoryId":77}',
    '{"name":"\\ud800🐢","categoryId":1}',
    `{"name":"${'x'.repeat(300)}","categoryId":1}`,
    '{"id":7,"name":"x","categoryId":1}',
    '{"name":"x","categoryId":1,"collar":"red","__proto__":{"a":1}}',
    '{}',
    '[]',
    'null',
    '"x"',
    '{"name":"x"}',
    '{"categoryId":1}',
    '{"name":5,"categoryId":1}',
    '{"name":"x","categoryId":"1"}',
    '{"name":"x","categoryId":1.5}',
    '{"name":"x","categoryId":1,"status":"gone"}',
    '{',
    '',
    undefined,
    ...[
      '9007199254740991',
      '9007199254740992',
      '-9007199254740993',
      '-9223372036854775808',
      '9223372036854775807',
      '1e400',
    ].map((id) => `{"name":"x","categoryId":${id}}`),
    `{"name":"${'x'.repeat(1_100_000)}","categoryId":1}`,
  ].map((body) => post(body)),
  post(pet, { key: 'wrong' }),
  post('{}', { key: 'wrong' }),
  post(pet, { key: 'free_a-readonly' }),
  post(pet, { headers: { 'content-type': 'text/plain' } }),
  post(pet, { headers: { 'content-encoding': 'gzip' } }),
  ...['code=429', 'code=200', 'example=none', 'example="two"', 'code=x'].map((prefer) =>
    get('/pets', { headers: { prefer } }),
  ),
  get('/pets/1', { headers: { prefer: 'code=404' } }),
  post(pet, { headers: { prefer: 'code=400' } }),
  post(pet, { headers: { prefer: 'example=added' } }),
  ...[
    get('/pets', { key: 'free_b' }),
    get('/pets/1', { key: 'free_c' }),
    post(pet, { key: 'free_d' }),
  ].flatMap((request) => times(4, request)),
  ...times(16, get('/pets', { key: 'free_b' })),
];

/** A mock with a choice; undefined for the few choices that are for other servers only. */
const openWith = (choices: Readonly<Record<string, string>>): Mock | undefined => {
  try {
    return open({ choices });
  } catch (error) {
    if (hasCode(error, 'choice')) return undefined;
    throw error;
  }
};

describe('Prism finds no error in', () => {
  test('the responses to the suite', async () => {
    const clock = createMovableClock();
    const listening = await createMock(contract, { seed, clock }).listen();
    await using direct = createSender({ timeout: 10_000, verifyTls: true });
    const remarks: string[] = [];
    const sender: Sender = {
      async send(request) {
        const outcome = await direct.send(request);
        const target = request.url.slice(listening.url.length);
        if (outcome.kind === 'answered' && request.method !== 'HEAD')
          remarks.push(...remarksOn({ ...outcome.response, method: request.method, target }));
        return outcome;
      },
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
    const report = await runConformance(
      contract,
      { baseUrl: listening.url, apiKey: 'demo-free' },
      {
        clock,
        sender,
        plan: 'Free',
        exhaust: true,
        fuzz: 60,
        longestWait: 2 * 86_400_000,
        seed: 1,
      },
    );
    await listening.close();
    expect(remarks).toEqual([]);
    expect(report.verdicts.filter(({ kind }) => kind === 'failed')).toEqual([]);
    expect(report.exchanges.length).toBeGreaterThan(100);
  });

  test('documented responses, refusals and edges of int64', async () => {
    const large = {
      '/pets': [
        { id: 9223372036854775807n, name: 'x', categoryId: -9223372036854775808n },
        { id: 9007199254740993n, name: 'y', categoryId: 9007199254740993n },
      ],
    };
    const ids = ['9007199254740993', '9223372036854775807', '9007199254740992'];
    const targets = ['/pets', ...ids.map((id) => `/pets/${id}`)];
    const edges = targets.map((target) => get(target));
    expect(await judgeAll(open({ seed: large }), edges)).toEqual([]);
    const clock: TestClock = createTestClock();
    const mock = open({ clock });
    expect(await judgeAll(mock, requests)).toEqual([]);
    clock.advance((Date.UTC(2030, 11, 6) - clock.now()) / 1000);
    expect(await judgeAll(mock, [get('/pets/1'), get('/pets')])).toEqual([]);
  });

  test('the responses of any choice', async () => {
    let left = 0;
    const remarks: string[] = [];
    for (const { id, choices } of contract.openQuestions)
      for (const choice of choices) {
        // Prism accepts no empty body where a document has content; that of a 429 may be empty.
        if (id === 'rate-limit-body' && choice.id === 'empty') continue;
        const mock = openWith({ [id]: choice.id });
        if (mock === undefined) left += 1;
        else remarks.push(...(await judgeAll(mock, requests)));
      }
    expect(remarks).toEqual([]);
    expect(left).toBeLessThan(3);
  });

  test('the responses to 400 requests at random', async () => {
    const random = createRandom(20_301_205);
    const pick = <T>(...items: readonly [T, ...T[]]): T =>
      items[Math.floor(random() * items.length)] ?? items[0];
    const target = (): string =>
      pick('/pets', '/pets', '/pets', `/pets/${Math.floor(random() * 60)}`, '/pets/x') +
      pick(
        '',
        '',
        `?limit=${Math.floor(random() * 110)}`,
        `?status=${pick('sold', 'pending', 'available', '')}`,
        '?a=%20%F0%9F%90%A2&a',
        '?limit=5&status=sold',
      );
    const value = (): unknown =>
      pick<unknown>('x', '', 5, -1, 2 ** 40, null, true, [], {}, 1.5, 'sold', 'a', '\u0000🐢');
    const body = (): string =>
      pick(
        pet,
        JSON.stringify({ name: value(), categoryId: value(), status: value() }),
        JSON.stringify({ name: 'y', categoryId: Math.floor(random() * 1e6), status: 'sold' }),
        JSON.stringify(value()),
        '{"name":"x"',
      );
    const parts = (): Parts => ({
      key: pick('demo-business', 'demo-pro', 'free_a', 'pro_b', 'wrong', ''),
      headers: pick<Readonly<Record<string, string>>>(
        {},
        {},
        { accept: 'application/json' },
        { accept: 'text/html' },
        { cookie: 'a=b' },
        { origin: 'https://x.example' },
        { prefer: 'example=none' },
      ),
    });
    const mix = Array.from({ length: 400 }, () =>
      random() < 0.5 ? get(target(), parts()) : post(body(), parts()),
    );
    expect(await judgeAll(open({ limits: { free: { minute: 40 } } }), mix)).toEqual([]);
  });

  test('every response of the document, each of which it has validated', () => {
    const documented = contract.operations.flatMap(({ id, responses }) =>
      responses.map(({ status }) => `${id} ${status}`),
    );
    expect([...judged]).toEqual(expect.arrayContaining(documented));
  });
});

describe('Prism finds', () => {
  type Change = (exchange: JudgedExchange) => JudgedExchange;
  const body =
    (change: (text: string) => string): Change =>
    (exchange) => ({ ...exchange, body: change(exchange.body) });
  const header =
    (name: string, value: string): Change =>
    (exchange) => ({ ...exchange, headers: [...exchange.headers, [name, value] as const] });
  const without =
    (name: string): Change =>
    (exchange) => ({
      ...exchange,
      headers: [...exchange.headers].filter(([one]) => one.toLowerCase() !== name),
    });

  test.each<readonly [string, Request, Change, string]>([
    [
      'a pet without its id',
      post(pet),
      body((text) => text.replace(/"id":\d+,/, '')),
      "response.body: Response body must have required property 'id'",
    ],
    [
      'a pet in a list without its id',
      get('/pets'),
      body((text) => text.replace('"id":3,', '')),
      "response.body.2: Response body property 2 must have required property 'id'",
    ],
    [
      'a number that is text',
      get('/pets/1'),
      body((text) => text.replace('"categoryId":1', '"categoryId":"1"')),
      'response.body.categoryId: Response body property categoryId must be integer',
    ],
    [
      'a status of a pet that there is not',
      get('/pets/1'),
      body((text) => text.replace('available', 'gone')),
      'response.body.status: Response body property status must be equal to one of the allowed values: available, pending, sold',
    ],
    [
      'a success that is not in the document',
      post(pet),
      (exchange) => ({ ...exchange, status: 202 }),
      'response: Unable to match the returned status code with those defined in the document: 201,400,401,429',
    ],
    [
      'a list within an object',
      get('/pets'),
      body((text) => `{"pets":${text}}`),
      'response.body: Response body must be array',
    ],
    [
      'a failure of the server',
      get('/pets'),
      (exchange) => ({ ...exchange, status: 503 }),
      'response: Unable to match the returned status code with those defined in the document: 200,401,429',
    ],
    [
      'a missing limit',
      get('/pets'),
      without('x-ratelimit-limit'),
      "response.header: Response header must have required property 'x-ratelimit-limit'",
    ],
    [
      'a remainder that is not a number',
      get('/pets/1'),
      header('X-RateLimit-Remaining', 'many'),
      'response.header.x-ratelimit-remaining: Response header parameter x-ratelimit-remaining must be integer',
    ],
    [
      'an error without a message',
      get('/pets/999'),
      body((text) => text.replace(/"message":"[^"]*",/, '')),
      "response.body: Response body must have required property 'message'",
    ],
    [
      'an error of another status',
      get('/pets/999'),
      body((text) => text.replace('"status":404', '"status":400')),
      'response.body.status: Response body property status must be equal to constant',
    ],
    [
      'another media type',
      get('/pets'),
      header('Content-Type', 'text/plain'),
      'response: The received media type "text/plain" does not match the one specified in the current response: application/json',
    ],
    [
      'a wrong name beside a number that is valid',
      post('{"name":"x","categoryId":9007199254740992}'),
      body((text) => text.replace('"x"', '7')),
      'response.body.name: Response body property name must be string',
    ],
  ])('%s', async (_, request, change, expected) => {
    expect(prism(change(await exchangeWith(open(), request)))).toContain(expected);
  });
});
