import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { certificateLimits } from '../contract/limits/index.ts';
import { type CommandIo, printError } from './io/command-io.ts';

/**
 * MiB of V8's young generation. With so little, V8 collects garbage instead of growing the heap.
 */
const maxYoungGenerationSizeMb = 48;

/**
 * Runs a command in a worker thread with a memory limit. If it needs more, only the worker ends,
 * with an error. A signal ends both threads at once, because neither handles it. `entry`: the
 * module that the program starts with; the worker loads it too and runs the command. What a worker
 * cannot see of `stdout` and `stderr` (terminal, columns) is passed to it.
 */
export async function runBounded(
  entry: URL,
  argv: readonly string[],
  io: CommandIo,
  run: (argv: readonly string[], io: CommandIo) => Promise<number>,
): Promise<number> {
  const { stdout, stderr, env } = io;
  if (!isMainThread) {
    Object.assign(stdout, workerData.stdout);
    Object.assign(stderr, workerData.stderr);
    return await run(argv, io);
  }
  const most = certificateLimits.heapBytes;
  const [out, err] = [stdout, stderr].map(({ isTTY = false, columns }) => ({ isTTY, columns }));
  const worker = new Worker(entry, {
    argv: [...argv],
    workerData: { stdout: out, stderr: err },
    resourceLimits: { maxOldGenerationSizeMb: most / 1024 / 1024, maxYoungGenerationSizeMb },
  });
  return new Promise((resolve) => {
    worker.once('error', (error) => {
      const isLarge = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      const excess = `This is too large to verify: it needs more than ${most.toLocaleString('en')} bytes of memory, the limit.`;
      printError({ stderr, env }, argv[0] ?? '', isLarge ? excess : String(error));
      resolve(2);
    });
    worker.once('exit', resolve);
  });
}
