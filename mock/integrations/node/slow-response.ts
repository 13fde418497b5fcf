import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type MockResponse, atOnce, contentOf, framedHeaders } from '../../http/message.ts';
import { piecesOf } from '../in-process.ts';

/** Delayed responses. */
export const maxDelayed = 10_000;

/** Delayed responses of one connection. */
export const maxPipelined = 100;

/** Waits for this many milliseconds, or until the signal is aborted. */
type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/** Sends responses of one server as their delivery says: late, in pieces, in part, or not at all. */
export class SlowResponses {
  readonly #sleep: Sleep;
  /** Number of delayed responses by connection, until it closes. */
  readonly #held = new Map<Duplex, number>();
  #waiting = 0;
  #isOver = false;

  constructor(sleep: Sleep) {
    this.#sleep = sleep;
  }

  /** Never rejects: a client may disconnect at any time. */
  async send(
    response: MockResponse,
    request: IncomingMessage,
    outgoing: ServerResponse,
  ): Promise<void> {
    const { socket } = request;
    // No real client sends this many requests without a response to the first.
    const held = this.#held.get(socket) ?? 0;
    if (this.#isOver || held >= maxPipelined) socket.destroy();
    this.#hold(socket, 1);
    const gone = new AbortController();
    const leave = (): void => gone.abort();
    outgoing.once('close', leave);
    if (socket.destroyed) leave();
    // If very many are delayed already, this one is sent at once.
    const isCrowded = this.#waiting >= maxDelayed;
    const sleep = async (milliseconds: number): Promise<void> =>
      isCrowded ? undefined : await this.#sleep(milliseconds, gone.signal);
    this.#waiting += 1;
    await this.#send(response, request, outgoing, sleep);
    this.#waiting -= 1;
    outgoing.off('close', leave);
    if (response.delivery?.end !== 'silence') this.#hold(socket, -1);
  }

  /** Closes every connection with a delayed response, now and from now on. */
  end(): void {
    this.#isOver = true;
    for (const [socket, responses] of this.#held) if (responses > 0) socket.destroy();
  }

  async #send(
    response: MockResponse,
    request: IncomingMessage,
    outgoing: ServerResponse,
    sleep: (milliseconds: number) => Promise<void>,
  ): Promise<void> {
    const delivery = response.delivery ?? atOnce;
    const { delay, bytes, end } = delivery;
    if (delay > 0) await sleep(delay);
    if (outgoing.destroyed) return;
    if (end !== 'whole' && bytes === undefined) {
      breakOff(end, outgoing);
      return;
    }
    const content = contentOf(response);
    outgoing.writeHead(response.status, framedHeaders(response, content.length, this.#isOver));
    outgoing.flushHeaders();
    const body = request.method === 'HEAD' ? content.subarray(0, 0) : content;
    for await (const piece of piecesOf(body, delivery, sleep)) {
      if (outgoing.destroyed) break;
      // Until the system has it, or the connection has failed.
      await new Promise<void>((resolve) => void outgoing.write(piece, () => resolve()));
    }
    if (end === 'whole') outgoing.end();
    else breakOff(end, outgoing);
  }

  #hold(socket: Duplex, more: number): void {
    if (socket.destroyed) return;
    const responses = this.#held.get(socket);
    if (responses === undefined) socket.once('close', () => this.#held.delete(socket));
    this.#held.set(socket, (responses ?? 0) + more);
  }
}

/** Sends RST instead of FIN if possible (RFC 9293 section 3.5.3); over TLS, just closes. */
function breakOff(end: 'reset' | 'silence', { socket }: ServerResponse): void {
  if (end === 'silence') return;
  if (socket === null) return;
  const isPlain = 'resetAndDestroy' in socket && !('encrypted' in socket);
  if (isPlain) socket.resetAndDestroy();
  else socket.destroy();
}
