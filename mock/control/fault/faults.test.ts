import { connect } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Contract } from '../../../contract/contract.ts';
import { isJsonObject } from '../../../contract/json/value.ts';
import { type JournalEntry, type Mock, type MockOptions, createMock } from '../../index.ts';
import { listen } from '../../integrations/node/server.ts';
import { createTestClock } from '../../../test/mock/test-client.ts';
import { loadInventory, loadPetstore } from '../../../test/mock/contracts.ts';
import type { FaultRule } from '../declaration/schemas.ts';

let contract: Contract;
let seed: Awaited<ReturnType<typeof loadInventory>>;
beforeAll(async () => {
  contract = await loadPetstore();
  seed = await loadInventory();
});

/** A mock whose delays take no time, but are counted. */
const open = async (
  rule: FaultRule,
  options: MockOptions = {},
): Promise<{
  readonly mock: Mock;
  readonly slept: number[];
  readonly exchanges: JournalEntry[];
}> => {
  const [slept, exchanges]: [number[], JournalEntry[]] = [[], []];
  const sleep = (milliseconds: number): Promise<void> =>
    Promise.resolve(void slept.push(milliseconds));
  const mock = createMock(contract, {
    seed,
    clock: { ...createTestClock(), sleep },
    onEntry: (exchange) => exchanges.push(exchange),
    ...options,
  });
  (await mock.control()).sandbox('a').addFault(rule);
  return { mock, slept, exchanges };
};
const headers = { authorization: 'Bearer free_a' };
const statuses = (mock: Mock, times: number, key = 'free_a'): readonly number[] =>
  Array.from(
    { length: times },
    () =>
      mock.handle({
        method: 'GET',
        target: '/v1/pets',
        headers: { authorization: `Bearer ${key}` },
        content: undefined,
      }).status,
  );

