import { PetstoreError } from '../../../contract/index.ts';
import type { ServerAddress } from './address.ts';

/** What a server replies with, in version 2 of its protocol. */
export type Reply = string | number | null | readonly Reply[];

/** A connection to a server, or to all of a cluster. It connects again by itself. */
export interface Carrier {
  /** @param key decides which server of a cluster */
  send(key: string, command: readonly string[]): Promise<Reply>;
  /** Each of a cluster that keeps keys. */
  servers(): readonly ((command: readonly string[]) => Promise<Reply>)[];
  /** Ends at once; what is under way is rejected. */
  destroy(): void;
}

export interface CarrierTimes {
  readonly connectMilliseconds: number;
}

/** Longest wait before a connection is tried again. */
const mostWaitMilliseconds = 250;

/**
 * Connects; rejects where that is not possible at once.
 *
 * @throws {PetstoreError} with code `state` where the package of the client is not installed
 */
export async function connectCarrier(
  address: ServerAddress,
  { connectMilliseconds }: CarrierTimes,
): Promise<Carrier> {
  const { createClient, createCluster } = await importClient();
  let wasReady = false;
  const options = {
    RESP: 2,
    disableClientInfo: true,
    disableOfflineQueue: true,
    maintNotifications: 'disabled',
    socket: {
      connectTimeout: connectMilliseconds,
      reconnectStrategy: (retries: number): number | false =>
        wasReady && Math.min(20 * 2 ** retries, mostWaitMilliseconds),
    },
  } as const;
  if (address.isCluster) {
    const { socket, ...credentials } = readUrl(address);
    const cluster = createCluster({
      RESP: 2,
      rootNodes: [{ url: address.url }],
      defaults: { ...options, ...credentials, socket: { ...options.socket, ...socket } },
    });
    cluster.on('error', () => undefined);
    await connectWithin(connectMilliseconds, cluster);
    wasReady = true;
    return {
      send: (key, command) => cluster.sendCommand<Reply>(key, false, [...command]),
      servers: () =>
        cluster.masters.map(
          (master) => async (command) =>
            (await cluster.nodeClient(master)).sendCommand<Reply>(command),
        ),
      destroy: () => cluster.destroy(),
    };
  }
  const client = createClient({ ...options, url: address.url });
  // It tells of each lost connection; what is under way is rejected besides.
  client.on('error', () => undefined);
  await connectWithin(connectMilliseconds, client);
  wasReady = true;
  return {
    send: (_key, command) => client.sendCommand<Reply>(command),
    servers: () => [(command) => client.sendCommand<Reply>(command)],
    destroy: () => client.destroy(),
  };
}

/** A server may take a connection and then say nothing. */
async function connectWithin(
  milliseconds: number,
  client: { connect(): Promise<unknown>; destroy(): void },
): Promise<void> {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    client.destroy();
  }, milliseconds);
  try {
    await client.connect();
    if (!isLate) return;
  } catch (error) {
    client.destroy();
    if (!isLate) throw error;
  } finally {
    clearTimeout(timer);
  }
  throw new Error(`it did not respond within ${milliseconds} ms`);
}

/** Settings that hold for each server of a cluster. */
function readUrl({ url }: ServerAddress) {
  const { username, password, protocol } = new URL(url);
  return {
    ...(username !== '' && { username: decodeURIComponent(username) }),
    ...(password !== '' && { password: decodeURIComponent(password) }),
    socket: protocol === 'rediss:' ? { tls: true as const } : {},
  };
}

/** Whether it was the server that rejected a command. */
export async function isRefusal(error: unknown): Promise<boolean> {
  const { ErrorReply } = await importClient();
  return error instanceof ErrorReply;
}

async function importClient() {
  try {
    return await import('@redis/client');
  } catch (cause) {
    throw new PetstoreError('state', 'The package @redis/client is not installed.', {
      remedy: 'Install it: npm install @redis/client',
      cause,
    });
  }
}
