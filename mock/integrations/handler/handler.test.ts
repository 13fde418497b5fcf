import { expect, test } from 'vitest';
import { loadBooks } from '../../../test/mock/contracts.ts';
import { type FetchHandler, createFetchHandler } from './index.ts';

const origin = 'http://127.0.0.1:4010';
const headers = { authorization: 'Bearer demo-free', host: '127.0.0.1:4010' };

/** What Bun and Deno give besides a request from this machine, and Deno for one from elsewhere. */
const bun = { requestIP: () => ({ address: '127.0.0.1', family: 'IPv4', port: 5000 }) };
const deno = { remoteAddr: { transport: 'tcp', hostname: '127.0.0.1', port: 5000 } };
const elsewhere = { remoteAddr: { transport: 'tcp', hostname: '192.0.2.7', port: 5000 } };

const statusOf = async (
  { fetch }: FetchHandler,
  path: string,
  context?: unknown,
): Promise<number> => (await fetch(new Request(origin + path, { headers }), context)).status;

test('serves the bundled document with its inventory, and ignores extra arguments', async () => {
  const { fetch, key } = await createFetchHandler();
  const request = new Request(`${origin}/v1/pets?limit=1`, { headers });
  const response = await fetch(request, { method: 'POST', body: 7 });
  expect([key, response.status, await response.json()]).toEqual([
    'demo-free',
    200,
    [expect.objectContaining({ name: 'Rex' })],
  ]);
});

test('serves another document, with the options of a mock', async () => {
  const handler = await createFetchHandler({ contract: await loadBooks() });
  expect([
    handler.mock.contract.title,
    await statusOf(handler, `${handler.mock.contract.basePath}/books`),
  ]).toEqual(['Library', 401]);
  const limited = await createFetchHandler({ limits: { free: { minute: 1 } } });
  expect([await statusOf(limited, '/v1/pets'), await statusOf(limited, '/v1/pets')]).toEqual([
    200, 429,
  ]);
});

test('serves the control interface only to this machine if no token is set', async () => {
  const handler = await createFetchHandler();
  const asked = [bun, deno, elsewhere, undefined, {}].map((context) =>
    statusOf(handler, '/_mock/sandboxes', context),
  );
  expect(await Promise.all(asked)).toEqual([200, 200, 403, 403, 403]);
});

test('serves the control interface to holders of the token, or not at all', async () => {
  const guarded = await createFetchHandler({ control: { token: 'secret' } });
  const ask = async (token: string): Promise<number> => {
    const request = new Request(`${origin}/_mock/sandboxes`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return (await guarded.fetch(request, elsewhere)).status;
  };
  expect([await ask('secret'), await ask('other')]).toEqual([200, 401]);
  const without = await createFetchHandler({ control: false });
  expect(await statusOf(without, '/_mock/sandboxes', deno)).toBe(404);
});

test('the control interface accepts bodies and streams events', async () => {
  const { fetch } = await createFetchHandler();
  const added = await fetch(
    new Request(`${origin}/_mock/sandboxes/main/faults`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"status":503,"count":1}',
    }),
    deno,
  );
  expect(added.status).toBe(201);
  const list = new Request(`${origin}/v1/pets`, { headers });
  expect((await fetch(list)).status).toBe(503);
  const stop = new AbortController();
  const watch = new Request(`${origin}/_mock/events`, { headers, signal: stop.signal });
  const events = (await fetch(watch, deno)).body?.getReader();
  const read = await events?.read();
  expect(new TextDecoder().decode(read?.value)).toContain('event: hello');
  // At once, and not with the next event.
  const cancelled = performance.now();
  await events?.cancel();
  expect(performance.now() - cancelled).toBeLessThan(5000);
  stop.abort();
});

test('a connection broken by the mock is a response whose body fails', async () => {
  const { fetch, mock } = await createFetchHandler();
  const control = await mock.control();
  for (const fault of [{ connection: 'reset' }, { body: 'truncated' }] as const) {
    control.sandbox('main').addFault({ ...fault, count: 1 });
    const response = await fetch(new Request(`${origin}/v1/pets`, { headers }));
    await expect(response.text()).rejects.toThrow(TypeError);
  }
  expect((await fetch(new Request(`${origin}/v1/pets`, { headers }))).status).toBe(200);
});

test('a body is read at once if its length is known, else in parts', async () => {
  const { fetch } = await createFetchHandler();
  const send = async (
    body: string | ReadableStream,
    more: Record<string, string>,
  ): Promise<number> => {
    const sent = {
      method: 'POST',
      headers: { ...headers, ...more },
      body,
      duplex: 'half' as const,
    };
    return (await fetch(new Request(`${origin}/v1/pets`, sent))).status;
  };
  const pet = '{"name":"Rex \u00e9","categoryId":1}';
  const type = { 'content-type': 'application/json' };
  const length = `${new TextEncoder().encode(pet).length}`;
  const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) });
  expect([
    await send(pet, { ...type, 'content-length': length }),
    await send(pet, type),
    await send(new Blob([pet]).stream(), type),
    await send('', { ...type, 'content-length': '0' }),
    await send(pet, { ...type, 'content-length': `${2 ** 30}` }),
    await send('x'.repeat(2 ** 20 + 1), { ...type, 'content-length': '9' }),
    await send(broken, { ...type, 'content-length': length }),
  ]).toEqual([201, 201, 201, 400, 413, 413, 500]);
});
