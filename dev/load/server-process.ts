import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpus } from 'node:os';

/** A server to start. */
export interface Program {
  readonly name: string;
  /** A path that returns 200 once the server is up. */
  readonly readyPath: string;
  readonly command: (port: number) => readonly string[];
}

export interface ServerProcess {
  readonly pid: number;
  readonly port: number;
  /** Milliseconds from the start of the process to its first 200. */
  readonly startMilliseconds: number;
  stop(): Promise<void>;
}

/** The key that every server accepts: one of a plan without a documented limit. */
export const apiKey = 'demo-enterprise';

/** Starts a server and waits 30 seconds for its first 200. Rejects without one. */
export async function startServer(
  { name, readyPath, command }: Program,
  pinning: Pinning,
): Promise<ServerProcess> {
  const port = await freePort();
  const [program = '', ...words] = pinning.command('server', command(port));
  const started = performance.now();
  const child = spawn(program, words, { stdio: ['ignore', 'ignore', 'inherit'] });
  const url = `http://127.0.0.1:${port}${readyPath}`;
  const headers = { Authorization: `Bearer ${apiKey}`, Connection: 'close' };
  while (!(await isReady(url, headers))) {
    if (child.exitCode === null && performance.now() - started < 30_000) await sleep(2);
    else {
      await stop(child);
      throw new Error(`${name} was not ready within 30 seconds.`);
    }
  }
  const startMilliseconds = performance.now() - started;
  return { pid: child.pid ?? 0, port, startMilliseconds, stop: () => stop(child) };
}

async function isReady(url: string, headers: Record<string, string>): Promise<boolean> {
  try {
    const response = await fetch(url, { headers });
    await response.text();
    return response.status === 200;
  } catch {
    return false;
  }
}

/**
 * A port of the loopback that is free now: below the range for outgoing connections, one of which could
 * take it before a program listens.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(20_000, 32_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
  throw new Error('There is no free port.');
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill();
  const killer = setTimeout(() => child.kill('SIGKILL'), 3000);
  await exited;
  clearTimeout(killer);
}

/** Keeps servers and client on different cores, if the system can. */
export interface Pinning {
  readonly isPinned: boolean;
  /** The command that runs another on the core of the servers, or of the client. */
  command(role: 'server' | 'client', command: readonly string[]): readonly string[];
}

/** Pins with `taskset` if it exists and there are two cores; this process goes to the client's. */
export function openPinning(): Pinning {
  const isPinned = cpus().length > 1 && spawnSync('taskset', ['--version']).status === 0;
  if (!isPinned) return { isPinned, command: (_, command) => command };
  execFileSync('taskset', ['-a', '-c', '-p', coreOf.client, `${process.pid}`]);
  return { isPinned, command: (role, command) => ['taskset', '-c', coreOf[role], ...command] };
}

const coreOf = { server: '0', client: '1' } as const;
