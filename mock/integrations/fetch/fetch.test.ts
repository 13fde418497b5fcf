import { expect, test } from 'vitest';
import { maxContentBytes, createMock } from '../../index.ts';
import { loadInventory, loadPetstore } from '../../../test/mock/contracts.ts';
import { createFetch } from './fetch.ts';

const [contract, seed] = await Promise.all([loadPetstore(), loadInventory()]);
const mock = createMock(contract, { seed });
const { fetch } = mock;
const url = 'https://api.example.com/v1/pets';
const headers = { authorization: 'Bearer demo-business', 'content-type': 'application/json' };

const post = (body: NonNullable<RequestInit['body']>, init: RequestInit = {}): Promise<Response> =>
  fetch(url, { method: 'POST', headers, body, duplex: 'half', ...init });

test('requests and responses are web-standard objects', async () => {
  const response = await fetch(new Request(`${url}?limit=1`, { headers }));
  expect([response.status, response.ok, response.headers.get('Content-Type')]).toEqual([
    200,
    true,
    'application/json',
  ]);
  expect(response.headers.get('content-length')).toBe(
    `${new TextEncoder().encode(await response.clone().text()).length}`,
  );
  expect(await response.json()).toEqual([expect.objectContaining({ id: 1 })]);
});

test('the response to HEAD has Content-Length but no body', async () => {
  const response = await fetch(url, { method: 'HEAD', headers });
  expect([response.status, response.body]).toEqual([200, null]);
  expect(Number(response.headers.get('content-length'))).toBeGreaterThan(100);
});

test('a status without a body has no body', async () => {
  const response = await fetch(url, {
    method: 'OPTIONS',
    headers: { origin: 'https://app.example', 'access-control-request-method': 'GET' },
  });
  expect([response.status, response.body, response.headers.get('content-length')]).toEqual([
    204,
    null,
    null,
  ]);
});

test('a body may be streamed, and integers stay exact', async () => {
  const text = '{"name":"Ré","categoryId":9007199254740993}';
  const parts = [...new TextEncoder().encode(text)].map((byte) => new Uint8Array([byte]));
  const response = await post(ReadableStream.from(parts));
  expect([response.status, await response.text()]).toEqual([
    201,
    expect.stringContaining('9007199254740993'),
  ]);
});

test('a body over the limit is refused, and read no further', async () => {
  let [pulled, cancelled] = [0, false];
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(new Uint8Array((pulled += 1) && 64 * 1024));
    },
    cancel() {
      cancelled = true;
    },
  });
  const response = await post(endless);
  expect([response.status, await response.json(), cancelled]).toEqual([
    413,
    expect.objectContaining({ status: 413 }),
    true,
  ]);
  expect(pulled).toBeLessThan(30);
  const reported = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-length': `${maxContentBytes + 1}` },
    body: '{}',
  });
  expect(reported.status).toBe(413);
});

test('a body at the limit is read', async () => {
  const body = `{"name":"${'x'.repeat(maxContentBytes - 26)}","categoryId":1}`;
  expect(body).toHaveLength(maxContentBytes);
  expect((await post(body)).status).toBe(201);
});

test('a request that was aborted rejects with its reason', async () => {
  const reason = new Error('changed my mind');
  await expect(fetch(url, { headers, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

test('a request that is aborted while its body is read rejects with its reason, and stores nothing', async () => {
  const stop = new AbortController();
  const reason = new Error('changed my mind');
  const waiting = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(new TextEncoder().encode('{"name":"Half","categoryId":1}'));
      queueMicrotask(() => stop.abort(reason));
      return new Promise(() => undefined);
    },
  });
  await expect(post(waiting, { signal: stop.signal })).rejects.toBe(reason);
  expect(await (await fetch(`${url}?limit=100`, { headers })).text()).not.toContain('Half');
});

test('a body that is truncated or already read is a TypeError, as in fetch', async () => {
  const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('cable')) });
  await expect(post(broken)).rejects.toThrow(TypeError);
  const used = new Request(url, { method: 'POST', headers, body: '{}' });
  await used.text();
  await expect(fetch(used)).rejects.toThrow('already read');
});

test('with a base URL only paths below it are answered', async () => {
  const staging = createFetch(mock, { baseUrl: 'https://staging.example/api/v2/' });
  expect((await staging('https://staging.example/api/v2/pets?limit=1', { headers })).status).toBe(
    200,
  );
  expect((await staging('https://staging.example/api/v2/nothing', { headers })).status).toBe(404);
  await expect(staging('https://staging.example/api/v22/pets')).rejects.toThrow(
    'only to requests to https://staging.example',
  );
  await expect(staging('https://other.example/api/v2/pets')).rejects.toThrow(TypeError);
});

test.each(['pets', 'ftp://api.example.com/v1', 'https://api.example.com/v1?x=1'])(
  '%s is not a base URL',
  (baseUrl) => {
    expect(() => createFetch(mock, { baseUrl })).toThrow('is not a base URL');
  },
);
