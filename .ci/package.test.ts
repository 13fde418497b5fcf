import { readFileSync } from 'node:fs';
import { dirname, join, matchesGlob } from 'node:path';
import { describe, expect, test } from 'vitest';
import { missingInLock } from './lock-file.ts';
import { readManifest, readProjectJson } from './manifest.ts';
import { linksOf } from './markdown.ts';
import { listProjectFiles, projectRoot } from './project-files.ts';

const manifest = readManifest(readProjectJson('package.json'));
const textOf = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');

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

describe('the lock file', () => {
  const lock = readProjectJson('package-lock.json');

  test('has every package that it names, so that npm ci takes it', () => {
    expect(missingInLock(lock)).toEqual([]);
  });

  test('names no address to download from', () => {
    expect(textOf('package-lock.json')).not.toMatch(/"resolved": "[a-z+]+:/);
  });

  test('is found incomplete where a package is missing', () => {
    const packages = {
      '': { dependencies: { a: '1' } },
      'node_modules/a': { optionalDependencies: { b: '1', c: '1' }, peerDependencies: { d: '1' } },
      'node_modules/a/node_modules/b': { dependencies: { c: '1' } },
    };
    expect(missingInLock({ packages })).toEqual([
      'node_modules/a > c',
      'node_modules/a/node_modules/b > c',
    ]);
    expect(missingInLock({ packages: { ...packages, 'node_modules/c': {} } })).toEqual([]);
  });
});
