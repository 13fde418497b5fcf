import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { Respond, WireResponse } from './service.ts';

export interface RunningService {
  /** `http://127.0.0.1:PORT/v1` */
  readonly baseUrl: string;
  /** Ends every connection, hanging ones included. */
  readonly close: () => Promise<void>;
}

/** Listens on a free port of this machine. */
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
  writers[wireResponse.delivery](response, wireResponse);
}

/** The body; undefined if the client disconnected before its end. */
async function readBytes(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of request) if (chunk instanceof Uint8Array) chunks.push(chunk);
    return Buffer.concat(chunks);
  } catch {
    return undefined;
  }
}

const writers: Readonly<Record<WireResponse['delivery'], typeof writeWhole>> = {
  whole: writeWhole,
  chunked: writeChunked,
  closed: writeClosed,
  hinted: (response, wireResponse) =>
    response.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' }, () =>
      writeWhole(response, wireResponse),
    ),
  cut: writeCut,
  reset: ({ socket }) => void socket?.resetAndDestroy(),
  hang: () => undefined,
};

function writeWhole(response: ServerResponse, { status, headers, bytes }: WireResponse): void {
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  const length = { 'Content-Length': String(bytes.length) };
  const hasLength = status === 204 || names.includes('content-length');
  response.writeHead(status, hasLength ? headers : { ...headers, ...length });
  response.end(bytes);
}

/** In chunks of seven bytes, which split characters and names (RFC 9112 section 7.1). */
function writeChunked(response: ServerResponse, { status, headers, bytes }: WireResponse): void {
  response.writeHead(status, headers);
  for (let at = 0; at < bytes.length; at += 7) response.write(bytes.subarray(at, at + 7));
  response.end();
}

/** Without a length: the end of the connection ends the body (RFC 9112 section 6.3). */
function writeClosed(response: ServerResponse, { status, headers, bytes }: WireResponse): void {
  response.shouldKeepAlive = false;
  response.removeHeader('Transfer-Encoding');
  response.writeHead(status, headers);
  response.end(bytes);
}

function writeCut(response: ServerResponse, { status, headers, bytes }: WireResponse): void {
  response.writeHead(status, { ...headers, 'Content-Length': String(bytes.length) });
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.socket?.destroy());
}
