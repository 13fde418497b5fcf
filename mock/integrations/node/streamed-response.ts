import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { StreamedResponse } from '../../http/message.ts';

/**
 * Sends a response that goes on, as fast as the client takes it, until there is no more, the client
 * leaves, or it is aborted. Never rejects.
 */
export async function sendStream(
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
