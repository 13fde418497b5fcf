import { join } from 'node:path';
import { packageFile } from '../../cli/package/package-root.ts';
import type { Program } from '../load/server-process.ts';

export interface Target extends Program {
  readonly name: TargetName;
  /** The part of the URL before the path of a scenario. */
  readonly basePath: string;
}

export type TargetName = 'floor' | 'mock' | 'prism' | 'fastify' | 'hono' | 'undici proxy' | 'proxy';

export interface TargetFiles {
  /** Folder of the published package and the services, all in JavaScript. */
  readonly folder: string;
  /** Pets by path of the collection. */
  readonly seed: string;
  /** The responses of the floor. */
  readonly floor: string;
}

/** The mock with the pets of every server and without limits, or with other options. */
export function mockTarget(files: TargetFiles, options?: readonly string[]): Target {
  const limits = ['--limit', 'enterprise.minute=900000000', '--limit', 'enterprise.day=900000000'];
  return petstore(files, 'mock', options ?? ['--seed', files.seed, ...limits]);
}

/** All servers except proxies, the floor first. */
export function allTargets(files: TargetFiles, mock = mockTarget(files)): readonly Target[] {
  const prism = packageFile('node_modules/@stoplight/prism-cli/dist/index.js');
  const quiet = [prism, 'mock', '-v', 'silent', '-h', '127.0.0.1', '-p'];
  return [
    floorTarget(files),
    mock,
    service(files, 'fastify', files.seed),
    service(files, 'hono', files.seed),
    target('prism', (port) => [...quiet, port, packageFile('openapi.yaml')], ''),
  ];
}

export function floorTarget(files: TargetFiles): Target {
  return service(files, 'floor', files.floor);
}

/** Proxies in front of a server. */
export function proxyTargets(files: TargetFiles, origin: string): readonly Target[] {
  return [
    service(files, 'undici proxy', origin),
    petstore(files, 'proxy', ['--target', `${origin}/v1`]),
  ];
}

function petstore({ folder }: TargetFiles, name: 'mock' | 'proxy', words: readonly string[]) {
  const program = join(folder, 'dist/cli/petstore.js');
  return target(name, (port) => [program, name, '--quiet', '--port', port, ...words]);
}

/** A hand-written service, which reads a file or an address. */
function service({ folder }: TargetFiles, name: TargetName, word: string): Target {
  const script = join(folder, 'services', `${name.replace(' ', '-')}.js`);
  return target(name, (port) => [script, port, word]);
}

function target(
  name: TargetName,
  words: (port: string) => readonly string[],
  basePath = '/v1',
): Target {
  return {
    name,
    basePath,
    readyPath: `${basePath}/pets?limit=20`,
    command: (port) => [process.execPath, ...words(`${port}`)],
  };
}
