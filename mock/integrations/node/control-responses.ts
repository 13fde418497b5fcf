import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Control } from '../../control/control.ts';
import { type InterfaceOptions, openInterface } from '../../control/interface.ts';
import {
  type MockRequest,
  type MockResponse,
  type StreamedResponse,
  maxContentBytes,
} from '../../http/message.ts';
import { type Refusal, refuse } from '../../operation/response/refusal.ts';

/** Responses of the control interface of one server; some wait, and some never end. */
export type ControlResponses = ReturnType<typeof openControlResponses>;

/**
 * @param startedAt milliseconds since 1970
 * @param send sends a complete response
 */
export function openControlResponses(
  core: { control(): Promise<Control>; refuse(refusal: Refusal): MockResponse },
  options: InterfaceOptions,
  startedAt: number,
  send: (request: IncomingMessage, outgoing: ServerResponse, response: MockResponse) => void,
) {
  const opened = core.control().then((control) => openInterface(control, options, startedAt));
  const over = new AbortController();
  return {
    /** Largest file to read, in bytes. Never rejects. */
    async maxBytes({ headers, socket }: IncomingMessage): Promise<number> {
      return await opened.then(
        ({ maxBytes }) => maxBytes(headers, socket.remoteAddress),
        () => maxContentBytes,
      );
    },

    /** Never rejects. */
    async answer(
      asked: MockRequest,
      request: IncomingMessage,
      outgoing: ServerResponse,
    ): Promise<void> {
      const { socket } = request;
      if (socket.destroyed) return;
      // A client that disconnects ends its waits.
      const left = new AbortController();
      outgoing.once('close', () => left.abort());
      const signal = AbortSignal.any([over.signal, left.signal]);
      const connection = {
        address: socket.remoteAddress,
        isEncrypted: 'encrypted' in socket,
        signal,
      };
      const response: StreamedResponse = await opened
        .then((controls) => controls.response(asked, connection))
        .catch((fault: unknown) => {
          const message = `Internal error in the control interface. This is a bug in petstore: ${String(fault)}`;
          return core.refuse(refuse('internal_fault', message));
        });
      if (response.stream === undefined) send(request, outgoing, response);
      else await sendStream(response, request, outgoing, signal);
    },

    /** Ends every response that waits or streams, now and from now on. */
    end: () => over.abort(),
  };
}

/**
 * Streams a response as fast as the client reads it, until it ends, the client disconnects, or the
 * signal is aborted. Never rejects.
 */
async function sendStream(
  { status, headers, body, stream }: StreamedResponse,
  { method }: IncomingMessage,
  outgoing: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  // The end of the connection marks the end of the body.
  outgoing.writeHead(status, [...headers, 'Connection', 'close']);
  if (method !== 'HEAD' && stream !== undefined) {
    outgoing.write(body);
    try {
      for await (const text of stream(signal))
        if (!outgoing.write(text)) await once(outgoing, 'drain', { signal });
    } catch {
      // It was aborted, or the client has disconnected.
    }
  }
  outgoing.end();
}
