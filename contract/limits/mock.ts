import type { Limit } from './limit.ts';

/** What clients may make one mock keep, over all its sandboxes. */
export const mockLimits = {
  memory: {
    most: 512 * 1024 * 1024,
    unit: 'bytes',
    what: 'Items, snapshots and stubs of all sandboxes; one sandbox may use a quarter, all besides `main` five eighths',
    over: 'Additions get 413 with the code `memory`. In a small process the default is an eighth of the heap.',
    flag: '--max-memory',
  },
  sandboxes: {
    most: 1000,
    unit: 'count',
    what: 'Sandboxes besides `main`',
    over: 'The least used one is removed: first empty ones, then those changed by requests only.',
    flag: '--sandboxes',
  },
  entries: {
    most: 500,
    unit: 'count',
    what: 'Requests in the journal of a sandbox',
    over: 'The oldest are removed.',
  },
  journals: {
    most: 64 * 1024 * 1024,
    unit: 'bytes',
    what: 'The journals of all sandboxes',
    over: 'The largest one loses its older half.',
  },
  readers: {
    most: 100,
    unit: 'count',
    what: 'Readers of the event stream',
  },
  waits: {
    most: 100,
    unit: 'count',
    what: 'Requests of the control interface that wait for the journal of a sandbox (`wait`)',
  },
  deliveries: {
    most: 100,
    unit: 'count',
    what: 'Webhooks that the control interface sends at once',
  },
  faults: {
    most: 1000,
    unit: 'count',
    what: 'Faults of a sandbox',
    over: 'Refused.',
  },
  stubs: {
    most: 1000,
    unit: 'count',
    what: 'Stubs of a sandbox',
    over: 'Refused.',
  },
  snapshots: {
    most: 100,
    unit: 'count',
    what: 'Snapshots of a sandbox',
    over: 'Refused.',
  },
  connections: {
    most: 5000,
    unit: 'count',
    what: 'Connections at once',
    over: 'Closed.',
  },
  head: {
    most: 16_384,
    unit: 'bytes',
    what: 'Request line and header fields, which must arrive within 10 seconds, the whole request within 30',
    over: '431; 408 if too late.',
  },
  receiving: {
    most: 128 * 1024 * 1024,
    unit: 'bytes',
    what: 'Request bodies in transit, over all connections',
    over: '413.',
  },
  unread: {
    most: 256 * 1024 * 1024,
    unit: 'bytes',
    what: 'Responses that clients have not read yet, over all connections',
    over: 'The connections that wait longest are closed.',
  },
  delayed: {
    most: 10_000,
    unit: 'count',
    what: 'Delayed responses',
  },
  pipelined: {
    most: 100,
    unit: 'count',
    what: 'Responses that wait on one connection',
  },
  instants: {
    most: 2048,
    unit: 'count',
    what: 'Instants at which the requests of a caller are kept apart, in a window that slides',
  },
  addresses: {
    most: 1000,
    unit: 'count',
    what: 'Addresses whose requests without a valid key are counted apart',
  },
} as const satisfies Readonly<Record<string, Limit>>;
