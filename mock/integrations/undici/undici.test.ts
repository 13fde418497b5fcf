import { Readable, Writable } from 'node:stream';
import {
  Agent,
  Dispatcher1Wrapper,
  FormData,
  MockAgent,
  fetch as fetchOfUndici,
  getGlobalDispatcher,
  request,
  setGlobalDispatcher,
  stream,
} from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { createMock } from '../../index.ts';
import { loadInventory, loadPetstore } from '../../../test/mock/contracts.ts';
import { createDispatcher } from './undici.ts';

const [contract, seed] = await Promise.all([loadPetstore(), loadInventory()]);
const mock = createMock(contract, { seed });
const origin = 'https://api.example.com';
const url = `${origin}/v1/pets`;
const headers = { authorization: 'Bearer demo-business', 'content-type': 'application/json' };
const dispatcher = createDispatcher(mock, origin);
const body = '{"name":"Rex","categoryId":9007199254740993}';

test('request of undici is answered, with query and headers in each of their forms', async () => {
  const forms = [
    headers,
    Object.entries(headers).flat(),
    new Map(Object.entries(headers)),
    { ...headers, authorization: [headers.authorization] },
  ];
  for (const form of forms) {
    const {
      statusCode,
      headers: received,
      body: list,
    } = await request(url, { dispatcher, headers: form, query: { limit: 2 } });
    expect([statusCode, received['content-type'], await list.json()]).toEqual([
      200,
      'application/json',
      [expect.anything(), expect.anything()],
    ]);
  }
});

test.each<[string, () => string | Uint8Array | Readable]>([
  ['text', () => body],
  ['bytes', () => Buffer.from(body)],
  ['a stream', () => Readable.from([body.slice(0, 9), body.slice(9)])],
])('a body of %s is read', async (_name, content) => {
  const response = await request(url, { dispatcher, method: 'POST', headers, body: content() });
  expect([response.statusCode, await response.body.text()]).toEqual([
    201,
    expect.stringContaining('9007199254740993'),
  ]);
});

test('fetch of undici is answered', async () => {
  const response = await fetchOfUndici(url, { dispatcher, method: 'POST', headers, body });
  expect([response.status, response.statusText, await response.text()]).toEqual([
    201,
    'Created',
    expect.stringContaining('Rex'),
  ]);
  const blob = await fetchOfUndici(url, {
    dispatcher,
    method: 'POST',
    headers,
    body: new Blob([body]),
  });
  expect(blob.status).toBe(201);
});

test('set globally it answers fetch of Node', async () => {
  const before = getGlobalDispatcher();
  onTestFinished(() => setGlobalDispatcher(before));
  setGlobalDispatcher(dispatcher);
  const response = await fetch(url, { method: 'POST', headers, body });
  expect([
    response.status,
    response.headers.has('x-ratelimit-remaining'),
    await response.text(),
  ]).toEqual([201, true, expect.stringContaining('Rex')]);
  await expect(fetch('https://elsewhere.example/')).rejects.toMatchObject({
    cause: {
      message: `The mock responds only to requests to ${origin}, not to https://elsewhere.example/.`,
    },
  });
});

test("a single call of Node's fetch takes it through the wrapper of undici for older interfaces", async () => {
  const init: object = { headers, dispatcher: new Dispatcher1Wrapper(dispatcher) };
  expect((await fetch(url, init)).status).toBe(200);
});

test('HEAD and statuses without a body', async () => {
  const head = await request(url, { dispatcher, method: 'HEAD', headers });
  expect([
    head.statusCode,
    Number(head.headers['content-length']) > 100,
    await head.body.text(),
  ]).toEqual([200, true, '']);
  const options = await request(url, {
    dispatcher,
    method: 'OPTIONS',
    headers: { origin: 'https://app.example', 'access-control-request-method': 'GET' },
  });
  expect([options.statusCode, await options.body.text()]).toEqual([204, '']);
});

test('requests to other URLs go to the fallback', async () => {
  const fallback = new MockAgent();
  fallback.disableNetConnect();
  fallback.get('https://elsewhere.example').intercept({ path: '/' }).reply(418, 'tea');
  const both = createDispatcher(mock, url.replace('/pets', ''), { fallback });
  const elsewhere = await request('https://elsewhere.example/', { dispatcher: both });
  expect([elsewhere.statusCode, await elsewhere.body.text()]).toEqual([418, 'tea']);
  await expect(request(`${origin}/v11/pets`, { dispatcher: both })).rejects.toThrow(
    'api.example.com',
  );
  expect((await request(url, { dispatcher: both, headers })).statusCode).toBe(200);
});

