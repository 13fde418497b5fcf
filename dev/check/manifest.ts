import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './project-files.ts';

/** The parts of a `package.json` that the checks read, or of one package in a lock file. */
export interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
  readonly bin: Readonly<Record<string, string>>;
  /** Globs of what is published. */
  readonly files: readonly string[];
  /** All that an installed package may count on: dependencies, optional ones and peers. */
  readonly dependencies: Readonly<Record<string, string>>;
}

export function readManifest(value: unknown): Manifest {
  return {
    scripts: textsOf(memberOf(value, 'scripts')),
    bin: textsOf(memberOf(value, 'bin')),
    files: Object.values(textsOf(memberOf(value, 'files'))),
    dependencies: {
      ...textsOf(memberOf(value, 'peerDependencies')),
      ...textsOf(memberOf(value, 'optionalDependencies')),
      ...textsOf(memberOf(value, 'dependencies')),
    },
  };
}

export function readProjectJson(path: string): unknown {
  return JSON.parse(readFileSync(join(projectRoot, path), 'utf8'));
}

export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? new Map<string, unknown>(Object.entries(value)).get(name)
    : undefined;
}

function textsOf(value: unknown): Readonly<Record<string, string>> {
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return Object.fromEntries(
    members.flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : [])),
  );
}