describe('a fault', () => {
  test('returns a status as often as configured, only in its sandbox', async () => {
    const { mock } = await open({ operation: 'listPets', status: 503, count: 2 });
    expect([statuses(mock, 1, 'free_b'), statuses(mock, 4)]).toEqual([[200], [503, 503, 200, 200]]);
  });

  test('has a Retry-After of at most a hundred years, which fits journal and headers', async () => {
    const most = 3_153_600_000;
    const { mock, exchanges } = await open({ status: 429, retryAfter: most });
    const sandbox = (await mock.control()).sandbox('a');
    expect([statuses(mock, 1), exchanges[0]?.retryAfter]).toEqual([[429], `${most}`]);
    const listening = await mock.listen();
    const journal = await fetch(`${new URL(listening.url).origin}/_mock/sandboxes/a/journal`);
    expect(await journal.text()).toMatch(/"resetAt":"21\d\d-/);
    await listening.close();
    for (const retryAfter of [most + 1, 2 ** 53, 1e21, 1e308, Infinity, NaN, -1])
      expect(() => sandbox.addFault({ status: 429, retryAfter })).toThrow('from 0 to 3153600000');
  });

  test('applies to one operation, or every request', async () => {
    const { mock } = await open({ operation: 'getPet', status: 500 });
    expect(statuses(mock, 1)).toEqual([200]);
    expect(statuses((await open({ status: 500 })).mock, 1)).toEqual([500]);
  });

  test('does not apply to preflights', async () => {
    const { mock } = await open({ status: 500 });
    expect(
      mock.handle({ method: 'OPTIONS', target: '/v1/pets', headers, content: undefined }).status,
    ).toBe(204);
  });

  test('applies to a share of the requests, the same ones with the same seed', async () => {
    const run = async (seedOfFault: number): Promise<readonly number[]> =>
      statuses((await open({ status: 500, probability: 0.3, seed: seedOfFault })).mock, 50);
    const [first, again, other] = [await run(1), await run(1), await run(2)];
    expect([first, first]).not.toEqual([again, other]);
    expect(first).toEqual(again);
    expect(first.filter((status) => status === 500).length).toBeGreaterThan(5);
    expect(first.filter((status) => status === 500).length).toBeLessThan(30);
  });

  test('is in the journal, with the requirement that it breaks', async () => {
    const marks = async (rule: FaultRule): Promise<readonly unknown[]> => {
      const { mock, exchanges } = await open(rule);
      statuses(mock, 1);
      return [exchanges[0]?.fault?.effect, exchanges[0]?.fault?.breaks];
    };
    expect(await marks({ status: 503 })).toEqual([
      'status 503',
      'listPets does not document status 503.',
    ]);
    expect(await marks({ status: 429 })).toEqual(['status 429', undefined]);
    expect(await marks({ delay: { from: 5, to: 5 } })).toEqual(['delay of 5 ms', undefined]);
    expect(await marks({ connection: 'reset' })).toEqual([
      'connection reset',
      'Every request gets a response.',
    ]);
    expect(await marks({ body: 'malformed' })).toEqual([
      'malformed body',
      'The body is JSON that matches the documented schema.',
    ]);
  });

  test('is in the journal with its delay, and with how the response was lost', async () => {
    const marks = async (rule: FaultRule): Promise<readonly unknown[]> => {
      const { mock, exchanges } = await open(rule);
      statuses(mock, 1);
      return [exchanges[0]?.delay, exchanges[0]?.lost];
    };
    expect(await marks({ delay: { from: 5, to: 5 } })).toEqual([5, undefined]);
    expect(await marks({ connection: 'reset' })).toEqual([undefined, 'reset']);
    expect(await marks({ connection: 'silence' })).toEqual([undefined, 'silence']);
    expect(await marks({ body: 'truncated' })).toEqual([undefined, 'reset']);
  });

  test('of a 429 has the error shape, and rate-limit headers that fit it', async () => {
    const clock = createTestClock();
    const { mock, exchanges } = await open({ status: 429, retryAfter: 7, count: 1 }, { clock });
    const { body, headers: sent } = mock.handle({
      method: 'GET',
      target: '/v1/pets',
      headers,
      content: undefined,
    });
    expect(JSON.parse(body)).toEqual({
      code: 'rate_limited',
      message: 'Injected fault: status 429.',
      status: 429,
    });
    expect([
      sent[sent.indexOf('Retry-After') + 1],
      sent[sent.indexOf('X-RateLimit-Limit') + 1],
      sent[sent.indexOf('X-RateLimit-Remaining') + 1],
      Number(sent[sent.indexOf('X-RateLimit-Reset') + 1]) * 1000,
    ]).toEqual(['7', '60', '0', clock.now() + 7000]);
    statuses(mock, 1);
    expect(exchanges.map(({ rate }) => rate?.remaining)).toEqual([0, 59]);
  });

  test.each([
    [{}, 'A fault needs at least one of status, delay, connection, body, drip.'],
    [
      { operation: 'nothing', status: 500 },
      'There is no operation "nothing"; there are listPets, createPet, getPet.',
    ],
    [{ delay: { from: 2, to: 1 } }, 'The delay must not have a "to" that is less than its "from".'],
  ] as const)('%j is rejected', async (rule, reason) => {
    await expect(open(rule)).rejects.toThrow(reason);
  });
});

describe('over node:http, a fault', () => {
  const get = async (
    rule: FaultRule,
    method = 'GET',
  ): Promise<{ readonly text: string; readonly slept: readonly number[]; readonly mock: Mock }> => {
    const { mock, slept } = await open(rule);
    await using server = await disposable(mock);
    const body = method === 'POST' ? { body: '{"name":"Rex","categoryId":1}' } : {};
    const response = await fetch(`${server.url}/pets?limit=2`, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      ...body,
    });
    return { text: await response.text(), slept, mock };
  };
  const disposable = async (mock: Mock) => {
    const listening = await mock.listen();
    return { url: listening.url, [Symbol.asyncDispose]: () => listening.close() };
  };
  const full = '[{"id":1,"name":"Rex"';

  test('delays by the clock of the mock, within its range', async () => {
    const { text, slept } = await get({ delay: { from: 100, to: 200 } });
    expect(text.startsWith(full)).toBe(true);
    expect(slept).toEqual([
      expect.toSatisfy((milliseconds: number) => milliseconds >= 100 && milliseconds <= 200),
    ]);
  });

  test('drips the body', async () => {
    const { text, slept } = await get({ drip: { bytes: 10, milliseconds: 50 } });
    expect(JSON.parse(text)).toHaveLength(2);
    expect(slept).toEqual(Array.from({ length: Math.ceil(text.length / 10) }, () => 50));
  });

  test('resets the connection after the work is done', async () => {
    await expect(get({ connection: 'reset' })).rejects.toThrow(/fetch failed|terminated|aborted/);
    const { mock } = await open({ connection: 'reset', count: 1 });
    await using server = await disposable(mock);
    const add = (): Promise<Response> =>
      fetch(`${server.url}/pets`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: '{"name":"Rex","categoryId":1}',
      });
    await expect(add()).rejects.toThrow(/fetch failed|terminated|aborted/);
    expect(await (await add()).json()).toMatchObject({ id: 32 });
  });

  test('breaks off in the middle of the body', async () => {
    await expect(get({ body: 'truncated' })).rejects.toThrow(/fetch failed|terminated|aborted/);
  });

  test('spoils the body', async () => {
    const { text } = await get({ body: 'malformed' });
    expect(() => {
      JSON.parse(text);
    }).toThrow('JSON');
  });

  test('never responds', async () => {
    const { mock } = await open({ connection: 'silence' });
    const listening = await mock.listen();
    const asked = fetch(`${listening.url}/pets`, { headers, signal: AbortSignal.timeout(150) });
    await expect(asked).rejects.toThrow('timeout');
    await listening.close();
  });

  /** The server's closing would wait for longer than the test may take. */
  test.each([
    ['silence', { connection: 'silence' }],
    ['a delay', { delay: { from: 1000, to: 1000 } }],
    ['a drip', { drip: { bytes: 1, milliseconds: 1000 } }],
  ] as const)(
    'by %s does not delay the closing of the server',
    { timeout: 60_000 },
    async (_, rule) => {
      const never = new Promise<void>(() => undefined);
      const { mock, exchanges } = await open(rule, {
        clock: { ...createTestClock(), sleep: () => never },
      });
      const listening = await listen(mock, {}, { grace: 600_000 });
      const ask = `GET /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer free_a\r\n\r\n`;
      const socket = connect(listening.port, '127.0.0.1', () => {
        socket.write(ask + ask);
      });
      const ended = new Promise<void>((resolve) => {
        socket
          .on('error', () => undefined)
          .on('close', () => resolve())
          .resume();
      });
      while (exchanges.length < 2)
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
      await Promise.all([listening.close(), ended]);
      expect(exchanges).toHaveLength(2);
    },
  );

  test('on a connection does not affect later requests on it', async () => {
    const { mock } = await open({ delay: { from: 1, to: 1 }, count: 1 });
    const listening = await mock.listen();
    const get = `GET /v1/pets?limit=1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer free_a\r\n\r\n`;
    const post = `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer free_a\r\nContent-Type: application/json\r\nContent-Length: 27\r\nExpect: 100-continue\r\n\r\n`;
    let received = '';
    const socket = connect(listening.port, '127.0.0.1', () => {
      socket.write(get + post);
    });
    const ended = new Promise<void>((resolve) => {
      socket.on('close', () => resolve());
    });
    await new Promise<void>((resolve) => {
      socket.on('data', (text) => {
        received += String(text);
        if (received.includes('100 Continue')) resolve();
      });
    });
    const closed = listening.close();
    socket.write('{"name":"xy","categoryId":1}'.slice(0, 27));
    await Promise.all([closed, ended]);
    expect(received).toMatch(/HTTP\/1\.1 200 [^]*HTTP\/1\.1 400 [^]*Connection: close/);
  });
});

