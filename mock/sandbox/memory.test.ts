import { beforeAll, describe, expect, test } from 'vitest';
import type { Contract } from '../../contract/contract.ts';
import type { JsonObject } from '../../contract/json/value.ts';
import { createRandom } from '../../contract/sample/random.ts';
import { loadContract } from '../../contract/load.ts';
import { MockRuntime } from '../served-document/served-document.ts';
import { Control } from '../control/control.ts';
import { entryBytes, itemBytes, placeBytes, textBytes } from '../items/store/item.ts';
import { loadBooks, loadPetstore } from '../../test/mock/contracts.ts';
import { createTestClient, createTestClock } from '../../test/mock/test-client.ts';
import { answerRequest } from './pipeline.ts';
import type { Sandbox } from './sandbox.ts';
import { Memory, memoryLimit } from './memory.ts';

let petstore: Contract;
let books: Contract;
let nested: Contract;
beforeAll(async () => {
  const file = new URL('../../fixtures/documents/shapes/nested.yaml', import.meta.url).pathname;
  [petstore, books, nested] = await Promise.all([
    loadPetstore(),
    loadBooks(),
    loadContract({ file }),
  ]);
});

const mebibyte = 2 ** 20;
const large = (bytes: number): JsonObject => ({ name: 'x'.repeat(bytes), categoryId: 1 });

describe('the memory of all sandboxes', () => {
  test('is bounded: additions beyond it are refused with the limit, within the contract', () => {
    const client = createTestClient(petstore, { maxMemory: 8 * mebibyte, seed: {} });
    const post = (key: string): number =>
      client.send('POST', '/pets', { key, json: large(mebibyte - 100) }).status;
    // One sandbox has a quarter, within which nothing is refused.
    expect([post('pro_a'), post('pro_a'), post('pro_a')]).toEqual([201, 201, 413]);
    // All besides main have three quarters.
    expect([post('pro_b'), post('pro_b'), post('pro_c'), post('pro_c')]).toEqual([
      201, 201, 201, 201,
    ]);
    const full = client.send('POST', '/pets', { key: 'pro_d', json: large(70_000) });
    expect([full.status, full.json]).toEqual([
      413,
      {
        code: 'memory',
        status: 413,
        message: expect.stringMatching(
          /^The sandboxes other than main are full: they use 6 MiB of 6 MiB\. .+ larger --max-memory\.$/,
        ),
      },
    ]);
    expect(client.send('GET', '/pets', { key: 'pro_d' }).status).toBe(200);
    expect(client.send('GET', '/pets/1', { key: 'pro_a' }).text).toHaveLength(mebibyte - 46);
  });

  test('reserves a quarter for main, whatever made-up keys add', () => {
    const client = createTestClient(petstore, { maxMemory: 8 * mebibyte, seed: {} });
    const post = (key: string, bytes: number): number =>
      client.send('POST', '/pets', { key, json: large(bytes) }).status;
    for (let index = 0; index < 20; index += 1) post(`enterprise_s${index}`, mebibyte - 100);
    expect(post('enterprise_s20', mebibyte - 100)).toBe(413);
    const main = Array.from({ length: 3 }, () => post('demo-enterprise', mebibyte - 100));
    expect(main).toEqual([201, 201, 413]);
  });

  test('is freed by removals when it is full', async () => {
    const client = createTestClient(books, { maxMemory: 80_000, seed: {} }, (key) => ({
      'x-api-key': key,
    }));
    const key = 'branch_a';
    const book = { title: 'é'.repeat(80), language: 'fr', lendable: true, price: 0.5 };
    const post = (): number => client.send('POST', '/books', { key, json: book }).status;
    let added = 0;
    while (post() === 201) added += 1;
    expect(added).toBeGreaterThan(40);
    expect(client.send('DELETE', '/books/1', { key }).status).toBe(204);
    expect(Array.from({ length: 3 }, post)).toContain(413);
    (await client.mock.control()).sandbox('a').resetState();
    expect(post()).toBe(201);
  });

  test('is refused to the control interface too', async () => {
    const { mock } = createTestClient(petstore, { maxMemory: mebibyte, seed: {} });
    const sandbox = (await mock.control()).sandbox('a');
    const stub = {
      request: { path: '/pets' },
      response: { status: 200, text: 'x'.repeat(200_000) },
    };
    sandbox.stubs.add(stub);
    expect(() => sandbox.stubs.add(stub)).toThrow('The sandbox a is full');
    expect(() => sandbox.takeSnapshot('full')).toThrow('start the mock with a larger --max-memory');
    sandbox.stubs.clear();
    sandbox.takeSnapshot('empty');
  });

  test('may grow by notes of removals, up to a quarter beyond the bound', () => {
    const [weighed, other, little] = [2.4, 0, 0].map((size, index) => {
      return { name: `s${index}`, bytes: size * mebibyte, store: { isFull: false } };
    });
    if (weighed === undefined || other === undefined || little === undefined) return;
    const memory = new Memory(() => [weighed, other, little], 8 * mebibyte);
    expect(memory.refuseGrowth(weighed, true)).toBeUndefined();
    expect(memory.refuseGrowth(weighed)).toContain('is full');
    weighed.bytes = 2.5 * mebibyte;
    expect(memory.refuseGrowth(weighed, true)).toContain('is full');
    // All besides main have three quarters.
    other.bytes = 4.9 * mebibyte;
    expect(memory.refuseGrowth(little, true)).toBeUndefined();
    other.bytes = 5 * mebibyte;
    expect(memory.refuseGrowth(little, true)).toContain('are full');
  });

  test(`is memoryLimit by default: ${memoryLimit} bytes`, () => {
    const { sandboxes } = new MockRuntime(petstore, {}, createTestClock());
    expect(sandboxes.memory.most).toBe(memoryLimit);
    const [within, over] = [memoryLimit / 4 - 1, memoryLimit / 4];
    const weighed = { name: 'a', bytes: within, store: { isFull: false } };
    expect(sandboxes.memory.refuseGrowth(weighed)).toBeUndefined();
    weighed.bytes = over;
    expect(sandboxes.memory.refuseGrowth(weighed)).toContain('uses 128 MiB of 128 MiB');
  });
});

