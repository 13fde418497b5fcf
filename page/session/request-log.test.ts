import { beforeEach, expect, test } from 'vitest';
import type { ControlClient, Exchange } from '../../mock/control/client.ts';
import type { ControlEvent, ControlEventData } from '../../mock/control/client.ts';
import { RequestLog, maxRequests } from './request-log.ts';

let journals: Record<string, readonly Exchange[]>;
let tell: <Kind extends keyof ControlEventData>(kind: Kind, data: ControlEventData[Kind]) => void;
/** Resolves reads that are held back. */
let release: () => void;
let held: Promise<void> | undefined;
let log: RequestLog;
/** Sandboxes whose journals were read. */
let read: string[];

beforeEach(() => {
  const listeners: ((event: ControlEvent) => void)[] = [];
  const events = {
    subscribe: (listener: (event: ControlEvent) => void) => {
      listeners.push(listener);
      return () => undefined;
    },
  };
  tell = (kind, data) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each kind has its own data
    for (const listener of listeners) listener({ kind, data } as ControlEvent);
  };
  journals = {};
  held = undefined;
  read = [];
  log = new RequestLog(createControl(), events);
});

function createControl(): ControlClient {
  const call = async (id: string, args: { sandbox?: string; from?: number }): Promise<unknown> => {
    if (id === 'listSandboxes')
      return Object.entries(journals).map(([name, entries]) => ({
        name,
        requests: (entries.at(-1)?.index ?? -1) + 1,
      }));
    const exchanges = journals[args.sandbox ?? ''] ?? [];
    read.push(args.sandbox ?? '');
    await held;
    return { exchanges: exchanges.filter(({ index }) => index >= (args.from ?? 0)) };
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- two operations of all
  return { call } as unknown as ControlClient;
}

function hold(): void {
  held = new Promise((resolve) => {
    release = resolve;
  });
}

function exchanges(sandbox: string, from: number, to: number, second = 0): readonly Exchange[] {
  return Array.from({ length: to - from }, (_, offset) => ({
    index: from + offset,
    at: new Date((second + offset) * 1000).toISOString(),
    method: 'GET',
    target: '/v1/pets',
    credential: 'valid',
    keyElsewhere: false,
    status: 200,
    sandbox,
    milliseconds: 1,
  }));
}

const shown = (): readonly string[] =>
  log.snapshot.requests.map(({ exchange }) => `${exchange.sandbox} ${exchange.index}`);

/** Events are handled in sequence. */
const settle = async (): Promise<void> => await new Promise((resolve) => setImmediate(resolve));

async function begin(instance = 'one'): Promise<void> {
  tell('hello', { instance });
  await settle();
}

test('journal entries come first, by time, and later events once', async () => {
  journals = { main: exchanges('main', 0, 2, 0), alice: exchanges('alice', 0, 2, 0.5) };
  hold();
  await begin();
  tell('exchanges', [...exchanges('alice', 1, 3, 1.5), ...exchanges('main', 2, 3, 2)]);
  release();
  await settle();
  expect(shown()).toEqual(['main 0', 'alice 0', 'main 1', 'alice 1', 'alice 2', 'main 2']);
});

test('an exchange that the journal had and that the mock sends after it is shown once', async () => {
  journals = { main: exchanges('main', 0, 2), alice: exchanges('alice', 0, 1) };
  await begin();
  tell('exchanges', [...exchanges('main', 1, 3, 1), ...exchanges('alice', 0, 1, 90)]);
  await settle();
  expect(shown()).toEqual(['main 0', 'alice 0', 'main 1', 'main 2', 'alice 0']);
});

test('a reconnection adds what was missed', async () => {
  journals = { main: exchanges('main', 0, 2), alice: exchanges('alice', 0, 1) };
  await begin();
  journals = { main: exchanges('main', 0, 4), alice: exchanges('alice', 6, 8) };
  await begin();
  expect(shown()).toEqual([
    'main 0',
    'alice 0',
    'main 1',
    'alice 6',
    'alice 7',
    'main 2',
    'main 3',
  ]);
});

test('dropped exchanges are read from the journal', async () => {
  journals = { main: [] };
  await begin();
  tell('exchanges', exchanges('main', 0, 1));
  journals = { main: exchanges('main', 0, 3) };
  tell('dropped', { count: 2 });
  tell('exchanges', exchanges('main', 3, 4));
  await settle();
  expect(shown()).toEqual(['main 0', 'main 1', 'main 2', 'main 3']);
});

test('another instance of the mock starts with its own journals', async () => {
  journals = { main: exchanges('main', 0, 3) };
  await begin('one');
  journals = { main: exchanges('main', 0, 1) };
  await begin('two');
  expect(shown()).toEqual(['main 0']);
});

test('a cleared journal is removed from the log, and a new sandbox counts from 0', async () => {
  journals = { main: exchanges('main', 0, 2), alice: exchanges('alice', 0, 2) };
  await begin();
  tell('change', { sandbox: 'alice', parts: ['items'] });
  tell('change', { sandbox: 'main', parts: ['journal'] });
  await settle();
  expect(shown()).toEqual(['alice 0', 'alice 1']);
  tell('change', { sandbox: 'alice', parts: ['sandbox', 'journal'] });
  journals = { main: [], alice: exchanges('alice', 0, 1) };
  await begin();
  expect(shown()).toEqual(['alice 0']);
});

test('a sandbox reset during a lost connection leaves no old entries', async () => {
  journals = { main: exchanges('main', 0, 5) };
  await begin();
  journals = { main: exchanges('main', 0, 2, 90) };
  await begin();
  expect(log.snapshot.requests.map(({ exchange }) => exchange.at)).toEqual(
    exchanges('main', 0, 2, 90).map(({ at }) => at),
  );
});

test('the oldest are dropped and counted', async () => {
  journals = { main: exchanges('main', 0, maxRequests) };
  await begin();
  tell('exchanges', exchanges('main', maxRequests, maxRequests + 25));
  await settle();
  expect(log.snapshot.requests).toHaveLength(maxRequests);
  expect(log.snapshot.leftOut).toBe(25);
  expect(log.snapshot.requests[0]?.exchange.index).toBe(25);
  expect(log.snapshot.lastNumber).toBe(maxRequests + 25);
});

test('only as many journals are read as there is room for', async () => {
  const names = Array.from({ length: 40 }, (_, at) => `s${at}`);
  journals = Object.fromEntries(names.map((name) => [name, exchanges(name, 0, 1000)]));
  await begin();
  expect(read.length).toBeLessThan(20);
  expect(read.slice(0, 3)).toEqual(['s0', 's39', 's38']);
});
