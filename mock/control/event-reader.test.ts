import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createMock } from '../index.ts';
import { loadPetstore } from '../../test/mock/contracts.ts';
import { EventHub, EventReader } from './events.ts';

const petstore = await loadPetstore();

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('batches events briefly, and sends all clients the same', async () => {
  const mock = createMock(petstore);
  const control = await mock.control();
  let isWatched = false;
  const watch = control.watch.bind(control);
  vi.spyOn(control, 'presenter').mockImplementation(({ index }) => () => ({ index }));
  vi.spyOn(control, 'watch').mockImplementation((watcher) => {
    isWatched = true;
    const stop = watch(watcher);
    return () => {
      isWatched = false;
      stop();
    };
  });
  const hub = new EventHub(control);
  const ask = (): unknown =>
    mock.handle({ method: 'GET', target: '/v1/pets', headers: {}, content: undefined });
  const end = new AbortController();
  const clients = [hub.open(end.signal), hub.open(end.signal)].map((one) =>
    one[Symbol.asyncIterator](),
  );
  const texts = Promise.all(clients.map((client) => client.next()));
  ask();
  ask();
  await vi.advanceTimersByTimeAsync(100);
  const reported = { done: false, value: 'event: exchanges\ndata: [{"index":0},{"index":1}]\n\n' };
  expect(await texts).toEqual([reported, reported]);
  const more = clients.map((client) => client.next());
  for (let count = 0; count < 1000; count += 1) ask();
  hub.emit('change', {});
  expect((await more[0])?.value).toMatch(/^event: exchanges.*1001\}\]\n\nevent: change/s);
  const last = clients.map((client) => client.next());
  expect(isWatched).toBe(true);
  end.abort();
  await Promise.all([...more, ...last]);
  await Promise.all(clients.map((client) => client.next()));
  expect([isWatched, vi.getTimerCount()]).toEqual([false, 0]);
});

test('sends a keep-alive comment if nothing happens', async () => {
  const reader = new EventReader();
  const texts = reader.read(new AbortController().signal);
  const first = texts.next();
  await vi.advanceTimersByTimeAsync(14_999);
  reader.push('event');
  expect(await first).toEqual({ done: false, value: 'event' });
  const second = texts.next();
  await vi.advanceTimersByTimeAsync(15_000);
  expect(await second).toEqual({ done: false, value: ':\n\n' });
});

test('drops exchanges for a slow client, and reports how many', async () => {
  const reader = new EventReader();
  const texts = reader.read(new AbortController().signal);
  for (let index = 0; index < 5009; index += 1) reader.push(() => ({ index }));
  reader.push('event: change\n\n');
  const { value } = await texts.next();
  expect(value).toMatch(
    /\{"index":4999\}\]\n\nevent: change\n\nevent: dropped\ndata: \{"count":9\}\n\n$/,
  );
  reader.push('again');
  expect((await texts.next()).value).toBe('again');
});

test('a client that reads nothing is disconnected once its queue is too long', async () => {
  const reader = new EventReader();
  const reading = reader.read(new AbortController().signal);
  for (let count = 0; count <= 5000; count += 1) reader.push('event');
  expect(await reading.next()).toEqual({ done: true, value: undefined });
});
