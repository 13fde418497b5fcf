import * as fc from 'fast-check';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { Contract } from '../../../contract/contract.ts';
import { PetstoreError } from '../../../contract/error/petstore-error.ts';
import type { JsonObject } from '../../../contract/json/value.ts';
import type { JournalEntry } from '../../sandbox/journal-entry.ts';
import type { MockOptions } from '../../served-document/options.ts';
import { loadBooks, loadInventory, loadPetstore } from '../../../test/mock/contracts.ts';
import { createTestClock } from '../../../test/mock/test-client.ts';
import type { StateEngine } from '../engine.ts';
import { createMemoryEngine } from '../../../test/mock/state/memory-engine.ts';
import type { SandboxControl } from '../../control/sandbox-control.ts';
import type { MockRequest, MockResponse } from '../../http/message.ts';
import { type Mock, createMock } from '../../mock.ts';

/** How an engine misbehaves. */
interface Trouble {
  /** For the next writes: `refused` does nothing, `unsure` writes, and both reject. */
  writes: ('refused' | 'unsure')[];
  isDown: boolean;
}

/** An engine around another one, with failures and with delays between instances. */
function createTroubledEngine(engine: StateEngine, trouble: Trouble): StateEngine {
  const check = async (): Promise<void> => {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    if (trouble.isDown) throw new PetstoreError('state', 'The engine is not reached.');
  };
  return {
    async read(sandbox, after) {
      await check();
      return await engine.read(sandbox, after);
    },
    async write(write) {
      await check();
      const kind = trouble.writes.shift();
      if (kind === 'refused') throw new Error('The disk is full.');
      const isWritten = await engine.write(write);
      if (kind === 'unsure') throw new Error('The connection broke.');
      return isWritten;
    },
    async forget(sandbox) {
      await check();
      await engine.forget(sandbox);
    },
    async list() {
      await check();
      return await engine.list();
    },
    close: () => engine.close(),
  };
}

/** One of the mocks that share an engine. */
interface Instance {
  readonly mock: Mock;
  readonly notices: readonly string[];
  /** With the key `enterprise_alice` unless another is given. */
  send(method: string, path: string, sent?: Sent): Promise<MockResponse>;
  /** Acts on a sandbox, and resolves once that is kept. */
  act<Value>(sandbox: string, act: (control: SandboxControl) => Value): Promise<Value>;
}

interface Sent {
  readonly key?: string;
  readonly json?: JsonObject;
}

function openInstance(contract: Contract, options: MockOptions): Instance {
  const notices: string[] = [];
  const mock = createMock(contract, { onNotice: (notice) => notices.push(notice), ...options });
  return {
    mock,
    notices,
    async send(method, path, { key = 'enterprise_alice', json } = {}) {
      const request: MockRequest = {
        method,
        target: contract.basePath + path,
        headers: {
          authorization: `Bearer ${key}`,
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        },
        content: json === undefined ? undefined : new TextEncoder().encode(JSON.stringify(json)),
      };
      return (await mock.respond?.(request)) ?? mock.handle(request);
    },
    async act(name, act) {
      const control = await mock.control();
      return await control.within([name], () => act(control.sandbox(name)));
    },
  };
}

/** The value of a header of a response. */
function headerOf({ headers }: MockResponse, name: string): string {
  return headers[headers.indexOf(name) + 1] ?? '';
}

let contract: Contract;
let seed: JsonObject;
beforeAll(async () => {
  [contract, seed] = await Promise.all([loadPetstore(), loadInventory()]);
});

const open = (state: StateEngine, options: MockOptions = {}): Instance =>
  openInstance(contract, { seed, state, clock: createTestClock(), ...options });

const rex = { json: { name: 'Rex', categoryId: 1 } };
const remaining = (response: Parameters<typeof headerOf>[0]): number =>
  Number(headerOf(response, 'X-RateLimit-Remaining'));

