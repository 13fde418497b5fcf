import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '../dev/check/project-files.ts';
import { linkSnippet, snippetsOf } from './snippet.ts';

const snippets = snippetsOf(readFileSync(new URL('test-runners.md', import.meta.url), 'utf8'));
const codeOf = (mark: string): string =>
  snippets
    .filter((snippet) => snippet.mark === mark)
    .map((snippet) => linkSnippet(snippet, (name) => import.meta.resolve(name)))
    .join('');

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-runners-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

const run = async (name: string, code: string, ...words: readonly string[]): Promise<string> => {
  await writeFile(join(folder, name), code);
  // A runner of node:test that runs in another says less.
  const env = { ...process.env, NO_COLOR: '1', NODE_TEST_CONTEXT: undefined };
  const ended = promisify(execFile)(process.execPath, words, { cwd: folder, env });
  return (await ended.catch((error: { stdout: string }) => error)).stdout;
};

test(
  'the snippet for vitest judges a server, and skips what was not tested',
  { timeout: 120_000 },
  async () => {
    const vitest = join(projectRoot, 'node_modules/vitest/vitest.mjs');
    const out = await run('vitest.test.mjs', codeOf('vitest'), vitest, 'run', '--root', folder);
    expect(out).toMatch(/Tests +1\d\d passed \| \d+ skipped/);
    expect(out).not.toContain('failed');
  },
);

test(
  'the snippet for node:test judges a server, and skips what was not tested',
  { timeout: 120_000 },
  async () => {
    const out = await run(
      'runner.mjs',
      codeOf('node'),
      '--test',
      '--test-reporter=tap',
      'runner.mjs',
    );
    expect(out).toMatch(/# pass 1\d\d\n# fail 0\n# cancelled 0\n# skipped [1-9]\d*\n/);
  },
);
