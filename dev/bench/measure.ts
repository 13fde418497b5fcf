import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { renderRequest } from '../load/connection.ts';
import { load, warmUp } from '../load/load.ts';
import { type Pinning, type ServerProcess, apiKey, startServer } from '../load/server-process.ts';
import { type Scenario, type ScenarioName, scenarios } from './scenario.ts';
import type { Target, TargetName } from './target.ts';

/** Figures of a server under load: one per round. */
export interface LoadResult {
  readonly target: TargetName;
  readonly scenario: ScenarioName;
  readonly requestsPerSecond: number[];
  readonly cpuMicroseconds: number[];
  /** Share of the time in which the client was busy; near 1, the client limits the rate. */
  readonly clientShare: number[];
}

/** Figures of a server that was started: one per start. */
export interface StartResult {
  readonly target: TargetName;
  readonly startMilliseconds: number[];
  readonly idleBytes: number[];
}

export interface LoadPlan {
  readonly rounds: number;
  readonly milliseconds: number;
  readonly warmUpMilliseconds: number;
}

const connectionCount = 16;
/** After this many requests the engine has compiled the hot code, even on a busy machine. */
const warmRequests = 50_000;

export interface RunningTarget extends ServerProcess {
  readonly target: Target;
}

/** Loads each server with each scenario, one at a time; each round includes every server. */
export async function measureLoads(
  servers: readonly RunningTarget[],
  plan: LoadPlan,
  wanted: readonly Scenario[] = scenarios,
): Promise<readonly LoadResult[]> {
  const pairs = wanted.flatMap((scenario) =>
    servers.map(({ pid, port, target }) => {
      const path = target.basePath + scenario.path;
      const request = renderRequest({ ...scenario, path, key: apiKey });
      const job = { port, request, status: scenario.status, connections: connectionCount };
      const figures = { requestsPerSecond: [], cpuMicroseconds: [], clientShare: [] };
      const result: LoadResult = { target: target.name, scenario: scenario.name, ...figures };
      return { pid, job, result };
    }),
  );
  const { milliseconds, warmUpMilliseconds } = plan;
  for (const { job } of pairs)
    await warmUp({ ...job, milliseconds: warmUpMilliseconds }, warmRequests);
  for (let round = 0; round < plan.rounds; round += 1) {
    for (const { pid, job, result } of pairs) {
      const before = await readCpuMilliseconds(pid);
      const run = await load({ ...job, milliseconds });
      const cpu = (await readCpuMilliseconds(pid)) - before;
      result.requestsPerSecond.push((run.requests * 1000) / run.milliseconds);
      result.cpuMicroseconds.push((cpu * 1000) / run.requests);
      result.clientShare.push(run.clientMilliseconds / run.milliseconds);
    }
  }
  return pairs.map(({ result }) => result);
}

/** Milliseconds that a server is left idle before its memory is read. */
const settleMilliseconds = 300;

/** Starts each server several times, in turn: time to the first 200, and memory when idle after it. */
export async function measureStarts(
  targets: readonly Target[],
  pinning: Pinning,
  times: number,
): Promise<readonly StartResult[]> {
  const results = targets.map((target) => {
    const result: StartResult = { target: target.name, startMilliseconds: [], idleBytes: [] };
    return { target, result };
  });
  for (let time = 0; time < times; time += 1) {
    for (const { target, result } of results) {
      const server = await startServer(target, pinning);
      await sleep(settleMilliseconds);
      result.startMilliseconds.push(server.startMilliseconds);
      result.idleBytes.push(await readResidentBytes(server.pid));
      await server.stop();
    }
  }
  return results.map(({ result }) => result);
}

/** Length of a clock tick of `/proc/<pid>/stat` on Linux (proc_pid_stat(5)). */
const tickMilliseconds = 10;

/** Processor milliseconds of a process, all its threads; NaN where `/proc` does not say. */
async function readCpuMilliseconds(pid: number): Promise<number> {
  const stat = await readProc(pid, 'stat');
  // The second field, the name, may contain spaces; the third follows its bracket.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * tickMilliseconds;
}

/** Resident memory of a process in bytes; NaN where `/proc` does not say. */
async function readResidentBytes(pid: number): Promise<number> {
  const status = await readProc(pid, 'status');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

async function readProc(pid: number, file: string): Promise<string> {
  try {
    return await readFile(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
