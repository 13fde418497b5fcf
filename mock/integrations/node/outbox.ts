import type { ServerResponse } from 'node:http';
import { mockLimits } from '../../../limits/index.ts';

/** Shorter bodies are not counted: how many connections there are bounds them. */
const leastCounted = 65_536;

/**
 * The responses that clients have not taken yet, over all connections. Where they are too much, those
 * are broken off that wait longest: their clients do not read.
 */
export class Outbox {
  /** Bytes by response, the longest waiting first. */
  readonly #waiting = new Map<ServerResponse, number>();
  #bytes = 0;

  /** A body of so many bytes is to be sent. */
  add(outgoing: ServerResponse, bytes: number): void {
    if (bytes < leastCounted || outgoing.destroyed) return;
    this.#waiting.set(outgoing, bytes);
    this.#bytes += bytes;
    outgoing.once('close', () => this.#remove(outgoing));
    for (const [oldest] of this.#waiting) {
      if (this.#bytes <= mockLimits.unread.most || oldest === outgoing) return;
      this.#remove(oldest);
      oldest.destroy();
    }
  }

  #remove(outgoing: ServerResponse): void {
    this.#bytes -= this.#waiting.get(outgoing) ?? 0;
    this.#waiting.delete(outgoing);
  }
}
