import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { readPetstoreAgain } from '../testing/changed-petstore.ts';
import { type OpenMock, openMock } from '../testing/open-mock.ts';

interface SentEvent {
  readonly name: string;
  readonly data: unknown;
}

/** The events of a mock, one after another; the iteration ends with the response. */
async function* readEvents(response: Response): AsyncGenerator<SentEvent, void> {
  let rest = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, name = '', data = ''] = /^event: (.*)\ndata: (.*)$/s.exec(block) ?? [];
      if (name !== '') yield { name, data: JSON.parse(data) };
    }
  }
}

const listen = async ({ origin }: OpenMock): Promise<AsyncGenerator<SentEvent, void>> => {
  const response = await fetch(`${origin}/_mock/events`);
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/event-stream',
  ]);
  const events = readEvents(response);
  expect((await events.next()).value).toMatchObject({ name: 'hello' });
  return events;
};

const next = async (events: AsyncGenerator<SentEvent, void>): Promise<unknown> =>
  (await events.next()).value;

const get = async ({ url }: OpenMock, key: string, path = '/pets'): Promise<void> => {
  await (await fetch(url + path, { headers: { authorization: `Bearer ${key}` } })).text();
};

test('tells of the exchanges of every sandbox, new ones too, as the journal does', async () => {
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

test('tells what calls of the interface change, after what was answered before', async () => {
  await using open = await openMock();
  const events = await listen(open);
  await get(open, 'free_a');
  await open.control.call('addFault', { sandbox: 'a', body: { status: 500 } });
  expect(await next(events)).toMatchObject({ name: 'exchanges', data: [{ sandbox: 'a' }] });
  expect(await next(events)).toEqual({ name: 'change', data: { sandbox: 'a', parts: ['faults'] } });
  await open.control
    .call('setQuota', { sandbox: 'a', plan: 'none', body: { banSeconds: 1 } })
    .catch(() => 'It changes nothing.');
  await open.control.call('readState', { sandbox: 'a' });
  await open.control.call('forkSandbox', { sandbox: 'a', body: { into: 'b' } });
  expect(await next(events)).toMatchObject({ name: 'change', data: { sandbox: 'b' } });
  await open.mock.reload(await readPetstoreAgain());
  expect(await next(events)).toEqual({ name: 'reload', data: { source: 'changed.yaml' } });
  await events.return();
});

test('goes on for others when a client leaves, and for who made the mock', async () => {
  const seen: string[] = [];
  await using open = await openMock(undefined, { onEntry: ({ target }) => void seen.push(target) });
  const events = await listen(open);
  const others = await listen(open);
  await get(open, 'free_a');
  expect(await next(events)).toMatchObject({ name: 'exchanges' });
  await events.return();
  await get(open, 'free_a', '/pets/1');
  expect(await next(others)).toMatchObject({ data: [{ index: 0 }] });
  expect(await next(others)).toMatchObject({ data: [{ index: 1 }] });
  await others.return();
  expect(seen).toEqual(['/v1/pets', '/v1/pets/1']);
});

test('ends at once when the mock closes, and with HEAD', async () => {
  await using open = await openMock();
  const head = await fetch(`${open.origin}/_mock/events`, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  const events = await listen(open);
  const closed = open.close();
  expect(await events.next()).toEqual({ done: true, value: undefined });
  await closed;
});

test('a client that reads nothing does not keep the mock from closing', async () => {
  await using open = await openMock();
  const socket = connect(open.port, '127.0.0.1');
  socket.write('GET /_mock/events HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(socket, 'readable');
  const gone = once(socket, 'close');
  await open.close();
  socket.resume();
  await gone;
});
