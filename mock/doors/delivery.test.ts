import { request } from 'undici';
import { expect, test } from 'vitest';
import type { Delivery, MockAnswer } from '../exchange.ts';
import type { DoorCore } from './door.ts';
import { createFetch } from './fetch.ts';
import { createDispatcher } from './undici.ts';

/** A core that answers `0123456789` in the way given, and notes how long it was made to wait. */
const open = (delivery: Partial<Delivery>): DoorCore & { readonly waits: number[] } => {
  const waits: number[] = [];
  const answer: MockAnswer = { status: 200, headers: [], body: '0123456789', delivery: { delay: 0, bytes: undefined, end: 'whole', drip: undefined, ...delivery } };
  return { waits, contract: { basePath: '' }, ready: Promise.resolve(), handle: () => answer, sleep: (wait) => Promise.resolve(void waits.push(wait)) };
};

interface Received {
  readonly status: number;
  readonly chunks: AsyncIterable<Uint8Array>;
}

const url = 'http://petstore.test/';

const doors: readonly (readonly [string, (core: DoorCore, signal?: AbortSignal) => Promise<Received>])[] = [
  ['fetch', async (core, signal) => {
    const { status, body } = await createFetch(core)(url, signal === undefined ? {} : { signal });
    return { status, chunks: body ?? ReadableStream.from<Uint8Array>([]) };
  }],
  ['undici', async (core, signal) => {
    const { statusCode, body } = await request(url, { dispatcher: createDispatcher(core, url), ...(signal === undefined ? {} : { signal }) });
    return { status: statusCode, chunks: body };
  }],
];

const read = async ({ chunks }: Received, texts: string[] = []): Promise<readonly string[]> => {
  for await (const chunk of chunks) texts.push(Buffer.from(chunk).toString());
  return texts;
};

test.each(doors)('%s waits before the first byte', async (_name, ask) => {
  const core = open({ delay: 1500 });
  expect([await read(await ask(core)), core.waits]).toEqual([['0123456789'], [1500]]);
});

test.each(doors)('%s drips', async (_name, ask) => {
  const core = open({ drip: { bytes: 4, milliseconds: 20 } });
  expect([(await read(await ask(core))).join(''), core.waits]).toEqual(['0123456789', [20, 20, 20]]);
});

test.each(doors)('%s breaks off a body that is cut', async (_name, ask) => {
  const texts: string[] = [];
  const received = await ask(open({ bytes: 3 }));
  await expect(read(received, texts)).rejects.toThrow(/before the answer was whole|terminated/);
  // A client may drop what it had received when the connection breaks.
  expect([received.status, '012'.startsWith(texts.join(''))]).toEqual([200, true]);
});

test.each(doors)('%s is reset within a body', async (_name, ask) => {
  await expect(read(await ask(open({ bytes: 3, end: 'reset' })))).rejects.toThrow('reset');
});

test.each(doors)('%s is reset before an answer', async (name, ask) => {
  const failure = ask(open({ bytes: 0, end: 'reset' }));
  await expect(failure).rejects.toMatchObject(name === 'fetch' ? { name: 'TypeError', cause: { code: 'ECONNRESET' } } : { code: 'ECONNRESET' });
});

test.each(doors)('%s stays silent until the caller gives up', async (_name, ask) => {
  const stop = new AbortController();
  const reason = new Error('enough');
  const failure = ask(open({ bytes: 0, end: 'silence' }), stop.signal);
  setImmediate(() => stop.abort(reason));
  await expect(failure).rejects.toBe(reason);
});

test.each(doors)('%s stays silent within a body until the caller gives up', async (_name, ask) => {
  const stop = new AbortController();
  const reason = new Error('enough');
  const received = await ask(open({ bytes: 3, end: 'silence' }), stop.signal);
  setImmediate(() => stop.abort(reason));
  await expect(read(received)).rejects.toBe(reason);
});