test('an aborted request rejects with its reason, before and while its body is sent', async () => {
  const reason = new Error('changed my mind');
  await expect(
    request(url, { dispatcher, headers, signal: AbortSignal.abort(reason) }),
  ).rejects.toBe(reason);
  const stop = new AbortController();
  const endless = new Readable({
    read() {
      queueMicrotask(() => stop.abort(reason));
    },
  });
  await expect(
    request(url, { dispatcher, method: 'POST', headers, body: endless, signal: stop.signal }),
  ).rejects.toBe(reason);
  await expect(
    fetchOfUndici(url, { dispatcher, headers, signal: AbortSignal.abort(reason) }),
  ).rejects.toBe(reason);
});

test('an aborted request releases its body', async () => {
  const stop = new AbortController();
  const endless = new Readable({
    read() {
      queueMicrotask(() => stop.abort());
    },
  });
  await expect(
    request(url, { dispatcher, method: 'POST', headers, body: endless, signal: stop.signal }),
  ).rejects.toThrow('aborted');
  expect(endless.destroyed).toBe(true);
});

test('a body that is too large is refused without reading on', async () => {
  let chunks = 0;
  const endless = new Readable({
    read() {
      this.push(Buffer.alloc(64 * 1024, (chunks += 1)));
    },
  });
  const response = await request(url, { dispatcher, method: 'POST', headers, body: endless });
  expect([response.statusCode, endless.destroyed]).toEqual([413, true]);
  expect(chunks).toBeLessThan(30);
});

test('a truncated body is an error, and a form is sent', async () => {
  const broken = new Readable({
    read() {
      this.destroy(new Error('cable'));
    },
  });
  await expect(request(url, { dispatcher, method: 'POST', headers, body: broken })).rejects.toThrow(
    'cable',
  );
  const form = await request(url, {
    dispatcher,
    method: 'POST',
    headers: { authorization: headers.authorization },
    body: new FormData(),
  });
  expect(form.statusCode).toBe(415);
});

test('CONNECT is rejected', async () => {
  const { statusCode } = await dispatcher.connect({ origin, path: 'api.example.com:443' });
  expect(statusCode).toBe(405);
});

/** What undici asks of each handler. */
const handler = {
  onRequestStart: () => undefined,
  onResponseStart: () => undefined,
  onResponseData: () => undefined,
  onResponseEnd: () => undefined,
  onResponseError: () => undefined,
};

test('a paused handler is awaited', async () => {
  const seen: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  dispatcher.dispatch(
    { origin, path: '/v1/pets', method: 'GET', headers },
    {
      ...handler,
      onResponseStart(controller) {
        controller.pause();
        seen.push(`start ${controller.paused}`);
        setImmediate(() => {
          seen.push('resume');
          controller.resume();
        });
      },
      onResponseData: () => void seen.push('data'),
      onResponseEnd: () => resolve(),
    },
  );
  await promise;
  expect(seen).toEqual(['start true', 'resume', 'data']);
});

test('nothing is delivered before dispatch has returned, or after an abort', async () => {
  const seen: string[] = [];
  const { promise, resolve } = Promise.withResolvers<Error>();
  dispatcher.dispatch(
    { origin, path: '/v1/pets', method: 'GET', headers },
    {
      ...handler,
      onRequestStart: () => void seen.push('request'),
      onResponseStart(controller) {
        seen.push('start');
        controller.abort(new Error('enough'));
      },
      onResponseData: () => void seen.push('data'),
      onResponseError: (_controller, error) => resolve(error),
    },
  );
  seen.push('dispatched');
  expect((await promise).message).toBe('enough');
  expect(seen).toEqual(['dispatched', 'request', 'start']);
});

test('stream of undici is answered, and raw headers keep their case', async () => {
  const chunks: Buffer[] = [];
  const { promise, resolve } = Promise.withResolvers<unknown>();
  await stream(
    url,
    { dispatcher, method: 'GET', headers, responseHeaders: 'raw' },
    ({ statusCode, headers: raw }) => {
      resolve([statusCode, JSON.stringify(raw).includes('X-RateLimit-Limit')]);
      return new Writable({
        write(chunk: Buffer, _encoding, done) {
          chunks.push(chunk);
          done();
        },
      });
    },
  );
  expect(await promise).toEqual([200, true]);
  expect(Buffer.concat(chunks).toString()).toContain('"id":1');
});

test('a closed dispatcher rejects requests, and its fallback stays open', async () => {
  const fallback = new Agent();
  const closed = createDispatcher(mock, origin, { fallback });
  const underWay = request(url, { dispatcher: closed, headers });
  await new Promise<void>((resolve) => closed.close(resolve));
  expect((await underWay).statusCode).toBe(200);
  await expect(request(url, { dispatcher: closed })).rejects.toThrow(/closed|destroyed/);
  const destroyed = createDispatcher(mock, origin);
  await destroyed.destroy();
  await expect(request(url, { dispatcher: destroyed })).rejects.toThrow('destroyed');
  await fallback.close();
});
