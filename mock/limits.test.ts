import { beforeAll, describe, expect, test } from 'vitest';
import type { Contract } from '../contract/contract.ts';
import { MockRuntime } from './served-document/served-document.ts';
import { Journal, JournalMemory, maxJournals } from './sandbox/journal.ts';
import { loadPetstore } from '../test/mock/contracts.ts';
import { type TestClient, createTestClient, createTestClock } from '../test/mock/test-client.ts';
import { maxRules } from './control/rule/rules.ts';
import { maxSnapshots } from './control/sandbox-control.ts';
import { maxEntries, maxSandboxes } from './sandbox/sandbox.ts';

let contract: Contract;
beforeAll(async () => {
  contract = await loadPetstore();
});

const pet = { name: 'Rex', categoryId: 1 };
const post = (client: TestClient, key: string): number =>
  client.send('POST', '/pets', { key, json: pet }).status;
const journalOf = async ({ mock }: TestClient, name: string) =>
  (await mock.control()).look(name).journal();

describe('sandboxes', () => {
  test('are kept up to maxSandboxes', () => {
    const { sandboxes } = new MockRuntime(contract, {}, createTestClock());
    const most = maxSandboxes;
    for (let index = 0; index < most; index += 1) sandboxes.open(`s${index}`);
    expect([sandboxes.find('s0')?.name, sandboxes.all.length]).toEqual(['s0', most + 1]);
    sandboxes.open('one-more');
    expect([sandboxes.find('s0'), sandboxes.all.length]).toEqual([undefined, most + 1]);
  });

  test('in use are not evicted for those opened by made-up keys', async () => {
    const client = createTestClient(contract, { sandboxes: 10 });
    const control = await client.mock.control();
    post(client, 'pro_alice');
    control.sandbox('bob').choose({ 'status-default': 'sold' });
    for (let index = 0; index < 100; index += 1)
      client.send('GET', '/pets', { key: `free_read-${index}` });
    expect(control.sandboxes).toEqual(expect.arrayContaining(['alice', 'bob']));
    for (let index = 0; index < 100; index += 1) post(client, `free_write-${index}`);
    expect(control.sandboxes).toContain('bob');
    expect(control.look('bob').choices['status-default']).toBe('sold');
  });
});

describe('journals', () => {
  test('keep maxEntries per sandbox', async () => {
    const client = createTestClient(contract, { limits: { pro: { minute: 1e6, day: 1e6 } } });
    const most = maxEntries;
    for (let index = 0; index < most; index += 1) client.send('GET', '/pets', { key: 'pro_a' });
    expect(await journalOf(client, 'a')).toMatchObject({ length: most, 0: { index: 0 } });
    client.send('GET', '/pets', { key: 'pro_a' });
    expect(await journalOf(client, 'a')).toMatchObject({ length: most, 0: { index: 1 } });
  });

  test('keep maxJournals in total: the largest is trimmed, and small ones lose nothing', async () => {
    const client = createTestClient(contract, { limits: { pro: { minute: 1e6, day: 1e6 } } });
    const [sent] = [post(client, 'pro_quiet'), post(client, 'pro_a')];
    expect(sent).toBe(201);
    const [entry] = await journalOf(client, 'quiet');
    const detail = (await client.mock.control()).look('quiet').exchange(0)?.detail;
    if (entry === undefined || detail === undefined) throw new Error('Nothing is kept.');
    const large = { ...entry, target: 'x'.repeat(100_000) };
    const memory = new JournalMemory(() => [quiet, busy]);
    const [quiet, busy] = [new Journal(500, memory), new Journal(5000, memory)];
    quiet.add(entry, detail);
    const fitting = Math.floor((maxJournals - quiet.bytes) / (101_100 + 2000));
    for (let index = 0; index < fitting; index += 1) busy.add(large, detail);
    expect([quiet.entries.length, busy.entries.length]).toEqual([1, fitting]);
    for (let index = 0; index < 3000; index += 1) {
      busy.add({ ...large, index: fitting + index }, detail);
      expect(quiet.bytes + busy.bytes).toBeLessThanOrEqual(maxJournals);
    }
    expect([quiet.entries.length, busy.count]).toEqual([1, fitting + 3000]);
    expect(busy.entries.length).toBeGreaterThan(fitting / 4);
    expect(busy.entries.at(-1)?.index).toBe(fitting + 2999);
    busy.clear();
    expect([busy.entries, busy.bytes]).toEqual([[], 0]);
  });

  test('trimmed for memory still count, wrap and restore', () => {
    const journal: Journal = new Journal(5, new JournalMemory(() => [journal], 10_000));
    const add = (index: number): void =>
      journal.add(
        { ...blank, index },
        {
          requestHeaders: {},
          response: { status: 200, headers: [], body: 'x'.repeat(1000) },
          responseLength: undefined,
          place: undefined,
        },
      );
    const indexes = (): readonly number[] => journal.entries.map(({ index }) => index);
    for (let index = 0; index < 4; index += 1) add(index);
    expect(indexes()).toEqual([0, 1, 2, 3]);
    add(4);
    expect(indexes()).toEqual([2, 3, 4]);
    expect(journal.exchanges.map(({ entry }) => entry.index)).toEqual([2, 3, 4]);
    for (let index = 5; index < 20; index += 1) add(index);
    expect(indexes().at(-1)).toBe(19);
    expect(journal.bytes).toBeLessThanOrEqual(10_000);
  });
});

const blank = {
  index: 0,
  at: 0,
  method: 'GET',
  target: '/pets',
  isKeyInTarget: false,
  credential: 'valid',
  content: undefined,
  contentLength: 0,
  operation: undefined,
  status: 200,
  refusal: undefined,
  sandbox: 'main',
  plan: undefined,
  rate: undefined,
  retryAfter: undefined,
  fault: undefined,
  stub: undefined,
  preferred: '',
  event: undefined,
  callbacks: undefined,
  delay: undefined,
  lost: undefined,
  clues: undefined,
  milliseconds: 0,
} as const;

test('faults, stubs and snapshots: maxRules, maxSnapshots', async () => {
  const sandbox = (await createTestClient(contract).mock.control()).sandbox('a');
  for (let index = 0; index < maxRules; index += 1) sandbox.addFault({ status: 503 });
  expect(() => sandbox.addFault({ status: 503 })).toThrow('A sandbox has at most 1000 faults.');
  const stub = { response: { status: 200 } };
  sandbox.stubs.addAll(Array.from({ length: maxRules }, () => stub));
  expect(() => sandbox.stubs.add(stub)).toThrow('A sandbox has at most 1000 stubs.');
  for (let index = 0; index < maxSnapshots; index += 1) sandbox.takeSnapshot(`s${index}`);
  sandbox.takeSnapshot('s0');
  expect(() => sandbox.takeSnapshot('more')).toThrow('A sandbox has at most 100 snapshots.');
});
