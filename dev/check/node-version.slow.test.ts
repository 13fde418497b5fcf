import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { installPackage, linkPackage } from './packed-package.ts';
import { projectRoot } from './project-files.ts';

const least = manifest.engines.node.replace('>=', '');
const entries = Object.keys(manifest.exports).filter((name) => !/\.(json|yaml)$|types$/.test(name));

/** A Node older than the package needs, where this machine has one. */
const oldNode = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'node'))
  .filter((path) => existsSync(path))
  .map((path) => ({ path, version: execFileSync(path, ['-p', 'process.versions.node']) }))
  .map(({ path, version }) => ({ path, version: version.toString().trim() }))
  .find(({ version }) => version.localeCompare(least, 'en', { numeric: true }) < 0);

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-node-'));
  await installPackage(join(folder, 'node_modules/petstore-contract'));
  for (const name of ['msw', 'vitest'])
    await linkPackage(join(projectRoot, 'node_modules', name), folder, name);
  await mkdir(join(folder, 'checkout/dev'), { recursive: true });
  for (const path of ['package.json', 'dev/run.cjs'])
    await cp(join(projectRoot, path), join(folder, 'checkout', path));
  await writeFile(join(folder, 'checkout/main.mjs'), 'console.log(process.argv.slice(2).join());');
}, 120_000);
afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** The words after `node`; the first is the folder in which it runs. */
type Run = readonly string[];

const petstore: Run = ['.', 'node_modules/petstore-contract/dist/cli/petstore.js', '--version'];
const start: Run = ['checkout', 'dev/run.cjs', 'main.mjs', 'mock', '--port'];
const load = (entry: string): Run => [
  '.',
  '--input-type=module',
  '--eval',
  `await import('petstore-contract${entry.slice(1)}'); console.log('loaded');`,
];

const run = async (
  node: string,
  [place = '', ...words]: Run,
  flags: readonly string[] = [],
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> => {
  const cwd = join(folder, place);
  const ended = promisify(execFile)(node, [...flags, ...words], { cwd });
  return await ended.then(
    (written) => ({ code: 0, ...written }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
};

/** Runs it in this Node, which says that it is another version. */
const runAs = async (version: string, what: Run): ReturnType<typeof run> => {
  const file = join(folder, `as-${version}.cjs`);
  const versions = `{ ...process.versions, node: '${version}' }`;
  await writeFile(file, `Object.defineProperty(process, 'versions', { value: ${versions} });`);
  return await run(process.execPath, what, ['--require', file]);
};

describe.each(['22.18.9', '20.20.2'])('Node %s', (version) => {
  test('gets the required version from the command', async () => {
    const { code, stdout, stderr } = await runAs(version, petstore);
    expect([code, stdout, stderr]).toEqual([
      2,
      '',
      `petstore: Node.js 22.19 or newer is required; this is ${version}.\n`,
    ]);
  });

  test.each(entries)('gets the required version from the module %s', async (entry) => {
    const { code, stdout, stderr } = await runAs(version, load(entry));
    expect([code, stdout, stderr]).toEqual([
      1,
      '',
      expect.stringContaining(
        `Error: petstore-contract needs Node ${least} or newer, and this is Node ${version}.`,
      ),
    ]);
  });
});

test.each([petstore, ...entries.filter((name) => name !== './vitest').map(load)])(
  'the minimum Node version of the package is accepted by %j',
  async (...what) => {
    expect(least).toMatch(/^22\.19\./);
    expect(await runAs(least, what)).toMatchObject({ code: 0, stderr: '' });
  },
);

describe('a script of package.json', () => {
  test('reports what is missing before it runs a module', () => {
    const modules = Object.values(manifest.scripts).filter((script) => script.startsWith('node '));
    expect(modules.filter((script) => !/^node (--\S+ )*dev\/run\.cjs /.test(script))).toEqual([]);
    expect(modules.length).toBeGreaterThan(9);
  });

  test('names npm ci where nothing is installed', async () => {
    expect(await run(process.execPath, start)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `petstore-contract: Run \`npm ci\` first. It installs the packages and the Node that this project runs on. This is Node ${process.versions.node}.\n`,
    });
  });

  test('runs a module with its arguments, and rejects a Node that is too old', async () => {
    await mkdir(join(folder, 'checkout/node_modules'));
    expect(await runAs(least, start)).toMatchObject({ code: 0, stdout: 'mock,--port\n' });
    expect(await runAs('20.0.0', start)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(`Node ${least} or newer is needed`),
    });
    await rm(join(folder, 'checkout/node_modules'), { recursive: true });
  });
});

describe.skipIf(oldNode === undefined)(
  `an old Node (${oldNode?.version ?? 'skipped: this machine has none'})`,
  () => {
    test.each([petstore, start, ...entries.map(load)])(
      'gets no other error: %j',
      async (...what) => {
        const { code, stderr } = await run(oldNode?.path ?? '', what);
        expect([code > 0, stderr]).toEqual([
          true,
          expect.stringMatching(/22\.19(\.0)? or newer|Run `npm ci` first/),
        ]);
      },
    );
  },
);
