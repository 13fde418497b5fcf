import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Bytes of responses that clients have not read yet, over all connections. */
export const maxUnread = 256 * 1024 * 1024;

/** A shorter body counts only if it is queued behind another: the number of connections is limited. */
const leastCounted = 65_536;

/** Estimated cost of a queued response besides its body. */
const plainBytes = 8192;

/** The responses that a connection has not sent yet. */
interface Waiting {
  bytes: number;
  responses: number;
  /** Called when it closes. */
  readonly onClose: () => void;
}

/**
 * Limits the memory of responses that clients have not read yet, over all connections. Over the limit,
 * the connections that have waited longest are closed: their clients do not read.
 */
export class Outbox {
  /** Those that have waited longest come first. */
  readonly #waiting = new Map<Duplex, Waiting>();
  #bytes = 0;
  /** Destroyed connections that are not closed yet, so their responses are still in memory. */
  leaving = 0;

  /** A body of this many bytes is about to be sent over a connection. */
  add(outgoing: ServerResponse, length: number, socket: Duplex): void {
    const isNext = outgoing.socket !== null || outgoing.writableFinished;
    if ((isNext && length < leastCounted) || outgoing.destroyed || socket.destroyed) return;
    const bytes = length + plainBytes;
    const waiting = this.#waiting.get(socket) ?? this.#open(socket);
    waiting.responses += 1;
    waiting.bytes += bytes;
    this.#bytes += bytes;
    outgoing.once('close', () => this.#take(socket, waiting, bytes));
    for (const [oldest, { responses }] of this.#waiting) {
      const isAlone = oldest === socket && responses === 1;
      if (this.#bytes <= maxUnread || isAlone) return;
      this.#breakOff(oldest);
    }
  }

  #open(socket: Duplex): Waiting {
    const waiting = { bytes: 0, responses: 0, onClose: () => this.#forget(socket) };
    socket.once('close', waiting.onClose);
    this.#waiting.set(socket, waiting);
    return waiting;
  }

  #take(socket: Duplex, waiting: Waiting, bytes: number): void {
    if (this.#waiting.get(socket) !== waiting) return;
    waiting.responses -= 1;
    if (waiting.responses === 0) {
      this.#forget(socket);
      return;
    }
    waiting.bytes -= bytes;
    this.#bytes -= bytes;
    // The client reads: other connections have waited longer.
    this.#waiting.delete(socket);
    this.#waiting.set(socket, waiting);
  }

  #forget(socket: Duplex): void {
    const waiting = this.#waiting.get(socket);
    if (waiting === undefined) return;
    socket.off('close', waiting.onClose);
    this.#waiting.delete(socket);
    this.#bytes -= waiting.bytes;
  }

  #breakOff(socket: Duplex): void {
    this.#forget(socket);
    this.leaving += 1;
    socket.once('close', () => (this.leaving -= 1));
    socket.destroy();
  }
}
