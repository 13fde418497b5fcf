import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';

/** Distributes tasks among threads, starts each with its own, and waits until all have ended. */
export async function runInThreads<Task>(
  tasks: readonly Task[],
  start: (own: readonly Task[]) => Worker,
  threads = availableParallelism(),
): Promise<void> {
  const run = (part: number): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const worker = start(tasks.filter((_task, index) => index % threads === part));
    worker.once('error', reject).once('exit', resolve);
    return promise;
  };
  await Promise.all(Array.from({ length: threads }, (_, part) => run(part)));
}
