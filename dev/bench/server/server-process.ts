import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pinning } from '../load/pinning.ts';
import { apiKey, scenarios } from '../load/scenario.ts';
import type { Target } from './target.ts';

export interface ServerProcess {
  readonly target: Target;
  readonly child: ChildProcess;
  readonly pid: number;
  readonly port: number;
  /** Milliseconds from the start of the process to its first 200. */
  readonly startMilliseconds: number;
  readonly stop: () => Promise<void>;
}

/** Starts a server and waits 30 seconds for its first 200. Rejects without one. */
export async function startServer(
  target: Target,
  pinning: Pinning,
  channel: 'ipc' | 'ignore' = 'ignore',
): Promise<ServerProcess> {
  const port = await freePort();
  const [program = '', ...rest] = pinning.command('server', target.command(port));
  const started = performance.now();
  const child = spawn(program, rest, { stdio: ['ignore', 'ignore', 'inherit', channel] });
  try {
    await firstResponse(target, child, port, started);
    const startMilliseconds = performance.now() - started;
    return { target, child, pid: child.pid ?? 0, port, startMilliseconds, stop: () => stop(child) };
  } catch (error) {
    await stop(child);
    throw error;
  }
}

async function firstResponse(
  target: Target,
  child: ChildProcess,
  port: number,
  started: number,
): Promise<void> {
  const [list] = scenarios;
  if (list === undefined) return;
  while ((await statusOf(port, target.path(list))) !== 200) {
    if (child.exitCode !== null)
      throw new Error(`${target.name} ended with ${child.exitCode} before it answered.`);
    if (performance.now() - started > 30_000)
      throw new Error(`${target.name} did not answer within 30 seconds.`);
    await sleep(2);
  }
}

function statusOf(port: number, path: string): Promise<number | undefined> {
  const headers = { Authorization: `Bearer ${apiKey}` };
  return new Promise((resolve) => {
    get({ port, host: '127.0.0.1', path, agent: false, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    }).on('error', () => resolve(undefined));
  });
}

/** A port of the loopback that was free just now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('There is no free port.');
  return address.port;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill();
  const killer = setTimeout(() => child.kill('SIGKILL'), 3000);
  await exited;
  clearTimeout(killer);
}
