import type { Server } from 'node:net';

/** Is notified of client connections; each is the `connection` of its requests. */
export interface ConnectionWatcher {
  opened(connection: object): void;
  /** The client closed it; not called if this side closed first. */
  closed(connection: object): void;
}

/** Milliseconds for which a client may keep a connection open after asking to close it. */
const lingering = 2000;

/**
 * Calls a watcher when a client opens and closes a connection, in the order of the clients. New connections
 * wait in a queue of the system, and a turn of the event loop may accept only one of them. After a whole
 * turn without one, the queue was empty.
 */
export class ConnectionWatch {
  /** A connection was accepted in this turn. */
  #isBusy = false;
  #fresh: (() => void)[] = [];
  #waiting: (() => void)[] = [];

  /**
   * After the last response on a connection only this side is closed, so that the client's closing is
   * noticed too (RFC 9112 section 9.6).
   */
  constructor(server: Pick<Server, 'on'>, watcher: ConnectionWatcher) {
    server.on('connection', (socket) => {
      this.#isBusy = true;
      watcher.opened(socket);
      const close = (): void => this.afterOpenings(() => watcher.closed(socket));
      socket.once('end', close);
      socket.once('error', ({ code }: NodeJS.ErrnoException) => {
        if (code === 'ECONNRESET' || code === 'EPIPE') close();
      });
      // What `node:http` calls after the last response.
      socket.destroySoon = () => void socket.setTimeout(lingering).end();
    });
  }

  /** Runs a task once every connection that was opened before is accepted; in order. */
  afterOpenings(task: () => void): void {
    if (this.#fresh.length + this.#waiting.length === 0) setImmediate(() => this.#endTurn());
    this.#fresh.push(task);
  }

  #endTurn(): void {
    const due = this.#isBusy ? [] : this.#waiting;
    this.#waiting = [...(this.#isBusy ? this.#waiting : []), ...this.#fresh];
    [this.#isBusy, this.#fresh] = [false, []];
    if (this.#waiting.length > 0) setImmediate(() => this.#endTurn());
    for (const task of due) task();
  }
}