describe('instances that share an engine', () => {
  test('serve what another has stored', async () => {
    const engine = createMemoryEngine();
    const [one, other] = [open(engine), open(engine)];
    const created = await one.send('POST', '/pets', rex);
    expect(created.status).toBe(201);
    const found = await other.send('GET', '/pets/31');
    expect(found).toMatchObject({ status: 200, body: created.body });
    expect(remaining(found)).toBe(remaining(created) - 1);
    expect(JSON.parse((await one.send('POST', '/pets', rex)).body)).toMatchObject({ id: 32 });
    await other.act('alice', (sandbox) => sandbox.collection('/pets')?.remove('31'));
    expect((await one.send('GET', '/pets/31')).status).toBe(404);
    const last = open(engine);
    expect((await last.send('GET', '/pets/31')).status).toBe(404);
    expect((await last.send('GET', '/pets/32')).status).toBe(200);
  });

  test('assign each id once, and count each request once, in any order', async () => {
    const engine = createTroubledEngine(createMemoryEngine(), { writes: [], isDown: false });
    const instances = [open(engine), open(engine), open(engine)];
    const responses = await Promise.all(
      Array.from({ length: 150 }, async (_, index) => {
        const at = instances[(index * 7) % 3] ?? open(engine);
        return await at.send('POST', '/pets', rex);
      }),
    );
    const ids = responses.map(({ body }) => Number(JSON.parse(body)['id']));
    expect(ids.toSorted((a, b) => a - b)).toEqual(Array.from(ids, (_, index) => 31 + index));
    const counts = responses.map(remaining).toSorted((a, b) => b - a);
    expect(counts).toEqual(Array.from(counts, (_, index) => 9999 - index));
    for (const instance of instances)
      expect(
        await instance.act('alice', ({ requests, itemCounts }) => [requests, itemCounts]),
      ).toEqual([150, { '/pets': 180 }]);
  });

  test('do not admit requests before they are stored', async () => {
    const trouble: Trouble = { writes: ['refused'], isDown: false };
    const entries: JournalEntry[] = [];
    const engine = createMemoryEngine();
    const one = open(createTroubledEngine(engine, trouble), {
      onEntry: (entry) => entries.push(entry),
    });
    const refused = await one.send('POST', '/pets', rex);
    expect(refused).toMatchObject({ status: 500 });
    expect(refused.body).toContain('The state of the mock cannot be stored: The disk is full.');
    expect([entries.length, (await engine.read('alice', undefined)).version]).toEqual([
      0,
      undefined,
    ]);
    expect(one.notices).toEqual(['The disk is full.']);
    expect(JSON.parse((await one.send('POST', '/pets', rex)).body)).toMatchObject({ id: 31 });
    expect(entries.map(({ index }) => index)).toEqual([0]);
  });

  test('respond if the write is not confirmed but the log has the change', async () => {
    const engine = createMemoryEngine();
    const one = open(createTroubledEngine(engine, { writes: ['unsure'], isDown: false }));
    const created = await one.send('POST', '/pets', rex);
    expect(JSON.parse(created.body)).toMatchObject({ id: 31 });
    expect(await open(engine).act('alice', ({ requests }) => requests)).toBe(1);
    expect(JSON.parse((await one.send('POST', '/pets', rex)).body)).toMatchObject({ id: 32 });
  });

  test('report once that the engine is down, and continue when it is back', async () => {
    const trouble: Trouble = { writes: [], isDown: false };
    const engine = createMemoryEngine();
    const one = open(createTroubledEngine(engine, trouble));
    await one.send('POST', '/pets', rex);
    trouble.isDown = true;
    const key = 'free_bob';
    expect((await one.send('POST', '/pets', rex)).status).toBe(500);
    expect((await one.send('GET', '/pets', { key })).status).toBe(500);
    await expect(one.act('alice', ({ requests }) => requests)).rejects.toThrow('not reached');
    expect(one.notices).toEqual(['The engine is not reached.']);
    await open(engine).send('POST', '/pets', rex);
    trouble.isDown = false;
    expect(JSON.parse((await one.send('POST', '/pets', rex)).body)).toMatchObject({ id: 33 });
    expect((await one.send('GET', '/pets', { key })).status).toBe(200);
  });

  test('remove a sandbox for all instances', async () => {
    const engine = createMemoryEngine();
    const [one, other] = [open(engine), open(engine)];
    await one.send('POST', '/pets', rex);
    await other.send('POST', '/pets', rex);
    const control = await one.mock.control();
    expect(await control.within(['alice'], () => control.forget('alice'))).toBe(true);
    expect(await engine.list()).toEqual([]);
    expect((await other.send('GET', '/pets/31')).status).toBe(404);
    expect(JSON.parse((await one.send('POST', '/pets', rex)).body)).toMatchObject({ id: 31 });
    expect((await other.send('GET', '/pets/31')).status).toBe(200);
  });

  test('fork a sandbox for all instances', async () => {
    const engine = createMemoryEngine();
    const [one, other] = [open(engine), open(engine)];
    await one.send('POST', '/pets', rex);
    const control = await other.mock.control();
    await control.within(['alice', 'bob'], () =>
      control.sandbox('alice').fork(control.sandbox('bob')),
    );
    expect((await one.send('GET', '/pets/31', { key: 'enterprise_bob' })).status).toBe(200);
    expect(await one.act('alice', ({ snapshots }) => snapshots)).toEqual([]);
  });

  test('keep changes made before an act threw, as in memory', async () => {
    const engine = createMemoryEngine();
    const one = open(engine);
    await expect(
      one.act('alice', ({ clock }) => {
        clock.advance(3_600_000);
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await open(engine).act('alice', ({ clock }) => clock.now())).toBe(
      createTestClock().now() + 3_600_000,
    );
  });

  test('continue from the latest time seen by any instance', async () => {
    const engine = createMemoryEngine();
    const late = createTestClock();
    late.advance(90);
    const [one, other] = [open(engine, { clock: late }), open(engine)];
    const key = 'free_alice';
    const first = await one.send('GET', '/pets', { key });
    const next = await other.send('GET', '/pets', { key });
    expect(remaining(next)).toBe(remaining(first) - 1);
    expect(headerOf(next, 'Date')).toBe(headerOf(first, 'Date'));
  });

  test('continue with a clock that was ahead before a restart, so a wait ends', async () => {
    const engine = createMemoryEngine();
    const [ahead, right] = [createTestClock(), createTestClock()];
    ahead.advance(5 * 3600);
    const one = open(engine, { clock: ahead });
    const key = 'free_alice';
    let refused = await one.send('GET', '/pets', { key });
    while (refused.status !== 429) refused = await one.send('GET', '/pets', { key });
    const other = open(engine, { clock: right });
    const still = await other.send('GET', '/pets', { key });
    expect(still.status).toBe(429);
    right.advance(Number(headerOf(still, 'Retry-After')));
    expect((await other.send('GET', '/pets', { key })).status).toBe(200);
  });

  test('reject changes that would not be stored', async () => {
    const control = await open(createMemoryEngine()).mock.control();
    expect(() => control.sandbox('alice')).toThrow('control.within');
    expect(() => control.forget('alice')).toThrow('control.within');
    expect(control.look('alice').requests).toBe(0);
  });

  test('create no sandbox by reading one', async () => {
    const engine = createMemoryEngine();
    const one = open(engine);
    const control = await one.mock.control();
    expect(await control.within(['carol'], () => control.look('carol').requests)).toBe(0);
    expect([await engine.list(), control.sandboxes]).toEqual([[], ['main']]);
  });

  test('hold fewer sandboxes in memory than are stored', async () => {
    const engine = createMemoryEngine();
    const one = open(engine, { sandboxes: 2 });
    const keys = Array.from({ length: 12 }, (_, index) => `enterprise_s${index}`);
    await Promise.all(keys.map((key) => one.send('POST', '/pets', { key, ...rex })));
    const control = await one.mock.control();
    expect(control.sandboxes.length).toBeLessThanOrEqual(4);
    const found = await Promise.all(keys.map((key) => one.send('GET', '/pets/31', { key })));
    expect(found.map(({ status }) => status)).toEqual(keys.map(() => 200));
    expect((await control.names()).length).toBe(3);
  });
});

describe('what is stored', () => {
  const put = (engine: StateEngine, parts: Record<string, string>): Promise<boolean> => {
    const all = new Map(Object.entries(parts));
    return engine.write({ sandbox: 'alice', after: undefined, next: '1-a', parts: all });
  };

  test('keeps as much of the journal as the sandbox does', async () => {
    const engine = createMemoryEngine();
    const one = open(engine, { journal: 5 });
    for (let count = 0; count < 40; count += 1) await one.send('POST', '/pets', rex);
    const { parts } = await engine.read('alice', undefined);
    expect([...parts.keys()].filter((name) => name.startsWith('["entry"'))).toHaveLength(5);
    const other = open(engine, { journal: 5 });
    expect(JSON.parse((await other.send('POST', '/pets', rex)).body)).toMatchObject({ id: 71 });
    expect(await other.act('alice', ({ requests }) => requests)).toBe(41);
    await open(engine, { journal: 2 }).send('GET', '/pets');
    const { parts: fewer } = await engine.read('alice', undefined);
    expect([...fewer.keys()].filter((name) => name.startsWith('["entry"'))).toEqual([
      '["entry",40]',
      '["entry",41]',
    ]);
  });

  test('of a request is only what it changed', async () => {
    const engine = createMemoryEngine();
    const one = open(engine);
    await one.send('POST', '/pets', rex);
    const write = vi.spyOn(engine, 'write');
    await one.send('POST', '/pets', rex);
    expect([...(write.mock.lastCall?.[0].parts.keys() ?? [])]).toEqual([
      '["sandbox"]',
      '["counts"]',
      '["place","/pets"]',
      '["entry",1]',
      '["item","/pets",32]',
      '["time"]',
    ]);
  });

  test('fits into memory again: snapshots share the items of the seed', async () => {
    const engine = createMemoryEngine();
    const pets = Array.from({ length: 2000 }, (_, index) => {
      return { id: index + 1, name: 'Rex', categoryId: 1, status: 'sold' };
    });
    const options = { seed: { '/pets': pets }, maxMemory: 8 * 2 ** 20 };
    const one = open(engine, options);
    await one.send('POST', '/pets', rex);
    for (let count = 0; count < 8; count += 1) {
      await one.act('alice', (sandbox) => sandbox.takeSnapshot(`s${count}`));
      await one.send('POST', '/pets', rex);
    }
    const other = open(engine, options);
    expect((await other.send('POST', '/pets', rex)).status).toBe(201);
    await other.act('alice', (sandbox) => sandbox.restoreSnapshot('s2'));
    expect(await other.act('alice', ({ itemCounts }) => itemCounts)).toEqual({ '/pets': 2003 });
  });

  test('by a later version is rejected and reported', async () => {
    const engine = createMemoryEngine();
    await put(engine, { '["new"]': '', '["sandbox"]': '{"format":2}' });
    const one = open(engine);
    const response = await one.send('GET', '/pets');
    expect(response.status).toBe(500);
    expect(one.notices).toEqual([
      'The state was written by a later version, in format 2; this version reads up to format 1. Use that version, or another address for the state.',
    ]);
    expect((await one.send('GET', '/pets', { key: 'free_bob' })).status).toBe(200);
  });

  test.each([
    ['["sandbox"]', ''],
    ['["sandbox"]', '{'],
    ['["sandbox"]', '{"format":1}'],
    ['["entry",0]', '[]'],
    ['snapshot', '1'],
  ])('and cannot be read is reported: %s %s', async (name, text) => {
    const engine = createMemoryEngine();
    await put(engine, { [name]: text });
    const one = open(engine);
    expect((await one.send('GET', '/pets')).status).toBe(500);
    expect(one.notices[0]).toMatch(/^The stored state cannot be read: /);
  });
});

test('sandboxes restart from the same state if the engine has lost its data', async () => {
  let engine = createMemoryEngine();
  const shared: StateEngine = {
    read: (...request) => engine.read(...request),
    write: (write) => engine.write(write),
    forget: (name) => engine.forget(name),
    list: () => engine.list(),
    close: () => engine.close(),
  };
  const [one, other] = [open(shared), open(shared)];
  for (let count = 0; count < 3; count += 1) await one.send('POST', '/pets', rex);
  await other.send('POST', '/pets', rex);
  engine = createMemoryEngine();
  expect(JSON.parse((await other.send('POST', '/pets', rex)).body)).toMatchObject({ id: 31 });
  for (let count = 0; count < 4; count += 1) await other.send('GET', '/pets');
  expect((await one.send('GET', '/pets/32')).status).toBe(404);
  for (const instance of [one, other])
    expect(
      await instance.act('alice', ({ requests, itemCounts }) => [requests, itemCounts]),
    ).toEqual([6, { '/pets': 31 }]);
});

test('a snapshot contains faults and stubs, for every instance', async () => {
  const engine = createMemoryEngine();
  const [one, other] = [open(engine), open(engine)];
  await one.act('alice', (sandbox) => {
    sandbox.addFault({ operation: 'getPet', status: 503, count: 2 });
    sandbox.stubs.add({ request: { operation: 'listPets' }, response: { status: 299 } });
    sandbox.takeSnapshot('ready');
    sandbox.faults.clear();
    sandbox.stubs.clear();
  });
  expect((await other.send('GET', '/pets')).status).toBe(200);
  await other.act('alice', (sandbox) => sandbox.restoreSnapshot('ready'));
  expect((await one.send('GET', '/pets')).status).toBe(299);
  expect((await other.send('GET', '/pets/1')).status).toBe(503);
  expect(await one.act('alice', ({ faults }) => faults.all)).toMatchObject([{ applied: 1 }]);
});

test('instances store the items that a mock in memory has, whatever happens to them', async () => {
  const acts: Readonly<Record<string, (one: SandboxControl, other: SandboxControl) => void>> = {
    add: (one) => void one.collection('/pets')?.add(rex.json),
    remove: (one) => void one.collection('/pets')?.remove('1'),
    snapshot: (one) => one.takeSnapshot('a'),
    restore: (one) => one.restoreSnapshot('a'),
    reset: (one) => one.resetState(),
    fork: (one, other) => one.fork(other),
  };
  const options = { seed: { '/pets': [{ id: 1, ...rex.json }] }, clock: createTestClock() };
  const memory = openInstance(contract, options);
  const state = createMemoryEngine();
  const openStored = () => openInstance(contract, { ...options, state });
  const instances = { one: openStored(), two: openStored() };
  const reader = openStored();
  type Step = [act: string, by: keyof typeof instances, sandbox: string];
  const step: fc.Arbitrary<Step> = fc.tuple(
    fc.constantFrom(...Object.keys(acts)),
    fc.constantFrom('one', 'two'),
    fc.constantFrom('alice', 'bob'),
  );
  const alice = (...names: string[]): Step[] => names.map((act) => [act, 'one', 'alice']);
  let runs = 0;
  const property = fc.asyncProperty(
    fc.array(step, { maxLength: 25, size: 'max' }),
    async (steps) => {
      const names = [`alice${(runs += 1)}`, `bob${runs}`];
      const within = async <Value>(
        { mock }: Instance,
        act: (...all: SandboxControl[]) => Value,
      ) => {
        const control = await mock.control();
        return await control.within(names, () =>
          act(...names.map((name) => control.sandbox(name))),
        );
      };
      const read = (...all: SandboxControl[]) => all.map((sandbox) => sandbox.readState());
      for (const [act, by, name] of steps) {
        const run = (one: SandboxControl, other: SandboxControl) =>
          name === 'bob' ? acts[act]?.(other, one) : acts[act]?.(one, other);
        // Neither can restore a snapshot that was not taken.
        await Promise.allSettled([within(memory, run), within(instances[by], run)]);
        expect(await within(reader, read)).toEqual(await within(memory, read));
      }
    },
  );
  await fc.assert(property, {
    numRuns: 30,
    seed: 1,
    examples: [
      [alice('add', 'snapshot', 'reset', 'restore')],
      [alice('add', 'snapshot').concat([['reset', 'two', 'alice']], alice('restore'))],
      [alice('fork').concat([['reset', 'one', 'bob']], alice('fork'))],
    ],
  });
});

describe('another document', () => {
  test('sets aside items without a collection, and loses none', async () => {
    const engine = createMemoryEngine();
    const one = open(engine);
    await one.send('POST', '/pets', { key: 'pro_alice', ...rex });
    await one.act('alice', (sandbox) => sandbox.takeSnapshot('first'));
    const books = await loadBooks();
    const other = openInstance(books, { state: engine, clock: createTestClock() });
    await other.act('alice', (sandbox) => sandbox.clock.advance(60_000));
    expect(other.notices[0]).toMatch(/items of \/pets that do not fit the document: 1, 2, /);
    expect(await other.act('alice', ({ itemCounts }) => Object.keys(itemCounts))).not.toContain(
      '/pets',
    );
    const again = open(engine);
    expect((await again.send('GET', '/pets/31')).status).toBe(200);
  });

  test('keeps choices and limits that it lacks, until they are changed', async () => {
    const engine = createMemoryEngine();
    const limits = { free: { minute: 7 } };
    await open(engine).act('alice', (sandbox) => {
      sandbox.choose({ 'list-order': 'id-descending' });
      sandbox.changeQuota('free', { limits: limits.free });
    });
    const other = openInstance(await loadBooks(), { state: engine, clock: createTestClock() });
    await other.act('alice', (sandbox) => sandbox.clock.advance(60_000));
    const again = open(engine);
    const read = ({ choices, quotas }: SandboxControl): unknown => [
      choices['list-order'],
      quotas[0]?.windows[0]?.limit,
    ];
    expect(await again.act('alice', read)).toEqual(['id-descending', 7]);
    await other.act('alice', (sandbox) => sandbox.reset());
    expect(await again.act('alice', read)).toEqual(['id-ascending', 60]);
  });

  test('of a mock that reloads, while requests come', async () => {
    const engine = createMemoryEngine();
    const one = open(engine);
    await one.send('POST', '/pets', rex);
    const books = await loadBooks();
    const [created, reload] = await Promise.all([
      one.send('POST', '/pets', rex),
      one.mock.reload(books),
    ]);
    expect([created.status, reload.setAside.length]).toEqual([201, 32]);
    expect((await one.send('GET', '/pets/31')).status).toBe(404);
    await one.mock.reload(contract);
    expect(JSON.parse((await one.send('POST', '/pets', rex)).body)).toMatchObject({ id: 33 });
  });
});

describe('stubs of a file', () => {
  const stub = { request: { operation: 'listPets' }, response: { status: 404 } };

  test('keep their position in the log, and are replaced by another file', async () => {
    const engine = createMemoryEngine();
    const one = open(engine);
    (await one.mock.control()).useStubs([{ ...stub, times: 2 }]);
    expect((await one.send('GET', '/pets')).status).toBe(404);
    const other = open(engine);
    (await other.mock.control()).useStubs([{ ...stub, times: 2 }]);
    expect((await other.send('GET', '/pets')).status).toBe(404);
    expect((await other.send('GET', '/pets')).status).toBe(200);
    expect((await one.send('GET', '/pets')).status).toBe(200);
    (await one.mock.control()).useStubs([{ ...stub, times: 1 }]);
    expect((await one.send('GET', '/pets')).status).toBe(404);
    const plain = open(engine);
    expect((await plain.send('GET', '/pets')).status).toBe(200);
    expect(await plain.act('alice', ({ stubs }) => stubs.all)).toEqual([]);
  });
});

test('watching one instance reports changes by the others', { timeout: 20_000 }, async () => {
  const engine = createMemoryEngine();
  const [one, other] = [open(engine), open(engine)];
  const control = await one.mock.control();
  const messages: string[] = [];
  const changed = new Set<string>();
  const stop = control.watch({
    onEntry: ({ sandbox, index, method }) => messages.push(`${sandbox} ${index} ${method}`),
    onChange: (sandbox, parts) => {
      if (parts.includes('clock')) changed.add(sandbox);
    },
    onReload: () => {},
  });
  await one.send('GET', '/pets');
  await vi.waitFor(async () => {
    await other.send('POST', '/pets', rex);
    expect(messages).toContain('alice 1 POST');
  }, 15_000);
  await other.send('GET', '/pets', { key: 'free_new' });
  await other.act('alice', ({ clock }) => clock.freeze());
  await vi.waitFor(
    () => expect([messages.includes('new 0 GET'), changed.has('alice')]).toEqual([true, true]),
    15_000,
  );
  stop();
  expect(new Set(messages).size).toBe(messages.length);
});

test(
  'waiting for the journal of one instance includes requests to the others',
  { timeout: 20_000 },
  async () => {
    const engine = createMemoryEngine();
    const [one, other] = [open(engine), open(engine)];
    const waiting = one.act('alice', (sandbox) =>
      sandbox.waitFor({ operation: 'createPet' }, { milliseconds: 15_000 }),
    );
    await other.send('POST', '/pets', rex);
    expect((await waiting).map(({ index }) => index)).toEqual([0]);
  },
);
