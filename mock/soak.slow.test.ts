import { getActiveResourcesInfo } from 'node:process';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeAll, expect, test } from 'vitest';
import type { Contract } from '../contract/contract.ts';
import type { JsonObject } from '../contract/json/value.ts';
import type { MockResponse, MockRequest } from './http/message.ts';
import { type Mock, createMock } from './mock.ts';
import { loadInventory, loadPetstore } from '../test/mock/contracts.ts';
import {
  type SoakRequest,
  measureGrowth,
  sendTraffic,
  soakLimit,
  soakRequest,
  soakSandboxes,
} from '../test/mock/soak.ts';
import { createTestClock } from '../test/mock/test-client.ts';
import { createControlClient } from './control/client.ts';

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
