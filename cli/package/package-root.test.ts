import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findPackageRoot, packageFile } from './package-root.ts';

const room = { folder: '' };

beforeEach(() => {
  room.folder = realpathSync(mkdtempSync(join(tmpdir(), 'package-root-')));
});

afterEach(() => {
  rmSync(room.folder, { recursive: true });
});

test('finds the files of this package', () => {
  expect(existsSync(packageFile('openapi.yaml'))).toBe(true);
  expect(existsSync(packageFile('cli/package/package-root.ts'))).toBe(true);
});

test('finds the same folder from source and from dist', () => {
  mkdirSync(join(room.folder, 'dist', 'cli'), { recursive: true });
  mkdirSync(join(room.folder, 'cli'));
  writeFileSync(join(room.folder, 'package.json'), '{}');
  expect(findPackageRoot(join(room.folder, 'cli'))).toBe(room.folder);
  expect(findPackageRoot(join(room.folder, 'dist', 'cli'))).toBe(room.folder);
});

test('says so where there is no package', () => {
  expect(() => findPackageRoot(parse(room.folder).root)).toThrow('no package.json');
});
