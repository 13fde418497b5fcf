import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';

interface ThreadOptions {
  /** Default: one per processor. */
  readonly threads?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Distributes tasks among threads, starts each with its own, and waits until all have ended. */
export async function runInThreads<Task>(
  tasks: readonly Task[],
  start: (own: readonly Task[]) => Worker,
  { threads = availableParallelism(), signal }: ThreadOptions = {},
): Promise<void> {
  const run = (part: number): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const worker = start(tasks.filter((_task, index) => index % threads === part));
    const stop = (): void => void worker.terminate();
    signal?.addEventListener('abort', stop);
    worker.once('error', reject).once('exit', () => {
      signal?.removeEventListener('abort', stop);
      if (signal?.aborted === true) reject(signal.reason);
      else resolve();
    });
    return promise;
  };
  await Promise.all(Array.from({ length: threads }, (_, part) => run(part)));
}
