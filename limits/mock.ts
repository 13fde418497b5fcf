import type { Limit } from './limit.ts';

/** What clients may make one mock keep, over all its sandboxes. */
export const mockLimits = {
  memory: {
    most: 512 * 1024 * 1024,
    unit: 'bytes',
    what: 'Items, snapshots and stubs of all sandboxes together, with 200 bytes for each beside its text; a sandbox may have a quarter of it, and all besides `main` five eighths; those of less than 64 KiB may go on to three quarters',
    over: 'What would add more is refused with 413 and `code` `memory`; reading and removing go on. In a small process it is an eighth of the heap that Node.js allows.',
    flag: '--max-memory',
  },
  sandboxes: {
    most: 1000,
    unit: 'count',
    what: 'Sandboxes besides `main`',
    over: 'One makes room: the least recently used of those that keep nothing, then of those that only requests have changed, then of those that were set up by the control interface.',
    flag: '--sandboxes',
  },
  entries: {
    most: 500,
    unit: 'count',
    what: 'Requests in the journal of a sandbox',
    over: 'The oldest are forgotten.',
  },
  journals: {
    most: 64 * 1024 * 1024,
    unit: 'bytes',
    what: 'The journals of all sandboxes together',
    over: 'The largest one forgets its older half.',
  },
  readers: {
    most: 100,
    unit: 'count',
    what: 'Readers of the event stream',
    over: 'One more is refused.',
  },
  waits: {
    most: 100,
    unit: 'count',
    what: 'Requests of the control interface that wait for the journal of a sandbox (`wait`)',
    over: 'One more is refused with 413 and `code` `memory`; the journal can be read without a wait.',
  },
  deliveries: {
    most: 100,
    unit: 'count',
    what: 'Webhooks that the control interface sends at once',
    over: 'One more is refused with 413 and `code` `memory`, and not sent.',
  },
  faults: {
    most: 1000,
    unit: 'count',
    what: 'Faults of a sandbox',
    over: 'One more is refused.',
  },
  stubs: {
    most: 1000,
    unit: 'count',
    what: 'Stubs of a sandbox',
    over: 'One more is refused.',
  },
  snapshots: {
    most: 100,
    unit: 'count',
    what: 'Snapshots of a sandbox',
    over: 'One more is refused.',
  },
  connections: {
    most: 5000,
    unit: 'count',
    what: 'Connections at once',
    over: 'One more is closed.',
  },
  head: {
    most: 16_384,
    unit: 'bytes',
    what: 'Request line and header fields of a request; they must come within 10 seconds, and the whole request within 30',
    over: 'It is refused with 431; with 408 where it comes too late.',
  },
  receiving: {
    most: 128 * 1024 * 1024,
    unit: 'bytes',
    what: 'Bodies that are being received at once, over all connections',
    over: 'The body that is one too many is refused with 413.',
  },
  unread: {
    most: 256 * 1024 * 1024,
    unit: 'bytes',
    what: 'Responses that clients have not taken yet, over all connections; one that waits for another counts 8 KiB more than its body',
    over: 'The connections whose responses wait longest are broken off, and further requests wait until they are closed.',
  },
  delayed: {
    most: 10_000,
    unit: 'count',
    what: 'Responses that wait, as a fault or `Prefer: wait` asks',
    over: 'One more is sent at once.',
  },
  pipelined: {
    most: 100,
    unit: 'count',
    what: 'Responses that wait on one connection',
    over: 'The connection is broken off.',
  },
  instants: {
    most: 2048,
    unit: 'count',
    what: 'Instants at which the requests of a caller are kept apart, in a window that slides',
    over: 'Requests within the same 1,024th of the window count as sent at the last of them.',
  },
  addresses: {
    most: 1000,
    unit: 'count',
    what: 'Addresses whose requests without a valid key are counted apart',
    over: 'The one that was heard of least recently is forgotten, and starts anew.',
  },
} as const satisfies Readonly<Record<string, Limit>>;
