import type { Server } from 'node:net';

/** Is notified of client connections; each is the `connection` of its requests. */
export interface ConnectionWatcher {
  opened(connection: object): void;
  /** The client closed it; not called if this side closed first. */
  closed(connection: object): void;
}

/** Orders events as clients caused them. */
export interface ConnectionWatch {
  /** Runs a task once every connection that was opened before is accepted; in order. */
  afterOpenings(task: () => void): void;
}

/** Milliseconds for which a client may keep a connection open after asking to close it. */
const lingering = 2000;

/**
 * Calls a watcher when a client opens and closes a connection. After the last response on a connection
 * only this side is closed, so that the client's closing is noticed too (RFC 9112 section 9.6).
 */
export function watchConnections(
  server: Pick<Server, 'on'>,
  watcher: ConnectionWatcher,
): ConnectionWatch {
  const turns = createTurns();
  server.on('connection', (socket) => {
    turns.delay();
    watcher.opened(socket);
    const close = (): void => turns.afterOpenings(() => watcher.closed(socket));
    socket.once('end', close);
    socket.once('error', ({ code }: NodeJS.ErrnoException) => {
      if (code === 'ECONNRESET' || code === 'EPIPE') close();
    });
    // What `node:http` calls after the last response.
    socket.destroySoon = () => void socket.setTimeout(lingering).end();
  });
  return turns;
}

/**
 * New connections wait in a queue of the system, and a turn of the event loop may accept only one of
 * them. After a whole turn without one, the queue was empty.
 */
function createTurns(): ConnectionWatch & { readonly delay: () => void } {
  let isBusy = false;
  let fresh: (() => void)[] = [];
  let waiting: (() => void)[] = [];
  const endTurn = (): void => {
    const due = isBusy ? [] : waiting;
    waiting = [...(isBusy ? waiting : []), ...fresh];
    [isBusy, fresh] = [false, []];
    if (waiting.length > 0) setImmediate(endTurn);
    for (const task of due) task();
  };
  return {
    delay: () => void (isBusy = true),
    afterOpenings(task) {
      if (fresh.length === 0 && waiting.length === 0) setImmediate(endTurn);
      fresh.push(task);
    },
  };
}
