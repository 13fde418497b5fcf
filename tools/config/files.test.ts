import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { packageFile } from '../../cli/package/package-root.ts';
import { renderConfigFiles } from './files.ts';

test('the schema and the types have every flag of every command: else run `npm run config`', async () => {
  for (const [path, text] of await renderConfigFiles())
    expect([path, await readFile(packageFile(path), 'utf8')]).toEqual([path, text]);
});
