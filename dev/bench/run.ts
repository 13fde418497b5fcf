import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { compilePackage } from './server/compiled-package.ts';
import { captureResponse } from './load/constant-response.ts';
import { describeMachine } from './machine.ts';
import { type LoadPlan, measureLoads } from './measure-load.ts';
import { measureProxies } from './measure-proxies.ts';
import { measureStarts } from './measure-start.ts';
import type { LoadResult, Measurement } from './measurement.ts';
import { makePets } from './pets.ts';
import { type Pinning, openPinning } from './load/pinning.ts';
import type { Scale } from './scale.ts';
import { scenarios } from './load/scenario.ts';
import { type ServerProcess, startServer } from './server/server-process.ts';
import {
  type Target,
  type TargetFiles,
  allTargets,
  floorPath,
  mockTarget,
  startTargets,
} from './server/target.ts';

export interface BenchPlan extends LoadPlan {
  readonly starts: number;
  /** Numbers of pets, the smallest first. */
  readonly sizes: readonly number[];
}

/** Measures everything. `folder`: within the project, for the compiled package. */
export async function runBench(
  plan: BenchPlan,
  folder: string,
  log: (line: string) => void,
): Promise<Measurement> {
  const pinning = openPinning();
  const machine = describeMachine(pinning.isPinned);
  const [seed, floor] = [join(folder, 'seed.json'), join(folder, 'floor.json')];
  const files: TargetFiles = { folder, seed, floor };
  log('The package is compiled.');
  await compilePackage(folder);
  await writeFile(seed, JSON.stringify({ '/pets': makePets(100) }));
  await writeFile(floor, JSON.stringify(await captureFloor(files, pinning)));
  const targets = allTargets(files);
  log('Servers are loaded.');
  const loads = await measureTargets(targets, pinning, plan);
  log('Proxies are loaded.');
  const proxies = await measureProxies(files, pinning, plan);
  log('Servers are started, again and again.');
  const starts = await measureStarts(startTargets(files), pinning, plan.starts);
  log('Inventories are filled.');
  const scales = await measureScales(plan.sizes);
  return { machine, loads, proxies, starts, scales };
}

async function captureFloor(files: TargetFiles, pinning: Pinning) {
  const { port, target, stop } = await startServer(mockTarget(files), pinning);
  try {
    const responses = scenarios.map(async (scenario) => {
      const response = await captureResponse(port, scenario, target.path(scenario));
      return [floorPath(scenario), response] as const;
    });
    return Object.fromEntries(await Promise.all(responses));
  } finally {
    await stop();
  }
}

async function measureTargets(
  targets: readonly Target[],
  pinning: Pinning,
  plan: LoadPlan,
): Promise<readonly LoadResult[]> {
  const servers: ServerProcess[] = [];
  try {
    for (const target of targets) servers.push(await startServer(target, pinning));
    return await measureLoads(servers, plan);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

async function measureScales(sizes: readonly number[]): Promise<readonly Scale[]> {
  const file = fileURLToPath(import.meta.resolve('./scale.ts'));
  const options = ['--expose-gc', file, ...sizes.map(String)];
  const { stdout } = await promisify(execFile)(process.execPath, options);
  const scales: readonly Scale[] = JSON.parse(stdout);
  return scales;
}
