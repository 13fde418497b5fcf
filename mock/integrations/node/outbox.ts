import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Bytes of the responses that clients have not read yet, over all connections. */
export const mostUnread = 256 * 1024 * 1024;

/** A shorter body is counted only where it waits for another: connections are bounded in number. */
const leastCounted = 65_536;

/** What a response that waits costs besides its body, about. */
const plainBytes = 8192;

/** So many requests wait at once for connections to be closed. */
const mostPending = 10_000;

/** What a connection has not taken yet. */
interface Waiting {
  bytes: number;
  readonly responses: Set<ServerResponse>;
  /** Called when it closes. */
  readonly onClose: () => void;
}

/**
 * The responses that clients have not taken yet, over all connections. Where they are too much, the
 * connections are broken off that wait longest: their clients do not read. What was given to such a
 * connection is let go by the system only when that has closed, which is after the requests that are
 * there by then: those wait until it has, or they would add to it without end.
 */
export class Outbox {
  /** Connections are broken off and not closed yet: what is to be sent waits. */
  isCrowded = false;
  /** Those that wait longest first. */
  readonly #waiting = new Map<Socket, Waiting>();
  #bytes = 0;
  /** Connections that are broken off and not closed yet. */
  #leaving = 0;
  #pending: { readonly socket: Socket; readonly action: () => void }[] = [];

  /** A body of so many bytes is to be sent over a connection. */
  add(outgoing: ServerResponse, length: number, socket: Socket): void {
    const isNext = outgoing.socket !== null || outgoing.writableFinished;
    if ((isNext && length < leastCounted) || outgoing.destroyed || socket.destroyed) return;
    const bytes = length + plainBytes;
    const waiting = this.#waiting.get(socket) ?? this.#open(socket);
    waiting.responses.add(outgoing);
    waiting.bytes += bytes;
    this.#bytes += bytes;
    outgoing.once('close', () => this.#take(socket, waiting, outgoing, bytes));
    for (const [oldest, { responses }] of this.#waiting) {
      const isAlone = oldest === socket && responses.size === 1;
      if (this.#bytes <= mostUnread || isAlone) return;
      this.#breakOff(oldest);
    }
  }

  /**
   * Calls back once it is not crowded, mostly at once. Where very many wait for that, the connection of
   * one more is broken off.
   */
  admit(socket: Socket, action: () => void): void {
    if (!this.isCrowded) action();
    else if (this.#pending.length < mostPending) this.#pending.push({ socket, action });
    else socket.destroy();
  }

  #open(socket: Socket): Waiting {
    const onClose = (): void => this.#forget(socket);
    const waiting = { bytes: 0, responses: new Set<ServerResponse>(), onClose };
    socket.once('close', onClose);
    this.#waiting.set(socket, waiting);
    return waiting;
  }

  #take(socket: Socket, waiting: Waiting, outgoing: ServerResponse, bytes: number): void {
    if (this.#waiting.get(socket) !== waiting || !waiting.responses.delete(outgoing)) return;
    if (waiting.responses.size === 0) {
      this.#forget(socket);
      return;
    }
    waiting.bytes -= bytes;
    this.#bytes -= bytes;
    // It reads: others have waited longer.
    this.#waiting.delete(socket);
    this.#waiting.set(socket, waiting);
  }

  #forget(socket: Socket): void {
    const waiting = this.#waiting.get(socket);
    if (waiting === undefined) return;
    socket.off('close', waiting.onClose);
    this.#waiting.delete(socket);
    this.#bytes -= waiting.bytes;
  }

  #breakOff(socket: Socket): void {
    this.#forget(socket);
    this.#leaving += 1;
    this.isCrowded = true;
    socket.once('close', () => this.#leave());
    socket.destroy();
  }

  #leave(): void {
    this.#leaving -= 1;
    this.isCrowded = this.#leaving > 0;
    if (this.isCrowded) return;
    const pending = this.#pending;
    this.#pending = [];
    for (const { socket, action } of pending) if (!socket.destroyed) this.admit(socket, action);
  }
}
