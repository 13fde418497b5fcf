import { beforeAll, describe, expect, test } from 'vitest';
import type { Contract } from '../../contract/contract.ts';
import { isJsonObject } from '../../contract/json/value.ts';
import type { MockOptions } from '../served-document/options.ts';
import { loadBooks, loadPetstore } from '../../test/mock/contracts.ts';
import {
  type TestResponse,
  type TestClient,
  createTestClient,
} from '../../test/mock/test-client.ts';

let contract: Contract;
beforeAll(async () => {
  contract = await loadPetstore();
});

const open = (options: MockOptions = {}): TestClient => createTestClient(contract, options);
const get = (client: TestClient, key = 'demo-free'): TestResponse =>
  client.send('GET', '/pets', { key });
const rate = ({ headers }: TestResponse): readonly number[] =>
  ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`x-ratelimit-${name}`)));
const retryAfter = ({ headers }: TestResponse): number => Number(headers.get('retry-after'));
const sendTimes = (client: TestClient, times: number): readonly number[] =>
  Array.from({ length: times }, () => get(client).status);
const seconds = (client: TestClient): number => Math.floor(client.clock.now() / 1000);

describe('the rate limit', () => {
  test.each([
    ['demo-free', 60],
    ['demo-pro', 300],
    ['demo-business', 1000],
    ['demo-enterprise', 10_000],
  ])('of %s is %i a minute', (key, limit) => {
    const client = open();
    expect(rate(get(client, key))).toEqual([limit, limit - 1, seconds(client) + 60]);
  });

  test('admits exactly the reported number of requests until the reset', () => {
    const client = open();
    const remaining = Array.from({ length: 60 }, () => rate(get(client))[1]);
    expect(remaining).toEqual(Array.from({ length: 60 }, (_, index) => 59 - index));
    client.clock.advance(20.5);
    const refused = get(client);
    expect([refused.status, retryAfter(refused), ...rate(refused)]).toEqual([
      429,
      40,
      60,
      0,
      seconds(client) + 40,
    ]);
    expect(refused.json).toMatchObject({ code: 'rate_limited', status: 429 });
    client.clock.advance(retryAfter(refused));
    expect(get(client).status).toBe(200);
  });

  test('of a day is reported and enforced when it has fewer requests left', () => {
    const client = open();
    for (let minute = 0; minute < 16; minute += 1) {
      expect(new Set(sendTimes(client, 60))).toEqual(new Set([200]));
      client.clock.advance(60);
    }
    const midnight = Date.UTC(2026, 5, 2) / 1000;
    expect(rate(get(client))).toEqual([1000, 39, midnight]);
    sendTimes(client, 39);
    const refused = get(client);
    expect([refused.status, ...rate(refused), retryAfter(refused)]).toEqual([
      429,
      1000,
      0,
      midnight,
      midnight - seconds(client),
    ]);
    client.clock.advance(retryAfter(refused));
    expect(rate(get(client)).slice(0, 2)).toEqual([60, 59]);
  });

  test('counts errors, unknown paths and other methods too', () => {
    const client = open();
    const responses = [
      client.send('GET', '/pets/999'),
      client.send('GET', '/nowhere'),
      client.send('PUT', '/pets'),
      client.send('HEAD', '/pets'),
      client.send('POST', '/pets', { content: 'no' }),
      client.send('POST', '/pets', { isTooLarge: true }),
      client.send('GET', '/pets?limit=0'),
    ];
    expect(responses.map((response) => rate(response)[1])).toEqual([59, 58, 57, 56, 55, 54, 53]);
  });

  test('is counted per key, and once for all callers without a valid key', () => {
    const client = open({ limits: { anonymous: { minute: 2 } } });
    expect(
      [client.send('GET', '/pets', { key: undefined }), get(client, 'wrong')].map(
        ({ status }) => status,
      ),
    ).toEqual([401, 401]);
    expect(get(client, 'other').status).toBe(429);
    expect(rate(get(client))).toEqual([60, 59, seconds(client) + 60]);
  });

  test('can be configured for every plan, and only with valid values', () => {
    const client = open({ limits: { enterprise: { minute: 7 } } });
    expect(rate(get(client, 'demo-enterprise'))[0]).toBe(7);
    expect(() => open({ limits: { gold: { minute: 7 } } })).toThrow(
      'There is no plan "gold"; there are Free, Pro, Business, Enterprise, anonymous.',
    );
    expect(() => open({ limits: { free: { hour: 7 } } })).toThrow(
      'There is no window "hour"; there are minute, day.',
    );
    expect(() => open({ limits: { free: { minute: 0.5 } } })).toThrow(
      'must be an integer of at least 1',
    );
  });
});

describe('a ban', () => {
  const limits = { free: { minute: 1 } };
  const reason = ({ json }: TestResponse): unknown =>
    isJsonObject(json) ? json['code'] : undefined;

  test('follows requests after a 429, is reported correctly, and ends', () => {
    const client = open({ limits, banAfter: 3, banSeconds: 300 });
    expect(sendTimes(client, 1)).toEqual([200]);
    expect(Array.from({ length: 4 }, () => reason(get(client)))).toEqual([
      'rate_limited',
      'rate_limited',
      'rate_limited',
      'banned',
    ]);
    client.clock.advance(60);
    const banned = get(client);
    expect([banned.status, reason(banned), retryAfter(banned), rate(banned)[1]]).toEqual([
      429,
      'banned',
      240,
      0,
    ]);
    client.clock.advance(239);
    expect(get(client).status).toBe(429);
    client.clock.advance(1);
    expect(get(client).status).toBe(200);
  });

  test('spares clients that wait as announced', () => {
    const client = open({ limits, banAfter: 1 });
    for (let minute = 0; minute < 5; minute += 1) {
      expect(sendTimes(client, 2)).toEqual([200, 429]);
      client.clock.advance(60);
    }
  });

  test('takes ten requests and lasts 60 seconds by default', () => {
    const client = open({ limits });
    expect(new Set(Array.from({ length: 11 }, () => reason(get(client))).slice(1))).toEqual(
      new Set(['rate_limited']),
    );
    const banned = get(client);
    expect([reason(banned), retryAfter(banned)]).toEqual(['banned', 60]);
  });

  test('can be switched off, by option and by choice', () => {
    for (const options of [
      { limits, banSeconds: 0 },
      { limits, choices: { 'ban-length': 'none' } },
    ]) {
      const client = open(options);
      expect(Array.from({ length: 40 }, () => reason(get(client)))).not.toContain('banned');
    }
    const hour = open({ limits, banAfter: 1, choices: { 'ban-length': 'hour' } });
    sendTimes(hour, 3);
    expect(retryAfter(get(hour))).toBe(3600);
  });
});

describe('a document with other limits', () => {
  test('has its own header names, windows, plans and keys', async () => {
    const client = createTestClient(await loadBooks(), {}, (key) => ({ 'x-api-key': key }));
    const response = client.send('GET', '/books', { key: 'demo-reader' });
    expect([
      response.status,
      response.headers.get('ratelimit-limit'),
      response.headers.get('ratelimit-remaining'),
    ]).toEqual([200, '20', '19']);
    expect(response.headers.get('access-control-expose-headers')).toContain('RateLimit-Reset');
    expect(client.mock.keys.map(({ key }) => key)).toEqual(['demo-reader', 'demo-branch']);
  });
});
