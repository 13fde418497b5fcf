import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Control } from '../../control/control.ts';
import {
  type ControlInterface,
  type InterfaceOptions,
  openInterface,
} from '../../control/interface.ts';
import {
  type MockRequest,
  type MockResponse,
  type StreamedResponse,
  maxContentBytes,
} from '../../http/message.ts';
import { type Refusal, refuse } from '../../operation/response/refusal.ts';

/** Sends a response whole. */
type Send = (request: IncomingMessage, outgoing: ServerResponse, response: MockResponse) => void;

/** Responses of the control interface of one server; some take long, or go on without end. */
export class ControlResponses {
  readonly #refuse: (refusal: Refusal) => MockResponse;
  readonly #opened: Promise<ControlInterface>;
  readonly #send: Send;
  /** Of every response under way. */
  readonly #ends = new Set<AbortController>();
  #isOver = false;

  /** `startedAt`: milliseconds since 1970. */
  constructor(
    core: { control(): Promise<Control>; refuse(refusal: Refusal): MockResponse },
    options: InterfaceOptions,
    startedAt: number,
    send: Send,
  ) {
    this.#refuse = (refusal) => core.refuse(refusal);
    this.#send = send;
    this.#opened = core.control().then((control) => openInterface(control, options, startedAt));
    // Each request reports it.
    this.#opened.catch(() => undefined);
  }

  /** Most bytes to read of a file that is handed in. Never rejects. */
  async mostBytes({ headers, socket }: IncomingMessage): Promise<number> {
    return await this.#opened.then(
      (opened) => opened.mostBytes(headers, socket.remoteAddress),
      () => maxContentBytes,
    );
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
      return await (await this.#opened).response(asked, connection);
    } catch (fault) {
      return this.#refuse(
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
