import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Contract } from '../../contract/contract.ts';
import { PetstoreError } from '../../contract/error/petstore-error.ts';
import { type JsonValue, isJsonObject, parseJson } from '../../contract/json/value.ts';
import { loadContract } from '../../contract/load.ts';
import { type Mock, createMock } from '../index.ts';
import type { Listening, ListenOptions } from '../integrations/node/server.ts';
import { loadInventory, loadPetstore } from '../../test/mock/contracts.ts';
import { createMemoryEngine } from '../../test/mock/state/memory-engine.ts';
import { createTestClock } from '../../test/mock/test-client.ts';
import { type ControlClient, ControlError, createControlClient } from './client.ts';
import { loadControlContract } from './declaration/document.ts';
import { createJudgedFetch, openMock } from '../../test/mock/control/open-mock.ts';

let contract: Contract;
let judged: typeof fetch;
let seed: Awaited<ReturnType<typeof loadInventory>>;
beforeAll(async () => {
  const own = loadControlContract();
  [contract, seed] = await Promise.all([loadPetstore(), loadInventory()]);
  judged = createJudgedFetch(await own);
});

let mock: Mock;
let server: Listening;
let control: ControlClient;
const sandbox = 'a';

const open = async (options: ListenOptions = {}): Promise<void> => {
  mock = createMock(contract, { seed, clock: createTestClock() });
  server = await mock.listen(options);
  control = createControlClient(server.url, { fetch: judged });
};
beforeEach(async () => {
  await open();
});
afterEach(async () => {
  await server.close();
});

const get = (path = '/pets', key = 'free_a'): Promise<Response> =>
  fetch(server.url + path, { headers: { authorization: `Bearer ${key}` } });
