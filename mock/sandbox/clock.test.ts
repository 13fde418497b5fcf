import { beforeAll, describe, expect, test } from 'vitest';
import type { Contract } from '../../contract/contract.ts';
import { loadBooks, loadInventory, loadPetstore } from '../../test/mock/contracts.ts';
import {
  type TestResponse,
  type TestClient,
  createTestClient,
} from '../../test/mock/test-client.ts';

let contract: Contract;
let seed: Awaited<ReturnType<typeof loadInventory>>;
beforeAll(async () => {
  contract = await loadPetstore();
  seed = await loadInventory();
});

const get = (client: TestClient, path = '/pets', key = 'free_a'): TestResponse =>
  client.send('GET', path, { key });
const rate = ({ headers }: TestResponse): readonly number[] =>
  ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`x-ratelimit-${name}`)));
const seconds = (...date: Parameters<typeof Date.UTC>): number => Date.UTC(...date) / 1000;

test('the daily 1,000 are used up, then comes midnight', async () => {
  const client = createTestClient(contract, { seed });
  const sandbox = (await client.mock.control()).sandbox('a');
  sandbox.clock.set(Date.UTC(2026, 5, 1, 9));
  sandbox.clock.freeze();
  for (let minute = 0; minute < 17; minute += 1) {
    for (let request = 0; request < Math.min(60, 1000 - minute * 60); request += 1)
      expect(get(client).status).toBe(200);
    sandbox.clock.advance(60_000);
  }
  const refused = get(client);
  const midnight = seconds(2026, 5, 2);
  expect([refused.status, ...rate(refused), Number(refused.headers.get('retry-after'))]).toEqual([
    429,
    1000,
    0,
    midnight,
    midnight - seconds(2026, 5, 1, 9, 17),
  ]);
  expect(refused.headers.get('date')).toBe('Mon, 01 Jun 2026 09:17:00 GMT');
  sandbox.clock.set(midnight * 1000 - 1);
  expect(get(client).status).toBe(429);
  sandbox.clock.advance(1);
  expect([get(client).status, rate(get(client))]).toEqual([200, [60, 58, midnight + 60]]);
  expect(get(client, '/pets', 'free_b').headers.get('date')).toBe('Mon, 01 Jun 2026 12:00:00 GMT');
});

describe('5 December 2030', () => {
  const move = async (client: TestClient, instant: number): Promise<void> =>
    (await client.mock.control()).sandbox('a').clock.set(instant);

  test('the deprecated operation is gone', async () => {
    const client = createTestClient(contract, { seed });
    await move(client, Date.UTC(2030, 11, 5) - 1);
    const before = get(client, '/pets/1');
    expect([before.status, before.headers.get('sunset')]).toEqual([
      200,
      'Thu, 05 Dec 2030 00:00:00 GMT',
    ]);
    await move(client, Date.UTC(2030, 11, 5));
    const gone = get(client, '/pets/1');
    expect([gone.status, gone.json, gone.headers.get('sunset')]).toEqual([
      404,
      {
        code: 'unknown_path',
        message: 'The API has no path /v1/pets/1. getPet was removed on 2030-12-05.',
        status: 404,
      },
      undefined,
    ]);
    expect([
      client.send('PUT', '/pets/1', { key: 'free_a' }).status,
      client.send('HEAD', '/pets/1', { key: 'free_a' }).status,
    ]).toEqual([404, 404]);
    expect([get(client).status, get(client, '/pets/1', 'free_b').status]).toEqual([200, 200]);
  });

  test('leaves the other methods of a path, and Allow lists them', async () => {
    const books = await loadBooks();
    const shelf = books.operations.find(
      ({ method, path }) =>
        method === 'GET' &&
        books.operations.some((other) => other.path === path && other.method === 'DELETE'),
    );
    if (shelf === undefined) throw new Error('The document has no path with GET and DELETE.');
    const operations = books.operations.map((operation) =>
      operation === shelf
        ? {
            ...operation,
            deprecation: { sunset: '2030-12-05', since: undefined, successor: undefined },
          }
        : operation,
    );
    const client = createTestClient({ ...books, operations }, {}, (key) => ({ 'x-api-key': key }));
    const path = shelf.path.replace(/\{.*\}/, '1');
    (await client.mock.control()).sandbox('main').clock.set(Date.UTC(2031, 0));
    const gone = client.send('GET', path, { key: 'demo-reader' });
    expect([
      gone.status,
      gone.headers.get('allow')?.split(', ').includes('DELETE'),
      gone.headers.get('allow')?.includes('GET'),
    ]).toEqual([405, true, false]);
    expect(client.send('OPTIONS', path, { key: undefined }).headers.get('allow')).not.toContain(
      'GET',
    );
  });
});

describe('the clock of a sandbox', () => {
  test('freezes, continues from there, and is reset', async () => {
    const client = createTestClient(contract);
    const { clock } = (await client.mock.control()).sandbox('a');
    const date = (): string | undefined => get(client).headers.get('date')?.slice(17, 25);
    clock.freeze();
    client.clock.advance(3600);
    expect(date()).toBe('12:00:00');
    clock.advance(60_000);
    clock.thaw();
    client.clock.advance(1);
    expect(date()).toBe('12:01:01');
    clock.set(Date.UTC(2026, 5, 1, 8));
    client.clock.advance(1);
    expect(date()).toBe('08:00:01');
    clock.restore();
    expect(date()).toBe('13:00:02');
  });

  test('never reaches an instant that a date header cannot show', async () => {
    const { clock } = (await createTestClient(contract).mock.control()).sandbox('a');
    for (const instant of [-1, Number.NaN, Number.POSITIVE_INFINITY, Date.UTC(10_000, 0)])
      expect(() => clock.set(instant)).toThrow('1970 to 9999');
  });

  test('stops at the end of 9999, and reports no later instant', async () => {
    const client = createTestClient(contract);
    const sandbox = (await client.mock.control()).sandbox('a');
    sandbox.clock.set(Date.UTC(9999, 11, 31, 23, 59, 59));
    client.clock.advance(3600);
    const last = 'Fri, 31 Dec 9999 23:59:59 GMT';
    expect([get(client).headers.get('date'), sandbox.clock.now()]).toEqual([
      last,
      Date.UTC(10_000, 0) - 1,
    ]);
    const listening = await client.mock.listen();
    for (const path of ['', '/clock', '/quotas', '/journal']) {
      const url = `${new URL(listening.url).origin}/_mock/sandboxes/a${path}`;
      const text = await (await fetch(url)).text();
      expect(text).toContain('"9999-12-31T23:59:59.999Z"');
      expect(text).not.toContain('+010000');
    }
    await listening.close();
  });

  test('ends a ban', async () => {
    const client = createTestClient(contract, {
      limits: { free: { minute: 1 } },
      banAfter: 1,
      banSeconds: 600,
    });
    const { clock } = (await client.mock.control()).sandbox('a');
    for (const status of [200, 429, 429]) expect(get(client).status).toBe(status);
    clock.advance(599_999);
    expect(get(client).json).toMatchObject({ code: 'banned' });
    clock.advance(1);
    expect(get(client).status).toBe(200);
  });
});
