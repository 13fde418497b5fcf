import { beforeEach, describe, expect } from 'vitest';
import { isJsonArray, isJsonObject, parseJson } from '../../../contract/json/value.ts';
import { loadBooks } from '../../../test/mock/contracts.ts';
import { type TestSandbox, createTestSandbox, petstoreTest as test, useSandbox } from './index.ts';

const rex = (key: string, name: string): RequestInit => ({
  method: 'POST',
  headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
  body: JSON.stringify({ name, categoryId: 1 }),
});

const namesIn = async ({ fetch, key }: TestSandbox): Promise<readonly string[]> => {
  const response = await fetch('/pets?limit=100', { headers: { Authorization: `Bearer ${key}` } });
  const pets = parseJson(await response.text());
  return isJsonArray(pets)
    ? pets.map((pet) => (isJsonObject(pet) && typeof pet['name'] === 'string' ? pet['name'] : ''))
    : [];
};

describe('petstoreTest', () => {
  for (const name of ['one', 'other']) {
    test.concurrent(`gives ${name} test a sandbox of its own`, async ({ petstore }) => {
      const { fetch, key, baseUrl } = petstore;
      expect(await namesIn(petstore)).toContain('Rex');
      expect((await fetch(`${baseUrl}/pets`, rex(key, name))).status).toBe(201);
      const added = (await namesIn(petstore)).filter((each) => ['one', 'other'].includes(each));
      expect(added).toEqual([name]);
    });
  }

  test('controls the clock', async ({ petstore: { fetch, key, clock } }) => {
    const ask = async (path: string): Promise<number> =>
      (await fetch(path, { headers: { Authorization: `Bearer ${key}` } })).status;
    for (let sent = 0; sent < 60; sent += 1) expect(await ask('/pets')).toBe(200);
    expect(await ask('/pets')).toBe(429);
    clock.advance({ minutes: 1 });
    expect(await ask('/pets')).toBe(200);
    clock.set('2030-12-04T23:59:00Z');
    expect([await ask('/pets/1'), new Date(clock.now()).getUTCFullYear()]).toEqual([200, 2030]);
  });

  test('delayed responses arrive when the clock has advanced', async ({
    petstore: { fetch, key, clock },
  }) => {
    const seen: string[] = [];
    const ask = async (wait: number): Promise<void> => {
      await fetch('/pets', { headers: { Authorization: `Bearer ${key}`, Prefer: `wait=${wait}` } });
      seen.push(`after ${wait}`);
    };
    const asked = [ask(5), ask(2)];
    await fetch('/pets', { headers: { Authorization: `Bearer ${key}` } });
    clock.advance({ seconds: 4 });
    await asked[1];
    seen.push('moved');
    clock.advance({ seconds: 1 });
    await asked[0];
    expect(seen).toEqual(['after 2', 'moved', 'after 5']);
  });

  describe('with options', () => {
    test.override({ petstoreOptions: { seed: {}, plan: 'business' } });

    test('applies them', async ({ petstore }) => {
      expect([petstore.key, await namesIn(petstore)]).toEqual(['demo-business', []]);
    });
  });
});

describe('useSandbox', () => {
  let url = '';

  test('listens for code that does not accept a fetch function', async () => {
    const { listen, key } = await useSandbox();
    ({ url } = await listen());
    expect(
      (await fetch(`${url}/pets`, { headers: { Authorization: `Bearer ${key}` } })).status,
    ).toBe(200);
  });

  test('is closed when the test has finished', async () => {
    await expect(fetch(`${url}/pets`)).rejects.toThrow('fetch failed');
  });

  describe('in beforeEach', () => {
    let sandbox: TestSandbox;
    beforeEach(async () => {
      sandbox = await useSandbox({ seed: {} });
    });

    test.each([1, 2])('number %d starts fresh', async () => {
      expect(await namesIn(sandbox)).toEqual([]);
      await sandbox.fetch('/pets', rex(sandbox.key, 'Rex'));
      expect(await namesIn(sandbox)).toEqual(['Rex']);
    });
  });
});

test('a sandbox of another document, another plan and another time', async () => {
  const contract = await loadBooks();
  await using sandbox = await createTestSandbox({ contract, start: '2026-02-03T04:05:06Z' });
  expect([sandbox.baseUrl, sandbox.clock.now()]).toEqual([
    `http://petstore.test${contract.basePath}`,
    Date.UTC(2026, 1, 3, 4, 5, 6),
  ]);
  await expect(createTestSandbox({ plan: 'gold' })).rejects.toThrow(
    'There is no plan "gold"; there are Free, Pro, Business, Enterprise.',
  );
  await expect(createTestSandbox({ start: 'soon' })).rejects.toThrow('soon is not a date.');
});
