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
  readonly floor: string;
}

const apiPath = ({ path }: Scenario): string => `/v1${path}`;

/** The mock as it is by default, with the pets of every server and no limit to reach. */
export function mockTarget(files: TargetFiles): Target {
  const limits = ['minute', 'day'].flatMap((window) => [
    '--limit',
    `enterprise.${window}=900000000`,
  ]);
  return mockWith(files, ['--seed', files.seed, ...limits]);
}

/** All servers as they are first started: the mock with nothing said to it. */
export function startTargets(files: TargetFiles): readonly Target[] {
  return allTargets(files).map((target) => (target.name === 'mock' ? mockWith(files, []) : target));
}

function mockWith({ folder }: TargetFiles, options: readonly string[]): Target {
  const mock = [process.execPath, join(folder, 'dist/cli/petstore.js'), 'mock', '--quiet'];
  return {
    name: 'mock',
    command: (port) => [...mock, '--port', `${port}`, ...options],
    path: apiPath,
  };
}

/** All servers, the floor first. */
export function allTargets(files: TargetFiles): readonly Target[] {
  const prism = packageFile('node_modules/@stoplight/prism-cli/dist/index.js');
  const quiet = ['mock', '-v', 'silent', '-h', '127.0.0.1', '-p'];
  return [
    service(files.folder, 'floor', files.floor, floorPath),
    mockTarget(files),
    service(files.folder, 'fastify', files.seed),
    service(files.folder, 'hono', files.seed),
    {
      name: 'prism',
      command: (port) => [
        process.execPath,
        prism,
        ...quiet,
        `${port}`,
        packageFile('openapi.yaml'),
      ],
      path: ({ path }) => path,
    },
  ];
}

/** The floor knows a scenario by its path alone. */
export function floorPath({ name }: Scenario): string {
  return `/${name.replace(' ', '-')}`;
}

/** A hand-written service, which reads a file. */
function service(folder: string, name: TargetName, file: string, path = apiPath): Target {
  const script = join(folder, 'services', `${name}.js`);
  return { name, command: (port) => [process.execPath, script, `${port}`, file], path };
}
