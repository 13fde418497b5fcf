import type { PetstoreError } from '../../../contract/index.ts';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { kill, platform } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientEnd } from '../../../client/index.ts';
import { argumentError } from '../../io/command-failure.ts';
import type { CommandIo } from '../../io/command-io.ts';

export interface ChildOptions {
  readonly command: readonly string[];
  readonly env: CommandIo['env'];
  /** Milliseconds until it is ended. */
  readonly timeout: number;
  readonly signal: AbortSignal;
}

export interface ChildEnd {
  readonly end: ClientEnd;
  /** The last part of what it printed, stdout and stderr as they came. */
  readonly output: string;
  readonly milliseconds: number;
}

/** So much of the output is kept, in UTF-16 units. */
const longestOutput = 64 * 1024;

/** Milliseconds between asking processes to end and ending them. */
const grace = 500;

/**
 * Runs a command to its end, in a process group of its own, of which no process is left when it
 * resolves: what the command started and did not end is ended with it. Throws `PetstoreError` where
 * it cannot be started.
 */
export async function runChild({
  command: [file = '', ...args],
  env,
  timeout,
  signal,
}: ChildOptions): Promise<ChildEnd> {
  if (signal.aborted) return { end: { kind: 'aborted' }, output: '', milliseconds: 0 };
  const started = performance.now();
  const child = await start(file, args, env);
  const output = collectOutput(child);
  const exited = new Promise<ClientEnd>((resolve) => {
    child.once('exit', (code, killer) =>
      resolve(
        code === null ? { kind: 'killed', signal: killer ?? 'a signal' } : { kind: 'exited', code },
      ),
    );
  });
  const stop = AbortSignal.any([signal, AbortSignal.timeout(timeout)]);
  const stopped = new Promise<ClientEnd>((resolve) => {
    stop.addEventListener('abort', () => resolve({ kind: signal.aborted ? 'aborted' : 'timeout' }));
  });
  const end = await Promise.race([exited, stopped]);
  if (end.kind === 'timeout' || end.kind === 'aborted') {
    endGroup(child, 'SIGTERM');
    await Promise.race([exited, sleep(grace, undefined, { ref: false })]);
  }
  endGroup(child, 'SIGKILL');
  await exited;
  return { end, output: await output(), milliseconds: performance.now() - started };
}

async function start(
  file: string,
  args: readonly string[],
  env: ChildOptions['env'],
): Promise<ChildProcess> {
  try {
    const child = spawn(file, args, {
      env: { ...env },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    await once(child, 'spawn');
    return child.on('error', () => undefined);
  } catch (error) {
    throw explainStart(file, error);
  }
}

function explainStart(file: string, error: unknown): PetstoreError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const reasons = new Map<unknown, string>([
    ['ENOENT', 'command not found'],
    ['EACCES', 'no permission to execute it'],
  ]);
  const reason = reasons.get(code) ?? (error instanceof Error ? error.message : String(error));
  return argumentError(`"${file}" cannot be started: ${reason}.`, error);
}

/** Sends a signal to all processes of the group; Windows has no groups, and ends the process. */
function endGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    if (platform === 'win32' || child.pid === undefined) child.kill(signal);
    else kill(-child.pid, signal);
  } catch {
    // ESRCH: all of them have ended.
  }
}

/** Gathers the output; the function given resolves with its last part once no stream is open. */
function collectOutput({ stdout, stderr }: ChildProcess): () => Promise<string> {
  let text = '';
  const closed = [stdout, stderr].map(
    (stream) =>
      new Promise<void>((resolve) => {
        if (stream === null) return resolve();
        stream.setEncoding('utf8');
        stream.on('data', (chunk) => {
          text = (text + String(chunk)).slice(-longestOutput);
        });
        stream.on('close', () => resolve());
        stream.on('error', () => undefined);
      }),
  );
  return async () => {
    // A process that has left the group may hold the other end for ever.
    const timer = setTimeout(() => {
      for (const stream of [stdout, stderr]) stream?.destroy();
    }, grace);
    await Promise.all(closed);
    clearTimeout(timer);
    return text;
  };
}
