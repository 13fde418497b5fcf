import { isMainThread, Worker } from 'node:worker_threads';
import { certificateLimits } from '../contract/limits/index.ts';
import type { CommandIo, TextSink } from './io/command-io.ts';
import { tellError } from './io/terminal.ts';

/** Whether `runBounded` has to run a command line: `verify` reads what strangers have signed. */
export function isBounded([name]: readonly string[]): boolean {
  return isMainThread && name === 'verify';
}

/** What a thread cannot see of the streams that it writes to. */
type Terminal = Pick<TextSink, 'isTTY' | 'columns'>;

/** Bytes of the heap for what is new: with as little as this, memory is reused instead of taken. */
const youngBytes = 48 * 1024 * 1024;

/**
 * Runs a command line in a thread whose memory is bounded: what needs more is too large, and ends
 * that thread alone. A signal ends both at once, as nothing here waits for one. `entry`: the module
 * that the program starts with. The exit code.
 */
export function runBounded(
  entry: URL,
  argv: readonly string[],
  { stdout, stderr, env }: Omit<CommandIo, 'signal'>,
): Promise<number> {
  const most = certificateLimits.heapBytes;
  const [name = ''] = argv;
  const worker = new Worker(entry, {
    argv: [...argv],
    workerData: { stdout: describeTerminal(stdout), stderr: describeTerminal(stderr) },
    resourceLimits: {
      maxOldGenerationSizeMb: most / 1024 / 1024,
      maxYoungGenerationSizeMb: youngBytes / 1024 / 1024,
    },
  });
  return new Promise((resolve) => {
    worker.once('error', (error) => {
      const excess = `This is too large: more than ${most.toLocaleString('en')} bytes of memory are needed to verify it, which is the limit.`;
      tellError({ stderr, env }, name, isExhausted(error) ? excess : String(error));
      resolve(2);
    });
    worker.once('exit', resolve);
  });
}

function describeTerminal({ isTTY = false, columns }: TextSink): Terminal {
  return { isTTY, columns };
}

/** A stream of a thread that `runBounded` started, as the stream that it leads to. */
export function describeSink(stream: TextSink, name: 'stdout' | 'stderr', data: unknown): TextSink {
  if (isMainThread) return stream;
  const { [name]: terminal }: Partial<Record<typeof name, Terminal>> = Object(data);
  return { write: (text) => stream.write(text), ...terminal };
}

function isExhausted(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