describe('Prefer', () => {
  const send = (prefer: string, target = '/v1/pets', method = 'GET') => {
    const mock = createMock(contract, { seed, clock: createTestClock() });
    const response = mock.handle({
      method,
      target,
      headers: { ...headers, prefer },
      content: undefined,
    });
    const header = (name: string): string | undefined =>
      response.headers.includes(name)
        ? response.headers[response.headers.indexOf(name) + 1]
        : undefined;
    return {
      status: response.status,
      body: response.body,
      applied: header('Preference-Applied'),
      header,
      delay: response.delivery?.delay,
    };
  };

  test('code returns a status that the operation documents', () => {
    const limited = send('code=429');
    expect([
      limited.status,
      limited.applied,
      limited.header('X-RateLimit-Remaining'),
      limited.header('Retry-After'),
    ]).toEqual([429, 'code=429', '0', '60']);
    const refused = send('code=400', '/v1/pets', 'POST');
    expect([refused.status, isJsonObject(JSON.parse(refused.body)), refused.applied]).toEqual([
      400,
      true,
      'code=400',
    ]);
    expect(send('code=401').header('WWW-Authenticate')).toBe('Bearer realm="Petstore"');
    expect(send('code=404', '/v1/pets/1').body).toBe(
      '{"code":"not_found","message":"No pet has the identifier 404.","status":404}',
    );
  });

  test('code is ignored if the operation does not document the status', () => {
    for (const prefer of ['code=503', 'code=200', 'code=x', 'respond-async'])
      expect([send(prefer).status, send(prefer).applied]).toEqual([200, undefined]);
  });

  test('example returns an example of the document', () => {
    const none = send('example=none');
    expect([none.status, none.body, none.applied]).toEqual([200, '[]', 'example=none']);
    expect(send('code=200, example="two"').body).toContain('"name":"Tom"');
    expect(send('example=missingKey').status).toBe(401);
    expect(send('example=nothing').applied).toBeUndefined();
  });

  test('wait delays, together with other preferences', () => {
    expect([
      send('wait=2').delay,
      send('wait=0.5').applied,
      send('wait=100000').delay,
      send('wait=-1').delay,
    ]).toEqual([2000, 'wait=0.5', 300_000, undefined]);
    const both = send('Code=429, wait=1; x=y, code=400');
    expect([both.status, both.applied, both.delay]).toEqual([429, 'code=429, wait=1', 1000]);
  });

  test('needs a key, counts as a request, and adds nothing', () => {
    const mock = createMock(contract, { seed });
    const ask = (prefer: string | undefined, key = 'free_a') =>
      mock.handle({
        method: 'POST',
        target: '/v1/pets',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          ...(prefer === undefined ? {} : { prefer }),
        },
        content: new TextEncoder().encode('{"name":"x","categoryId":1}'),
      });
    expect(ask('example=added', 'wrong').status).toBe(401);
    expect(ask('example=added').body).toContain('"id":3');
    const { headers: sent } = ask('example=added');
    expect(sent[sent.indexOf('X-RateLimit-Remaining') + 1]).toBe('58');
    expect(
      mock.handle({ method: 'GET', target: '/v1/pets/31', headers, content: undefined }).status,
    ).toBe(404);
  });
});
