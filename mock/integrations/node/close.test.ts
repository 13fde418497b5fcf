import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadContract } from '../../../contract/load.ts';
import { createControlClient } from '../../control/client.ts';
import { fetch as undiciFetch } from 'undici';
import { createDispatcher } from '../undici/undici.ts';
import { SandboxControl } from '../../control/sandbox-control.ts';
import { type Listening, type Mock, createMock, listen } from '../../index.ts';
import { loadPetstore, loadTlsIdentity } from '../../../test/mock/contracts.ts';

const petstore = await loadPetstore();
const headers = { authorization: 'Bearer free_a' };

/** Nothing here ends because its time is over. */
const patience = {
  grace: 600_000,
  headersTimeout: 600_000,
  requestTimeout: 600_000,
  connectionsCheckingInterval: 600_000,
};

let mock: Mock;
let listening: Listening;
beforeEach(async () => {
  mock = createMock(petstore);
  listening = await listen(mock, {}, patience);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await listening.close();
});

/** Timers that would keep a process alive. */
const countTimers = (): number =>
  process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length;

/** Waits without a timer of its own, as `expect.poll` has, until there are no more timers than before. */
const expectTimers = async (before: number): Promise<void> => {
  for (let turn = 0; turn < 10_000 && countTimers() > before; turn += 1)
    await new Promise((resolve) => void setImmediate(resolve));
  expect(countTimers()).toBeLessThanOrEqual(before);
};

/** What a promise is rejected with, watched from now on; undefined for a value. */
const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

const arrival = async (): Promise<void> => {
  const control = await mock.control();
  await control.sandbox('a').waitFor({}, { milliseconds: 60_000 });
};

test.each([
  ['a delayed response', { delay: { from: 600_000, to: 600_000 } }],
  ['one in slow pieces', { drip: { bytes: 1, milliseconds: 60_000 } }],
  ['one that never comes', { connection: 'silence' }],
] as const)('%s is dropped at once, and leaves no timer', async (_name, fault) => {
  const before = countTimers();
  (await mock.control()).sandbox('a').addFault(fault);
  const response = fetch(`${listening.url}/pets`, { headers }).then((one) => one.text());
  const failure = failureOf(response);
  await arrival();
  await listening.close();
  expect(await failure).toBeInstanceOf(TypeError);
  await expectTimers(before);
});

test('a delay requested by a client is dropped too', async () => {
  const prefer = { ...headers, prefer: 'wait=300' };
  const failure = failureOf(fetch(`${listening.url}/pets`, { headers: prefer }));
  await arrival();
  await listening.close();
  expect(await failure).toBeInstanceOf(TypeError);
});

test('a wait for the journal returns what there is', async () => {
  const client = createControlClient(listening.url);
  await fetch(`${listening.url}/pets`, { headers });
  const wait = vi.spyOn(SandboxControl.prototype, 'waitFor');
  const waiting = client.call('readJournal', { sandbox: 'a', count: 9, wait: 60_000 });
  await expect.poll(() => wait.mock.calls.length).toBe(1);
  await listening.close();
  expect(await waiting).toMatchObject({ count: 1, next: 1 });
});

test('so does a wait for the first request of a sandbox', async () => {
  const client = createControlClient(listening.url);
  const arrived = vi.spyOn(SandboxControl.prototype, 'waitFor');
  const waiting = client.call('readJournal', { sandbox: 'nobody', wait: 60_000 });
  await fetch(`${listening.url}/pets`, { headers });
  await expect.poll(() => arrived.mock.calls.length).toBe(1);
  await listening.close();
  expect(await waiting).toMatchObject({ count: 0 });
});

test('a wait ends when its client disconnects', async () => {
  await fetch(`${listening.url}/pets`, { headers });
  const wait = vi.spyOn(SandboxControl.prototype, 'waitFor');
  const stop = new AbortController();
  const address = `${new URL(listening.url).origin}/_mock/sandboxes/a/journal?wait=60000&from=1`;
  const failure = failureOf(fetch(address, { signal: stop.signal }));
  await expect.poll(() => wait.mock.calls.length).toBe(1);
  stop.abort();
  expect(await failure).toMatchObject({ name: 'AbortError' });
  await expect.poll(() => wait.mock.settledResults[0]?.type).toBe('fulfilled');
});

