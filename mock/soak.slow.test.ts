import { getActiveResourcesInfo } from 'node:process';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeAll, expect, test } from 'vitest';
import type { Contract } from '../contract/contract.ts';
import type { JsonObject } from '../contract/json/value.ts';
import type { MockResponse, MockRequest } from './http/message.ts';
import { type Mock, createMock } from './mock.ts';
import { loadInventory, loadPetstore } from '../test/mock/contracts.ts';
import { createTestClock } from '../test/mock/test-client.ts';
import { createControlClient } from './control/client.ts';
import { Connection, type RequestText, renderRequest } from '../dev/load/connection.ts';
import { median } from '../dev/load/statistics.ts';

/** One request of a soak, and its allowed statuses. */
interface SoakRequest extends RequestText {
  readonly statuses: readonly number[];
}

/** Options of the mock: most requests are never over a limit, and sandboxes are evicted early. */
const soakLimit = {
  plan: 'enterprise',
  windows: { minute: 900_000_000, day: 900_000_000 },
} as const;
const soakSandboxes = 50;

const usualKey = 'demo-enterprise';
const petStatuses = ['available', 'pending', 'sold'] as const;

const read = (
  path: string,
  statuses: readonly number[],
  key: string | undefined = usualKey,
): SoakRequest => ({ method: 'GET', path, key, body: undefined, statuses });
const write = (
  body: string,
  statuses: readonly number[],
  key: string | undefined = usualKey,
): SoakRequest => ({ method: 'POST', path: '/pets', key, body, statuses });

/** Requests that grow a leaking server: new items, names, keys, paths, queries and sandboxes. */
const requestKinds: readonly ((index: number) => SoakRequest)[] = [
  (index) => read(`/pets?limit=${1 + (index % 100)}`, [200]),
  () => read('/pets', [200]),
  (index) => read(`/pets?status=${petStatuses[index % 3] ?? ''}&unknown=${index}`, [200]),
  (index) => read(`/pets/${1 + (index % 30)}`, [200]),
  (index) => read(`/pets/${1 + (index % 7)}?x=${index}`, [200]),
  (index) => read(`/pets/${1_000_000_000 + index}`, [404]),
  (index) => write(`{"name":"Pet ${index}","categoryId":${index}}`, [201]),
  (index) =>
    write(
      `{"name":"🐢${index}","categoryId":9007199254740993,"status":"sold","more":[${index}]}`,
      [201],
    ),
  (index) => write(`{"name":"Pet ${index}","categoryId":"${index}"}`, [400]),
  (index) => write(`{"name":"Pet ${index}",`, [400]),
  (index) => read(`/pets?limit=${101 + index}`, [400]),
  (index) => read(`/nowhere/${index}`, [404]),
  (index) => ({ ...write('{}', [405]), method: 'PUT', path: `/pets?x=${index}` }),
  (index) => read('/pets', [401, 429], `wrong-${index}`),
  () => ({ ...read('/pets', [401, 429]), key: undefined }),
  () => read('/pets/1', [200, 429], 'free_busy'),
  (index) => read('/pets?limit=5', [200], `pro_s${index}`),
  (index) => write(`{"name":"Pet ${index}","categoryId":1}`, [201], `business_s${index - 1}`),
];

/** The request with an index from 0: the same in every run, with all kinds equally often. */
function soakRequest(index: number): SoakRequest {
  const kind = requestKinds[(index * 7) % requestKinds.length] ?? requestKinds[0];
  if (kind === undefined) throw new RangeError('There are no kinds.');
  return kind(index);
}

/**
 * Sends the requests with indexes from `from` up to `to` over several connections, each with one pending
 * request, and occasionally closes or breaks a connection. Rejects for a response with an unexpected
 * status.
 */
async function sendTraffic(
  target: { readonly port: number; readonly basePath: string },
  from: number,
  to: number,
  connections: number,
): Promise<void> {
  let next = from;
  const drive = async (connection: Connection): Promise<void> => {
    for (let index = next++; index < to; index = next++)
      await sendOne(connection, target.basePath, index);
  };
  const opened = Array.from({ length: connections }, () => new Connection(target.port));
  try {
    await Promise.all(opened.map(drive));
  } finally {
    for (const connection of opened) connection.close();
  }
}

