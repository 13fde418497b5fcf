import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createSender } from './sender.ts';

const whole = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}';
const closing = 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}';

/** What a server does with one request: a text is sent, and `end` or `reset` closes the connection. */
type Act = (socket: Socket) => void;

const say =
  (text: string): Act =>
  (socket) =>
    void socket.write(text);
const end =
  (text = ''): Act =>
  (socket) =>
    void socket.end(text);
const reset: Act = (socket) => void socket.resetAndDestroy();

/** A server that does one thing after the other, whatever the connection; the last for all others. */
async function serve(
  acts: readonly Act[],
): Promise<{ server: Server; url: string; seen: string[] }> {
  const seen: string[] = [];
  let connections = 0;
  const server = createServer((socket) => {
    const name = String((connections += 1));
    socket.on('error', () => {});
    socket.on('data', () => {
      const act = acts[Math.min(seen.length, acts.length - 1)];
      seen.push(name);
      act?.(socket);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return { server, url: `http://127.0.0.1:${port}/`, seen };
}

async function sendAll(acts: readonly Act[], count: number): Promise<readonly string[]> {
  const { server, url, seen } = await serve(acts);
  const reported: string[] = [];
  await using sender = createSender({ timeout: 5000, verifyTls: true });
  for (let index = 0; index < count; index += 1) {
    const outcome = await sender.send({ url, method: 'POST', headers: [], body: 'a' });
    reported.push(outcome.kind === 'answered' ? 'answered' : outcome.error.reason);
    // The connection is free again.
    await new Promise((resolve) => void setImmediate(resolve));
  }
  server.close();
  return [...reported, seen.join('')];
}

test.each<[string, readonly Act[], readonly string[]]>([
  ['a kept connection is closed', [say(whole), end(), say(whole)], ['answered', 'answered', '112']],
  ['a kept connection is reset', [say(whole), reset, say(whole)], ['answered', 'answered', '112']],
  ['a new connection is closed', [end(closing), end(), say(whole)], ['answered', 'cut', '12']],
  ['a new connection is reset', [end(closing), reset, say(whole)], ['answered', 'cut', '12']],
  ['the first of all is closed', [end(), say(whole)], ['cut', 'answered', '12']],
  [
    'a kept one is closed, and the new one too',
    [say(whole), end(), end(), say(whole)],
    ['answered', 'cut', '112'],
  ],
  [
    'a response ends within its head, on a kept connection',
    [say(whole), end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{'), say(whole)],
    ['answered', 'cut', '11'],
  ],
])('%s', async (_name, acts, expected) => {
  expect(await sendAll(acts, 2)).toEqual(expected);
});

test('kept-alive connections that are closed at the same time are skipped', async () => {
  const { server, url } = await serve([say(whole)]);
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => void sockets.add(socket));
  await using sender = createSender({ timeout: 5000, verifyTls: true });
  const send = async (): Promise<string> =>
    (await sender.send({ url, method: 'GET', headers: [], body: undefined })).kind;
  expect(await Promise.all(Array.from({ length: 8 }, send))).toEqual(Array(8).fill('answered'));
  for (const socket of sockets) {
    socket.removeAllListeners('data');
    socket.on('data', () => void socket.resetAndDestroy());
  }
  expect(await send()).toBe('answered');
  server.close();
});
