import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { type ControlEvent, createControlClient } from './client.ts';
import { readPetstoreAgain } from '../../test/mock/contracts.ts';
import { type OpenMock, openMock } from '../../test/mock/control/open-mock.ts';

type Events = AsyncGenerator<ControlEvent, void>;

/** What happens from now on. */
const listen = async ({ url }: OpenMock): Promise<Events> => {
  const events = createControlClient(url).events();
  expect(await next(events)).toMatchObject({ kind: 'hello' });
  return events;
};

const next = async (events: Events): Promise<ControlEvent | void> => (await events.next()).value;

const get = async ({ url }: OpenMock, key: string, path = '/pets'): Promise<void> => {
  await (await fetch(url + path, { headers: { authorization: `Bearer ${key}` } })).text();
};

test('reports the exchanges of every sandbox, including new ones, like the journal', async () => {
  await using open = await openMock();
  const events = await listen(open);
  await Promise.all([get(open, 'demo-free'), get(open, 'free_new', '/pets?limit=0&as=free_new')]);
  const { data } = Object(await next(events));
  expect(data).toEqual([
    ...(await open.control.call('readJournal', { sandbox: 'main' })).exchanges,
    ...(await open.control.call('readJournal', { sandbox: 'new' })).exchanges,
  ]);
  expect(JSON.stringify(data)).not.toContain('free_new');
  await events.return();
});

test('reports changes by the control interface, after the exchanges before them', async () => {
  await using open = await openMock();
  const events = await listen(open);
  await get(open, 'free_a');
  await open.control.call('addFault', { sandbox: 'a', body: { status: 500 } });
  expect(await next(events)).toMatchObject({ kind: 'exchanges', data: [{ sandbox: 'a' }] });
  expect(await next(events)).toEqual({ kind: 'change', data: { sandbox: 'a', parts: ['faults'] } });
  await open.control
    .call('setQuota', { sandbox: 'a', plan: 'none', body: { banSeconds: 1 } })
    .catch(() => 'It changes nothing.');
  await open.control.call('readState', { sandbox: 'a' });
  await open.control.call('forkSandbox', { sandbox: 'a', body: { into: 'b' } });
  expect(await next(events)).toMatchObject({ kind: 'change', data: { sandbox: 'b' } });
  await open.mock.reload(await readPetstoreAgain());
  expect(await next(events)).toEqual({ kind: 'reload', data: { source: 'changed.yaml' } });
  await events.return();
});

test('continues for others when a client disconnects', async () => {
  const seen: string[] = [];
  await using open = await openMock(undefined, { onEntry: ({ target }) => void seen.push(target) });
  const events = await listen(open);
  const others = await listen(open);
  await get(open, 'free_a');
  expect(await next(events)).toMatchObject({ kind: 'exchanges' });
  await events.return();
  await get(open, 'free_a', '/pets/1');
  expect(await next(others)).toMatchObject({ data: [{ index: 0 }] });
  expect(await next(others)).toMatchObject({ data: [{ index: 1 }] });
  await others.return();
  expect(seen).toEqual(['/v1/pets', '/v1/pets/1']);
});

test('is refused to clients without control access', async () => {
  await using open = await openMock(undefined, { listen: { control: { token: 'secret' } } });
  await expect(createControlClient(open.url).events().next()).rejects.toThrow('requires the token');
  const events = createControlClient(open.url, { token: 'secret' }).events();
  expect(await next(events)).toMatchObject({ kind: 'hello' });
  await events.return();
});

test('ends at once when the mock closes, and for HEAD', async () => {
  await using open = await openMock();
  const head = await fetch(`${open.origin}/_mock/events`, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
    200,
    'text/event-stream',
    '',
  ]);
  const events = await listen(open);
  const closed = open.close();
  expect(await events.next()).toEqual({ done: true, value: undefined });
  await closed;
});

test('a client that reads nothing does not delay the closing of the mock', async () => {
  await using open = await openMock();
  const socket = connect(open.port, '127.0.0.1');
  socket.write('GET /_mock/events HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(socket, 'readable');
  const gone = once(socket, 'close');
  await open.close();
  socket.resume();
  await gone;
  expect(socket.destroyed).toBe(true);
});
