import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packageFile } from '../../cli/package/package-root.ts';
import { limitTables } from './limit-tables.ts';

test('each limit is named by a test, which takes what is within it and refuses what is over', () => {
  const tests = globSync('{*,*/**}/*.test.ts', {
    cwd: packageFile('.'),
    exclude: (name) => name === 'node_modules' || name === 'dist',
  }).map((path) => readFileSync(packageFile(path), 'utf8'));
  const names = limitTables.flatMap(({ name, limits }) =>
    Object.keys(limits).map((key) => `${name}.${key}`),
  );
  const untested = names.filter((name) => !tests.some((text) => text.includes(name)));
  expect(untested).toEqual([]);
});
