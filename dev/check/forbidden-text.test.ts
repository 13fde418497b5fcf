import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listProjectFiles, projectRoot } from './project-files.ts';

/** Written in parts, so that this file does not hold them itself. */
const forbidden = [
  ['/wo', 'rk/'],
  ['/ro', 'ot/'],
  ['.libr', 'ary/'],
  ['registry.', 'npmjs.org'],
  ['registry.', 'yarnpkg.com'],
  ['npm.', 'pkg.github.com'],
  ['deb.', 'debian.org'],
].map((parts) => parts.join(''));

const forbiddenIn = (text: string): readonly string[] =>
  forbidden.filter((one) => text.includes(one));

describe('the project', () => {
  test('contains no local path and no registry host', () => {
    const faults = listProjectFiles().flatMap((path) =>
      forbiddenIn(readFileSync(join(projectRoot, path), 'utf8')).map((one) => `${path}: ${one}`),
    );
    expect(faults).toEqual([]);
  });
});

test('a forbidden text is found', () => {
  const path = ['', 'work', 'main'].join('/');
  expect(forbiddenIn(`see ${path}`)).toHaveLength(1);
});
