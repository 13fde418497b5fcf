import { load, warmUp } from './load/load.ts';
import type { LoadResult } from './measurement.ts';
import { readCpuMilliseconds } from './load/process-usage.ts';
import { type Scenario, apiKey, renderRequest, scenarios } from './load/scenario.ts';
import type { ServerProcess } from './server/server-process.ts';

export interface LoadPlan {
  readonly rounds: number;
  readonly milliseconds: number;
  readonly warmUpMilliseconds: number;
}

const connectionCount = 16;
/** After so many an engine has compiled what it will, also where the machine is busy. */
const warmRequests = 20_000;

/** Loads each server with each scenario, one at a time; in each round every server has its turn. */
export async function measureLoads(
  servers: readonly ServerProcess[],
  plan: LoadPlan,
  wanted: readonly Scenario[] = scenarios,
): Promise<readonly LoadResult[]> {
  const pairs = wanted.flatMap((scenario) =>
    servers.map((server) => ({ scenario, server, result: emptyResult(server, scenario) })),
  );
  for (const { scenario, server } of pairs)
    await warmUp(job(server, scenario, plan.warmUpMilliseconds), {
      least: warmRequests,
      mostMilliseconds: 5 * plan.warmUpMilliseconds,
    });
  for (let round = 0; round < plan.rounds; round += 1) {
    for (const { scenario, server, result } of pairs)
      await measureOnce(server, scenario, plan.milliseconds, result);
  }
  return pairs.map(({ result }) => result);
}

function emptyResult({ target }: ServerProcess, { name }: Scenario): LoadResult {
  const figures = { requestsPerSecond: [], cpuMicroseconds: [], clientShare: [] };
  return { target: target.name, scenario: name, ...figures };
}

async function measureOnce(
  server: ServerProcess,
  scenario: Scenario,
  milliseconds: number,
  result: LoadResult,
): Promise<void> {
  const before = await readCpuMilliseconds(server.pid);
  const run = await load(job(server, scenario, milliseconds));
  const cpu = (await readCpuMilliseconds(server.pid)) - before;
  result.requestsPerSecond.push((run.requests * 1000) / run.milliseconds);
  result.cpuMicroseconds.push((cpu * 1000) / run.requests);
  result.clientShare.push(run.clientMilliseconds / run.milliseconds);
}

function job({ port, target }: ServerProcess, scenario: Scenario, milliseconds: number) {
  return {
    port,
    request: renderRequest({ ...scenario, path: target.path(scenario), key: apiKey }),
    status: scenario.status,
    milliseconds,
    connections: connectionCount,
  };
}
