import { createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createSender } from './sender.ts';

test('a connection that breaks at its second request is repeated on one that is no kept one', async () => {
  const sockets = new Set<Socket>();
  let requests = 0;
  let release = (): void => {};
  const bothAreThere = new Promise<void>((resolve) => (release = resolve));
  const server = createServer((socket) => {
    let isUsed = false;
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('data', () => {
      requests += 1;
      if (isUsed) return void socket.destroy();
      isUsed = true;
      if (requests === 2) release();
      void bothAreThere.then(() => socket.write('HTTP/1.1 204 None\r\n\r\n'));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const request = {
    url: `http://127.0.0.1:${port}/`,
    method: 'GET',
    headers: [],
    body: undefined,
  } as const;
  await using sender = createSender({ timeout: 10_000, verifyTls: true });
  try {
    const kept = await Promise.all([sender.send(request), sender.send(request)]);
    const later = await sender.send(request);
    expect([...kept, later].map(({ kind }) => kind)).toEqual(['answered', 'answered', 'answered']);
    expect([requests, sockets.size]).toEqual([4, 3]);
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
});
