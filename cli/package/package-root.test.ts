import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packageFile } from './package-root.ts';

test('finds the files of this package', () => {
  expect(existsSync(packageFile('openapi.yaml'))).toBe(true);
  expect(existsSync(packageFile('cli/package/package-root.ts'))).toBe(true);
});
