import type { Server } from 'node:net';

/** Is notified of the connections of clients; each is the object that its requests name. */
export interface ConnectionWatcher {
  opened(connection: object): void;
  /** The client closed it; not called where this side did so first. */
  closed(connection: object): void;
}

/** Puts what happens in the order in which clients did it. */
export interface ConnectionWatch {
  /** Runs a task when every connection is accepted that was opened before now; in turn. */
  afterOpenings(task: () => void): void;
}

/** Milliseconds for which a client may keep open what it asked to be closed. */
const lingering = 2000;

/**
 * Calls a watcher when a client opens and closes a connection. Where a response is the last on its
 * connection, only this side is closed after it, so that the client's closing is seen too (RFC 9112
 * section 9.6).
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
 * Connections that clients opened wait in a queue of the system, of which a turn of the event loop
 * may take but one. After a whole turn that took none, the queue was empty.
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
