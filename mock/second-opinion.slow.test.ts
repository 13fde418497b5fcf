import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Sender,
  createMovableClock,
  createSender,
  runConformance,
} from '../conformance/index.ts';
import { type Contract, type JsonObject, hasCode, createRandom } from '../contract/index.ts';
import { maxContentBytes, type MockResponse, type MockRequest } from './http/message.ts';
import { type Mock, createMock } from './mock.ts';
import type { MockOptions } from './served-document/options.ts';
import { type Listening, listen } from './integrations/node/server.ts';
import { loadInventory, loadPetstore } from '../test/mock/contracts.ts';
import {
  overtaking,
  type PrismProxy,
  type ProxiedRequest,
  readRemarks,
  startPrism,
} from '../test/mock/prism-proxy.ts';
import { type ProxiedExchange, prismWaivers } from '../test/mock/prism-waivers.ts';
import { createTestClock } from '../test/mock/test-client.ts';

/**
 * Prism's validation proxy stands before a mock over HTTP, and must find nothing in its responses but
 * what is waived by name.
 */
type Core = Parameters<typeof listen>[0];

let contract: Contract;
let seed: JsonObject;
let prism: PrismProxy;
let upstream: Listening;
/** The mock behind Prism, and what it answered last. */
let behind: { readonly core: Core; last: MockResponse | undefined };
const usedWaivers = new Set<string>();
const judged = new Set<string>();

beforeAll(async () => {
  [contract, seed] = await Promise.all([loadPetstore(), loadInventory()]);
  serve(createMock(contract));
  upstream = await listen({
    contract,
    handle(request) {
      const response = behind.core.handle(request);
      if (!request.target.endsWith(overtaking)) behind.last = response;
      return response;
    },
    refuse: (refusal, connection) => behind.core.refuse(refusal, connection),
    sleep: () => Promise.resolve(),
    control: () => behind.core.control(),
  });
  prism = await startPrism(upstream.url);
});

afterAll(async () => {
  await Promise.all([prism.close(), upstream.close()]);
});

const serve = (core: Core): void => {
  behind = { core, last: undefined };
};

/** What Prism says and no waiver covers, with the exchange that it says it of. */
const ask = async (request: ProxiedRequest): Promise<readonly string[]> => {
  behind.last = undefined;
  const received = await prism.ask(request);
  const exchange: ProxiedExchange = { request, response: behind.last };
  const { response } = exchange;
  const remarks = [
    ...readRemarks(received),
    ...(response === undefined ||
    received === undefined ||
    received.status === response.status ||
    received.status >= 500
      ? []
      : [`Prism answers ${received.status} instead`]),
  ];
  if (remarks.length === 0) judged.add(`${operationOf(request)} ${response?.status}`);
  return remarks
    .filter((remark) => !isWaived(remark, exchange))
    .map((remark) => `${showExchange(exchange)}: ${remark}`);
};

const operationOf = ({ method, target }: ProxiedRequest): string => {
  if (target.startsWith('/pets/')) return 'getPet';
  return method === 'POST' ? 'createPet' : 'listPets';
};

const isWaived = (remark: string, exchange: ProxiedExchange): boolean => {
  const waiver = prismWaivers.find((one) => one.says.test(remark) && one.fits(exchange));
  if (waiver !== undefined) usedWaivers.add(waiver.name);
  return waiver !== undefined;
};

const showExchange = ({
  request: { method, target, headers, content },
  response,
}: ProxiedExchange): string =>
  `${method} ${target} ${JSON.stringify(headers)} ${content?.slice(0, 200) ?? ''} -> ${response === undefined ? 'not forwarded' : `${response.status} ${response.body.slice(0, 500)}`}`;

const askAll = async (requests: readonly ProxiedRequest[]): Promise<readonly string[]> => {
  const remarks: string[] = [];
  for (const request of requests) remarks.push(...(await ask(request)));
  return remarks;
};

interface Parts {
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly content?: string | undefined;
}

const ofKey = (key: string | undefined): Readonly<Record<string, string>> =>
  key === undefined ? {} : { authorization: `Bearer ${key}` };
const get = (
  target: string,
  { key = 'demo-business', headers = {}, content }: Parts = {},
  method = 'GET',
): ProxiedRequest => ({ method, target, headers: { ...ofKey(key), ...headers }, content });
const post = (
  content: string | undefined,
  { key = 'demo-business', headers = {} }: Parts = {},
): ProxiedRequest => ({
  method: 'POST',
  target: '/pets',
  headers: {
    ...ofKey(key),
    ...(content === undefined ? {} : { 'content-type': 'application/json' }),
    ...headers,
  },
  content,
});
/** The same with another credential; undefined for none. */
const as = (request: ProxiedRequest, authorization: string | undefined): ProxiedRequest => {
  const others = Object.entries(request.headers).filter(([name]) => name !== 'authorization');
  return {
    ...request,
    headers: Object.fromEntries(
      authorization === undefined ? others : [...others, ['authorization', authorization]],
    ),
  };
};
const pet = '{"name":"Rex","categoryId":1}';
const times = (count: number, request: ProxiedRequest): readonly ProxiedRequest[] =>
  Array.from({ length: count }, () => request);

