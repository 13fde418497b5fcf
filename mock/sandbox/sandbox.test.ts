import { beforeAll, describe, expect, test } from 'vitest';
import type { Contract } from '../../contract/contract.ts';
import type { JsonObject } from '../../contract/json/value.ts';
import { loadBooks, loadInventory, loadPetstore } from '../../test/mock/contracts.ts';
import {
  type TestResponse,
  type TestClient,
  createTestClient,
} from '../../test/mock/test-client.ts';

let contract: Contract;
let seed: JsonObject;
beforeAll(async () => {
  contract = await loadPetstore();
  seed = await loadInventory();
});

const count = (client: TestClient, key: string): number => {
  const { json } = client.send('GET', '/pets?limit=100', { key });
  return Array.isArray(json) ? json.length : -1;
};
const add = (client: TestClient, key: string): TestResponse =>
  client.send('POST', '/pets', { key, json: { name: 'Rex', categoryId: 1 } });
const remaining = ({ headers }: TestResponse): string | undefined =>
  headers.get('x-ratelimit-remaining');

describe('a key is a sandbox', () => {
  test.each(['free_alice', 'pro_e2e-17', 'business_a.b_c', `enterprise_${'x'.repeat(64)}`])(
    '%s is created on demand, with the seed',
    (key) => {
      const client = createTestClient(contract, { seed });
      expect(count(client, key)).toBe(30);
      expect(add(client, key).json).toMatchObject({ id: 31 });
      expect([count(client, key), count(client, 'demo-free'), count(client, 'free_bob')]).toEqual([
        31, 30, 30,
      ]);
    },
  );

  test.each([
    'gold_alice',
    'free_',
    'free',
    '_alice',
    'free_a~b',
    'FREE_a',
    'Free_a',
    'free_',
    'free_..',
    `free_${'x'.repeat(65)}`,
  ])('%s is not valid', (key) => {
    const client = createTestClient(contract, { seed });
    expect(client.send('GET', '/pets', { key }).status).toBe(401);
  });

  test('has the limits of its plan and its own counts', () => {
    const client = createTestClient(contract);
    const get = (key: string): readonly unknown[] =>
      ['limit', 'remaining'].map((name) =>
        client.send('GET', '/pets', { key }).headers.get(`x-ratelimit-${name}`),
      );
    expect([get('free_a'), get('free_a'), get('pro_a'), get('free_b'), get('demo-free')]).toEqual([
      ['60', '58'],
      ['60', '56'],
      ['300', '298'],
      ['60', '58'],
      ['60', '58'],
    ]);
  });

  test('has the same items with another plan, and as main those of the fixture keys', () => {
    const client = createTestClient(contract, { seed });
    add(client, 'free_a');
    add(client, 'demo-pro');
    add(client, 'demo-free');
    expect([count(client, 'pro_a'), count(client, 'free_main')]).toEqual([31, 32]);
  });

  test('starts at the seed again after its eviction', () => {
    const client = createTestClient(contract, { seed, sandboxes: 2 });
    for (const key of ['free_a', 'free_b']) add(client, key);
    expect(count(client, 'free_a')).toBe(31);
    expect(count(client, 'free_c')).toBe(30);
    expect([count(client, 'free_a'), count(client, 'free_b'), count(client, 'demo-free')]).toEqual([
      31, 30, 30,
    ]);
  });

  test('may be evicted while its journal is awaited: new requests are still seen', async () => {
    const client = createTestClient(contract, { seed, sandboxes: 2 });
    const control = await client.mock.control();
    const names = ['a', 'b', 'c', 'd'];
    const waits = names.map((name) =>
      control.sandbox(name).waitFor({}, { count: 1, milliseconds: 60_000 }),
    );
    expect(count(client, 'free_e')).toBe(30);
    expect(control.sandboxes).toEqual(['main', 'd', 'e']);
    for (const name of names) count(client, `free_${name}`);
    expect((await Promise.all(waits)).map(({ length }) => length)).toEqual([1, 1, 1, 1]);
  });

  test('is limited in number, however many names are used', () => {
    const client = createTestClient(contract, {
      seed,
      sandboxes: 10,
      limits: { free: { minute: 1 } },
    });
    for (let name = 0; name < 1000; name += 1) add(client, `free_${name}`);
    expect(remaining(client.send('GET', '/pets', { key: 'free_999' }))).toBe('0');
    expect(client.send('GET', '/pets', { key: 'free_0' }).status).toBe(200);
  });

  test('refuses a body without changing the items', () => {
    const client = createTestClient(contract, { seed });
    expect(client.send('POST', '/pets', { key: 'free_a', json: { name: 'Rex' } }).status).toBe(400);
    expect(count(client, 'free_a')).toBe(30);
  });

  test('works with a document without plans of that name', async () => {
    const client = createTestClient(await loadBooks(), {}, (key) => ({ 'x-api-key': key }));
    expect(
      ['reader_a', 'branch_a', 'free_a'].map((key) => client.send('GET', '/books', { key }).status),
    ).toEqual([200, 200, 401]);
  });
});