async function sendOne(connection: Connection, basePath: string, index: number): Promise<void> {
  const { statuses, path, ...rest } = soakRequest(index);
  const request = { ...rest, path: basePath + path };
  if (index % 401 === 0) {
    await connection.breakOff(
      `POST ${basePath}/pets HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"name":"${index}`,
    );
  } else if (index % 307 === 0) {
    expectStatus(await connection.exchangeLast(`${index} is no request\r\n\r\n`), [400], index);
  } else if (index % 211 === 0) {
    const text = renderRequest(request, 'Connection: close\r\n');
    expectStatus(await connection.exchangeLast(text), statuses, index);
  } else {
    expectStatus(await connection.exchange(renderRequest(request)), statuses, index);
  }
}

function expectStatus(status: number, expected: readonly number[], index: number): void {
  if (!expected.includes(status))
    throw new Error(
      `Request ${index} was answered ${status} instead of ${expected.join(' or ')}: ${JSON.stringify(soakRequest(index))}`,
    );
}

/** The share of initial samples that is skipped: caches, journals and compiled code fill. */
const warmUp = 0.1;

/**
 * The growth of a quantity sampled at even distances: compares the medians of the first and last third
 * after the warm-up, which a few wrong samples cannot change.
 * @param allowance by how much the last may exceed the first: the variation of repeated measurements
 * @throws {RangeError} for fewer than nine samples
 */
function measureGrowth(samples: readonly number[], allowance: number) {
  const warm = samples.slice(Math.ceil(samples.length * warmUp));
  const third = Math.floor(warm.length / 3);
  if (samples.length < 9) throw new RangeError('Growth is measured by nine samples or more.');
  const first = median(warm.slice(0, third));
  const last = median(warm.slice(-third));
  return { first, last, hasGrown: last - first > allowance };
}

/** How many requests are sent, over HTTP and in process. */
const requests = Number(process.env['SOAK_REQUESTS'] ?? 6000);
const timeout = 60_000 + 10 * requests;
const samples = 15;

let contract: Contract;
let seed: JsonObject;
let collect: () => void;

beforeAll(async () => {
  [contract, seed] = await Promise.all([loadPetstore(), loadInventory()]);
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext('gc');
  collect = () => void (typeof gc === 'function' && Reflect.apply(gc, undefined, []));
});

/** By how much the same memory is measured to differ, in bytes. */
const allowance = 2 ** 20;

const open = (): Mock =>
  createMock(contract, {
    seed,
    clock: createTestClock(),
    sandboxes: soakSandboxes,
    limits: { [soakLimit.plan]: soakLimit.windows },
  });

/** Memory in use at 15 times while requests are sent, the seed put back before each. */
const sample = async (
  mock: Mock,
  count: number,
  send: (from: number, to: number) => Promise<void> | void,
): Promise<readonly number[]> => {
  const control = await mock.control();
  const memory: number[] = [];
  const each = Math.ceil(count / samples);
  for (let from = 0; from < samples * each; from += each) {
    await send(from, from + each);
    control.sandbox('main').resetState();
    collect();
    memory.push(getHeapStatistics().used_heap_size + process.memoryUsage().external);
  }
  return memory;
};

/** Everything that can be controlled, on connections of their own so that none is open at the end. */
const control = async (origin: string, round: number): Promise<void> => {
  const client = createControlClient(origin, {
    fetch: (input, init = {}) => {
      const headers = new Headers(init.headers);
      headers.set('connection', 'close');
      return fetch(input, { ...init, headers });
    },
  });
  const [sandbox, snapshot] = ['main', `snapshot-${round}`];
  await client.call('takeSnapshot', { sandbox, snapshot });
  await client.call('restoreSnapshot', { sandbox, snapshot, body: { into: 'copy' } });
  await client.call('dropSnapshot', { sandbox, snapshot });
  await client.call('setChoices', { sandbox: 'chosen', body: { 'list-order': 'id-descending' } });
  await client.call('addFault', { sandbox: 'broken', body: { connection: 'reset' } });
  await client.call('clearFaults', { sandbox: 'broken' });
  await client.call('setClock', { sandbox: 'moved', body: { advanceSeconds: 60 } });
  await client.call('readJournal', { sandbox });
  for (const name of ['copy', 'chosen', 'broken', 'moved'])
    await client.call('resetSandbox', { sandbox: name });
};

