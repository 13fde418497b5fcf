import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A server that answers each request with bytes of a test, and keeps those that it was sent. */
export interface WireServer extends AsyncDisposable {
  readonly origin: string;
  /** What came in, connection by connection, each byte as a character. */
  readonly received: () => readonly string[];
}

/** @param answer called with all that a connection has sent so far, whenever something came */
export async function startWireServer(
  answer: (received: string, socket: Socket) => void,
): Promise<WireServer> {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const place = received.push('') - 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      received[place] += chunk.toString('latin1');
      answer(received[place] ?? '', socket);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return {
    origin: `http://127.0.0.1:${port}`,
    received: () => received,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A client that sends bytes, and reads what comes back, each byte as a character. */
export interface WireClient extends Disposable {
  readonly send: (text: string) => void;
  /** Resolves with all that came, once it fits; rejects where the connection ends before. */
  readonly until: (pattern: RegExp) => Promise<string>;
  /** Resolves with all that came when the connection has ended. */
  readonly ended: Promise<string>;
}

export async function openWireClient(origin: string): Promise<WireClient> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  const ended = once(socket, 'close').then(() => text);
  await once(socket, 'connect');
  return {
    send: (content) => void socket.write(content, 'latin1'),
    until: async (pattern) => {
      while (!pattern.test(text)) {
        const isOpen = await Promise.race([
          once(socket, 'data').then(() => true),
          ended.then(() => false),
        ]);
        if (!isOpen && !pattern.test(text)) throw new Error(`ended after ${JSON.stringify(text)}`);
      }
      return text;
    },
    ended,
    [Symbol.dispose]: () => void socket.destroy(),
  };
}
