import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerResult } from './measurement.ts';
import type { Pinning } from './load/pinning.ts';
import { readResidentBytes } from './load/process-usage.ts';
import { startServer } from './server/server-process.ts';
import type { Target } from './server/target.ts';

/** How long a server is left alone before its memory is read. */
const settleMilliseconds = 300;

/** Starts each server some times, in turn: time to the first 200, and memory at rest after it. */
export async function measureStarts(
  targets: readonly Target[],
  pinning: Pinning,
  times: number,
): Promise<readonly ServerResult[]> {
  const results = targets.map((target): ServerResult => ({
    target: target.name,
    startMilliseconds: [],
    idleBytes: [],
  }));
  for (let time = 0; time < times; time += 1) {
    for (const [index, target] of targets.entries()) {
      const server = await startServer(target, pinning);
      await sleep(settleMilliseconds);
      results[index]?.startMilliseconds.push(server.startMilliseconds);
      results[index]?.idleBytes.push(await readResidentBytes(server.pid));
      await server.stop();
    }
  }
  return results;
}