/**
 * Every response of the document, and every way to be refused that passes a proxy. `free` may send
 * two requests.
 */
const requests = (): readonly ProxiedRequest[] => [
  ...[
    '/pets',
    '/pets?limit=1',
    '/pets?limit=100',
    '/pets?status=sold',
    '/pets?status=pending&limit=2',
    '/pets/1',
    '/pets/30',
  ].map((target) => get(target)),
  ...[
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
  ].map((target) => get(target)),
  ...['/nowhere', '/store/orders', '//pets', '/pets/%2e%2e', '/pets/'].map((target) => get(target)),
  ...['PUT', 'PATCH', 'DELETE', 'OPTIONS'].map((method) => get('/pets', {}, method)),
  get('/pets', {}, 'HEAD'),
  ...['text/html', 'application/json;q=0', 'text/*, application/json;q=0.5'].map((accept) =>
    get('/pets', { headers: { accept } }),
  ),
  ...[get('/pets'), get('/pets/1'), post(pet)].flatMap((request) =>
    [undefined, 'Bearer wrong', 'Basic eDp5'].map((credential) => as(request, credential)),
  ),
  ...[
    pet,
    '{"name":"","categoryId":0,"status":"sold"}',
    '{"name":"a\\u0007","categoryId":77}',
    '{"name":"\\ud800🐢","categoryId":1}',
    `{"name":"${'x'.repeat(300)}","categoryId":1}`,
    '{"id":7,"name":"x","categoryId":1}',
    '{"name":"x","categoryId":1,"collar":"red","__proto__":{"a":1}}',
  ].map((content) => post(content)),
  ...[
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
  ].map((content) => post(content)),
  ...[
    '9007199254740991',
    '9007199254740992',
    '-9007199254740993',
    '-9223372036854775808',
    '9223372036854775807',
    '1e400',
  ].map((id) => post(`{"name":"x","categoryId":${id}}`)),
  post(pet, { key: 'wrong' }),
  post('{}', { key: 'wrong' }),
  post(pet, { key: 'free_a-readonly' }),
  post(pet, { headers: { 'content-type': 'text/plain' } }),
  post(pet, { headers: { 'content-encoding': 'gzip' } }),
  post(`{"name":"${'x'.repeat(1_100_000)}","categoryId":1}`),
  get('/pets', { content: '{}' }),
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

/** The same request for `handle`. */
const direct = ({ method, target, headers, content }: ProxiedRequest): MockRequest => {
  const bytes = content === undefined ? undefined : new TextEncoder().encode(content);
  return {
    method,
    target: contract.basePath + target,
    headers,
    content: bytes !== undefined && bytes.length > maxContentBytes ? 'too-large' : bytes,
  };
};

const open = (options: MockOptions = {}): Mock =>
  createMock(contract, {
    seed,
    clock: createTestClock(),
    limits: { free: { minute: 2 } },
    ...options,
  });

/** A few choices are for other servers only. */
const isPlayed = (choices: Readonly<Record<string, string>>): boolean => {
  try {
    return open({ choices }).ready instanceof Promise;
  } catch (error) {
    if (hasCode(error, 'choice')) return false;
    throw error;
  }
};

describe('Prism finds nothing in', () => {
  test('what is answered to the suite', { timeout: 60_000 }, async () => {
    const clock = createMovableClock();
    const [mock, twin] = [
      createMock(contract, { seed, clock }),
      createMock(contract, { seed, clock }),
    ];
    serve(twin);
    const listening = await mock.listen();
    const remarks: string[] = [];
    let sent = Promise.resolve();
    await using direct = createSender({ timeout: 10_000, verifyTls: true });
    const sender: Sender = {
      async send(request) {
        const outcome = await direct.send(request);
        const again = {
          method: request.method,
          target: request.url.slice(listening.url.length),
          headers: Object.fromEntries(request.headers),
          content: request.body,
        };
        sent = sent.then(async () => void remarks.push(...(await ask(again))));
        await sent;
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
    serve(open({ seed: large }));
    expect(
      await askAll(
        [
          '/pets',
          '/pets/9007199254740993',
          '/pets/9223372036854775807',
          '/pets/9007199254740992',
        ].map((target) => get(target)),
      ),
    ).toEqual([]);
    const clock = createTestClock();
    serve(open({ clock }));
    expect(await askAll(requests())).toEqual([]);
    clock.advance((Date.UTC(2030, 11, 6) - clock.now()) / 1000);
    expect(await askAll([get('/pets/1'), get('/pets')])).toEqual([]);
  });

  /** A twin in process tells which answers Prism has not seen yet; the others go past it. */
  test('the responses of any choice', { timeout: 120_000 }, async () => {
    const seen = new Set<string>();
    const remarks: string[] = [];
    const every = contract.openQuestions.flatMap(({ id, choices }) =>
      choices.map((choice) => ({ [id]: choice.id })),
    );
    const played = every.filter(isPlayed);
    // Prism takes no empty body where a document has content; that of a 429 may be empty.
    for (const choices of played.filter((each) => each['rate-limit-body'] !== 'empty')) {
      const [twin, mock] = [open({ choices }), open({ choices })];
      serve(mock);
      for (const request of requests()) {
        const { status, headers, body } = twin.handle(direct(request));
        const response = JSON.stringify([
          request,
          status,
          headers.filter((_, index) => index % 2 === 0),
          body,
        ]);
        if (seen.has(response)) mock.handle(direct(request));
        else remarks.push(...(await ask(request)));
        seen.add(response);
      }
    }
    expect(remarks).toEqual([]);
    expect(seen.size).toBeGreaterThan(requests().length + 50);
    expect(every.length - played.length).toBeLessThan(3);
  });

  test('the responses to 400 requests at random', { timeout: 60_000 }, async () => {
    serve(open({ limits: { free: { minute: 40 } } }));
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
      pick<unknown>(
        'x',
        '',
        5,
        -1,
        2 ** 40,
        null,
        true,
        [],
        {},
        1.5,
        'sold',
        'available',
        '\u0000🐢',
      );
    const content = (): string =>
      pick(
        pet,
        JSON.stringify({ name: value(), categoryId: value(), status: value() }),
        JSON.stringify({
          name: 'y',
          categoryId: Math.floor(random() * 1e6),
          status: pick('sold', 'pending'),
        }),
        JSON.stringify(value()),
        '{"name":"x"',
      );
    const headers = (): Readonly<Record<string, string>> =>
      pick(
        {},
        {},
        { accept: 'application/json' },
        { accept: 'text/html' },
        { cookie: 'a=b' },
        { origin: 'https://x.example' },
        { prefer: 'example=none' },
      );
    const key = (): string => pick('demo-business', 'demo-pro', 'free_a', 'pro_b', 'wrong', '');
    const mix = Array.from({ length: 400 }, () =>
      random() < 0.5
        ? get(target(), { key: key(), headers: headers() })
        : post(content(), { key: key(), headers: headers() }),
    );
    expect(await askAll(mix)).toEqual([]);
  });
});

describe('Prism finds', () => {
  type Change = (response: MockResponse) => MockResponse;
  const body =
    (change: (text: string) => string): Change =>
    (response) => ({ ...response, body: change(response.body) });
  const header =
    (name: string, value: string | undefined): Change =>
    (response) => {
      const at = response.headers.indexOf(name);
      return {
        ...response,
        headers: response.headers
          .flatMap((one, index) => (index === at || index === at + 1 ? [] : [one]))
          .concat(value === undefined ? [] : [name, value]),
      };
    };

  test.each<readonly [string, ProxiedRequest, Change, string]>([
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
      (response) => ({ ...response, status: 202 }),
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
      (response) => ({ ...response, status: 503 }),
      'response: Unable to match the returned status code with those defined in the document: 200,401,429',
    ],
    [
      'a limit that is not told',
      get('/pets'),
      header('X-RateLimit-Limit', undefined),
      "response.header: Response header must have required property 'x-ratelimit-limit'",
    ],
    [
      'a remainder that is no number',
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
      'a wrong name beside a number that is waived',
      post('{"name":"x","categoryId":9007199254740992}'),
      body((text) => text.replace('"x"', '7')),
      'response.body.name: Response body property name must be string',
    ],
  ])('%s', async (_, request, change, expected) => {
    const mock = open();
    serve({ ...mock, contract, handle: (one) => change(mock.handle(one)) });
    expect(await ask(request)).toContainEqual(
      expect.stringMatching(new RegExp(`: ${expected.replaceAll(/[[\](){}.*+?^$|\\]/g, '\\$&')}$`)),
    );
  });
});

describe('the referee', () => {
  test('has judged every response of the document', () => {
    const promised = contract.operations.flatMap(({ id, responses }) =>
      responses.map(({ status }) => `${id} ${status}`),
    );
    expect([...judged]).toEqual(expect.arrayContaining(promised));
  });

  test('needs each of its waivers', () => {
    expect(prismWaivers.map(({ name }) => name).filter((name) => !usedWaivers.has(name))).toEqual(
      [],
    );
  });

  /** Why no such path is sent above. The last test, since Prism is gone then. */
  test('ends at a path that cannot be decoded, where the mock answers 404', async () => {
    serve(open());
    expect(behind.core.handle(direct(get('/pets/%zz'))).status).toBe(404);
    await expect(prism.ask(get('/pets/%zz'))).rejects.toThrow(/hang up|ECONNRESET/);
    await prism.ended;
  });
});
