import { readFileSync } from 'node:fs';
import { dirname, join, matchesGlob } from 'node:path';
import { describe, expect, test } from 'vitest';
import node from '../../.ci/node/package.json' with { type: 'json' };
import manifest from '../../package.json' with { type: 'json' };
import { type LockFile, listAddressed, listInstallScripts, listUnpinned } from './lock-file.ts';
import { linksOf } from './markdown.ts';
import { listProjectFiles, projectRoot } from './project-files.ts';

const textOf = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');

/** Packages with an install script, and why nothing is lost where npm does not run it. */
const refusedScripts = {
  '@scarf/scarf': 'it reports to its maker, and does nothing else',
};

describe('the published package', () => {
  test('has commands that a shell can start', () => {
    const sources = Object.values(manifest.bin).map((path) =>
      path.replace(/^dist\//, '').replace(/\.js$/, '.ts'),
    );
    expect(sources.filter((path) => !textOf(path).startsWith('#!/usr/bin/env node\n'))).toEqual([]);
    expect(sources.length).toBeGreaterThan(0);
  });

  test('holds the data files that the commands read', () => {
    const commands = listProjectFiles().filter(
      (path) => /^cli\/(?!maintenance\/).*\.ts$/.test(path) && !path.endsWith('.test.ts'),
    );
    const data = commands.flatMap((path) =>
      [...textOf(path).matchAll(/packageFile\('([^']+)'\)/g)].map(([, file = '']) => file),
    );
    const published = ['package.json', ...manifest.files];
    expect(data.filter((file) => !published.some((glob) => matchesGlob(file, glob)))).toEqual([]);
    expect(data).toContain('openapi.yaml');
  });

  test('holds the files that its pages link to, but for pictures, which the registry takes from the repository', () => {
    // npm always publishes these.
    const globs = ['package.json', 'README.md', 'LICENSE', ...manifest.files];
    const published = listProjectFiles().filter((path) =>
      globs.some((glob) => path.startsWith(`${glob}/`) || matchesGlob(path, glob)),
    );
    const isThere = (path: string): boolean =>
      published.some((file) => file === path || file.startsWith(`${path.replace(/\/$/, '')}/`));
    const missing = published
      .filter((path) => path.endsWith('.md'))
      .flatMap((path) =>
        linksOf(textOf(path))
          .map((link) => join(dirname(path), link))
          .filter((link) => !isThere(link) && !link.endsWith('.png'))
          .map((link) => `${path}: ${link}`),
      );
    expect(missing).toEqual([]);
  });
});

const lockFiles = listProjectFiles().filter((path) => path.endsWith('package-lock.json'));

describe.each(lockFiles)('%s', (file) => {
  const lock: LockFile = JSON.parse(textOf(file));

  test('names no address to download from', () => {
    expect(textOf(file)).not.toMatch(/"resolved": "[a-z+]+:/);
    expect(listAddressed(lock)).toEqual([]);
    expect(textOf('.npmrc')).toContain('omit-lockfile-registry-resolved=true\n');
  });

  test('has the SHA-512 of all that npm fetches', () => {
    expect(listUnpinned(lock)).toEqual([]);
  });
});

describe('the lock file of the project', () => {
  const lock: LockFile = JSON.parse(textOf('package-lock.json'));

  test('names no package with an install script but those whose script is refused', () => {
    const refused = new Map(Object.entries(refusedScripts));
    const names = listInstallScripts(lock).map((path) => path.replace(/^.*node_modules\//, ''));
    expect(names.filter((name) => !refused.has(name))).toEqual([]);
    expect([...refused.keys()].filter((name) => !names.includes(name))).toEqual([]);
    expect(manifest.allowScripts).toEqual(
      Object.fromEntries([...refused.keys()].map((name) => [name, false])),
    );
    expect(textOf('.npmrc')).toContain('strict-allow-scripts=true\n');
  });

  test('gives the project one Node for each platform, and it is the one in the PATH', () => {
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

  test('is found to fetch what it does not pin, and to run what it fetches', () => {
    const integrity = `sha512-${'A'.repeat(86)}==`;
    const packages = {
      '': {},
      '.ci/own': {},
      'node_modules/own': { resolved: '.ci/own', link: true },
      'node_modules/a': { integrity },
      'node_modules/b': { integrity: 'sha1-AAAA', resolved: 'https://example.com/b.tgz' },
      'node_modules/a/node_modules/c': { hasInstallScript: true },
      '.ci/own/node_modules/d': { integrity, hasInstallScript: true },
    };
    expect(listUnpinned({ packages })).toEqual(['node_modules/b', 'node_modules/a/node_modules/c']);
    expect(listAddressed({ packages })).toEqual(['node_modules/b']);
    expect(listInstallScripts({ packages })).toEqual([
      'node_modules/a/node_modules/c',
      '.ci/own/node_modules/d',
    ]);
  });
});
