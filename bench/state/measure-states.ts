import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { load } from '../load/load.ts';
import type { Pinning } from '../load/pinning.ts';
import { readCpuMilliseconds } from '../load/process-usage.ts';
import { renderRequest, scenarios } from '../load/scenario.ts';
import { type ServerProcess, startServer } from '../server/server-process.ts';
import { type TargetFiles, mockTarget } from '../server/target.ts';
import { measureLatencies, shareOf } from './latency.ts';
import type { StateResult, StateSetup } from './measurement.ts';

export interface StatePlan {
  readonly rounds: number;
  readonly milliseconds: number;
  readonly latencies: number;
}

/** Keys, each of which has one request under way. */
const keys = Array.from({ length: 16 }, (_, index) => `enterprise_bench${index}`);

const setups: readonly StateSetup[] = [
  { state: 'in memory', instances: 1, routing: 'by key' },
  { state: 'in memory', instances: 2, routing: 'by key' },
  { state: 'in memory', instances: 4, routing: 'by key' },
  { state: 'file:', instances: 1, routing: 'by key' },
  { state: 'valkey:', instances: 1, routing: 'by key' },
  { state: 'valkey:', instances: 2, routing: 'by key' },
  { state: 'valkey:', instances: 4, routing: 'by key' },
  { state: 'valkey:', instances: 4, routing: 'by chance' },
];

/** Servers go where this process may go. */
const everywhere: Pinning = { isPinned: false, command: (_role, command) => command };

interface Started {
  readonly result: StateResult;
  readonly servers: readonly ServerProcess[];
}

/**
 * Loads each setup with additions, one setup at a time, some rounds.
 *
 * @param server address of a server that keeps state; undefined leaves its setups out
 * @param isPinned whether this process was kept to one core until now
 */
export async function measureStates(
  files: TargetFiles,
  plan: StatePlan,
  server: string | undefined,
  isPinned: boolean,
): Promise<readonly StateResult[]> {
  if (isPinned)
    execFileSync('taskset', ['-a', '-c', '-p', `0-${cpus().length - 1}`, `${process.pid}`]);
  const started: Started[] = [];
  try {
    for (const setup of setups) {
      if (setup.state === 'valkey:' && server === undefined) continue;
      started.push(await startSetup(files, setup, server, started.length));
    }
    // The first round warms up.
    for (let round = -1; round < plan.rounds; round += 1)
      for (const one of started) await measureOnce(one, plan, round >= 0);
    return started.map(({ result }) => result);
  } finally {
    await Promise.all(started.flatMap(({ servers }) => servers.map((one) => one.stop())));
  }
}

async function startSetup(
  files: TargetFiles,
  setup: StateSetup,
  server: string | undefined,
  number: number,
): Promise<Started> {
  const addresses: Readonly<Record<StateSetup['state'], readonly string[]>> = {
    'in memory': [],
    'file:': ['--state', `file:${join(files.folder, 'state')}`],
    'valkey:': ['--state', `${server}?prefix=bench${number}`],
  };
  const target = mockTarget(files);
  const servers: ServerProcess[] = [];
  try {
    for (let instance = 0; instance < setup.instances; instance += 1)
      servers.push(
        await startServer(
          { ...target, command: (port) => [...target.command(port), ...addresses[setup.state]] },
          everywhere,
        ),
      );
  } catch (error) {
    await Promise.all(servers.map((one) => one.stop()));
    throw error;
  }
  const figures = {
    requestsPerSecond: [],
    cpuMicroseconds: [],
    medianMilliseconds: [],
    p99Milliseconds: [],
  };
  return { servers, result: { ...setup, ...figures } };
}

async function measureOnce(
  { servers, result }: Started,
  { milliseconds, latencies }: StatePlan,
  isCounted: boolean,
): Promise<void> {
  const create = scenarios.find(({ name }) => name === 'create');
  if (create === undefined) throw new Error('no scenario');
  const requestOf = (key: string): string =>
    renderRequest({ ...create, path: `/v1${create.path}`, key });
  const readCpu = async (): Promise<number> => {
    const all = await Promise.all(servers.map(({ pid }) => readCpuMilliseconds(pid)));
    return all.reduce((sum, one) => sum + one, 0);
  };
  const [first] = servers;
  if (first === undefined) return;
  const before = await readCpu();
  const runs = await Promise.all(
    keys.map((key, index) => {
      const { port } = servers[index % servers.length] ?? first;
      return load({
        port,
        request: requestOf(sandboxKey(result, key, index)),
        status: create.status,
        milliseconds,
        connections: 1,
      });
    }),
  );
  const cpu = (await readCpu()) - before;
  const times = await measureLatencies(first.port, requestOf(keys[0] ?? ''), latencies);
  if (!isCounted) return;
  const requests = runs.reduce((sum, run) => sum + run.requests, 0);
  const longest = Math.max(...runs.map((run) => run.milliseconds));
  result.requestsPerSecond.push((requests * 1000) / longest);
  result.cpuMicroseconds.push((cpu * 1000) / requests);
  result.medianMilliseconds.push(shareOf(times, 0.5));
  result.p99Milliseconds.push(shareOf(times, 0.99));
}

/** By chance, each sandbox has requests at all instances: as many sandboxes, with several clients. */
function sandboxKey({ routing, instances }: StateSetup, key: string, index: number): string {
  return routing === 'by key' ? key : (keys[Math.floor(index / instances)] ?? key);
}
