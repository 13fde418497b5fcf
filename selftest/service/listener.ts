import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
  createServer,
} from 'node:http';
import type { WireResponse } from './behaviour.ts';
import { deliver } from './delivery.ts';

export interface ServiceRequest {
  readonly method: string;
  /** The request target: path and query, the base path included. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
  /** Names the connection: the same for all requests that share one. */
  readonly connection: string;
}

/** Answers one request. */
export type Respond = (request: ServiceRequest) => Promise<WireResponse>;

export interface RunningService {
  /** `http://127.0.0.1:PORT/v1` */
  readonly baseUrl: string;
  /** Ends every connection, hanging ones included. */
  readonly close: () => Promise<void>;
}

/** Listens at a free port of this machine. */
export async function listen(respond: Respond): Promise<RunningService> {
  const server = createServer((request, response) => void serve(request, response, respond));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const close = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  };
  return { baseUrl: `http://127.0.0.1:${port}/v1`, close };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  respond: Respond,
): Promise<void> {
  const body = await readBytes(request);
  if (body === undefined) return;
  const { method = '', url: target = '', headers } = request;
  const connection = String(request.socket.remotePort ?? '');
  const wireResponse = await respond({ method, target, headers, body, connection });
  response.sendDate = false;
  deliver(response, wireResponse);
}

/** The body; undefined where the client went away before its end. */
async function readBytes(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of request) if (chunk instanceof Uint8Array) chunks.push(chunk);
    return Buffer.concat(chunks);
  } catch {
    return undefined;
  }
}