describe('reading unknown items of an inferred collection', () => {
  test('stores no more than the memory limit, and continues', () => {
    const client = createTestClient(nested, { maxMemory: 400_000 }, () => ({}));
    for (let index = 0; index < 2000; index += 1)
      expect(client.send('GET', `/hostels/h${index}/beds`).status).toBeLessThan(500);
    expect(client.send('GET', '/hostels').status).toBe(200);
  });
});

/** What a sandbox keeps, counted again. */
const recount = ({ store, service, snapshots, stubs }: Sandbox): number => {
  const seeds = new Map(service.collections.plain.map(({ path, seed }) => [path, seed]));
  const bytes = [...store.inventories].flatMap(([path, inventory]) => {
    if (inventory === seeds.get(path)) return [];
    const items = inventory.items.map((item) =>
      seeds.get(path)?.get(item.id) === item ? placeBytes : itemBytes(item),
    );
    const names = [...inventory.removed].map((name) => placeBytes + textBytes(`${name}`));
    return [inventory.isPlain ? 0 : entryBytes, ...items, ...names];
  });
  expect([snapshots.size, stubs?.bytes ?? 0]).toEqual([0, 0]);
  return bytes.reduce((sum, one) => sum + one, 0);
};

test.each([1, 2, 3, 4, 5])(
  'the counted size of sandboxes stays correct after any sequence of changes: seed %d',
  (seed) => {
    const random = createRandom(seed);
    const pick = (most: number): number => Math.floor(random() * most);
    for (const contract of [books, nested]) {
      const runtime = new MockRuntime(contract, { sandboxes: 4 }, createTestClock());
      const control = new Control(runtime);
      const path = contract === books ? '/books' : `/hostels`;
      const send = (name: string, method: string, target: string, json?: JsonObject): void => {
        const key = contract === books ? { 'x-api-key': `branch_${name}` } : {};
        answerRequest(runtime.pipeline, {
          method,
          target: contract.basePath + target,
          headers: { host: 'x', ...key, 'content-type': 'application/json' },
          content: json && new TextEncoder().encode(JSON.stringify(json)),
        });
      };
      const text = (): string => ['x', 'é', '漢'][pick(3)]?.repeat(1 + pick(79)) ?? '';
      const item = (): JsonObject =>
        contract === books
          ? { title: text(), language: 'fr', lendable: pick(2) === 0, price: 1 }
          : { name: text(), label: text() };
      const acts: readonly ((name: string) => void)[] = [
        (name) => send(name, 'POST', path, item()),
        (name) => send(name, 'POST', path, item()),
        (name) => send(name, 'PUT', `${path}/${1 + pick(9)}`, item()),
        (name) => send(name, 'PATCH', `${path}/${1 + pick(9)}`, { title: 'y'.repeat(pick(99)) }),
        (name) => send(name, 'DELETE', `${path}/${1 + pick(9)}`),
        (name) => send(name, 'GET', `${path}/${pick(99)}`),
        (name) => send(name, 'GET', `${path}/${pick(99)}/beds`),
        (name) => send(name, 'POST', `${path}/${pick(99)}/beds`, item()),
        (name) => control.sandbox(name).resetState(),
        (name) => control.sandbox(name).takeSnapshot('one'),
        (name) => {
          if (control.sandbox(name).snapshots.includes('one'))
            control.sandbox(name).restoreSnapshot('one', control.sandbox(`s${pick(6)}`));
        },
        (name) => void control.sandbox(name).dropSnapshot('one'),
        (name) => control.sandbox(name).fork(control.sandbox(`s${pick(6)}`)),
        (name) => void control.forget(name),
        (name) => control.sandbox(name).stubs.add({ response: { status: 200 } }),
        (name) => control.sandbox(name).stubs.clear(),
      ];
      for (let step = 0; step < 300; step += 1) acts[pick(acts.length)]?.(`s${pick(6)}`);
      for (const sandbox of runtime.sandboxes.all) {
        control.sandbox(sandbox.name).stubs.clear();
        control.sandbox(sandbox.name).dropSnapshot('one');
      }
      const all = runtime.sandboxes.all.map(recount).reduce((sum, bytes) => sum + bytes, 0);
      expect(all).toBeGreaterThan(0);
      expect(runtime.sandboxes.memory.bytes).toBe(all);
    }
  },
);