test('event streams end', async () => {
  const response = await fetch(`${new URL(listening.url).origin}/_mock/events`);
  await listening.close();
  expect(await response.text()).toBeDefined();
});

test('a webhook is abandoned', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const sent = vi.spyOn(SandboxControl.prototype, 'sendWebhook');
  const contract = await loadContract({
    name: 'hooks.json',
    text: '{"openapi":"3.1.0","info":{"title":"H","version":"1"},"webhooks":{"new":{"post":{}}}}',
  });
  const hooks = await listen(createMock(contract), {}, patience);
  const client = createControlClient(hooks.url);
  const url = `http://127.0.0.1:${Object(silent.address()).port}/`;
  const call = client.call('sendWebhook', { webhook: 'new', body: { url } });
  const failure = failureOf(call);
  await once(silent, 'connection');
  expect(sent).toHaveBeenCalledOnce();
  await hooks.close();
  expect(await failure).toMatchObject({ status: 502 });
  silent.close();
});

test.each([
  ['a connection that says nothing', ''],
  ['one that has begun a request', 'GET /v1/pets HTTP/1.1\r\nHost: '],
])('%s is closed at once', async (_name, text) => {
  const socket = connect(listening.port, '127.0.0.1');
  await once(socket, 'connect');
  if (text !== '') socket.write(text);
  // The server has seen the connection once it has answered another that came later.
  await fetch(`${listening.url}/pets`, { headers });
  const closed = once(socket.resume(), 'close');
  await listening.close();
  expect(await closed).toEqual([false]);
});

test('over TLS a connection is closed before and after the handshake', async () => {
  const tls = await loadTlsIdentity();
  const secure = await listen(mock, { tls }, patience);
  const raw = connect(secure.port, '127.0.0.1');
  await once(raw, 'connect');
  const { connect: connectTls } = await import('node:tls');
  const encrypted = connectTls({ port: secure.port, host: '127.0.0.1', ca: tls.cert });
  await once(encrypted, 'secureConnect');
  const closed = [once(raw.resume(), 'close'), once(encrypted.resume(), 'close')];
  await secure.close();
  expect(await Promise.all(closed)).toHaveLength(2);
});

test('a pending request is still answered', async () => {
  const socket = connect(listening.port, '127.0.0.1');
  await once(socket, 'connect');
  const body = '{"name":"Rex","categoryId":1}';
  const head = `POST /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer free_a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  socket.write(`${head}Expect: 100-continue\r\n\r\n`);
  await once(socket, 'data');
  const closed = listening.close();
  let answer = '';
  socket.on('data', (chunk: Buffer) => {
    answer += chunk.toString();
  });
  socket.write(body);
  await closed;
  await expect.poll(() => answer).toMatch(/^HTTP\/1\.1 201 /);
});

test.each([
  ['fetch', () => mock.fetch('http://mock/v1/pets', { headers, signal: abortion.signal })],
  [
    'undici',
    () =>
      undiciFetch('http://mock/v1/pets', {
        headers,
        signal: abortion.signal,
        dispatcher: createDispatcher(mock, 'http://mock/v1'),
      }),
  ],
])('in process too, an aborted %s leaves no timer', async (_name, send) => {
  abortion = new AbortController();
  (await mock.control()).sandbox('a').addFault({ delay: { from: 600_000, to: 600_000 } });
  // Other tests of this process have timers too: this one counts those of the delay alone.
  const made = vi.spyOn(globalThis, 'setTimeout');
  const cleared = vi.spyOn(globalThis, 'clearTimeout');
  const failure = failureOf(send());
  await arrival();
  await expect.poll(() => made.mock.calls.map(([, wait]) => wait)).toContain(600_000);
  abortion.abort();
  expect(await failure).toMatchObject({ name: 'AbortError' });
  const delays = made.mock.results.flatMap(({ value }, index) =>
    made.mock.calls[index]?.[1] === 600_000 ? [value] : [],
  );
  expect(delays).toHaveLength(1);
  await expect.poll(() => cleared.mock.calls.flat()).toEqual(expect.arrayContaining(delays));
});

let abortion = new AbortController();
