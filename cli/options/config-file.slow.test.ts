import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadDefinitions } from '../main.ts';
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
  const made = readdirSync(folder).filter((name) => !Object.hasOwn(files, name));
  rmSync(folder, { recursive: true });
  return { status, stdout, stderr, made };
};

const chosen = (ending: string) => ['--config', `petstore.config.${ending}`];

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
    const ran = runIn(
      { ...files, ...shared, 'petstore.config.ts': typed },
      'certify-client',
      ...chosen('ts'),
    );
    expect(ran.stderr).toBe('petstore certify-client: options from petstore.config.ts: list.\n');
    expect([ran.status, ran.stdout]).toEqual([0, expect.stringContaining('plain')]);
  },
  60_000,
);

test.each(['js', 'mjs', 'mts'])(
  'a file that ends in .%s is read too',
  (ending) => {
    const text = "export default { 'certify-client': { list: true } };";
    const files = { 'package.json': '{"type":"commonjs"}', [`petstore.config.${ending}`]: text };
    expect(runIn(files, 'certify-client', ...chosen(ending))).toMatchObject({ status: 0 });
  },
  60_000,
);

test.each([
  ['export const mock = {};', 'petstore.config.ts has no default export. It must have '],
  ['export default {', 'petstore.config.ts cannot be run: line 1: '],
  ['\nthrow new Error("not today");', 'petstore.config.ts cannot be run: not today.'],
  [
    "export default { 'certify-client': { prot: 1 } };",
    'petstore.config.ts: /certify-client/prot is not an option of certify-client.',
  ],
  [
    "export default { 'certify-client': { port: () => 1 } };",
    '/certify-client/port must be a string, a number, true or false.',
  ],
])(
  '%j is refused',
  (text, output) => {
    const files = { 'petstore.config.ts': text };
    const { status, stderr } = runIn(files, 'certify-client', '--list', ...chosen('ts'));
    expect([status, stderr]).toEqual([2, expect.stringContaining(output)]);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  },
  60_000,
);

const endings = ['ts', 'mts', 'js', 'mjs'];
const code = `import { writeFileSync } from 'node:fs'; writeFileSync('ran', ''); export default {};`;

/** A folder of a stranger: code, and JSON that every command which reads it refuses. */
const planted = {
  ...Object.fromEntries(endings.map((ending) => [`petstore.config.${ending}`, code])),
  'petstore.config.json': '{"unknown": {}}',
};

test.for((await loadDefinitions()).filter(({ ignoresSettings }) => !ignoresSettings))(
  '$name runs only code that was named, and reads no configuration next to foreign files',
  { timeout: 60_000 },
  ({ name, readsForeignFiles = false }) => {
    const { stderr, made } = runIn(
      planted,
      name,
      ...(name === 'diff' ? ['http://a', 'http://b'] : []),
    );
    expect(made).toEqual([]);
    expect(stderr.includes('/unknown is not a command')).toBe(!readsForeignFiles);
  },
);

test('an ignored file is reported, unless none is wanted', () => {
  const files = { 'petstore.config.ts': code, 'petstore.config.json': '{}' };
  expect(runIn(files, 'certify-client', '--list')).toMatchObject({
    status: 0,
    stderr:
      'petstore certify-client: petstore.config.ts is not read. Use --config petstore.config.ts to read it.\n',
  });
  expect(runIn(files, 'certify-client', '--list', '--no-config').stderr).toBe('');
  expect(runIn(files, 'lint', 'x.yaml').stderr).toContain(
    'petstore lint: petstore.config.json is not read. Use --config petstore.config.json to read it.\n',
  );
}, 60_000);

test.for(['verify', 'judge', 'judge-journal', 'merge', 'lint', 'resources'])(
  '%s reads foreign files',
  async (command) => {
    const definition = (await loadDefinitions()).find(({ name }) => name === command);
    expect(definition?.readsForeignFiles).toBe(true);
  },
);
