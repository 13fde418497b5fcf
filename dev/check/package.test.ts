import { readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { describe, expect, test } from 'vitest';
import node from '../../.ci/node/package.json' with { type: 'json' };
import manifest from '../../package.json' with { type: 'json' };
import { listProjectFiles, projectRoot } from './project-files.ts';

const textOf = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');

/** A lock file of npm, as far as the checks read it. */
interface LockFile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

interface LockedPackage {
  readonly version?: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
}

/** The places of what npm fetches: all but this project, its workspaces and the links to them. */
const listFetched = (
  { packages }: LockFile,
  isWanted: (entry: LockedPackage) => boolean,
): readonly string[] =>
  Object.entries(packages)
    .filter(([path, entry]) => path.includes('node_modules/') && entry.link !== true)
    .filter(([, entry]) => isWanted(entry))
    .map(([path]) => path);

describe('the published package', () => {
  test('has executable commands', () => {
    const sources = Object.values(manifest.bin).map((path) =>
      path.replace(/^dist\//, '').replace(/\.js$/, '.ts'),
    );
    expect(sources.filter((path) => !textOf(path).startsWith('#!/usr/bin/env node\n'))).toEqual([]);
    expect(sources.length).toBeGreaterThan(0);
  });

  test('contains the data files that the commands read', () => {
    const commands = listProjectFiles().filter(
      (path) => /^cli\/(?!maintenance\/).*\.ts$/.test(path) && !path.endsWith('.test.ts'),
    );
    const data = commands.flatMap((path) =>
      [...textOf(path).matchAll(/packageFile\('([^']+)'\)/g)].map(([, file = '']) => file),
    );
    const published = ['package.json', 'dist/**', ...manifest.files];
    expect(data.filter((file) => !published.some((glob) => matchesGlob(file, glob)))).toEqual([]);
    expect(data).toContain('openapi.yaml');
  });
});

const lockFiles = listProjectFiles().filter((path) => path.endsWith('package-lock.json'));

describe.each(lockFiles)('%s', (file) => {
  const lock: LockFile = JSON.parse(textOf(file));

  test('contains no download address', () => {
    expect(listFetched(lock, ({ resolved }) => resolved !== undefined)).toEqual([]);
    expect(textOf('.npmrc')).toContain('omit-lockfile-registry-resolved=true\n');
  });

  test('has the SHA-512 of everything that npm fetches', () => {
    const isSha512 = /^sha512-[A-Za-z0-9+/]{86}==$/;
    expect(listFetched(lock, ({ integrity = '' }) => !isSha512.test(integrity))).toEqual([]);
  });
});

describe('the lock file of the project', () => {
  const lock: LockFile = JSON.parse(textOf('package-lock.json'));

  test('has no install scripts except those that npm is configured to refuse', () => {
    const scripts = listFetched(lock, ({ hasInstallScript }) => hasInstallScript === true);
    expect(manifest.allowScripts).toEqual(
      Object.fromEntries(scripts.map((path) => [path.replace(/^.*node_modules\//, ''), false])),
    );
    expect(textOf('.npmrc')).toContain('strict-allow-scripts=true\n');
  });

  test('gives the project one Node for each platform, and it is first in PATH', () => {
    const binaries = node.optionalDependencies;
    const placed = Object.keys(binaries).map((name) => {
      const entry = lock.packages[`node_modules/${name}`];
      return [name, entry?.version, entry?.bin?.['node']];
    });
    const program = (name: string): string =>
      `bin/node${name.startsWith('node-win-') ? '.exe' : ''}`;
    expect(placed).toEqual(
      Object.entries(binaries).map(([name, version]) => [name, version, program(name)]),
    );
    expect(placed.length).toBeGreaterThan(3);
  });
});
