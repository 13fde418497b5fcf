import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFile } from '../package/package-root.ts';

/** Runs a command in a folder that has these files and nothing else. */
const runIn = (files: Readonly<Record<string, string>>, ...words: readonly string[]) => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-config-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [packageFile('cli/petstore.ts'), ...words],
    { cwd: folder, encoding: 'utf8' },
  );
  rmSync(folder, { recursive: true });
  return { status, stdout, stderr };
};

const typed = `import type { Config } from 'petstore-contract/config';
import { timeout } from './shared.ts';
export default { conform: { timeout }, 'certify-client': { list: true } } satisfies Config;
`;
const shared = { 'shared.ts': 'export const timeout: number = 3;' };

test.each([
  ['no package', {}],
  ['a package of CommonJS', { 'package.json': '{"type":"commonjs"}' }],
  ['a package that does not say', { 'package.json': '{}' }],
])(
  'a file in TypeScript is read in a folder with %s',
  (_, files) => {
    const ran = runIn({ ...files, ...shared, 'petstore.config.ts': typed }, 'certify-client');
    expect(ran.stderr).toBe('petstore certify-client: options from petstore.config.ts: list.\n');
    expect([ran.status, ran.stdout]).toEqual([0, expect.stringContaining('plain')]);
  },
  60_000,
);

test.each(['js', 'mjs', 'mts'])(
  'as is one that ends in .%s',
  (ending) => {
    const text = "export default { 'certify-client': { list: true } };";
    const files = { 'package.json': '{"type":"commonjs"}', [`petstore.config.${ending}`]: text };
    expect(runIn(files, 'certify-client')).toMatchObject({ status: 0 });
  },
  60_000,
);

test.each([
  ['export const mock = {};', 'petstore.config.ts has no default export. It must have '],
  ['export default {', 'petstore.config.ts cannot be run: line 1: '],
  ['\nthrow new Error("not today");', 'petstore.config.ts cannot be run: not today.'],
  [
    "import { defineConfig } from 'petstore-contract/config';\nexport default defineConfig({});",
    "Install it here, or take only its types: import type { Config } from 'petstore-contract/config'.",
  ],
  ['export default { mock: { prot: 1 } };', 'petstore.config.ts: /mock/prot is no option of mock.'],
  [
    'export default { mock: { port: () => 1 } };',
    '/mock/port must be a whole number, not a function.',
  ],
])(
  '%j is refused',
  (text, told) => {
    const { status, stderr } = runIn({ 'petstore.config.ts': text }, 'certify-client', '--list');
    expect([status, stderr]).toEqual([2, expect.stringContaining(told)]);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  },
  60_000,
);

test('two files in one folder are refused, and neither with --no-config', () => {
  const files = { 'petstore.config.ts': 'export default {};', 'petstore.config.json': '{}' };
  expect(runIn(files, 'certify-client', '--list')).toMatchObject({
    status: 2,
    stderr:
      'petstore certify-client: There are petstore.config.ts and petstore.config.json. Remove one of them, or say with --config which is meant.\n',
  });
  expect(runIn(files, 'certify-client', '--list', '--no-config').status).toBe(0);
}, 60_000);
