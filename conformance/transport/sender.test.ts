import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createSender } from './sender.ts';

test('a server that drops each kept-alive connection at its second request answers all requests', async () => {
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

test.each([301, 302, 303, 307, 308])(
  'a %s is not followed, so the key is sent nowhere else',
  async (status) => {
    const asked: string[] = [];
    const servers = [0, 1].map((at) =>
      createHttpServer((request, response) => {
        asked.push(`${at} ${request.url} ${request.headers.authorization}`);
        response.writeHead(status, { location: `${addressOf(servers[1])}/other` }).end();
      }).listen(0, '127.0.0.1'),
    );
    const addressOf = (server: (typeof servers)[number] | undefined): string => {
      const address = server?.address();
      return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    };
    await Promise.all(servers.map((server) => once(server, 'listening')));
    await using sender = createSender({ timeout: 10_000, verifyTls: true });
    try {
      const outcome = await sender.send({
        url: `${addressOf(servers[0])}/v1/pets`,
        method: 'GET',
        headers: [['authorization', 'Bearer key']],
        body: undefined,
      });
      expect(outcome).toMatchObject({ kind: 'answered', response: { status } });
      expect(asked).toEqual(['0 /v1/pets Bearer key']);
    } finally {
      for (const server of servers) server.closeAllConnections();
      for (const server of servers) server.close();
    }
  },
);
