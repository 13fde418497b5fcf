import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Bytes of the responses that clients have not read yet, over all connections. */
export const mostUnread = 256 * 1024 * 1024;

/** A shorter body is counted only where it waits for another: connections are bounded in number. */
const leastCounted = 65_536;

/** What a response that waits costs besides its body, about. */
const plainBytes = 8192;

/** What a connection has not taken yet. */
interface Waiting {
  bytes: number;
  responses: number;
  /** Called when it closes. */
  readonly onClose: () => void;
}

/**
 * The responses that clients have not taken yet, over all connections. Where they are too much, the
 * connections are broken off that wait longest: their clients do not read.
 */
export class Outbox {
  /** Those that wait longest first. */
  readonly #waiting = new Map<Duplex, Waiting>();
  #bytes = 0;
  #leaving = 0;

  /** Connections are broken off and not closed yet, so what they were given is still in memory. */
  get isCrowded(): boolean {
    return this.#leaving > 0;
  }

  /** A body of so many bytes is to be sent over a connection. */
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
      if (this.#bytes <= mostUnread || isAlone) return;
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
    // It reads: others have waited longer.
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
    this.#leaving += 1;
    socket.once('close', () => (this.#leaving -= 1));
    socket.destroy();
  }
}