const openSockets = (): number =>
  getActiveResourcesInfo().filter((resource) => resource === 'TCPSocketWrap').length;

const compile = ({ method, path, key, body }: SoakRequest): MockRequest => ({
  method,
  target: contract.basePath + path,
  headers: {
    host: 'localhost',
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  },
  content: body === undefined ? undefined : new TextEncoder().encode(body),
});

const sendTo =
  (handle: (request: MockRequest) => MockResponse) =>
  (from: number, to: number): void => {
    for (let index = from; index < to; index += 1) {
      const request = soakRequest(index);
      const { status, body } = handle(compile(request));
      if (!request.statuses.includes(status))
        throw new Error(`${JSON.stringify(request)} was answered ${status} ${body}`);
    }
  };

test('requests in process do not make the memory grow', { timeout }, async () => {
  const mock = open();
  const memory = await sample(
    mock,
    5 * requests,
    sendTo((request) => mock.handle(request)),
  );
  expect(measureGrowth(memory, allowance)).toMatchObject({ hasGrown: false });
});

test(
  'requests over HTTP, connections that break, and control do not make the memory grow or stay open',
  { timeout },
  async () => {
    const mock = open();
    const listening = await mock.listen();
    const { port } = listening;
    const before = openSockets();
    const memory = await sample(mock, requests, async (from, to) => {
      await sendTraffic({ port, basePath: contract.basePath }, from, to, 16);
      await control(`http://127.0.0.1:${port}`, from);
    });
    expect(measureGrowth(memory, allowance)).toMatchObject({ hasGrown: false });
    // A server learns late that a connection was closed; one that stays open ends the test by its
    // time.
    while (openSockets() > before)
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    await listening.close();
  },
);

test('a mock that keeps every request is detected as growing', async () => {
  const mock = open();
  const kept: MockRequest[] = [];
  const handle = (request: MockRequest): MockResponse => {
    kept.push(request);
    return mock.handle(request);
  };
  const memory = await sample(mock, 9000, sendTo(handle));
  expect(kept).toHaveLength(9000);
  expect(measureGrowth(memory, allowance)).toMatchObject({ hasGrown: true });
});

const values = (valueAt: (index: number) => number): readonly number[] =>
  Array.from({ length: 30 }, (_, index) => valueAt(index));

test.each<readonly [string, (index: number) => number, boolean]>([
  ['level', () => 50, false],
  ['noise', (index) => 50 + ((index * 7) % 3) - 1, false],
  ['a warm-up', (index) => (index < 3 ? 10 : 50), false],
  ['a few peaks', (index) => (index % 9 === 8 ? 500 : 50), false],
  ['a fall', (index) => 50 - index, false],
  ['a saw-tooth', (index) => 50 + (index % 4), false],
  ['a slope', (index) => 50 + index * 0.2, true],
  ['a slope beneath noise', (index) => 50 + index * 0.3 + ((index * 7) % 3) - 1, true],
  ['a step in the middle', (index) => (index < 15 ? 50 : 55), true],
])('a measurement of %s', (_, valueAt, expected) => {
  expect(measureGrowth(values(valueAt), 2).hasGrown).toBe(expected);
});

test('growth compares medians', () => {
  expect(
    measureGrowth(
      values((index) => index),
      2,
    ),
  ).toEqual({ first: 7, last: 25, hasGrown: true });
});

test('growth of a few measurements is not judged', () => {
  expect(() => measureGrowth([1, 2, 3, 4, 5, 6, 7, 8], 1)).toThrow('nine samples');
});