const add = (key = 'free_a'): Promise<Response> =>
  fetch(`${server.url}/pets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{"name":"Rex","categoryId":1}',
  });
const refusal = async (call: Promise<unknown>): Promise<unknown> => {
  const error = await call.catch((reason: unknown) => reason);
  return error instanceof ControlError ? [error.status, error.message] : error;
};

test('if the state store is down, every request gets a 503 with the reason', async () => {
  const engine = createMemoryEngine();
  const fail = () => Promise.reject(new PetstoreError('state', 'The engine is not reached.'));
  const state = { ...engine };
  const kept = await createMock(contract, { seed, state }).listen();
  Object.assign(state, { read: fail, write: fail, forget: fail, list: fail });
  const client = createControlClient(kept.url);
  for (const call of [
    () => client.call('listSandboxes', {}),
    () => client.call('getSandbox', { sandbox }),
    () => client.call('resetSandbox', { sandbox }),
    () => client.call('readState', { sandbox }),
    () => client.call('resetState', { sandbox }),
    () => client.call('listItems', { sandbox, collection: '/pets' }),
    () => client.call('takeSnapshot', { sandbox, snapshot: 'one' }),
    () => client.call('setClock', { sandbox, body: { frozen: true } }),
    () => client.call('readJournal', { sandbox }),
    () => client.call('addFault', { sandbox, body: { status: 503 } }),
    () => client.call('listQuotas', { sandbox }),
  ])
    expect(await refusal(call())).toEqual([503, 'The engine is not reached.']);
  Object.assign(state, engine);
  expect(await client.call('readClock', { sandbox })).toMatchObject({ frozen: false });
  await kept.close();
});

describe('the control interface', () => {
  test('returns its document and the sandboxes, without counting as requests', async () => {
    expect(await control.call('getDocument', {})).toMatch(/^openapi: 3\.1\.0\n/);
    await get();
    expect(
      (await control.call('listSandboxes', {})).map(({ name, requests, items }) => [
        name,
        requests,
        items['/pets'],
      ]),
    ).toEqual([
      ['main', 0, 30],
      ['a', 1, 30],
    ]);
    expect((await get()).headers.get('x-ratelimit-remaining')).toBe('58');
    expect(await control.call('getSandbox', { sandbox: 'new' })).toMatchObject({
      name: 'new',
      requests: 0,
      frozen: false,
    });
  });

  test('reads, replaces and resets items, int64 exact', async () => {
    await control.call('replaceState', {
      sandbox,
      body: { '/pets': [{ name: 'No id', categoryId: 1 }] },
    });
    expect(await (await get()).json()).toEqual([{ id: 1, name: 'No id', categoryId: 1 }]);
    const exact = await fetch(`${new URL(server.url).origin}/_mock/sandboxes/a/state`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: '{"/pets":[{"id":9007199254740993,"name":"Big","categoryId":1}]}',
    });
    expect(await exact.text()).toBe(
      '{"/pets":[{"id":9007199254740993,"name":"Big","categoryId":1}]}',
    );
    expect(Object.keys(await control.call('readState', { sandbox }))).toEqual(['/pets']);
    expect(
      await refusal(control.call('replaceState', { sandbox, body: { '/pets': [{ id: 1 }] } })),
    ).toEqual([
      400,
      expect.stringContaining('Seed item 0 of /pets breaks the contract: name is required'),
    ]);
    expect(await (await get()).text()).toContain('9007199254740993');
    await control.call('resetState', { sandbox });
    expect((await control.call('getSandbox', { sandbox })).items['/pets']).toBe(30);
  });

  test('freezes the clock at exactly the requested time, and leaves it unchanged if it cannot be moved', async () => {
    let looks = Date.UTC(2026, 0);
    const moving = createMock(contract, { seed, clock: { now: () => (looks += 1) } });
    const listening = await moving.listen({});
    const client = createControlClient(listening.url, { fetch: judged });
    expect(
      await client.call('setClock', {
        sandbox,
        body: { now: '2030-12-05T00:00:00Z', advanceSeconds: 1, frozen: true },
      }),
    ).toEqual({ now: '2030-12-05T00:00:01.000Z', frozen: true });
    expect(
      await refusal(
        client.call('setClock', {
          sandbox,
          body: { now: '2031-01-01T00:00:00Z', advanceSeconds: 1e12, frozen: true },
        }),
      ),
    ).toEqual([400, 'The clock must be set to a year from 1970 to 9999.']);
    expect(await client.call('readClock', { sandbox })).toEqual({
      now: '2030-12-05T00:00:01.000Z',
      frozen: true,
    });
    await listening.close();
  });

  test('moves, freezes and resets the clock', async () => {
    expect(
      await control.call('setClock', {
        sandbox,
        body: { now: '2030-12-05T00:00:00Z', frozen: true },
      }),
    ).toEqual({ now: '2030-12-05T00:00:00.000Z', frozen: true });
    expect((await get('/pets/1')).status).toBe(404);
    expect(await control.call('setClock', { sandbox, body: { advanceSeconds: -1 } })).toEqual({
      now: '2030-12-04T23:59:59.000Z',
      frozen: true,
    });
    expect((await get('/pets/1')).status).toBe(200);
    expect(await control.call('setClock', { sandbox, body: { frozen: false } })).toMatchObject({
      frozen: false,
    });
    await control.call('resetClock', { sandbox });
    expect(await control.call('readClock', { sandbox })).toEqual({
      now: '2026-06-01T12:00:00.000Z',
      frozen: false,
    });
    expect(await refusal(control.call('setClock', { sandbox, body: { now: 'soon' } }))).toEqual([
      400,
      expect.stringContaining('now must be'),
    ]);
    expect(
      await refusal(control.call('setClock', { sandbox, body: { advanceSeconds: 1e15 } })),
    ).toEqual([400, 'The clock must be set to a year from 1970 to 9999.']);
  });

  test('makes other choices in one sandbox, and keeps its items', async () => {
    await add();
    expect(
      await control.call('setChoices', {
        sandbox,
        body: { 'list-order': 'id-descending', 'invalid-limit': 'clamped' },
      }),
    ).toMatchObject({ 'list-order': 'id-descending', events: 'none' });
    const first = async (key: string): Promise<unknown> =>
      parseJson(await (await get('/pets?limit=0', key)).text());
    expect([await first('free_a'), await first('free_b')]).toEqual([
      [expect.objectContaining({ id: 31 })],
      expect.objectContaining({ status: 400 }),
    ]);
    expect(
      await refusal(control.call('setChoices', { sandbox, body: { 'list-order': 'odd' } })),
    ).toEqual([400, expect.stringContaining('no choice "odd"')]);
    expect(
      (await control.call('setChoices', { sandbox, body: { 'list-order': null } }))['list-order'],
    ).toBe('id-ascending');
    await control.call('resetChoices', { sandbox });
    expect((await control.call('readChoices', { sandbox }))['invalid-limit']).toBe('refused');
    expect((await control.call('getSandbox', { sandbox })).items['/pets']).toBe(31);
  });

  test('adds and removes faults', async () => {
    const fault = await control.call('addFault', {
      sandbox,
      body: { operation: 'listPets', status: 503, retryAfter: 2 },
    });
    const response = await get();
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await control.call('listFaults', { sandbox })).toEqual([{ ...fault, applied: 1 }]);
    await control.call('removeFault', { sandbox, fault: fault.id });
    expect(await refusal(control.call('removeFault', { sandbox, fault: fault.id }))).toEqual([
      404,
      'There is no fault "fault-1".',
    ]);
    await control.call('addFault', { sandbox, body: { connection: 'reset' } });
    await control.call('clearFaults', { sandbox });
    expect((await get()).status).toBe(200);
    expect(await refusal(control.call('addFault', { sandbox, body: { status: 200 } }))).toEqual([
      400,
      expect.stringContaining('status must be'),
    ]);
    expect(await refusal(control.call('addFault', { sandbox, body: { count: 1 } }))).toEqual([
      400,
      expect.stringContaining('at least one of'),
    ]);
  });

  test('edits a fault and a stub, which keep their positions and use counts', async () => {
    const add = async (status: number) =>
      await control.call('addFault', {
        sandbox,
        body: { operation: 'listPets', status, count: 2 },
      });
    const [{ id: fault }] = [await add(503), await add(500)];
    expect((await get()).status).toBe(503);
    const edited = await control.call('editFault', {
      sandbox,
      fault,
      body: { operation: 'listPets', status: 418, count: 2 },
    });
    expect(edited).toEqual({ id: fault, operation: 'listPets', status: 418, count: 2, applied: 1 });
    expect([(await get()).status, (await get()).status]).toEqual([418, 500]);
    const refused = control.call('editFault', { sandbox, fault, body: { count: 1 } });
    expect(await refusal(refused)).toMatchObject({ 0: 400 });
    const unknown = { sandbox, fault: 'fault-9', body: { status: 500 } };
    expect(await refusal(control.call('editFault', unknown))).toMatchObject({ 0: 404 });
    await control.call('clearFaults', { sandbox });

    await control.call('addStub', { sandbox, body: { response: { status: 202 }, priority: -1 } });
    const { id: stub } = await control.call('addStub', {
      sandbox,
      body: { response: { status: 203 } },
    });
    expect((await get()).status).toBe(203);
    const body = { response: { status: 204 }, times: 2 };
    expect(await control.call('editStub', { sandbox, stub, body })).toMatchObject({
      id: stub,
      applied: 1,
    });
    expect([(await get()).status, (await get()).status]).toEqual([204, 202]);
    const wrong = { sandbox, stub, body: { request: { operation: 'none' }, response: {} } };
    expect(await refusal(control.call('editStub', wrong))).toMatchObject({ 0: 400 });
    const none = { sandbox, stub: 'stub-9', body };
    expect(await refusal(control.call('editStub', none))).toMatchObject({ 0: 404 });
    await control.call('clearStubs', { sandbox });
  });

  test('uses up, changes and resets quotas, and bans', async () => {
    const spent = await control.call('setQuota', {
      sandbox,
      plan: 'free',
      body: { used: { day: 1000 } },
    });
    expect(spent).toMatchObject({
      plan: 'Free',
      key: 'free_a',
      windows: [
        { name: 'minute', limit: 60, used: 0 },
        { name: 'day', limit: 1000, used: 1000, resetAt: '2026-06-02T00:00:00.000Z' },
      ],
    });
    const limited = await get();
    expect([
      limited.status,
      limited.headers.get('retry-after'),
      (await get('/pets', 'pro_a')).status,
    ]).toEqual([429, '43200', 200]);
    await control.call('resetQuotas', { sandbox });
    await control.call('setQuota', { sandbox, plan: 'Free', body: { limits: { minute: 2 } } });
    expect((await get()).headers.get('x-ratelimit-limit')).toBe('2');
    expect(
      (await control.call('setQuota', { sandbox, plan: 'Free', body: { banSeconds: 90 } }))
        .bannedUntil,
    ).toBe('2026-06-01T12:01:30.000Z');
    expect(await (await get()).json()).toMatchObject({ code: 'banned' });
    await control.call('resetQuotas', { sandbox });
    expect((await control.call('listQuotas', { sandbox: 'main' })).map(({ key }) => key)).toEqual([
      'demo-free',
      'demo-pro',
      'demo-business',
      'demo-enterprise',
    ]);
    expect(
      await refusal(control.call('setQuota', { sandbox, plan: 'gold', body: { banSeconds: 1 } })),
    ).toEqual([400, 'There is no plan "gold"; there are Free, Pro, Business, Enterprise.']);
    expect(
      await refusal(
        control.call('setQuota', { sandbox, plan: 'free', body: { used: { hour: 1 } } }),
      ),
    ).toEqual([400, 'There is no window "hour"; there are minute, day.']);
  });

  test.each(['fixed', 'from-first-request', 'sliding'])(
    'ends a window that is %s at the requested time',
    async (choice) => {
      await control.call('setChoices', { sandbox, body: { 'window-kind': choice } });
      const { windows } = await control.call('setQuota', {
        sandbox,
        plan: 'free',
        body: { used: { minute: 60 }, resetSeconds: { minute: 1.5 } },
      });
      expect(windows[0]).toMatchObject({ used: 60, resetAt: '2026-06-01T12:00:01.500Z' });
      expect([
        (await get()).status,
        (await get()).headers.get('retry-after'),
        (await get('/pets', 'pro_a')).status,
      ]).toEqual([429, '2', 200]);
      await control.call('setClock', { sandbox, body: { advanceSeconds: 1.5 } });
      expect((await get()).status).toBe(200);
      for (const seconds of [0, 61])
        expect(
          await refusal(
            control.call('setQuota', {
              sandbox,
              plan: 'free',
              body: { resetSeconds: { minute: seconds } },
            }),
          ),
        ).toEqual([400, expect.stringContaining('0')]);
      expect(
        await refusal(
          control.call('setQuota', { sandbox, plan: 'free', body: { resetSeconds: { hour: 1 } } }),
        ),
      ).toEqual([400, 'There is no window "hour"; there are minute, day.']);
    },
  );

  test('saves, restores, forks and deletes snapshots', async () => {
    await add();
    await control.call('setClock', {
      sandbox,
      body: { now: '2027-01-01T00:00:00Z', frozen: true },
    });
    const fault = await control.call('addFault', {
      sandbox,
      body: { operation: 'getPet', status: 503, count: 2 },
    });
    await get('/pets/1');
    await control.call('takeSnapshot', { sandbox, snapshot: 'one more' });
    await add();
    await control.call('resetClock', { sandbox });
    await control.call('clearFaults', { sandbox });
    const counted = async (name: string): Promise<unknown> =>
      (await control.call('getSandbox', { sandbox: name })).items['/pets'];
    expect([await counted('a'), await control.call('listSnapshots', { sandbox })]).toEqual([
      32,
      ['one more'],
    ]);
    expect(await control.call('restoreSnapshot', { sandbox, snapshot: 'one more' })).toMatchObject({
      items: { '/pets': 31 },
      now: '2027-01-01T00:00:00.000Z',
    });
    expect(await control.call('listFaults', { sandbox })).toEqual([{ ...fault, applied: 1 }]);
    await add();
    await control.call('restoreSnapshot', { sandbox, snapshot: 'one more', body: { into: 'b' } });
    await control.call('forkSandbox', { sandbox, body: { into: 'c' } });
    expect([await counted('a'), await counted('b'), await counted('c')]).toEqual([32, 31, 32]);
    expect(await control.call('listFaults', { sandbox: 'c' })).toEqual([{ ...fault, applied: 1 }]);
    expect((await get('/pets', 'free_b')).headers.get('x-ratelimit-remaining')).toBe('58');
    await add('free_c');
    expect([await counted('a'), await counted('c')]).toEqual([32, 33]);
    await control.call('dropSnapshot', { sandbox, snapshot: 'one more' });
    for (const call of ['restoreSnapshot', 'dropSnapshot'] as const)
      expect(await refusal(control.call(call, { sandbox, snapshot: 'one more' }))).toEqual([
        404,
        'There is no snapshot "one more".',
      ]);
  });

  test('returns the journal: filtered, counted, awaited, cleared, and without keys', async () => {
    await get('/pets?limit=0&as=free_a');
    await get('/pets/77');
    const journal = await control.call('readJournal', { sandbox });
    expect([journal.count, journal.next, journal.exchanges[0]]).toEqual([
      2,
      2,
      expect.objectContaining({
        index: 0,
        at: '2026-06-01T12:00:00.000Z',
        target: '/v1/pets?limit=0&as=[key]',
        operation: 'listPets',
        status: 400,
        plan: 'Free',
        rate: { limit: 60, remaining: 59, resetAt: '2026-06-01T12:01:00.000Z' },
        refusal: expect.objectContaining({ check: 'parameters', reason: 'invalid_parameter' }),
      }),
    ]);
    expect(JSON.stringify(journal)).not.toContain('free_a');
    const indexes = async (filter: object): Promise<readonly number[]> =>
      (await control.call('readJournal', { sandbox, ...filter })).exchanges.map(
        ({ index }) => index,
      );
    expect([
      await indexes({ operation: 'getPet' }),
      await indexes({ status: 400 }),
      await indexes({ check: 'state' }),
      await indexes({ path: '/v1/pets/' }),
      await indexes({ method: 'post' }),
      await indexes({ from: 1 }),
    ]).toEqual([[1], [0], [1], [1], [], [1]]);
    const waited = control.call('readJournal', {
      sandbox,
      operation: 'createPet',
      count: 2,
      wait: 20_000,
    });
    await Promise.all([add(), add()]);
    expect((await waited).exchanges.map(({ status }) => status)).toEqual([201, 201]);
    expect(
      await control.call('readJournal', { sandbox, operation: 'createPet', count: 9, wait: 1 }),
    ).toMatchObject({ count: 2 });
    await control.call('clearJournal', { sandbox });
    expect(await control.call('readJournal', { sandbox })).toEqual({
      count: 0,
      next: 4,
      exchanges: [],
    });
  });

  test('records what was sent: body, credential, and a misplaced key', async () => {
    const send = (body: string, key = 'free_a'): Promise<Response> =>
      fetch(`${server.url}/pets`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body,
      });
    const long = `{"name":"${'\u{1F98A}'.repeat(2000)}","categoryId":1}`;
    await send('{"name":"Rex","categoryId":1}');
    await send('{"name":"free_a","categoryId":1}');
    await send(long);
    await send('x'.repeat(1024 * 1024 + 1)).catch(() => undefined);
    await control.call('setQuota', { sandbox, plan: 'Free', body: { used: { minute: 60 } } });
    await get('/pets');
    const { exchanges } = await control.call('readJournal', { sandbox, count: 5, wait: 20_000 });
    expect(
      exchanges.map(({ body, bodyLength, credential, keyElsewhere, retryAfter }) => [
        body?.slice(0, 40),
        bodyLength,
        credential,
        keyElsewhere,
        retryAfter,
      ]),
    ).toEqual([
      ['{"name":"Rex","categoryId":1}', 29, 'valid', false, undefined],
      ['{"name":"[key]","categoryId":1}', 32, 'valid', true, undefined],
      [long.slice(0, 40), Buffer.byteLength(long), 'valid', false, undefined],
      [undefined, undefined, 'valid', false, undefined],
      [undefined, 0, 'valid', false, '60'],
    ]);
    expect([exchanges[2]?.body, Buffer.byteLength(exchanges[2]?.body ?? '')]).toEqual([
      long.slice(0, 9 + 2 * 1021),
      9 + 4 * 1021,
    ]);
    await send('{}', 'gold_a');
    await fetch(`${server.url}/pets`);
    const keyless = await control.call('readJournal', {
      sandbox: 'no-key',
      count: 2,
      wait: 20_000,
    });
    expect(keyless.exchanges.slice(-2).map(({ credential, plan }) => [credential, plan])).toEqual([
      ['invalid', undefined],
      ['missing', undefined],
    ]);
  });

  test('resets a sandbox, including main', async () => {
    for (const [name, key] of [
      ['a', 'free_a'],
      ['main', 'demo-free'],
    ] as const) {
      await add(key);
      await control.call('setClock', { sandbox: name, body: { now: '2031-01-01T00:00:00Z' } });
      await control.call('resetSandbox', { sandbox: name });
      expect(await control.call('getSandbox', { sandbox: name })).toMatchObject({
        items: { '/pets': 30 },
        now: '2026-06-01T12:00:00.000Z',
      });
      expect((await get('/pets', key)).headers.get('x-ratelimit-remaining')).toBe('59');
    }
  });

  test('lists webhooks, sends them, and reports unreachable receivers', async () => {
    const responses = { 200: { description: '' } };
    const other = await loadContract({
      text: JSON.stringify({
        openapi: '3.1.0',
        info: { title: 'Events', version: '1' },
        webhooks: { ping: { post: { summary: 'Hello', responses } } },
        paths: {
          '/hooks': {
            post: {
              operationId: 'hook',
              parameters: [{ name: 'to', in: 'query', schema: { type: 'string' } }],
              responses,
              callbacks: { 'a/b': { '{$request.query.to}': { post: { responses } } } },
            },
          },
        },
      }),
    });
    const receiver = createServer((_, response) => response.writeHead(204).end());
    await once(receiver.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${Object(receiver.address()).port}/`;
    const second = await createMock(other).listen();
    try {
      const client = createControlClient(second.url, { fetch: judged });
      expect(await client.call('listWebhooks', {})).toEqual([
        {
          name: 'ping',
          kind: 'webhook',
          method: 'POST',
          summary: 'Hello',
          pointer: '#/webhooks/ping/post',
          content: [],
        },
        {
          name: 'a/b',
          kind: 'callback',
          method: 'POST',
          operation: 'hook',
          expression: '{$request.query.to}',
          pointer: '#/paths/~1hooks/post/callbacks/a~1b/{$request.query.to}/post',
          content: [],
        },
      ]);
      expect(
        await client.call('sendWebhook', { webhook: 'ping', body: { url, body: [1] } }),
      ).toMatchObject({ request: { body: '[1]' }, response: { status: 204 } });
      const send = () => client.call('sendWebhook', { webhook: 'a/b', sandbox: 'main' });
      expect((await refusal(send()))?.toString()).toMatch(/^400,No request to hook in the journal/);
      await fetch(`${second.url}/hooks?to=${encodeURIComponent(url)}`, { method: 'POST' });
      expect(await send()).toMatchObject({ request: { url }, response: { status: 204 } });
      const { exchanges } = await client.call('readJournal', { sandbox: 'main' });
      expect(exchanges[0]?.callbacks).toEqual([{ name: 'a/b', url }]);
      receiver.close();
      await once(receiver, 'close');
      const unjudged = createControlClient(second.url);
      expect(await refusal(unjudged.call('sendWebhook', { webhook: 'a/b' }))).toEqual([
        502,
        `The webhook could not be delivered to ${url}: connect ECONNREFUSED ${new URL(url).host}.`,
      ]);
      expect(await refusal(unjudged.call('sendWebhook', { webhook: 'none' }))).toEqual([
        404,
        'There is no webhook "none".',
      ]);
    } finally {
      await second.close();
    }
  });

  test('has no conformance runs without a suite', async () => {
    const refused =
      'This mock cannot run the suite: it was started without it. Start one with npx petstore-contract mock.';
    const run = 'run-1';
    expect(await control.call('describeMock', {})).toMatchObject({ conformance: false });
    for (const call of [
      () => control.call('planRun', { body: {} }),
      () => control.call('listRuns', {}),
      () => control.call('startRun', { body: {} }),
      () => control.call('readRun', { run }),
      () => control.call('dropRun', { run }),
      () => control.call('readReport', { run }),
      () => control.call('openReport', { body: {} }),
      () => control.call('compareRuns', { one: run, other: run }),
    ])
      expect(await refusal(call())).toEqual([404, refused]);
  });
});

