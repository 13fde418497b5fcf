import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** A process with what it writes, ended after a time. */
export interface RunningProcess {
  readonly child: ChildProcess;
  /** What it has written so far. */
  stdout(): string;
  stderr(): string;
  /** Exit code; null where a signal ended it. */
  readonly ended: Promise<number | null>;
  stop(): Promise<void>;
}

const mostText = 3_000_000;

/** Starts Node.js, as this process is, with a limit of memory. */
export function startNode(
  argv: readonly string[],
  { megabytes, milliseconds, cwd }: ProcessLimits,
): RunningProcess {
  const child = spawn(process.execPath, [`--max-old-space-size=${megabytes}`, ...argv], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  });
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  const timer = setTimeout(() => child.kill('SIGKILL'), milliseconds);
  const ended = once(child, 'close').then(() => {
    clearTimeout(timer);
    return child.exitCode;
  });
  return { child, stdout, stderr, ended, stop: () => stop(child, ended) };
}

export interface ProcessLimits {
  readonly megabytes: number;
  readonly milliseconds: number;
  readonly cwd: string;
}

function collect(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (part: string) => {
    if (text.length < mostText) text += part;
  });
  return () => text;
}

async function stop(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  child.kill();
  const killer = setTimeout(() => child.kill('SIGKILL'), 2000);
  await ended;
  clearTimeout(killer);
}
