import { getActiveResourcesInfo } from 'node:process';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeAll, expect, test } from 'vitest';
import { measureGrowth } from '../dev/soak/growth.ts';
import { type SoakRequest, soakLimit, soakRequest, soakSandboxes } from '../dev/soak/requests.ts';
import { sendTraffic } from '../dev/soak/traffic.ts';
import type { Contract, JsonObject } from '../contract/index.ts';
import type { MockResponse, MockRequest } from './http/message.ts';
import { type Mock, createMock } from './mock.ts';
import { loadInventory, loadPetstore } from '../test/mock/contracts.ts';
import { createTestClock } from '../test/mock/test-client.ts';

/** The long one is `npm run soak`. */
let contract: Contract;
let seed: JsonObject;
let collect: () => void;

beforeAll(async () => {
  [contract, seed] = await Promise.all([loadPetstore(), loadInventory()]);
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext('gc');
  collect = () => void (typeof gc === 'function' && Reflect.apply(gc, undefined, []));
});

/** What the same heap is told to differ by, in bytes. */
const allowance = 512 * 1024;

const open = (): Mock =>
  createMock(contract, {
    seed,
    clock: createTestClock(),
    sandboxes: soakSandboxes,
    limits: { [soakLimit.plan]: soakLimit.windows },
  });

/** Heap in use at 15 times while requests are sent, the seed put back before each. */
const sample = async (
  mock: Mock,
  send: (from: number, to: number) => Promise<void> | void,
  each: number,
): Promise<readonly number[]> => {
  const control = await mock.control();
  const heap: number[] = [];
  for (let from = 0; from < 15 * each; from += each) {
    await send(from, from + each);
    control.sandbox('main').resetState();
    collect();
    heap.push(getHeapStatistics().used_heap_size);
  }
  return heap;
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

test('30,000 requests in process do not make the heap grow', { timeout: 60_000 }, async () => {
  const mock = open();
  const heap = await sample(
    mock,
    sendTo((request) => mock.handle(request)),
    2000,
  );
  expect(measureGrowth(heap, allowance)).toMatchObject({ hasGrown: false });
});

test(
  '6,000 requests over HTTP, and connections that break, do not make the heap grow or stay open',
  { timeout: 60_000 },
  async () => {
    const mock = open();
    const listening = await mock.listen();
    const { port } = listening;
    const before = openSockets();
    const heap = await sample(
      mock,
      (from, to) => sendTraffic({ port, basePath: contract.basePath }, from, to, 4),
      400,
    );
    expect(measureGrowth(heap, allowance)).toMatchObject({ hasGrown: false });
    // A server learns late that a connection was closed; one that stays open ends the test by its
    // time.
    while (openSockets() > before)
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    await listening.close();
  },
);

test('a mock that keeps every request is found to grow', { timeout: 60_000 }, async () => {
  const mock = open();
  const kept: MockRequest[] = [];
  const handle = (request: MockRequest): MockResponse => {
    kept.push(request);
    return mock.handle(request);
  };
  const heap = await sample(mock, sendTo(handle), 600);
  expect(kept).toHaveLength(9000);
  expect(measureGrowth(heap, allowance)).toMatchObject({ hasGrown: true });
});
