import { createServer, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { createService, type Service } from '../index.ts';
import type { RunningService } from '../service/listener.ts';

type Field = readonly [name: string, value: string];

/** A response before it goes on the wire: its fields have `Content-Type`, and nothing about the framing. */
export interface Message {
  readonly status: number;
  readonly fields: readonly Field[];
  readonly body: Uint8Array;
}

/** Puts on the wire what replaces a response; the connection is closed after it. */
export type Spoil = (message: Message) => Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** The bytes of a text, each character one byte. */
export function latin1(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}

/** The head of a message, with further lines before its end. */
export function renderHead({ status, fields }: Message, ...more: readonly string[]): Uint8Array {
  const lines = fields.map(([name, value]) => `${name}: ${value}`);
  return latin1(`HTTP/1.1 ${status} Reason\r\n${[...lines, ...more].join('\r\n')}\r\n\r\n`);
}

/** A message as it ought to be, by its length. */
export function* renderWhole(message: Message): Generator<Uint8Array> {
  yield renderHead(message, `Content-Length: ${message.body.length}`, 'Connection: close');
  yield message.body;
}

/** One chunk (RFC 9112 section 7.1). */
export function renderChunk(bytes: Uint8Array, extension = ''): Uint8Array {
  const size = latin1(`${bytes.length.toString(16)}${extension}\r\n`);
  return Buffer.concat([size, bytes, latin1('\r\n')]);
}

/** The same message with other fields of these names. */
export function withFields(message: Message, ...fields: readonly Field[]): Message {
  const names = new Set(fields.map(([name]) => name.toLowerCase()));
  const others = message.fields.filter(([name]) => !names.has(name.toLowerCase()));
  return { ...message, fields: [...others, ...fields] };
}

/** The same message with another body, if it has one. */
export function withBody(message: Message, body: string | Uint8Array): Message {
  return message.body.length === 0 ? message : { ...message, body: Buffer.from(body) };
}

/** Listens on a free port of this machine, with the responses of the plain service as `spoil` makes them. */
export async function listenHostile(spoil: Spoil): Promise<RunningService> {
  const service = createService();
  const sockets = new Set<Socket>();
  const server = createServer((request) => void serve(service, spoil, request));
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => void sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

async function serve(service: Service, spoil: Spoil, request: IncomingMessage): Promise<void> {
  const { socket, method = '', url: target = '', headers } = request;
  try {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) if (chunk instanceof Uint8Array) chunks.push(chunk);
    const connection = String(socket.remotePort ?? '');
    const body = Buffer.concat(chunks);
    const response = await service.respond({ method, target, headers, body, connection });
    const fields = Object.entries(response.headers);
    for await (const bytes of spoil({ status: response.status, fields, body: response.bytes })) {
      if (socket.destroyed) return;
      if (!socket.write(bytes)) await drained(socket);
    }
    socket.end();
  } catch {
    // The suite may close the connection at any time.
    socket.destroy();
  }
}

/** Resolves when a socket accepts more, or is closed. */
async function drained(socket: Socket): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = (): void => {
      socket.off('drain', done).off('close', done);
      resolve();
    };
    socket.once('drain', done).once('close', done);
  });
}
