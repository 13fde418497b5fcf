import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Control } from '../../control/control.ts';
import {
  type InterfaceOptions,
  type ControlInterface,
  openInterface,
} from '../../control/interface.ts';
import {
  type MockRequest,
  type MockResponse,
  type StreamedResponse,
  maxContentBytes,
} from '../../http/message.ts';
import { type Refusal, refuse } from '../../operation/response/refusal.ts';

/** What the control interface of one server needs. */
export interface ControlledCore {
  control(): Promise<Control>;
  refuse(refusal: Refusal): MockResponse;
}

/** Sends a response whole. */
export type Send = (
  request: IncomingMessage,
  outgoing: ServerResponse,
  response: MockResponse,
) => void;

/** Responses of the control interface of one server; some take long, or go on without end. */
export class ControlResponses {
  readonly #core: ControlledCore;
  readonly #open: () => Promise<ControlInterface>;
  readonly #send: Send;
  /** Of every response under way. */
  readonly #ends = new Set<AbortController>();
  #isOver = false;
  #opened: Promise<ControlInterface> | undefined;

  /** `startedAt`: milliseconds since 1970. */
  constructor(core: ControlledCore, options: InterfaceOptions, startedAt: number, send: Send) {
    this.#core = core;
    this.#send = send;
    const open = async (): Promise<ControlInterface> =>
      await openInterface(await core.control(), options, startedAt);
    this.#open = () => (this.#opened ??= open());
  }

  /** Most bytes to read of a file that is handed in. Never rejects. */
  async mostBytes({ headers, socket }: IncomingMessage): Promise<number> {
    try {
      return (await this.#open()).mostBytes(headers, socket.remoteAddress);
    } catch {
      return maxContentBytes;
    }
  }

  /** Never rejects. */
  async answer(
    asked: MockRequest,
    request: IncomingMessage,
    outgoing: ServerResponse,
  ): Promise<void> {
    if (request.socket.destroyed) return;
    const end = new AbortController();
    this.#ends.add(end);
    // Who has left waits for nothing more.
    outgoing.once('close', () => end.abort());
    if (this.#isOver) end.abort();
    const response = await this.#compose(asked, request, end.signal);
    if (response.stream === undefined) this.#send(request, outgoing, response);
    else await sendStream(response, request, outgoing, end.signal);
    this.#ends.delete(end);
  }

  /** Ends every response that waits or goes on, from now on too. */
  end(): void {
    this.#isOver = true;
    for (const one of this.#ends) one.abort();
  }

  async #compose(
    asked: MockRequest,
    { socket }: IncomingMessage,
    signal: AbortSignal,
  ): Promise<StreamedResponse> {
    try {
      const { remoteAddress: address } = socket;
      const connection = { address, isEncrypted: 'encrypted' in socket, signal };
      return await (await this.#open()).response(asked, connection);
    } catch (fault) {
      return this.#core.refuse(
        refuse(
          'internal_fault',
          `Internal error in the control interface. This is a bug in petstore: ${String(fault)}`,
        ),
      );
    }
  }
}

/**
 * Sends a response that goes on, as fast as the client takes it, until there is no more, the client
 * leaves, or it is aborted. Never rejects.
 */
async function sendStream(
  { status, headers, body, stream }: StreamedResponse,
  { method }: IncomingMessage,
  outgoing: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  // Its end is seen by the end of the connection.
  outgoing.writeHead(status, [...headers, 'Connection', 'close']);
  if (method !== 'HEAD' && stream !== undefined) {
    outgoing.write(body);
    try {
      for await (const text of stream(signal))
        if (!outgoing.write(text)) await once(outgoing, 'drain', { signal });
    } catch {
      // It was aborted, or the client has left.
    }
  }
  outgoing.end();
}
