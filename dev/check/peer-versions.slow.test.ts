import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { snippetsOf } from '../../docs/snippet.ts';
import { installPackage, linkPackage } from './packed-package.ts';
import { projectRoot } from './project-files.ts';

/** Where this project has each version, and which one that is. */
const places = [
  ['msw', '2', 'dev/peers/older'],
  ['msw', '3', '.'],
  ['vitest', '3', 'dev/peers/older'],
  ['vitest', '4', 'dev/peers/former'],
  ['vitest', '5', '.'],
] as const;

const folderOf = (name: string, place: string): string =>
  join(projectRoot, place, 'node_modules', name);
const versionIn = (folder: string): string => {
  const installed: { readonly version: string } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  return installed.version;
};

const snippets = snippetsOf(readFileSync(join(projectRoot, 'docs/integrations.md'), 'utf8'));
const [mswSnippet] = snippets.filter(({ code }) => code.includes("from 'msw/node'"));
const vitestSnippets = snippets.filter(({ mark }) => mark === 'vitest');

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-peers-'));
  await installPackage(join(folder, 'petstore-contract'));
}, 120_000);
afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** A project with that version of a peer and no other peer. */
const openProject = async (name: string, major: string, place: string): Promise<string> => {
  const project = join(folder, `${name}-${major}`);
  await linkPackage(folderOf(name, place), project, name);
  // A link would be followed to where no peer is.
  const own = join(project, 'node_modules/petstore-contract');
  await cp(join(folder, 'petstore-contract'), own, { recursive: true, verbatimSymlinks: true });
  await writeFile(join(project, 'package.json'), '{ "type": "module" }');
  return project;
};

const run = async (cwd: string, ...words: readonly string[]): Promise<string> => {
  const env = { ...process.env, NO_COLOR: '1' };
  const ended = promisify(execFile)(process.execPath, words, { cwd, env });
  const { stdout, stderr } = await ended.catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  return stdout + stderr;
};

const isInstalled = ['dev/peers/older', 'dev/peers/former'].every((place) =>
  existsSync(join(projectRoot, place, 'node_modules')),
);
const why = isInstalled ? '' : ' (skipped: `node dev/run.cjs dev/install.ts` installs the peers)';

test.skipIf(why !== '')(
  `every major that the package takes as a peer is tested, and no other${why}`,
  () => {
    const majors = (name: 'msw' | 'vitest'): readonly string[] =>
      manifest.peerDependencies[name]
        .split(' || ')
        .map((range) => /^\^(\d+)\.\d+\.\d+$/.exec(range)?.[1] ?? range);
    for (const name of ['msw', 'vitest'] as const)
      expect(majors(name)).toEqual(
        places.filter(([peer]) => peer === name).map(([, major]) => major),
      );
    const found = places.map(([name, , place]) => versionIn(folderOf(name, place)).split('.')[0]);
    expect(found).toEqual(places.map(([, major]) => major));
  },
);

test.skipIf(why !== '').each(places.filter(([name]) => name === 'msw'))(
  'the snippet for %s prints what it says with version %s',
  { timeout: 120_000 },
  async (...place) => {
    const project = await openProject(...place);
    await writeFile(join(project, 'snippet.js'), mswSnippet?.code ?? '');
    expect(await run(project, 'snippet.js')).toBe(`${mswSnippet?.prints.join('\n')}\n`);
  },
);

test.skipIf(why !== '').each(places.filter(([name]) => name === 'vitest'))(
  'the snippets for %s pass with version %s',
  { timeout: 120_000 },
  async (...place) => {
    const project = await openProject(...place);
    for (const [at, { code }] of vitestSnippets.entries())
      await writeFile(join(project, `page-${at}.test.js`), code);
    const out = await run(project, 'node_modules/vitest/vitest.mjs', 'run', '--root', project);
    expect(out).toMatch(/Test Files +2 passed/);
    expect(out).toContain(`v${versionIn(join(project, 'node_modules/vitest'))}`);
  },
);
