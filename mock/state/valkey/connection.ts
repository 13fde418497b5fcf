import type * as redis from '@redis/client';
import { PetstoreError } from '../../../contract/error/petstore-error.ts';
import { withoutUser } from '../../../contract/http/address.ts';
import { setTimeout as sleep } from 'node:timers/promises';

/** A reply of the server, in version 2 of its protocol. */
export type Reply = string | number | null | readonly Reply[];

export interface ConnectionTimes {
  /** Longest time to connect, and to wait for a reply. */
  readonly tryMilliseconds: number;
  /** How long commands are retried while the server is unreachable; all waiting ones give up together. */
  readonly giveUpMilliseconds: number;
}

export const usualTimes: ConnectionTimes = { tryMilliseconds: 8000, giveUpMilliseconds: 10_000 };

/** Wait between two attempts. */
const retryMilliseconds = 25;

/** Longest wait before the client reconnects. */
const maxWaitMilliseconds = 250;

type Send = (command: readonly string[]) => Promise<Reply>;

/** A client of a server, or of all servers of a cluster. It reconnects by itself. */
interface Client {
  /** `key` selects the server of a cluster. */
  send(key: string, command: readonly string[]): Promise<Reply>;
  servers(): readonly Send[];
  /** Closes at once; pending commands are rejected. */
  destroy(): void;
}

/**
 * Opens a connection that retries commands: each must have the same effect when it is sent twice.
 *
 * @throws {PetstoreError} with code `state` if the server cannot be reached now
 */
export async function openConnection(address: ServerAddress, times: ConnectionTimes) {
  const module = await importClient();
  const isReply = (error: unknown): boolean => error instanceof module.ErrorReply;
  const explain = (error: unknown): PetstoreError =>
    isReply(error)
      ? explainServerError(address.shown, error)
      : explainUnreached(address.shown, error);
  const client = await connect(module, address, times).catch((error: unknown) => {
    throw explain(error);
  });
  let isClosed = false;
  /** Start of the first command that failed since the last reply; undefined if the last one succeeded. */
  let failedAt: number | undefined;
  const pending = new Set<Promise<unknown>>();

  const attempt = async <Value>(act: () => Promise<Value>): Promise<Value> => {
    for (;;) {
      const started = performance.now();
      try {
        const value = await act();
        failedAt = undefined;
        return value;
      } catch (error) {
        const isFinal = isReply(error) && !isPassing(error);
        failedAt = isFinal ? undefined : (failedAt ?? started);
        const isLate = performance.now() > (failedAt ?? started) + times.giveUpMilliseconds;
        if (isFinal || isClosed || isLate)
          throw isFinal ? explain(error) : explainUnreached(address.shown, error);
      }
      await sleep(retryMilliseconds);
    }
  };
  const retry = <Value>(act: () => Promise<Value>): Promise<Value> => {
    const result = attempt(act).finally(() => pending.delete(result));
    pending.add(result);
    return result;
  };

  return {
    /** Sends the first command, and the second if the server does not know the script of the first. */
    send: (key: string, first: readonly string[], second = first): Promise<Reply> =>
      retry(async () => {
        try {
          return await client.send(key, first);
        } catch (error) {
          if (!messageOf(error).startsWith('NOSCRIPT')) throw error;
          return await client.send(key, second);
        }
      }),
    /** All keys of a pattern, of each server of a cluster. */
    scan: (pattern: string): Promise<readonly string[]> =>
      retry(async () => {
        const keys = new Set<string>();
        for (const send of client.servers()) {
          let cursor = '0';
          do {
            const reply = await send(['SCAN', cursor, 'MATCH', pattern, 'COUNT', '1000']);
            const [next, found] = Array.isArray(reply) ? reply : [];
            for (const key of Array.isArray(found) ? found : []) keys.add(String(key));
            cursor = String(next ?? '0');
          } while (cursor !== '0');
        }
        return [...keys];
      }),
    /** `INFO` of each server; empty if it refuses. */
    readInfo: (): Promise<readonly string[]> =>
      retry(() =>
        Promise.all(
          client.servers().map(async (send) => {
            const reply = await send(['INFO']).catch((error: unknown) => {
              if (isReply(error)) return '';
              throw error;
            });
            return String(reply);
          }),
        ),
      ),
    /** Waits for pending commands, which are not retried. */
    close: async (): Promise<void> => {
      isClosed = true;
      await Promise.allSettled(pending);
      client.destroy();
    },
  };
}

/** Errors of a connection also reject its pending commands. */
const ignore = (): void => undefined;

