import { request } from 'node:http';
import { expect, test } from 'vitest';
import { petstore } from '../../test/contract/petstore.ts';
import { createMemoryEngine } from '../../test/mock/state/memory-engine.ts';
import { refuse } from '../operation/response/refusal.ts';
import { createMock, type Mock } from '../mock.ts';
import type { MockOptions } from '../served-document/options.ts';
import { maxAddresses } from '../sandbox/sandbox.ts';

const limits = { anonymous: { minute: 3 } };

const open = (options: MockOptions = {}): Mock =>
  createMock(petstore, { limits, clock: { now: () => 0, sleep: async () => {} }, ...options });

/** Statuses of requests in turn; `from`: what carries them. */
const send = (mock: Mock, count: number, from?: string, key?: string): readonly number[] =>
  Array.from({ length: count }, () => {
    const connection = from === undefined ? undefined : { remoteAddress: from };
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const asked = { method: 'GET', target: '/v1/pets', headers, content: undefined, connection };
    return mock.handle(asked).status;
  });

test('each address has its own count, whatever keys it invents', () => {
  const mock = open();
  expect(send(mock, 4, '10.0.0.1', 'made-up')).toEqual([401, 401, 401, 429]);
  expect(send(mock, 1, '10.0.0.1', 'another')).toEqual([429]);
  expect(send(mock, 4, '10.0.0.2')).toEqual([401, 401, 401, 429]);
  expect(send(mock, 4)).toEqual([401, 401, 401, 429]);
  expect(send(mock, 1, '10.0.0.1', 'demo-free')).toEqual([200]);
});

test.each(['by-address', 'together', 'uncounted'])(
  'a client without a key is never banned, and no response mentions a ban: %s',
  async (choice) => {
    let now = 0;
    const clock = { now: () => now, sleep: async () => {} };
    const mock = open({ clock, choices: { 'anonymous-callers': choice }, banAfter: 2 });
    send(mock, 100, '10.0.0.1', 'made-up');
    const { body } = mock.handle({
      method: 'GET',
      target: '/v1/pets',
      headers: {},
      content: undefined,
      connection: { remoteAddress: '10.0.0.1' },
    });
    expect(body).not.toMatch(/banned/);
    expect(/API key/.test(body)).toBe(choice === 'uncounted');
    now = 60_000;
    expect(send(mock, 1, '10.0.0.1')).toEqual([401]);
  },
);

test('they share one count or have none, as chosen', () => {
  const together = open({ choices: { 'anonymous-callers': 'together' } });
  expect(send(together, 3, '10.0.0.1')).toEqual([401, 401, 401]);
  expect(send(together, 1, '10.0.0.2')).toEqual([429]);
  const uncounted = open({ choices: { 'anonymous-callers': 'uncounted' } });
  expect(new Set(send(uncounted, 50, '10.0.0.1'))).toEqual(new Set([401]));
  const { headers } = uncounted.refuse(refuse('malformed_request', ''));
  expect(headers[headers.indexOf('X-RateLimit-Remaining') + 1]).toBe('3');
});

test('a key that keeps sending is banned, and no other', () => {
  const mock = open({ limits: { free: { minute: 1 } }, banAfter: 2 });
  send(mock, 9, '10.0.0.1', 'demo-free');
  expect(
    mock.handle({
      method: 'GET',
      target: '/v1/pets',
      headers: { authorization: 'Bearer demo-free' },
      content: undefined,
    }).body,
  ).toMatch(/API key is banned/);
  expect(send(mock, 1, '10.0.0.1', 'demo-pro')).toEqual([200]);
  expect(send(mock, 1, '10.0.0.1')).toEqual([401]);
});

test('at most maxAddresses are tracked; the least recently used one starts fresh', async () => {
  const mock = open();
  const most = maxAddresses;
  for (let count = 0; count < most; count += 1) send(mock, 3, `10.0.0.${count}`);
  expect(send(mock, 1, '10.0.0.0')).toEqual([429]);
  expect(send(mock, 1, 'one more')).toEqual([401]);
  expect(send(mock, 1, '10.0.0.0')).toEqual([429]);
  expect(send(mock, 1, '10.0.0.1')).toEqual([401]);
  const control = await mock.control();
  expect(control.look('main').keys).toEqual([]);
});

test('addresses restored from a snapshot are tracked', async () => {
  const mock = open();
  const fill = (block: string): void => {
    for (let count = 0; count < maxAddresses; count += 1) send(mock, 3, `${block}.${count}`);
  };
  const sandbox = (await mock.control()).sandbox('no-key');
  fill('a');
  sandbox.takeSnapshot('full');
  fill('b');
  sandbox.restoreSnapshot('full');
  expect(send(mock, 1, 'a.0')).toEqual([429]);
  fill('c');
  expect(send(mock, 1, 'a.1')).toEqual([401]);
});

test('addresses restored from stored state are tracked', async () => {
  const options = { state: createMemoryEngine(), limits: { anonymous: { minute: 1 } } };
  const respond = async (mock: Mock, remoteAddress: string) => {
    const request = { method: 'GET', target: '/v1/pets', headers: {}, content: undefined };
    return (await mock.respond?.({ ...request, connection: { remoteAddress } }))?.status;
  };
  const fill = async (mock: Mock, block: string) => {
    const all = Array.from({ length: maxAddresses }, (_, index) => `${block}.${index}`);
    await Promise.all(all.map((address) => respond(mock, address)));
  };
  await fill(open(options), 'a');
  const restarted = open(options);
  expect(await respond(restarted, 'a.0')).toBe(429);
  await fill(restarted, 'b');
  expect(await respond(restarted, 'a.1')).toBe(401);
});

test('over a connection it is the remote address', async () => {
  const mock = createMock(petstore, { limits });
  const listening = await mock.listen();
  const from = (localAddress: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      request(`${listening.url}/pets`, { localAddress }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode));
      })
        .on('error', reject)
        .end();
    });
  try {
    const statuses: (number | undefined)[] = [];
    for (let count = 0; count < 4; count += 1) statuses.push(await from('127.0.0.1'));
    expect(statuses).toEqual([401, 401, 401, 429]);
    // Only Linux has all of 127.0.0.0/8.
    const other = process.platform === 'linux' ? await from('127.0.0.2') : 401;
    expect(other).toBe(401);
  } finally {
    await listening.close();
  }
});
