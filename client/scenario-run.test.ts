import { connect } from 'node:net';
import { once } from 'node:events';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { Contract } from '../contract/contract.ts';
import { PetstoreError } from '../contract/error/petstore-error.ts';
import { isJsonArray, isJsonObject, parseJson } from '../contract/json/value.ts';
import { loadYaml } from '../test/conformance/judge-document.ts';
import { loadBooks, loadInventory, loadPetstore } from '../test/mock/contracts.ts';
import { createTestClock } from '../test/mock/test-client.ts';
import {
  maxClientBytes,
  maxClientRequests,
  openScenario,
  type ScenarioRun,
  setUpScenario,
} from './scenario-run.ts';
import { listScenarios } from './scenarios.ts';

let contract: Contract;
let seed: Awaited<ReturnType<typeof loadInventory>>;
beforeAll(async () => {
  [contract, seed] = await Promise.all([loadPetstore(), loadInventory()]);
});

/** A scenario that is open, a clock that its mock goes by, and ways to ask it. */
const open = async (id: string) => {
  const clock = { ...createTestClock(), sleep: () => Promise.resolve() };
  const scenario = listScenarios(contract).find((one) => one.id === id);
  if (scenario === undefined) throw new Error(`There is no scenario ${id}.`);
  const { run, baseUrl, ...closing } = await openScenario(contract, 'Free', scenario, 0, {
    seed,
    clock,
  });
  const send = (
    path: string,
    init: Omit<RequestInit, 'headers'> & { readonly headers?: Record<string, string> } = {},
  ) =>
    fetch(baseUrl + path, {
      ...init,
      headers: { authorization: `Bearer ${run.key}`, ...init.headers },
    });
  const list = async (query = 'limit=100') => await send(`/pets?${query}`);
  const add = async (body: string) =>
    await send('/pets', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  return {
    clock,
    run,
    baseUrl,
    scenario,
    send,
    list,
    add,
    ...closing,
  };
};

const itemsIn = async (response: Response) => {
  const value = parseJson(await response.text());
  return isJsonArray(value) ? value.filter(isJsonObject) : [];
};

const pet = '{"name":"Rex","categoryId":1}';
describe('a scenario', () => {
  test('has a unique id and a sentence', () => {
    const scenarios = listScenarios(contract);
    expect(scenarios.map(({ id }) => id)).toEqual([
      'plain',
      'revoked-key',
      'refused-body',
      'slow-response',
      'slow-addition',
      'reset-connection',
      'lost-response',
      'retry-after-seconds',
      'retry-after-date',
      'repeated-429',
      'banned-key',
      'nothing-remaining',
      'unknown-fields',
      'unknown-value',
      'large-ids',
      'empty-pages',
      'full-pages',
      'before-sunset',
      'after-sunset',
    ]);
    for (const { id, sentence } of scenarios)
      expect([id, sentence]).toEqual([
        expect.stringMatching(/^[a-z0-9-]+$/),
        expect.stringMatching(/^[A-Z].*\.$/),
      ]);
  });

  test('plain responds like the mock', async () => {
    await using it = await open('plain');
    expect([
      (await it.list()).status,
      (await it.add(pet)).status,
      (await it.send('/pets/1')).status,
    ]).toEqual([200, 201, 200]);
  });

  test.each([
    ['retry-after-seconds', '3', 3],
    ['retry-after-date', 'Mon, 01 Jun 2026 12:00:02 GMT', 2],
    ['banned-key', '2', 2],
  ])(
    '%s refuses the first request and accepts one after Retry-After %s',
    async (id, retryAfter, seconds) => {
      await using it = await open(id);
      const refused = await it.list();
      expect([
        refused.status,
        refused.headers.get('retry-after'),
        refused.headers.get('x-ratelimit-remaining'),
      ]).toEqual([429, retryAfter, '0']);
      expect((await it.list()).status).toBe(429);
      it.clock.advance(seconds);
      expect((await it.list()).status).toBe(200);
    },
  );

  test('repeated-429 refuses three requests of a waiting client, and bans one that does not wait', async () => {
    await using it = await open('repeated-429');
    for (const _ of [1, 2, 3]) {
      const refused = await it.list();
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
      it.clock.advance(1);
    }
    expect((await it.list()).status).toBe(200);
    await using other = await open('repeated-429');
    for (let request = 0; request < 11; request += 1) await other.list();
    expect(other.run.exchanges.at(-1)?.intent).toMatchObject({ refusal: { reason: 'banned' } });
  });

  test('nothing-remaining reports 0 in the first response, and accepts requests from Reset on', async () => {
    await using it = await open('nothing-remaining');
    const first = await it.list();
    expect([
      first.status,
      first.headers.get('x-ratelimit-remaining'),
      Number(first.headers.get('x-ratelimit-reset')),
    ]).toEqual([200, '0', it.clock.now() / 1000 + 2]);
    expect((await it.list()).status).toBe(429);
    it.clock.advance(2);
    expect((await it.list()).headers.get('x-ratelimit-remaining')).toBe('59');
  });

  test('revoked-key refuses the key from the second request on', async () => {
    await using it = await open('revoked-key');
    expect([
      (await it.list()).status,
      (await it.list()).status,
      (await it.add(pet)).status,
    ]).toEqual([200, 401, 401]);
  });

  test('refused-body refuses only additions', async () => {
    await using it = await open('refused-body');
    expect([
      (await it.list()).status,
      (await it.add(pet)).status,
      (await it.add('{"name":"Tom","categoryId":2}')).status,
    ]).toEqual([200, 400, 400]);
  });

  test('slow-response delays the first response', async () => {
    await using it = await open('slow-response');
    await it.list();
    await it.list();
    expect(it.run.exchanges.map(({ sentAt, endedAt }) => endedAt - sentAt)).toEqual([2000, 0]);
  });

  test('slow-addition delays the responses to additions', async () => {
    await using it = await open('slow-addition');
    await it.list();
    for (const _ of [1, 2, 3, 4]) await it.add(pet);
    const delays = it.run.exchanges.map(({ sentAt, endedAt }) => endedAt - sentAt);
    expect(delays).toEqual([0, 2000, 2000, 2000, 0]);
  });

  test('reset-connection resets the first connection only', async () => {
    await using it = await open('reset-connection');
    await expect(it.list()).rejects.toThrow('fetch failed');
    expect((await it.list()).status).toBe(200);
    expect(it.run.exchanges[0]?.outcome).toMatchObject({
      kind: 'no-response',
      error: { reason: 'cut' },
    });
  });

  test('lost-response adds the item and resets the connection', async () => {
    await using it = await open('lost-response');
    expect((await it.list()).status).toBe(200);
    await expect(it.add('{"name":"lost","categoryId":1}')).rejects.toThrow('fetch failed');
    expect((await itemsIn(await it.list())).filter(({ name }) => name === 'lost')).toHaveLength(1);
  });

  test('unknown-fields adds fields to every object, of additions and errors too', async () => {
    await using it = await open('unknown-fields');
    for (const item of await itemsIn(await it.list()))
      expect(item).toMatchObject({ name: expect.any(String), 'x-added': 'a text' });
    expect(await (await it.add(pet)).json()).toMatchObject({ name: 'Rex', 'x-added': 'a text' });
    expect(await (await it.add('{}')).json()).toMatchObject({ status: 400, 'x-added': 'a text' });
  });

  test('unknown-value returns a status that is not listed', async () => {
    await using it = await open('unknown-value');
    expect(new Set((await itemsIn(await it.list())).map(({ status = 'none' }) => status))).toEqual(
      new Set(['reserved-by-somebody', 'none']),
    );
    expect((await it.add('{}')).status).toBe(400);
  });

  test('large-ids has unique integers beyond double precision', async () => {
    await using it = await open('large-ids');
    const numbers = (await itemsIn(await it.list())).flatMap(({ id, categoryId }) => [
      id,
      categoryId,
    ]);
    for (const number of numbers)
      expect(typeof number === 'bigint' && BigInt(Number(number)) !== number).toBe(true);
    expect(new Set(numbers).size).toBe(20);
  });

  test('empty-pages has no items, full-pages more than a page', async () => {
    await using empty = await open('empty-pages');
    await using full = await open('full-pages');
    expect([
      await itemsIn(await empty.list()),
      (await itemsIn(await full.list())).length,
      (await itemsIn(await full.list('')))?.length,
    ]).toEqual([[], 100, 20]);
  });

  test('before-sunset and after-sunset set the clock a day before and after', async () => {
    await using before = await open('before-sunset');
    await using after = await open('after-sunset');
    const [there, gone] = [await before.send('/pets/1'), await after.send('/pets/1')];
    expect([
      there.status,
      there.headers.get('date'),
      gone.status,
      gone.headers.get('date'),
    ]).toEqual([200, 'Wed, 04 Dec 2030 00:00:00 GMT', 404, 'Fri, 06 Dec 2030 00:00:00 GMT']);
    expect(after.run.exchanges[0]).toMatchObject({
      request: { operation: 'getPet' },
      sentAt: Date.UTC(2030, 11, 6),
    });
  });
});

describe('an open scenario records', () => {
  test('every request, without the key', async () => {
    await using it = await open('plain');
    await it.send(`/pets?key=${it.run.key}`, { headers: { 'x-api-key': it.run.key } });
    await it.add(`{"name":"${it.run.key}","categoryId":1}`);
    const [first, second] = it.run.exchanges;
    expect(first).toMatchObject({
      index: 0,
      probe: 'plain',
      request: {
        operation: 'listPets',
        method: 'GET',
        target: '/pets?key=[redacted]',
        credential: 'valid',
        body: undefined,
      },
      outcome: { kind: 'answered', response: { status: 200 } },
    });
    expect(first?.request.headers).toEqual(
      expect.arrayContaining([
        ['authorization', 'Bearer [redacted]'],
        ['x-api-key', '[redacted]'],
      ]),
    );
    expect(first?.intent).toEqual({
      kind: 'client',
      scenario: 'plain',
      key: 'plain/Free',
      connection: 0,
      times: { opened: expect.any(Number), arrived: expect.any(Number), closed: undefined },
      refusal: undefined,
      isWhole: true,
    });
    expect(second?.request.body).toBe('{"name":"[redacted]","categoryId":1}');
    const response = second?.outcome.kind === 'answered' ? second.outcome.response : undefined;
    expect(response?.body).toContain('[redacted]');
    expect(JSON.stringify(it.run.exchanges)).not.toContain(it.run.key);
  });

  test.each([
    ['none', undefined, 'missing', undefined],
    ['another key', 'Bearer free_other', 'invalid', 'Bearer [redacted]'],
    ['a variable without a value', 'Bearer undefined', 'invalid', 'Bearer undefined'],
    ['a broken one', 'Bearer secret secret', 'invalid', 'Bearer [redacted]'],
    ['another scheme', 'Basic dXNlcjpzZWNyZXQ=', 'other-scheme', 'Basic [redacted]'],
    ['a bare key', 'sk-live-1234567890', 'other-scheme', '[redacted]'],
  ])('a request with %s, and no secret', async (_, sent, credential, saved) => {
    await using it = await open('plain');
    await fetch(
      `${it.baseUrl}/pets`,
      sent === undefined ? {} : { headers: { authorization: sent } },
    );
    const { request } = it.run.exchanges[0] ?? {};
    expect([
      request?.credential,
      request?.headers.find(([name]) => name === 'authorization')?.[1],
    ]).toEqual([credential, saved]);
  });

  test('a request outside the base URL, and serves no control interface', async () => {
    await using it = await open('plain');
    const { origin } = new URL(it.baseUrl);
    for (const path of ['/pets', '/v12/pets', '/_mock/sandboxes'])
      expect((await fetch(origin + path)).status).toBe(404);
    expect(
      it.run.exchanges.map(({ request: { operation, target } }) => [operation, target]),
    ).toEqual([
      ['', '/../pets'],
      ['', '/../v12/pets'],
      ['', '/../_mock/sandboxes'],
    ]);
  });

  test('bytes that are not HTTP', async () => {
    await using it = await open('plain');
    const socket = connect(Number(new URL(it.baseUrl).port), '127.0.0.1', () => {
      socket.write('hello\r\n\r\n');
    });
    await once(socket.resume(), 'close');
    expect(it.run.exchanges).toMatchObject([
      {
        request: { operation: '', method: '' },
        intent: { isWhole: false, refusal: { reason: 'malformed_request' } },
      },
    ]);
  });

  test('that a body was not read to its end', async () => {
    await using it = await open('plain');
    const body = ReadableStream.from([Buffer.alloc(600_000), Buffer.alloc(600_000)]);
    await (await it.send('/pets', { method: 'POST', body, duplex: 'half' })).text();
    expect(it.run.exchanges).toMatchObject([
      {
        request: { body: undefined },
        intent: { isWhole: false, refusal: { reason: 'body_too_large' } },
      },
    ]);
  });
});

describe('connections', () => {
  /** Sends a request on a connection of its own, which is closed after the response. */
  const sendAlone = async ({ run, baseUrl }: Awaited<ReturnType<typeof open>>, close: boolean) => {
    const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
    const last = close ? 'Connection: close\r\n' : '';
    socket.write(
      `GET /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${run.key}\r\n${last}\r\n`,
    );
    await once(socket, 'data');
    socket.destroy();
    await once(socket, 'close');
  };
  const timesOf = ({ exchanges }: ScenarioRun) =>
    exchanges.map(({ intent }) => (intent.kind === 'client' ? intent.times : undefined));

  test.each([
    ['as the client asked', true],
    ['by itself', false],
  ])('are recorded in order as the client opens and closes them, %s', async (_, close) => {
    await using it = await open('plain');
    await sendAlone(it, close);
    await vi.waitFor(() => expect(timesOf(it.run)[0]?.closed).toBeDefined());
    await sendAlone(it, close);
    const [first, second] = timesOf(it.run);
    const order = [
      first?.opened,
      first?.arrived,
      first?.closed,
      second?.opened,
      second?.arrived,
    ].map((instant) => instant ?? Number.NaN);
    expect(order).toEqual(order.toSorted((one, other) => one - other));
    expect(new Set(order).size).toBe(5);
  });

  test('opened at the same time are all open before one is answered', async () => {
    await using it = await open('plain');
    await Promise.all(Array.from({ length: 12 }, () => sendAlone(it, true)));
    const times = timesOf(it.run).map((each) => [each?.opened ?? NaN, each?.arrived ?? NaN]);
    const firstAnswer = Math.min(...times.map(([, arrived = NaN]) => arrived));
    expect(times.filter(([opened = NaN]) => !(opened < firstAnswer))).toEqual([]);
  });
});

test('a preflight does not advance the scenario', async () => {
  await using it = await open('retry-after-seconds');
  const preflight = await fetch(`${it.baseUrl}/pets`, {
    method: 'OPTIONS',
    headers: { origin: 'http://shop.example', 'access-control-request-method': 'GET' },
  });
  expect(preflight.status).toBe(204);
  expect((await it.list()).status).toBe(429);
});

test('scenarios work with another document', async () => {
  const books = await loadBooks();
  const plan = books.rateLimit?.plans[0]?.name;
  const clock = { ...createTestClock(), sleep: () => Promise.resolve() };
  const seen = await Promise.all(
    listScenarios(books).map(async (scenario) => {
      await using opened = await openScenario(books, plan, scenario, 0, { clock });
      const status = await fetch(`${opened.baseUrl}/books`, {
        headers: { 'x-api-key': opened.run.key },
      }).then(
        (response) => response.status,
        () => 'reset',
      );
      return `${scenario.id} ${status} ${opened.run.exchanges[0]?.request.credential}`;
    }),
  );
  expect(seen).toMatchInlineSnapshot(`
    [
      "plain 200 valid",
      "revoked-key 200 valid",
      "refused-body 200 valid",
      "slow-response 200 valid",
      "slow-addition 200 valid",
      "reset-connection reset valid",
      "lost-response 200 valid",
      "retry-after-seconds 429 valid",
      "repeated-429 429 valid",
      "nothing-remaining 200 valid",
      "unknown-fields 200 valid",
      "unknown-value 200 valid",
      "empty-pages 200 valid",
      "full-pages 200 valid",
    ]
  `);
});

/** Sets up a scenario of a document; undefined if it does not have it. */
const setUp = async (document: Contract, id: string) => {
  const clock = createTestClock();
  const scenario = listScenarios(document).find((one) => one.id === id);
  if (scenario === undefined) return undefined;
  const plan = document.rateLimit?.plans[0]?.name;
  const run = await setUpScenario(document, plan, scenario, { clock });
  const send = (target: string) => {
    const headers = { host: 'a', authorization: `Bearer ${run.key}` };
    return run.handle({ method: 'GET', target, headers, content: undefined });
  };
  return { run, clock, send };
};

describe('a document with limits of its own', () => {
  const shelves = async (members: string, example: string, maximum = '') =>
    await loadYaml(`
paths:
  /pets:
    get:
      parameters: [{ name: limit, in: query, schema: { type: integer, ${maximum} } }]
      responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Pet' } }, example: ${example} } } } }
  /pets/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: {} }]
      responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } } }
components: { schemas: { Pet: { type: object, required: [id], properties: ${members} } } }
`);
  const int64 = 'type: integer, format: int64';
  const large = 9007199254740993n;

  test.each([
    ['any', `{ id: { ${int64} }, n: { ${int64} } }`, { id: large, n: large + 2n }],
    ['maximum', `{ id: { ${int64} }, n: { ${int64}, maximum: 1000 } }`, { id: large, n: 5 }],
    ['enum', `{ id: { ${int64} }, n: { ${int64}, enum: [5] } }`, { id: large, n: 5 }],
    ['multipleOf', `{ id: { ${int64} }, n: { ${int64}, multipleOf: 5 } }`, { id: large, n: 5 }],
    ['id', `{ id: { ${int64}, maximum: 100 }, n: { ${int64} } }`, { id: 1, n: large }],
    ['all', `{ id: { ${int64}, maximum: 100 }, n: { ${int64}, maximum: 100 } }`, undefined],
  ])('has large integers where its schema accepts them: %s', async (_, members, first) => {
    const it = await setUp(await shelves(members, '[{ id: 1, n: 5 }]'), 'large-ids');
    expect(it && parseJson(it.send('/pets').body)).toEqual(first && [first]);
  });

  test('has no large integers in strings', async () => {
    const members = '{ id: { type: integer }, n: { type: string, format: int64 } }';
    expect(await setUp(await shelves(members, '[{ id: 1, n: "5" }]'), 'large-ids')).toBeUndefined();
  });

  test.each([
    ['maximum: 10', 15],
    ['maximum: 2147483647', 1500],
  ])('fills its lists, up to a limit: %s', async (maximum, count) => {
    const members = '{ id: { type: integer } }';
    const it = await setUp(await shelves(members, '[{ id: 1 }, { id: 2 }]', maximum), 'full-pages');
    const control = await it?.run.control();
    expect(control?.sandbox('main').itemCounts).toEqual({ '/pets': count });
  });

  test('leaves out items that get no id of their own', async () => {
    const members = '{ id: { enum: [a, b] } }';
    const it = await setUp(
      await shelves(members, '[{ id: a }, { id: b }]', 'maximum: 2'),
      'full-pages',
    );
    expect(it?.send('/pets').status).toBe(200);
  });
});

describe('a document with short windows', () => {
  const limited = async (formats: string) =>
    await loadYaml(`
x-rate-limit:
  headers: { limit: X-Limit, remaining: X-Remaining, reset: X-Reset }
  windows: [{ name: second, seconds: 1 }]
  plans: [{ name: Free, limits: { second: 5 } }]
x-unspecified: [{ id: format, kind: retry-after-format, at: '', question: Which?, default: http-date, choices: ${formats} }]
security: [{ key: [] }]
components: { securitySchemes: { key: { type: http, scheme: bearer } } }
paths:
  /pets: { get: { responses: { '200': { description: ok } } } }
`);

  test.each(['retry-after-seconds', 'retry-after-date', 'repeated-429', 'nothing-remaining'])(
    '%s ends its window in time',
    async (id) => {
      const it = await setUp(await limited('[{ id: seconds }, { id: http-date }]'), id);
      const isLate = id === 'nothing-remaining';
      if (isLate) it?.send('/pets');
      expect(it?.send('/pets').status).toBe(429);
      for (let waits = id === 'repeated-429' ? 3 : 1; waits > 0; waits -= 1) {
        it?.clock.advance(id === 'retry-after-date' ? 2 : 1);
        if (waits > 1) it?.send('/pets');
      }
      expect(it?.send('/pets').status).toBe(200);
    },
  );

  test('a format of Retry-After that is no choice has no scenario', async () => {
    const document = await limited('[{ id: http-date }, { id: other }]');
    expect(await setUp(document, 'retry-after-seconds')).toBeUndefined();
    expect(await setUp(document, 'retry-after-date')).toBeDefined();
  });
});

test.each([
  ['9999-12-31', ['before-sunset']],
  ['9999-12-30', ['before-sunset', 'after-sunset']],
  ['1970-01-02', ['before-sunset', 'after-sunset']],
  ['1970-01-01', ['after-sunset']],
  ['1969-12-30', []],
])('a removal on %s is played as far as the clock goes: %j', async (day, ids) => {
  const document = await loadYaml(`
paths:
  /pets: { get: { deprecated: true, x-sunset: '${day}', responses: { '200': { description: ok } } } }
`);
  const found = await Promise.all(
    ['before-sunset', 'after-sunset'].map(async (id) => {
      const it = await setUp(document, id);
      return it === undefined ? [] : [id, it.send('/pets').status];
    }),
  );
  const statuses = { 'before-sunset': 200, 'after-sunset': 404 };
  expect(Object.fromEntries(found.filter(([id]) => id !== undefined))).toEqual(
    Object.fromEntries(Object.entries(statuses).filter(([id]) => ids.includes(id))),
  );
});

test('a step that the document makes impossible is found at once', async () => {
  const [plain] = listScenarios(contract);
  if (plain === undefined) throw new Error('There are no scenarios.');
  const steps = new Map([[2, { now: -1 }]]);
  await expect(setUpScenario(contract, 'Free', { ...plain, steps })).rejects.toThrow(PetstoreError);
});

describe('a client that sends much', () => {
  const play = async () => {
    const clock = createTestClock();
    const [plain] = listScenarios(contract);
    if (plain === undefined) throw new Error('There are no scenarios.');
    const run = await setUpScenario(contract, 'Free', plain, { seed, clock });
    const headers = {
      host: 'a',
      authorization: `Bearer ${run.key}`,
      'content-type': 'application/json',
    };
    const send = (content?: Uint8Array): number =>
      run.handle({
        method: content === undefined ? 'GET' : 'POST',
        target: `${contract.basePath}/pets`,
        headers,
        content,
      }).status;
    return { run, send };
  };

  test('records at most maxClientRequests', async () => {
    const { run, send } = await play();
    const most = maxClientRequests;
    for (let at = 0; at < most; at += 1) send(new TextEncoder().encode('{'));
    expect([run.exchanges.length, run.full.aborted]).toEqual([most, false]);
    send();
    expect([run.exchanges.length, run.full.reason]).toEqual([most, '5,000 requests']);
  });

  test('records at most maxClientBytes of request and response bodies together', async () => {
    const { run, send } = await play();
    const body = new TextEncoder().encode(' '.repeat(1024 * 1024));
    const within = maxClientBytes / body.length - 1;
    for (let at = 0; at < within; at += 1) send(body);
    expect([run.exchanges.length, run.full.aborted]).toEqual([within, false]);
    send(body);
    send(body);
    expect([run.exchanges.length, run.full.reason]).toEqual([within, '33,554,432 bytes of bodies']);
  });
});
