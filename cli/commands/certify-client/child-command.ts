import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { kill, platform } from 'node:process';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientEnd } from '../../../client/index.ts';
import { argumentError } from '../../io/command-failure.ts';
import type { CommandIo } from '../../io/command-io.ts';

export interface ChildOptions {
  readonly command: readonly string[];
  readonly env: CommandIo['env'];
  /** Milliseconds until the command is stopped. */
  readonly timeout: number;
  readonly signal: AbortSignal;
}

export interface ChildEnd {
  readonly end: ClientEnd;
  /** The last part of stdout and stderr, interleaved as they arrived. */
  readonly output: string;
  readonly milliseconds: number;
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

/** Most of the output that is kept, in UTF-16 code units. */
const longestOutput = 64 * 1024;

/** Milliseconds between SIGTERM and SIGKILL. */
const grace = 500;

/**
 * Runs a command in a process group of its own. When it resolves, no process of the group is left:
 * processes that the command started and left running are killed. Throws `PetstoreError` if the
 * command cannot be started.
 */
export async function runChild({ command, env, timeout, signal }: ChildOptions): Promise<ChildEnd> {
  if (signal.aborted) return { end: { kind: 'aborted' }, output: '', milliseconds: 0 };
  const started = performance.now();
  const child = await start(command, env);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream
      .setEncoding('utf8')
      .on('error', () => undefined)
      .on('data', (chunk) => {
        output = (output + String(chunk)).slice(-longestOutput);
      });
  const closed = once(child, 'close');
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
  // A process that has left the group may keep the output open.
  await Promise.race([closed, sleep(grace)]);
  child.stdout.destroy();
  child.stderr.destroy();
  return { end, output, milliseconds: performance.now() - started };
}

async function start(
  [file = '', ...args]: readonly string[],
  env: CommandIo['env'],
): Promise<Child> {
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
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    let reason = error instanceof Error ? error.message : String(error);
    if (code === 'ENOENT') reason = 'command not found';
    if (code === 'EACCES') reason = 'no permission to execute it';
    throw argumentError(`"${file}" cannot be started: ${reason}.`, error);
  }
}

/**
 * Sends a signal to all processes of the group. Windows has no groups: only the process is killed.
 */
function endGroup(child: Child, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    if (platform === 'win32' || child.pid === undefined) child.kill(signal);
    else kill(-child.pid, signal);
  } catch {
    // ESRCH: all of them have ended.
  }
}
