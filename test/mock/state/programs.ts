import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort } from '../../../dev/load/server-process.ts';

/** A program on a port of the loopback. */
export interface Program {
  readonly port: number;
  readonly isUp: boolean;
  /** Resolves when it listens. */
  start(): Promise<void>;
  /** Like `kill -9`. */
  kill(): Promise<void>;
  /** Suspends it until `resume`. */
  pause(): void;
  resume(): void;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
}

/** @param ready what it prints once it listens */
export function createProgram(
  port: number,
  [name = '', ...words]: readonly string[],
  ready: RegExp,
  folder?: string,
): Program {
  let child: ChildProcess | undefined;
  async function kill(): Promise<void> {
    if (child === undefined) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    child = undefined;
    await ended;
  }
  return {
    port,
    get isUp() {
      return child !== undefined;
    },
    async start() {
      const started = spawn(name, words, { stdio: ['ignore', 'pipe', 'pipe'] });
      await new Promise<void>((resolve, reject) => {
        let log = '';
        // Reads forever, because a full pipe would block the program.
        const read = (bytes: Buffer): void => {
          log = (log + String(bytes)).slice(-10_000);
          if (ready.test(log)) resolve();
        };
        started.stdout.on('data', read);
        started.stderr.on('data', read);
        started.once('exit', () => reject(new Error(`${name} does not start: ${log}`)));
      });
      child = started;
    },
    kill,
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    async stop() {
      await kill();
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

export function findProgram(...names: readonly string[]): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}

export const serverProgram = findProgram('valkey-server', 'redis-server');

/** Used in test names, to show why they are skipped. */
export const serverName = serverProgram ?? 'no valkey-server or redis-server is installed';

/** Starts a Valkey or Redis server that syncs each command, unless the flags say otherwise. */
export async function startTestServer(
  ...flags: readonly string[]
): Promise<Program & { readonly url: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-server-'));
  const port = await freePort();
  const usual = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
  const synced = ['--appendonly', 'yes', '--appendfsync', 'always'];
  const words = [serverName, ...usual, ...synced, ...flags];
  const server = createProgram(port, words, /Ready to accept connections/, folder);
  await server.start();
  return Object.assign(server, { url: `valkey://127.0.0.1:${port}` });
}
