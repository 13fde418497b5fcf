import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Plugin } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleForBrowser, openPage } from '../dev/check/browser.ts';
import { findChromium } from '../test/page/browser.ts';
import { projectRoot } from '../dev/check/project-files.ts';
import { loadContract } from '../contract/index.ts';
import { renderApiTypes } from '../dev/build/types.ts';
import { linkSnippet, snippetsOf } from './snippet.ts';

const snippets = snippetsOf(readFileSync(new URL('integrations.md', import.meta.url), 'utf8'));
const marked = (mark: string) => snippets.filter((snippet) => snippet.mark === mark);

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'integrations-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

const run = async (
  ...words: readonly string[]
): Promise<{ readonly code: number | null; readonly out: string }> => {
  const child = spawn(process.execPath, words, {
    cwd: projectRoot,
    env: { ...process.env, NO_COLOR: '1' },
  });
  const parts: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => parts.push(part));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, out: Buffer.concat(parts).toString() };
};

const write = async (name: string, code: string): Promise<string> => {
  await writeFile(join(folder, name), code);
  return join(folder, name);
};

/** A module that is not a file, and Vite's `?raw`. */
const serveText = (entry: string, code: string): Plugin => ({
  name: 'text',
  resolveId: (name) => (name === entry || name.endsWith('?raw') ? name : null),
  load(name) {
    if (name === entry) return code;
    return name.endsWith('?raw')
      ? {
          code: `export default ${JSON.stringify(readFileSync(name.slice(0, -4), 'utf8'))};`,
          moduleType: 'js',
        }
      : null;
  },
});

test('every integration has a snippet', () => {
  expect(snippets.map(({ mark }) => mark)).toEqual([
    '',
    '',
    '',
    '',
    '',
    'browser',
    'vitest',
    'vitest',
    'types',
  ]);
});

test.each([...marked(''), ...marked('types')].map((snippet, at) => [at + 1, snippet] as const))(
  'snippet %d prints what it says',
  async (at, snippet) => {
    const file = await write(
      `snippet-${at}.mts`,
      linkSnippet(snippet, (name) => import.meta.resolve(name)),
    );
    expect(await run(file)).toEqual({ code: 0, out: `${snippet.prints.join('\n')}\n` });
    expect(snippet.prints.length).toBeGreaterThan(0);
  },
);

test('the vitest snippets pass', { timeout: 60_000 }, async () => {
  for (const [at, snippet] of marked('vitest').entries())
    await write(
      `page-${at}.test.ts`,
      linkSnippet(snippet, (name) => import.meta.resolve(name)),
    );
  const vitest = join(projectRoot, 'node_modules/vitest/vitest.mjs');
  const { code, out } = await run(vitest, 'run', '--root', folder);
  expect([code, out]).toEqual([0, expect.stringMatching(/Test Files +2 passed/)]);
});

test('the types match the document', { timeout: 60_000 }, async () => {
  const { document } = await loadContract({ file: join(projectRoot, 'openapi.yaml') });
  const [snippet] = marked('types');
  const code =
    snippet === undefined
      ? ''
      : linkSnippet(snippet, String).replaceAll(
          /'file:[^']*\/openapi\.d\.ts'/g,
          "'./openapi.d.ts'",
        );
  await write('openapi.d.ts', renderApiTypes(document));
  const flags =
    '--ignoreConfig --noEmit --strict --pretty false --module nodenext --lib es2024,dom --types';
  const { out } = await run(
    join(projectRoot, 'node_modules/typescript/bin/tsc'),
    ...flags.split(' '),
    '',
    await write('types.mts', code),
    await write('wrong.mts', code.replace("'available'", "'lost'")),
  );
  expect(out).toMatch(/^\S*wrong\.mts.*"lost"/);
  expect(out).not.toMatch(/^\S*types\.mts/m);
});

describe.skipIf(findChromium() === undefined)('in a browser (skipped without Chromium)', () => {
  test('the snippet starts a mock', { timeout: 60_000 }, async () => {
    const [snippet] = marked('browser');
    const code =
      snippet === undefined ? '' : linkSnippet(snippet, String).replaceAll('file://', '');
    const entry = join(projectRoot, 'docs/page.ts');
    const bundle = await bundleForBrowser(entry, [
      serveText(entry, `${code}\nObject.assign(globalThis, { started: true });\n`),
    ]);
    await using opened = await openPage(bundle, 'page');
    await opened.page.waitForFunction('globalThis.started');
    const status = await opened.page.evaluate(
      async () =>
        (
          await fetch('https://api.example.com/v1/pets', {
            headers: { Authorization: 'Bearer demo-free' },
          })
        ).status,
    );
    expect(status).toBe(200);
  });
});
