import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { linkPackage, packPackage } from './packed-package.ts';
import { projectRoot } from './project-files.ts';

const runFile = promisify(execFile);

/**
 * Installs a tarball into an empty folder like `npm install`, but without a network: undici comes from this
 * project.
 */
async function installTarball(tarball: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  const options = ['--offline', '--install-links', '--ignore-scripts'];
  const undici = join(projectRoot, 'node_modules/undici');
  await runFile('npm', ['install', ...options, tarball, undici], { cwd: folder });
}

/** Number of packages installed in a folder. */
async function countPackages(folder: string): Promise<number> {
  const lock: { readonly packages: object } = JSON.parse(
    await readFile(join(folder, 'node_modules/.package-lock.json'), 'utf8'),
  );
  return Object.keys(lock.packages).length;
}

/** Disk usage of a folder in megabytes: each file takes whole blocks of 4 KiB, as `du` counts. */
async function sizeOnDisk(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    entries.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
  );
  return sizes.reduce((sum, size) => sum + Math.ceil(size / 4096) * 4096, 0) / 1e6;
}

const tool = (path: string): string => join(projectRoot, 'dev/packaging/node_modules', path);

/** That of `dev/runtimes`, where npm has one for this platform. */
const ownNode = (major: string): string =>
  globSync(join(projectRoot, `dev/runtimes/node_modules/node${major}-*/bin/node`))[0] ?? '';

/** By major version. The least minor of 22 that is taken is tried in node-version.slow.test.ts. */
const nodes = [
  ['22', ownNode('22')],
  ['24', process.execPath],
  ['26', ownNode('26')],
] as const;

const hasNoTools = !existsSync(tool(''));
const why = hasNoTools ? ' (skipped: `node dev/run.cjs dev/install.ts dev/packaging`)' : '';

let folder = '';
let tarball = '';
const mocks: ChildProcess[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-packed-'));
  tarball = await packPackage(folder);
  await installTarball(tarball, join(folder, 'user'));
}, 240_000);

afterAll(async () => {
  // The mock is a child of npx and of a shell: the whole group ends.
  for (const { pid } of mocks) if (pid !== undefined) process.kill(-pid);
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** Runs the command of the package: by npx on the Node that tests run on, on others by themselves. */
const command = (node: string, words: readonly string[]) => {
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env['PATH']}` };
  const options = { cwd: join(folder, 'user'), env };
  const isOwn = node === process.execPath;
  const program = isOwn ? 'npx' : node;
  const first = isOwn
    ? ['--no', '--', 'petstore-contract']
    : ['node_modules/.bin/petstore-contract'];
  return [program, [...first, ...words], options] as const;
};

/** Starts a mock, and gives its address. */
const startMock = async (node: string): Promise<string> => {
  const [program, words, options] = command(node, ['mock', '--port', '0']);
  const child = spawn(program, words, { ...options, detached: true });
  mocks.push(child);
  child.stderr.resume();
  let text = '';
  for await (const chunk of child.stdout) {
    text += String(chunk);
    const url = /http:\/\/\S+\/v1/.exec(text)?.[0];
    if (url !== undefined) return url;
  }
  throw new Error(`the mock ended: ${text}`);
};

describe('the packed package', () => {
  test('is at most 12 MB and 15 packages where it is installed', async () => {
    const user = join(folder, 'user');
    const count = await countPackages(user);
    expect([count <= 15, count]).toEqual([true, expect.any(Number)]);
    expect(await sizeOnDisk(join(user, 'node_modules'))).toBeLessThanOrEqual(12);
  });

  test.skipIf(hasNoTools)(`is in order for publint${why}`, { timeout: 60_000 }, async () => {
    const { stdout } = await runFile(process.execPath, [
      tool('publint/src/cli.js'),
      'run',
      tarball,
      '--strict',
    ]);
    expect(stdout).toContain('All good!');
  });

  test.skipIf(hasNoTools)(
    `has types that resolve as its modules do, for all but its data${why}`,
    { timeout: 60_000 },
    async () => {
      const { stdout } = await runFile(process.execPath, [
        tool('@arethetypeswrong/cli/dist/index.js'),
        tarball,
        '--profile',
        'esm-only',
        '--exclude-entrypoints',
        'openapi.yaml',
        '--no-color',
      ]);
      // It exits with 1 for a problem.
      expect(stdout).toContain('node16 (from ESM): 🟢 (ESM)');
    },
  );

  test('has types that compile without skipLibCheck', { timeout: 60_000 }, async () => {
    const user = join(folder, 'user');
    await linkPackage(join(projectRoot, 'node_modules/@types/node'), user, '@types/node');
    await linkPackage(join(projectRoot, 'node_modules/undici-types'), user, 'undici-types');
    // The types of msw and vitest are not ours.
    const entries = Object.keys(manifest.exports).filter(
      (entry) => !/msw|vitest|\.yaml|\.json/.test(entry),
    );
    const imports = entries.map(
      (entry) => `import type {} from 'petstore-contract${entry.slice(1)}';`,
    );
    await writeFile(join(user, 'types.mts'), imports.join('\n'));
    const options = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--types',
      'node',
      'types.mts',
    ];
    const compiler = join(projectRoot, 'node_modules/typescript/bin/tsc');
    const ended = runFile(process.execPath, [compiler, ...options], { cwd: user });
    // Its errors are on its standard output.
    expect(await ended.catch((error: unknown) => error)).toMatchObject({ stdout: '' });
  });

  describe.each(nodes)('on Node %s', (major, node) => {
    const reason = existsSync(node)
      ? ''
      : ' (skipped: dev/runtimes is not installed, or npm has no such Node for this platform)';

    test.skipIf(reason !== '')(
      `starts the mock and judges it with 60 requests${reason}`,
      // Beside all other tests, Node 26 sometimes did not end by npx. The cause is not known.
      { timeout: 60_000, retry: 2 },
      async () => {
        const { stdout: version } = await runFile(node, ['--version']);
        expect(version).toMatch(new RegExp(`^v${major}\\.`));
        const url = await startMock(node);
        const target = ['--base-url', url, '--api-key', 'demo-business', '--requests', '60'];
        const { stdout } = await runFile(...command(node, ['conform', ...target]));
        expect(stdout).toContain('conforms to Petstore 1.0.0');
      },
    );
  });
});
