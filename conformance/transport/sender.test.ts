import { createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createSender } from './sender.ts';

test('a server that drops each kept connection at its second request answers all requests', async () => {
  const sockets = new Set<Socket>();
  let dropped = 0;
  const server = createServer((socket) => {
    let isUsed = false;
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('data', () => {
      if (isUsed) {
        dropped += 1;
        socket.destroy();
      } else socket.write('HTTP/1.1 204 None\r\n\r\n');
      isUsed = true;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const url = `http://127.0.0.1:${port}/`;
  await using sender = createSender({ timeout: 10_000, verifyTls: true });
  const send = () => sender.send({ url, method: 'POST', headers: [], body: '{}' });
  try {
    const kinds: string[] = (await Promise.all([send(), send()])).map(({ kind }) => kind);
    for (let at = 0; at < 8; at += 1) kinds.push((await send()).kind);
    expect(kinds).toEqual(Array.from({ length: 10 }, () => 'answered'));
    expect(dropped).toBeGreaterThan(1);
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
});
