import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { once } from 'node:events';

/** Stands between a client and a server, and loses connections as it is told. */
export interface LossyRelay {
  readonly port: number;
  /** Called for what a client sends; where it is true, the server gets it and the response is lost. */
  losesResponse: (bytes: Buffer) => boolean;
  lost: number;
  close(): void;
}

export async function startLossyRelay(serverPort: number): Promise<LossyRelay> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(serverPort, '127.0.0.1');
    let isLost = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        client.destroy();
        if (!isLost) upstream.destroy();
      });
    }
    client.on('data', (bytes: Buffer) => {
      if (!isLost && relay.losesResponse(bytes)) {
        isLost = true;
        relay.lost += 1;
        upstream.end(bytes);
        return;
      }
      upstream.write(bytes);
    });
    upstream.on('data', (bytes: Buffer) => {
      if (isLost) client.destroy();
      else client.write(bytes);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address: AddressInfo | string | null = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  const relay: LossyRelay = {
    port: address.port,
    losesResponse: () => false,
    lost: 0,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
  return relay;
}
