import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Contract } from '../../contract/contract.ts';
import type { JsonObject } from '../../contract/json/value.ts';
import { loadContract } from '../../contract/load.ts';
import { loadBooks, loadInventory, loadPetstore } from '../../test/mock/contracts.ts';
import { type TestClient, createTestClient } from '../../test/mock/test-client.ts';

let contract: Contract;
let text: string;
let seed: JsonObject;
beforeAll(async () => {
  [contract, seed, text] = await Promise.all([
    loadPetstore(),
    loadInventory(),
    readFile(new URL('../../openapi.yaml', import.meta.url), 'utf8'),
  ]);
});

const edited = (from: string, to: string, of = text): Promise<Contract> => {
  if (!of.includes(from)) throw new Error(`The document has no ${from}.`);
  return loadContract({ text: of.replace(from, to) });
};
const add = (client: TestClient, name: string, key = 'free_a'): unknown =>
  client.send('POST', '/pets', { key, json: { name, categoryId: 1 } }).json;
const raw = (client: TestClient, path: string, key = 'free_a') =>
  client.mock.handle({
    method: 'GET',
    target: `/v1${path}`,
    headers: { authorization: `Bearer ${key}` },
    content: undefined,
  });

const shortNames = [
  '        name:\n          description: The name of the pet.\n          type: string\n',
  '        name:\n          description: The name of the pet.\n          type: string\n          maxLength: 3\n',
] as const;