async function connect(
  { createClient, createCluster }: typeof redis,
  { url, isCluster }: ServerAddress,
  { tryMilliseconds }: ConnectionTimes,
): Promise<Client> {
  let wasReady = false;
  const options = {
    RESP: 2,
    disableClientInfo: true,
    disableOfflineQueue: true,
    maintNotifications: 'disabled',
    // Without pings, an idle connection would look like one that hangs.
    pingInterval: tryMilliseconds / 4,
  } as const;
  const socket = {
    connectTimeout: tryMilliseconds,
    socketTimeout: tryMilliseconds,
    reconnectStrategy: (retries: number): number | false =>
      wasReady && Math.min(20 * 2 ** retries, maxWaitMilliseconds),
  };
  const start = async (client: { connect(): Promise<unknown>; destroy(): void }) => {
    try {
      await client.connect();
      wasReady = true;
    } catch (error) {
      client.destroy();
      throw error;
    }
  };
  if (!isCluster) {
    const client = createClient({ ...options, socket, url }).on('error', ignore);
    await start(client);
    const send: Send = (command) => client.sendCommand<Reply>(command);
    return {
      send: (_key, command) => send(command),
      servers: () => [send],
      destroy: () => client.destroy(),
    };
  }
  // The same settings for the servers that the first one names.
  const { username, password, protocol } = new URL(url);
  const cluster = createCluster({
    RESP: 2,
    rootNodes: [{ url }],
    defaults: {
      ...options,
      ...(username !== '' && { username: decodeURIComponent(username) }),
      ...(password !== '' && { password: decodeURIComponent(password) }),
      socket: { ...socket, ...(protocol === 'rediss:' && { tls: true as const }) },
    },
  }).on('error', ignore);
  await start(cluster);
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

/** @throws {PetstoreError} with code `state` if the package of the client is not installed */
async function importClient(): Promise<typeof redis> {
  try {
    return await import('@redis/client');
  } catch (cause) {
    throw new PetstoreError('state', 'The package @redis/client is not installed.', {
      remedy: 'Install it: npm install @redis/client',
      cause,
    });
  }
}

/** Remedies for errors of the server, by the beginning of the message. */
const remedies: readonly (readonly [pattern: RegExp, remedy: string])[] = [
  [
    /^(WRONGPASS|NOAUTH|ERR AUTH|ERR invalid password|ERR Client sent AUTH)/,
    'Put the right name and password into the address: valkey://name:password@host:6379',
  ],
  [
    /^(MOVED|ASK|CLUSTERDOWN|CROSSSLOT)/,
    'Add cluster=true to the address: valkey://host:6379?cluster=true',
  ],
  [
    /^WRONGTYPE|^PETSTORE/,
    'Another program writes to the same keys. Use a different prefix: valkey://host:6379?prefix=another',
  ],
];

/** Temporary errors of the server. */
const isPassing = (error: unknown): boolean =>
  /^(LOADING|BUSY|TRYAGAIN|CLUSTERDOWN|MASTERDOWN)/.test(messageOf(error));

/** The error that users see; `address` has no password. */
function explainServerError(address: string, cause: unknown): PetstoreError {
  const message = messageOf(cause);
  const remedy = remedies.find(([pattern]) => pattern.test(message))?.[1];
  return new PetstoreError(
    'state',
    `The state cannot be stored at ${address}: it responded "${message}".`,
    { place: address, remedy: remedy ?? 'See the log of the server.', cause },
  );
}

/** The error for a server that was not reached, or not in time. */
function explainUnreached(address: string, cause: unknown): PetstoreError {
  const detail = `${address} cannot be reached: ${messageOf(cause)}.`;
  const remedy = 'Start the server, or use another one.';
  return new PetstoreError('state', detail, { place: address, remedy, cause });
}

function messageOf(cause: unknown): string {
  // Errors of several tried addresses come as one error without a message.
  if (cause instanceof AggregateError && cause.message === '')
    return cause.errors.map(messageOf).join(', ');
  const message = cause instanceof Error ? cause.message : String(cause);
  return message.replace(/^Socket timeout .*?(\d+)ms\.$/, 'it did not respond within $1 ms');
}

/** The address of a server that stores state. */
export interface ServerAddress {
  /** For the client: `redis:` or `rediss:`, with name, password and database. */
  readonly url: string;
  /** For people: without the password. */
  readonly shown: string;
  /** Prefix of all keys. */
  readonly prefix: string;
  readonly isCluster: boolean;
}

const parameters = ['prefix', 'cluster'];

/**
 * Reads `valkey://[name:password@]host[:port][/database][?prefix=text&cluster=true]`; `valkeys:` uses
 * TLS, `redis:` and `rediss:` mean the same as these two.
 *
 * @throws {PetstoreError} with code `state`
 */
export function parseServerAddress(address: string): ServerAddress {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || url.hostname === '') throw fault(address, 'does not name a server');
  if (`${url.pathname}${url.search}${url.hash}`.includes('@'))
    throw fault(address, 'has a password with a character that must be percent-encoded');
  const unknown = [...url.searchParams.keys()].find((name) => !parameters.includes(name));
  if (unknown !== undefined) throw fault(address, `has the unknown parameter "${unknown}"`);
  if (!/^\/?\d*$/.test(url.pathname)) throw fault(address, 'has a database that is not a number');
  const prefix = url.searchParams.get('prefix') ?? 'petstore';
  if (!/^[\w.:-]{1,64}$/.test(prefix))
    throw fault(
      address,
      'has an invalid prefix: use 1 to 64 letters, digits, dots, colons, underscores and hyphens',
    );
  const isSecure = /^(valkeys|rediss):$/i.test(url.protocol);
  const isCluster = url.searchParams.get('cluster') === 'true';
  const rest = address.slice(address.indexOf(':')).split(/[?#]/, 1)[0] ?? '';
  return {
    url: `${isSecure ? 'rediss' : 'redis'}${rest}`,
    shown: `${url.protocol}//${url.host}${url.pathname}`,
    prefix,
    isCluster,
  };
}

function fault(address: string, reason: string): PetstoreError {
  return new PetstoreError('state', `"${withoutUser(address)}" ${reason}.`, {
    remedy: 'Use the form valkey://name:password@host:6379/0?prefix=petstore.',
  });
}