test('the client sends integers beyond 2^53 exactly', async () => {
  await using open = await openMock();
  const id = 9_007_199_254_740_993n;
  const body = { id, name: 'Rex', categoryId: 1 };
  const added = await open.control.call('addItem', { sandbox: 'a', collection: '/pets', body });
  expect(added.id).toBe(`${id}`);
});

describe('the control interface refuses', () => {
  const ask = async (
    path: string,
    init: RequestInit = {},
  ): Promise<readonly [number, JsonValue | undefined]> => {
    const response = await fetch(new URL(server.url).origin + path, init);
    const body = await response.text();
    const value = body.startsWith('{') ? parseJson(body) : undefined;
    return [response.status, isJsonObject(value) ? value['message'] : undefined];
  };

  test.each([
    ['/_mock/nothing', {}, 404, 'The API has no path /_mock/nothing.'],
    [
      '/_mock/sandboxes/a/journal?stauts=400',
      {},
      400,
      'There is no query parameter "stauts"; did you mean status? There are operation, method, status, path, check, from, count, wait.',
    ],
    ['/_mock/sandboxes/a/clock?frozen=true', {}, 400, 'There is no query parameter "frozen".'],
    ...['1e300', '12345678901234567890', '-9007199254740993'].map(
      (seconds) =>
        [
          '/_mock/sandboxes/a/clock',
          {
            method: 'PATCH',
            body: `{"advanceSeconds":${seconds}}`,
            headers: { 'content-type': 'application/json' },
          },
          400,
          'The clock must be set to a year from 1970 to 9999.',
        ] as const,
    ),
    [
      '/_mock/sandboxes',
      { method: 'POST' },
      405,
      'POST is not allowed on this path. Allowed: GET, HEAD, OPTIONS.',
    ],
    ['/_mock/sandboxes/a%20b', {}, 404, 'Not found: sandbox "a b".'],
    [
      '/_mock/sandboxes/a/clock',
      { method: 'PATCH', body: '{', headers: { 'content-type': 'application/json' } },
      400,
      expect.stringContaining('not valid JSON'),
    ],
    [
      '/_mock/sandboxes/a/clock',
      { method: 'PATCH', body: '{}', headers: { 'content-type': 'text/plain' } },
      415,
      expect.stringContaining('application/json'),
    ],
    [
      '/_mock/sandboxes/a/journal?wait=999999',
      {},
      400,
      expect.stringContaining('wait must be at most 60000'),
    ],
    [
      '/_mock/sandboxes',
      { headers: { origin: 'http://evil.example' } },
      403,
      expect.stringContaining('Pages of http://evil.example'),
    ],
  ] as const)('%s %j', async (path, init, status, message) => {
    expect(await ask(path, init)).toEqual([status, message]);
  });

  test('additions to a full sandbox with 413', async () => {
    const full = createMock(contract, { maxMemory: 2 ** 20, seed: {} });
    const listening = await full.listen({});
    const client = createControlClient(listening.url, { fetch: judged });
    const text = 'x'.repeat(300_000);
    const stub = { response: { status: 200, text } };
    await client.call('addStub', { sandbox, body: stub });
    const refused = [
      413,
      expect.stringContaining('The sandbox a is full: it uses 0.6 MiB of 0.3 MiB'),
    ];
    expect(await refusal(client.call('addStub', { sandbox, body: stub }))).toEqual(refused);
    expect(await refusal(client.call('takeSnapshot', { sandbox, snapshot: 'x' }))).toEqual(refused);
    const body = { name: 'Rex', categoryId: 1 };
    const item = { sandbox, collection: '/pets', body };
    expect(await refusal(client.call('addItem', item))).toEqual(refused);
    await listening.close();
  });

  test('a host name that resolves to this machine', async () => {
    const { request } = await import('node:http');
    const status = (host: string): Promise<number | undefined> =>
      new Promise((resolve) => {
        request(
          { port: server.port, host: '127.0.0.1', path: '/_mock/sandboxes', headers: { host } },
          (response) => {
            response.resume();
            resolve(response.statusCode);
          },
        ).end();
      });
    expect(
      await Promise.all(
        [
          'evil.example',
          '127.0.0.1.evil.example',
          `localhost:${server.port}`,
          '[::1]',
          'mock.localhost',
        ].map(status),
      ),
    ).toEqual([403, 403, 200, 200, 200]);
  });

  test('clients without the token', async () => {
    await server.close();
    await open({ control: { token: 'secret', cors: 'http://localhost:5173' } });
    const headers = { authorization: 'Bearer secret' };
    expect([
      (await ask('/_mock/sandboxes'))[0],
      (await ask('/_mock/sandboxes', { headers: { authorization: 'Bearer wrong' } }))[0],
      (await ask('/_mock/sandboxes', { headers }))[0],
    ]).toEqual([401, 401, 200]);
    expect(
      await createControlClient(server.url, { token: 'secret' }).call('readClock', { sandbox }),
    ).toHaveProperty('now');
  });

  test('pages, unless their origin is allowed', async () => {
    const origin = 'http://localhost:5173';
    const cors = async (): Promise<readonly unknown[]> => {
      const [preflight, response] = await Promise.all(
        ['OPTIONS', 'GET'].map((method) =>
          fetch(`${new URL(server.url).origin}/_mock/sandboxes/a/clock`, {
            method,
            headers: { origin },
          }),
        ),
      );
      return [
        preflight?.headers.get('access-control-allow-origin'),
        preflight?.headers.get('access-control-allow-methods'),
        response?.status,
        response?.headers.get('access-control-allow-origin'),
      ];
    };
    expect(await cors()).toEqual([null, null, 403, null]);
    await server.close();
    await open({ control: { cors: origin } });
    expect(await cors()).toEqual([origin, 'GET, PATCH, DELETE, HEAD, OPTIONS', 200, origin]);
  });

  test('everything, if it is off', async () => {
    await server.close();
    await open({ control: false });
    expect((await ask('/_mock/sandboxes'))[0]).toBe(404);
  });
});