describe('reloading', () => {
  test('keeps items, clocks and counts, and reports what changed', async () => {
    const client = createTestClient(contract, { seed });
    const { clock } = (await client.mock.control()).sandbox('a');
    clock.set(Date.UTC(2027, 0));
    add(client, 'Rex');
    const { changes, setAside, leftOut } = await client.mock.reload(
      await edited('maximum: 100, default: 20', 'maximum: 50, default: 10'),
    );
    expect([changes, setAside, leftOut]).toEqual([['changed operation listPets'], [], []]);
    const list = raw(client, '/pets?limit=50');
    expect([
      list.status,
      raw(client, '/pets?limit=100').status,
      JSON.parse(list.body).length,
    ]).toEqual([200, 400, 31]);
    expect(list.headers[list.headers.indexOf('Date') + 1]).toBe('Fri, 01 Jan 2027 00:00:00 GMT');
    expect(list.headers[list.headers.indexOf('X-RateLimit-Remaining') + 1]).toBe('58');
    expect(client.mock.contract.digest).not.toBe(contract.digest);
  });

  test('sets aside items that no longer fit, and restores them later', async () => {
    const client = createTestClient(contract, {
      seed: {
        '/pets': [
          { id: 1, name: 'Tom', categoryId: 1 },
          { id: 2, name: 'Tommaso', categoryId: 1 },
        ],
      },
    });
    add(client, 'Rex');
    add(client, 'Felix');
    const { changes, setAside, leftOut } = await client.mock.reload(await edited(...shortNames));
    expect(changes).toEqual(['changed components/schemas/NewPet']);
    expect(setAside).toEqual(
      [2, 4].map((id) => ({
        sandbox: 'a',
        path: '/pets',
        id,
        reason: 'It breaks the contract: name must have at most 3 characters (at /name).',
      })),
    );
    expect(leftOut).toEqual([
      'Seed item 1 of /pets breaks the contract: name must have at most 3 characters (at /name).',
    ]);
    const ids = (key: string): unknown =>
      JSON.parse(raw(client, '/pets', key).body).map(({ id }: { id: number }) => id);
    expect([ids('free_a'), ids('free_b')]).toEqual([[1, 3], [1]]);
    expect((await client.mock.reload(contract)).setAside).toEqual([]);
    expect([ids('free_a'), ids('free_b')]).toEqual([
      [1, 2, 3, 4],
      [1, 2],
    ]);
  });

  test('rejects a seed that does not fit, but skips items that do not fit another document', async () => {
    const bad = { '/pets': [{ id: 1, name: 7, categoryId: 1 }] };
    expect(() => createTestClient(contract, { seed: bad })).toThrow(
      'Seed item 0 of /pets breaks the contract',
    );
    const long = { '/pets': [{ id: 1, name: 'Tommaso', categoryId: 1 }] };
    const { leftOut } = await createTestClient(contract, { seed: long }).mock.reload(
      await edited(...shortNames),
    );
    expect(leftOut).toEqual([expect.stringContaining('Seed item 0 of /pets breaks the contract')]);
  });

  test('never reuses an id: of an item set aside, of the seed, or removed before', async () => {
    const client = createTestClient(contract, {
      seed: {
        '/pets': [
          { id: 1, name: 'Tom', categoryId: 1 },
          { id: 2, name: 'Tommaso', categoryId: 1 },
        ],
      },
    });
    add(client, 'Felix');
    await client.mock.reload(await edited(...shortNames));
    expect([add(client, 'Rex'), add(client, 'Rex', 'free_b')]).toEqual(
      [4, 3].map((id) => expect.objectContaining({ id })),
    );
    expect((await client.mock.reload(contract)).setAside).toEqual([]);
    expect(JSON.parse(raw(client, '/pets').body)).toMatchObject([
      { id: 1 },
      { id: 2 },
      { id: 3, name: 'Felix' },
      { id: 4, name: 'Rex' },
    ]);
  });

  test('never reuses the id of a removed item, even if the collection was gone in between', async () => {
    const library = await loadBooks();
    const client = createTestClient(library, {}, (key) => ({ 'x-api-key': key }));
    const send = (method: string, path: string, json?: JsonObject) =>
      client.send(method, path, { key: 'demo-branch', ...(json === undefined ? {} : { json }) });
    const book = { title: 'Home', language: 'fr', lendable: true, price: 0.5 };
    expect([send('POST', '/books', book).status, send('DELETE', '/books/8').status]).toEqual([
      201, 204,
    ]);
    await client.mock.reload(contract);
    await client.mock.reload(library);
    expect(send('POST', '/books', book).json).toMatchObject({ bookNumber: 9 });
    expect(send('DELETE', '/books/9').status).toBe(204);
    await client.mock.reload(
      await loadContract({
        text: (
          await readFile(new URL('../../fixtures/documents/books.yaml', import.meta.url), 'utf8')
        ).replace('maximum: 50', 'maximum: 49'),
      }),
    );
    expect(send('POST', '/books', book).json).toMatchObject({ bookNumber: 10 });
  });

  test('reports components, open questions and other members that change', async () => {
    const client = createTestClient(contract, { seed });
    const chip = await edited(
      "        status: { $ref: '#/components/schemas/PetStatus' }\n      examples:",
      "        status: { $ref: '#/components/schemas/PetStatus' }\n        chip: { type: string }\n      examples:",
    );
    expect((await client.mock.reload(chip)).changes).toEqual(['changed components/schemas/NewPet']);
    expect((await client.mock.reload(contract)).changes).toEqual([
      'changed components/schemas/NewPet',
    ]);
    const questionless = text.slice(0, text.indexOf('  - id: versioning\n'));
    expect((await client.mock.reload(await loadContract({ text: questionless }))).changes).toEqual([
      'changed x-unspecified',
    ]);
    expect(
      (
        await client.mock.reload(
          await edited(
            'Business, limits: { minute: 1000',
            'Business, limits: { minute: 2000',
            questionless,
          ),
        )
      ).changes,
    ).toEqual(['changed x-rate-limit']);
  });

  test('drops a choice that the document no longer has', async () => {
    const client = createTestClient(contract, { seed });
    (await client.mock.control()).sandbox('a').choose({ versioning: 'several-versions' });
    const { leftOut } = await client.mock.reload(
      await loadContract({ text: text.slice(0, text.indexOf('  - id: versioning\n')) }),
    );
    expect(leftOut).toEqual([
      'The sandbox a chose versioning=several-versions, which the document does not have.',
    ]);
  });

  test('drops limits of a plan that the document no longer has, and refuses a snapshot that has them', async () => {
    const client = createTestClient(contract, { seed });
    const sandbox = (await client.mock.control()).sandbox('a');
    sandbox.changeQuota('pro', { limits: { minute: 3 } });
    sandbox.takeSnapshot('before');
    const { leftOut } = await client.mock.reload(await edited('name: Pro,', 'name: Gold,'));
    expect(leftOut).toEqual([
      'The sandbox a had limits that the document does not have. There is no plan "pro"; there are Free, Gold, Business, Enterprise, anonymous.',
    ]);
    expect([raw(client, '/pets', 'gold_a').status, raw(client, '/pets', 'pro_a').status]).toEqual([
      200, 401,
    ]);
    expect(() => {
      sandbox.restoreSnapshot('before');
    }).toThrow('There is no plan "pro"');
    expect(raw(client, '/pets', 'gold_a').status).toBe(200);
  });

  test('keeps the old document if the new one cannot be served', async () => {
    const client = createTestClient(contract, {
      seed,
      choices: { versioning: 'several-versions' },
    });
    await expect(
      client.mock.reload(
        await loadContract({ text: text.slice(0, text.indexOf('  - id: versioning\n')) }),
      ),
    ).rejects.toThrow('does not ask the question "versioning"');
    expect([client.mock.contract, raw(client, '/pets').status]).toEqual([contract, 200]);
  });
});
