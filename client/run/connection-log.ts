import type { ClientIntent, ConnectionTimes, Exchange } from '../../conformance/index.ts';
import type { ConnectionWatcher } from '../../mock/index.ts';

/** Numbers the connections of one client, and keeps when each was opened and closed by it. */
export interface ConnectionLog extends ConnectionWatcher {
  /** Of a request that comes in now: its connection, and when it was opened. */
  readonly describe: (connection: object | undefined) => Pick<ClientIntent, 'connection' | 'times'>;
}

interface Connection {
  /** Undefined before its first request. */
  number: number | undefined;
  /** Undefined where its opening was not watched. */
  readonly opened: number | undefined;
  isClosed: boolean;
}

/**
 * `exchanges`: those recorded so far, of which those of a connection get the time when it was closed.
 * `now`: milliseconds since 1970, by the clock of the sandbox.
 */
export function createConnectionLog(exchanges: Exchange[], now: () => number): ConnectionLog {
  const known = new WeakMap<object, Connection>();
  const nextInstant = createOrderedClock(now);
  let next = 0;
  const connect = (connection: object, opened: number | undefined): Connection => {
    const made = { number: undefined, opened, isClosed: false };
    known.set(connection, made);
    return made;
  };
  return {
    opened: (connection) => void connect(connection, nextInstant()),
    closed(connection) {
      const found = known.get(connection);
      if (found === undefined || found.isClosed) return;
      found.isClosed = true;
      if (found.number !== undefined) tellClosed(exchanges, found.number, nextInstant());
    },
    describe(connection) {
      if (connection === undefined) return { connection: undefined };
      const found = known.get(connection) ?? connect(connection, undefined);
      found.number ??= next++;
      const { number, opened } = found;
      return {
        connection: number,
        ...(opened === undefined
          ? {}
          : { times: { opened, arrived: nextInstant(), closed: undefined } }),
      };
    },
  };
}

/** What one thousandth of a millisecond is: enough to tell a double of this age from the next. */
const least = 0.001;

/** A clock that never gives one instant twice, and never goes back. */
function createOrderedClock(now: () => number): () => number {
  let last = 0;
  return () => (last = Math.max(now(), last + least));
}

function tellClosed(exchanges: Exchange[], connection: number, closed: number): void {
  for (const [at, exchange] of exchanges.entries()) {
    const { intent } = exchange;
    if (intent.kind !== 'client' || intent.connection !== connection) continue;
    const times: ConnectionTimes | undefined = intent.times && { ...intent.times, closed };
    if (times !== undefined) exchanges[at] = { ...exchange, intent: { ...intent, times } };
  }
}
