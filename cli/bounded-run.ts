import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { certificateLimits } from '../contract/limits/index.ts';
import { type CommandIo, tellError } from './io/command-io.ts';

/** MiB of the heap for what is new: with as little as this, memory is reused instead of taken. */
const maxYoungGenerationSizeMb = 48;

/**
 * Runs a command line in a thread whose memory is bounded: what needs more is too large, and ends
 * that thread alone. A signal ends both at once, as nothing here waits for one. `entry`: the module
 * that the program starts with, which comes here again in the thread, where the command runs. The thread
 * gets what it cannot see of the streams that it writes to.
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
      const excess = `This is too large: more than ${most.toLocaleString('en')} bytes of memory are needed to verify it, which is the limit.`;
      tellError({ stderr, env }, argv[0] ?? '', isLarge ? excess : String(error));
      resolve(2);
    });
    worker.once('exit', resolve);
  });
}
