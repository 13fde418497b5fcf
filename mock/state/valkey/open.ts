import type { StateEngine } from '../engine.ts';
import { parseServerAddress } from './address.ts';
import { Connection, type ConnectionTimes, usualTimes } from './connection.ts';
import { ValkeyEngine } from './engine.ts';

export interface ValkeyOptions {
  /** Told what the user should know, a sentence each. */
  readonly notify?: (notice: string) => void;
  readonly times?: ConnectionTimes;
}

/**
 * Connects to a server, `valkey://host:6379`.
 *
 * @throws {PetstoreError} with code `state` where it is not reached, or refuses what is needed
 */
export async function openValkeyEngine(
  address: string,
  { notify = () => undefined, times = usualTimes }: ValkeyOptions = {},
): Promise<StateEngine> {
  const server = parseServerAddress(address);
  const connection = await Connection.open(server, times);
  const engine = new ValkeyEngine(connection, server.prefix);
  try {
    for (const info of await connection.readInfo())
      for (const notice of judgeInfo(info, server.shown)) notify(notice);
    // A replica, and a server that runs no scripts, are told of now.
    const key = `${server.prefix}:probe`;
    await connection.send(key, [['SET', key, '', 'PX', '1']]);
    await engine.load('main');
  } catch (error) {
    await engine.close();
    throw error;
  }
  return engine;
}

/** What a server that says this of itself may lose. */
function judgeInfo(info: string, shown: string): readonly string[] {
  const valueOf = (name: string): string | undefined =>
    new RegExp(`^${name}:(.*?)\r?$`, 'm').exec(info)?.[1];
  const notices: string[] = [];
  if (valueOf('aof_enabled') === '0')
    notices.push(
      `${shown} has no append-only file, so a restart loses acknowledged changes. Set appendonly yes.`,
    );
  const policy = valueOf('maxmemory_policy');
  if (policy?.startsWith('allkeys-') === true && valueOf('maxmemory') !== '0')
    notices.push(
      `${shown} evicts keys when its memory is full (${policy}). Set maxmemory-policy noeviction.`,
    );
  return notices;
}
