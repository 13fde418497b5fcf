import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Delivery, MockAnswer } from './exchange.ts';

/** Waits for so many milliseconds. */
type Sleep = (milliseconds: number) => Promise<void>;

const AT_ONCE: Delivery = { delay: 0, bytes: undefined, end: 'whole', drip: undefined };

/** Sends an answer as its delivery says: late, in pieces, in part, or not at all. Never rejects: a client may go away at any time. */
export async function sendSlowly(answer: MockAnswer, request: IncomingMessage, response: ServerResponse, server: Pick<Server, 'listening'>, sleep: Sleep): Promise<void> {
  const { delay, bytes, end } = answer.delivery ?? AT_ONCE;
  if (delay > 0) await sleep(delay);
  if (response.destroyed || end === 'silence') return;
  if (end === 'reset' && bytes === undefined) {
    resetConnection(response);
    return;
  }
  const body = request.method === 'HEAD' ? Buffer.alloc(0) : Buffer.from(answer.body);
  writeHead(answer, response, server);
  await writeBody(body.subarray(0, bytes), answer, response, sleep);
  if (end === 'reset') resetConnection(response);
  else response.end();
}

function writeHead({ status, headers, body }: MockAnswer, response: ServerResponse, { listening }: Pick<Server, 'listening'>): void {
  const lines = [...headers];
  if (status !== 204) lines.push('Content-Length', `${Buffer.byteLength(body)}`);
  if (!listening) lines.push('Connection', 'close');
  response.writeHead(status, lines);
  response.flushHeaders();
}

async function writeBody(body: Buffer, { delivery }: MockAnswer, response: ServerResponse, sleep: Sleep): Promise<void> {
  const { bytes, milliseconds } = delivery?.drip ?? { bytes: Math.max(1, body.length), milliseconds: 0 };
  for (let at = 0; at < body.length && !response.destroyed; at += bytes) {
    if (milliseconds > 0) await sleep(milliseconds);
    await write(response, body.subarray(at, at + bytes));
  }
}

/** Resolves when the piece has left for the system, or cannot. */
function write(response: ServerResponse, piece: Buffer): Promise<void> {
  return new Promise((resolve) => void response.write(piece, () => resolve()));
}

/** RST instead of FIN where the system can (RFC 9293 section 3.5.3); over TLS the connection only breaks off. */
function resetConnection({ socket }: ServerResponse): void {
  if (socket !== null && 'encrypted' in socket) socket.destroy();
  else socket?.resetAndDestroy();
}
