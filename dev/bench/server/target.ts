import { join } from 'node:path';
import { packageFile } from '../../../cli/package/package-root.ts';
import type { Scenario } from '../load/scenario.ts';

export interface Target {
  readonly name: TargetName;
  command(port: number): readonly string[];
  path(scenario: Scenario): string;
}

export type TargetName = 'floor' | 'mock' | 'prism' | 'fastify' | 'hono' | 'undici proxy' | 'proxy';

export interface TargetFiles {
  /** Folder of the package as it is published, and of the services beside it, all in JavaScript. */
  readonly folder: string;
  /** Pets by path of the collection. */
  readonly seed: string;
  /** The responses of the floor by path. */
  readonly floor: string;
}

export const apiPath = ({ path }: Scenario): string => `/v1${path}`;

/** The floor knows a scenario by its path alone. */
export const floorPath = ({ name }: Scenario): string => `/${name.replace(' ', '-')}`;

/** The mock with the pets of every server and no limit to reach, or with other options. */
export function mockTarget(files: TargetFiles, options?: readonly string[]): Target {
  const limits = ['--limit', 'enterprise.minute=900000000', '--limit', 'enterprise.day=900000000'];
  const words = options ?? ['--seed', files.seed, ...limits];
  return {
    name: 'mock',
    command: (port) => [...petstore(files), 'mock', '--quiet', '--port', `${port}`, ...words],
    path: apiPath,
  };
}

/** All servers but proxies, the floor first. */
export function allTargets(files: TargetFiles, mock = mockTarget(files)): readonly Target[] {
  const prism = packageFile('node_modules/@stoplight/prism-cli/dist/index.js');
  const quiet = [process.execPath, prism, 'mock', '-v', 'silent', '-h', '127.0.0.1', '-p'];
  return [
    service(files, 'floor', files.floor, floorPath),
    mock,
    service(files, 'fastify', files.seed),
    service(files, 'hono', files.seed),
    {
      name: 'prism',
      command: (port) => [...quiet, `${port}`, packageFile('openapi.yaml')],
      path: ({ path }) => path,
    },
  ];
}

/** Proxies in front of a server. */
export function proxyTargets(files: TargetFiles, origin: string): readonly Target[] {
  const own = [...petstore(files), 'proxy', '--quiet', '--target', `${origin}/v1`];
  return [
    service(files, 'undici proxy', origin),
    { name: 'proxy', command: (port) => [...own, '--port', `${port}`], path: apiPath },
  ];
}

function petstore({ folder }: TargetFiles): readonly string[] {
  return [process.execPath, join(folder, 'dist/cli/petstore.js')];
}

/** A hand-written service, which is told a file or an address. */
function service({ folder }: TargetFiles, name: TargetName, word: string, path = apiPath): Target {
  const script = join(folder, 'services', `${name.replace(' ', '-')}.js`);
  return { name, command: (port) => [process.execPath, script, `${port}`, word], path };
}
