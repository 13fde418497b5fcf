import { addAll } from '../../../contract/index.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerAddress } from './address.ts';
import { type Carrier, type Reply, connectCarrier, isRefusal } from './carrier.ts';
import { explainServerError, explainUnreached, isPassing } from './server-error.ts';

export interface ConnectionTimes {
  /** Longest time of one try to connect, or of one command. */
  readonly tryMilliseconds: number;
  /** How long a command is tried again, before it is given up. */
  readonly giveUpMilliseconds: number;
}

export const usualTimes: ConnectionTimes = { tryMilliseconds: 8000, giveUpMilliseconds: 10_000 };

/** Waits between two tries of a command. */
const retryMilliseconds = 25;

/** A connection whose commands may be sent more than once: they have to bear that. */
export class Connection {
  readonly #address: ServerAddress;
  readonly #times: ConnectionTimes;
  #carrier: Promise<Carrier>;
  #isClosed = false;
  readonly #pending = new Set<Promise<unknown>>();

  private constructor(address: ServerAddress, times: ConnectionTimes, carrier: Carrier) {
    this.#address = address;
    this.#times = times;
    this.#carrier = Promise.resolve(carrier);
  }

  /** @throws {PetstoreError} with code `state` where the server is not reached at once */
  static async open(address: ServerAddress, times: ConnectionTimes): Promise<Connection> {
    try {
      return new Connection(address, times, await connectOnce(address, times));
    } catch (error) {
      throw (await isRefusal(error))
        ? explainServerError(address.shown, error)
        : explainUnreached(address.shown, error);
    }
  }

  /**
   * Sends the first of some commands that the server knows: the others follow where it lacks the
   * script of the one before.
   */
  send(key: string, commands: readonly (readonly string[])[]): Promise<Reply> {
    return this.#retry(async (carrier) => {
      for (const command of commands.slice(0, -1)) {
        try {
          return await carrier.send(key, command);
        } catch (error) {
          if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
        }
      }
      return await carrier.send(key, commands.at(-1) ?? []);
    });
  }

  /** All keys of a pattern, of each server of a cluster. */
  scan(pattern: string, count: string): Promise<readonly string[]> {
    return this.#retry(async (carrier) => {
      const found = await Promise.all(
        carrier.servers().map(async (send) => {
          const keys: string[] = [];
          let cursor = '0';
          do {
            const reply = await send(['SCAN', cursor, 'MATCH', pattern, 'COUNT', count]);
            const [next, some] = Array.isArray(reply) ? reply : [];
            addAll(keys, Array.isArray(some) ? some.map(String) : []);
            cursor = String(next ?? '0');
          } while (cursor !== '0');
          return keys;
        }),
      );
      return found.flat();
    });
  }

  /** What each server says of itself; nothing of one that does not tell. */
  readInfo(): Promise<readonly string[]> {
    return this.#retry(async (carrier) => {
      const told = carrier.servers().map(async (send) => {
        try {
          return String(await send(['INFO']));
        } catch (error) {
          if (await isRefusal(error)) return '';
          throw error;
        }
      });
      return await Promise.all(told);
    });
  }

  /** What is under way is finished; it is not tried again. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#pending);
    await this.#carrier.then(
      (carrier) => carrier.destroy(),
      () => undefined,
    );
  }

  async #retry<T>(send: (carrier: Carrier) => Promise<T>): Promise<T> {
    const result = this.#tryAgain(send);
    this.#pending.add(result);
    try {
      return await result;
    } finally {
      this.#pending.delete(result);
    }
  }

  async #tryAgain<T>(send: (carrier: Carrier) => Promise<T>): Promise<T> {
    const end = performance.now() + this.#times.giveUpMilliseconds;
    for (;;) {
      const current = this.#carrier;
      try {
        return await within(this.#times.tryMilliseconds, send(await current));
      } catch (error) {
        if ((await isRefusal(error)) && !isPassing(error))
          throw explainServerError(this.#address.shown, error);
        if (error instanceof SilenceError) this.#replace(current);
        if (this.#isClosed || performance.now() > end)
          throw explainUnreached(this.#address.shown, error);
      }
      await sleep(retryMilliseconds);
    }
  }

  /** A connection on which nothing comes back is given up, with all that waits on it. */
  #replace(silent: Promise<Carrier>): void {
    if (this.#carrier !== silent) return;
    this.#carrier = silent.then(async (carrier) => {
      carrier.destroy();
      for (;;) {
        try {
          return await connectOnce(this.#address, this.#times);
        } catch (error) {
          if (this.#isClosed) throw error;
          await sleep(retryMilliseconds);
        }
      }
    });
    this.#carrier.catch(() => undefined);
  }
}

function connectOnce(address: ServerAddress, { tryMilliseconds }: ConnectionTimes) {
  return connectCarrier(address, { connectMilliseconds: tryMilliseconds });
}

class SilenceError extends Error {}

async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new SilenceError(`it did not respond within ${milliseconds} ms`));
    }, milliseconds);
  });
  try {
    return await Promise.race([promise, silence]);
  } finally {
    clearTimeout(timer);
  }
}
