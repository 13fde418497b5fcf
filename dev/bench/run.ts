import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageFile } from '../../cli/package/package-root.ts';
import { buildPackage } from '../build/package-build.ts';
import { type Pinning, apiKey, openPinning, startServer } from '../load/server-process.ts';
import type { Scale } from './fill.ts';
import {
  type LoadPlan,
  type LoadResult,
  type RunningTarget,
  type StartResult,
  measureLoads,
  measureStarts,
} from './measure.ts';
import { makePets, scenarios } from './scenario.ts';
import {
  type Target,
  type TargetFiles,
  allTargets,
  floorTarget,
  mockTarget,
  proxyTargets,
} from './target.ts';

export interface BenchPlan extends LoadPlan {
  readonly starts: number;
  /** Numbers of pets, the smallest first. */
  readonly sizes: readonly number[];
}

/** What was measured in one run. */
export interface Measurement {
  /** Date, processor, versions and load of the machine, in one line. */
  readonly machine: string;
  readonly loads: readonly LoadResult[];
  /** Of the proxies in front of the floor. */
  readonly proxies: readonly LoadResult[];
  readonly starts: readonly StartResult[];
  readonly scales: readonly Scale[];
}

/** Measures everything. `folder`: within the project, for the compiled package. */
export async function runBench(
  plan: BenchPlan,
  folder: string,
  log: (line: string) => void,
): Promise<Measurement> {
  const pinning = openPinning();
  const machine = await describeMachine(pinning);
  const files = { folder, seed: join(folder, 'seed.json'), floor: join(folder, 'floor.json') };
  log('The package is built.');
  await compilePackage(folder);
  await writeFile(files.seed, JSON.stringify({ '/pets': makePets(100) }));
  const responses = await withServers([mockTarget(files)], pinning, captureResponses);
  await writeFile(files.floor, JSON.stringify(responses));
  log('Servers are loaded.');
  const loads = await withServers(allTargets(files), pinning, (servers) =>
    measureLoads(servers, plan),
  );
  log('Proxies are loaded.');
  const proxies = await measureProxies(files, pinning, plan);
  log('Servers are started several times.');
  const started = allTargets(files, mockTarget(files, []));
  const starts = await measureStarts(started, pinning, plan.starts);
  log('Inventories are filled.');
  const script = packageFile('dev/bench/fill.ts');
  const words = ['--expose-gc', script, ...plan.sizes.map(String)];
  const { stdout } = await promisify(execFile)(process.execPath, words);
  const scales: readonly Scale[] = JSON.parse(stdout);
  return { machine, loads, proxies, starts, scales };
}

/** Loads a bare proxy of undici and `petstore proxy`, in front of the floor on the client's core. */
async function measureProxies(files: TargetFiles, pinning: Pinning, plan: LoadPlan) {
  const beside: Pinning = {
    ...pinning,
    command: (_, command) => pinning.command('client', command),
  };
  // The other scenarios cost a proxy the same.
  const measured = scenarios.filter(({ name }) => name === 'list' || name === 'create');
  return await withServers([floorTarget(files)], beside, async ([behind]) => {
    const targets = proxyTargets(files, `http://127.0.0.1:${behind?.port}`);
    return await withServers(targets, pinning, (servers) => measureLoads(servers, plan, measured));
  });
}

async function withServers<Result>(
  targets: readonly Target[],
  pinning: Pinning,
  use: (servers: readonly RunningTarget[]) => Promise<Result>,
): Promise<Result> {
  const servers: RunningTarget[] = [];
  try {
    for (const target of targets) servers.push({ target, ...(await startServer(target, pinning)) });
    return await use(servers);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

/** Headers that `node:http` adds to every response on its own. */
const added = new Set(['connection', 'date', 'keep-alive']);

/** The responses of a server to each scenario, by the path and length of the request. */
async function captureResponses([server]: readonly RunningTarget[]): Promise<object> {
  const responses: Record<string, object> = {};
  for (const { name, method, path, body, status } of scenarios) {
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const headers = { Authorization: `Bearer ${apiKey}`, ...type };
    const url = `http://127.0.0.1:${server?.port}/v1${path}`;
    const response = await fetch(url, { method, headers, body: body ?? null });
    const text = await response.text();
    if (response.status !== status)
      throw new Error(`${name} was answered ${response.status}, not ${status}: ${text}`);
    // The window does not end while the proxies are measured.
    const reset = `${Math.floor(Date.now() / 1000) + 3600}`;
    const kept = [...response.headers]
      .filter(([header]) => !added.has(header))
      .map(([header, value]) => [header, header === 'x-ratelimit-reset' ? reset : value]);
    responses[`/v1${path} ${body?.length ?? 0}`] = { status, headers: kept.flat(), body: text };
  }
  return responses;
}

/** Compiles the package and the hand-written services to JavaScript in a folder. */
async function compilePackage(folder: string): Promise<void> {
  await buildPackage(join(folder, 'dist'));
  for (const path of ['package.json', 'openapi.yaml', 'docs', 'fixtures'])
    await cp(packageFile(path), join(folder, path), { recursive: true });
  await mkdir(join(folder, 'services'));
  const services = packageFile('dev/bench/services');
  for (const name of await readdir(services)) {
    const text = stripTypeScriptTypes(await readFile(join(services, name), 'utf8'));
    const script = text.replaceAll(/from '(\.[^']*)\.ts'/g, "from '$1.js'");
    await writeFile(join(folder, 'services', name.replace(/\.ts$/, '.js')), script);
  }
}

async function describeMachine({ isPinned }: Pinning): Promise<string> {
  const packages = ['@stoplight/prism-cli', 'fastify', 'hono', '@hono/node-server'];
  const versions = packages.map(async (name) => {
    const text = await readFile(packageFile(`node_modules/${name}/package.json`), 'utf8');
    const { version }: { readonly version: string } = JSON.parse(text);
    return `${name} ${version}`;
  });
  return [
    new Date().toISOString().slice(0, 10),
    `${cpus()[0]?.model.trim()}, ${cpus().length} cores, ${(totalmem() / 2 ** 30).toFixed(0)} GiB`,
    isPinned
      ? 'servers on one core, the client on another'
      : 'servers and client not pinned to cores',
    `load average before: ${loadavg()[0]?.toFixed(1)}`,
    [`Node.js ${process.versions.node}`, ...(await Promise.all(versions))].join(', '),
  ].join('; ');
}
