import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConstantResponse } from './load/constant-response.ts';
import type { Pinning } from './load/pinning.ts';
import { type Scenario, scenarios } from './load/scenario.ts';
import { type LoadPlan, measureLoads } from './measure-load.ts';
import type { LoadResult } from './measurement.ts';
import { type ServerProcess, startServer } from './server/server-process.ts';
import { floorPath, type Target, type TargetFiles } from './server/target.ts';

/** What is measured through a proxy: the other scenarios cost it the same. */
const measured = scenarios.filter(({ name }) => name === 'list' || name === 'create');

const apiPath = ({ path }: Scenario): string => `/v1${path}`;

/**
 * Loads a bare proxy of undici and `petstore proxy`, in front of the floor, which answers from the
 * client's core.
 */
export async function measureProxies(
  files: TargetFiles,
  pinning: Pinning,
  plan: LoadPlan,
): Promise<readonly LoadResult[]> {
  const beside: Pinning = {
    ...pinning,
    command: (_, command) => pinning.command('client', command),
  };
  const servers: ServerProcess[] = [];
  try {
    const behind = await startServer(await prepareTarget(files), beside);
    servers.push(behind);
    const origin = `http://127.0.0.1:${behind.port}`;
    const proxies: ServerProcess[] = [];
    for (const target of proxyTargets(files, origin)) {
      const proxy = await startServer(target, pinning);
      servers.unshift(proxy);
      proxies.push(proxy);
    }
    return await measureLoads(proxies, plan, measured);
  } finally {
    for (const server of servers) await server.stop();
  }
}

function proxyTargets({ folder }: TargetFiles, origin: string): readonly Target[] {
  const bare = join(folder, 'services', 'undici-proxy.js');
  const own = [process.execPath, join(folder, 'dist/cli/petstore.js'), 'proxy', '--quiet'];
  return [
    {
      name: 'undici proxy',
      command: (port) => [process.execPath, bare, `${port}`, origin],
      path: apiPath,
    },
    {
      name: 'proxy',
      command: (port) => [...own, '--port', `${port}`, '--target', `${origin}/v1`],
      path: apiPath,
    },
  ];
}

/** The floor, by the paths of the service, with a window that does not end while it is measured. */
async function prepareTarget({ folder, floor }: TargetFiles): Promise<Target> {
  const known: Readonly<Record<string, ConstantResponse>> = JSON.parse(
    await readFile(floor, 'utf8'),
  );
  const reset = `${Math.floor(Date.now() / 1000) + 3600}`;
  const responses = measured.flatMap((scenario) => {
    const response = known[floorPath(scenario)];
    if (response === undefined) return [];
    const at = response.headers.findIndex((name) => /^x-ratelimit-reset$/i.test(name));
    const headers = at < 0 ? response.headers : response.headers.with(at + 1, reset);
    return [[apiPath(scenario), { ...response, headers }] as const];
  });
  const file = join(folder, 'behind-proxies.json');
  await writeFile(file, JSON.stringify(Object.fromEntries(responses)));
  const script = join(folder, 'services', 'floor.js');
  return {
    name: 'floor',
    command: (port) => [process.execPath, script, `${port}`, file],
    path: apiPath,
  };
}
