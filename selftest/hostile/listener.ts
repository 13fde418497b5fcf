import { createServer, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { createService, type Service } from '../index.ts';
import type { Parts } from '../service/behaviour.ts';
import type { RunningService } from '../service/listener.ts';
import type { Message, Wire } from './message.ts';

/** What a target does with the response that it ought to give. */
export type Spoil = (message: Message, request: IncomingMessage) => Wire;

/**
 * Listens at a free port of this machine, with the responses of the plain service as `spoil` makes
 * them.
 */
export async function listenHostile(spoil: Spoil, parts: Parts = {}): Promise<RunningService> {
  const service = createService(parts);
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
    const message = { status: response.status, fields, body: response.bytes };
    for await (const bytes of spoil(message, request)) {
      if (socket.destroyed) return;
      if (!socket.write(bytes)) await drained(socket);
    }
    socket.end();
  } catch {
    // The suite went away, which is its right.
    socket.destroy();
  }
}

/** Resolves when a socket takes more, or is gone. */
async function drained(socket: Socket): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = (): void => {
      socket.off('drain', done).off('close', done);
      resolve();
    };
    socket.once('drain', done).once('close', done);
  });
}
