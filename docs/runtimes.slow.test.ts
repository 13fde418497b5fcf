import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installPackage } from '../dev/check/installed-package.ts';
import { openPage } from '../dev/check/browser-page.ts';
import { createPageSender } from '../dev/check/browser-sender.ts';
import { runtimes, startRuntime } from '../dev/check/runtime.ts';
import { loadContract, type Contract } from '../contract/index.ts';
import { runConformance } from '../conformance/index.ts';
import { findChromium } from '../test/page/browser.ts';
import { type RolldownOutput, rolldown } from 'rolldown';
import { snippetsOf } from './snippet.ts';

const snippets = snippetsOf(readFileSync(new URL('runtimes.md', import.meta.url), 'utf8'));
const codeOf = (mark: string): string => snippets.find((one) => one.mark === mark)?.code ?? '';

/** A project of somebody who installed the package. */
let project = '';
const own = (path: string): string => join(project, 'node_modules/petstore-contract', path);

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'petstore-runtimes-'));
  await installPackage(own(''));
  await writeFile(join(project, 'package.json'), '{ "private": true, "type": "module" }');
}, 120_000);
afterAll(async () => {
  await rm(project, { recursive: true, force: true, maxRetries: 5 });
});

/** Judges a server by the command of the package. */
const judge = async (baseUrl: string): Promise<string> => {
  const words = ['conform', '--base-url', baseUrl, '--api-key', 'demo-business'];
  const command = [own('dist/cli/petstore.js'), ...words, '--requests', '60'];
  const ended = promisify(execFile)(process.execPath, command);
  return await ended.then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }: { stdout: string; stderr: string }) => `${stdout}${stderr}`,
  );
};

describe.each(runtimes)('on $name', (runtime) => {
  const { name, program } = runtime;
  const why =
    program === undefined
      ? ' (skipped: dev/runtimes is not installed, or npm has none for this platform)'
      : '';

  test.skipIf(why !== '')(
    `the file of the page starts a mock that conforms${why}`,
    { timeout: 120_000 },
    async () => {
      const folder = join(project, name);
      await mkdir(folder);
      const file = join(folder, 'mock.ts');
      await writeFile(file, codeOf(name === 'workerd' ? 'worker' : name));
      await using server = await startRuntime(runtime, file);
      const origin = `http://127.0.0.1:${server.port}`;
      expect(await judge(`${origin}/v1`)).toContain('conforms to Petstore 1.0.0');

      const headers = { authorization: 'Bearer demo-free' };
      const list = (): Promise<Response> =>
        fetch(`${origin}/v1/pets?limit=1`, { headers, method: 'HEAD' });
      const first = await list();
      expect([first.status, Number(first.headers.get('content-length'))]).toEqual([200, 59]);
      // A minute may end on the way, and the count with it.
      let last = first;
      for (let sent = 1; last.status === 200 && sent <= 120; sent += 1) last = await list();
      expect([last.status, Number(last.headers.get('retry-after')) > 0]).toEqual([429, true]);

      const { status } = await fetch(`${origin}/_mock/sandboxes`);
      expect(status).toBe(name === 'workerd' ? 404 : 200);
    },
  );
});

/** Bundles a snippet into one file, as the page says. */
const bundle = async (name: string, code: string): Promise<RolldownOutput['output']> => {
  const file = join(project, `${name}.ts`);
  await writeFile(file, code);
  await using bundled = await rolldown({ input: file, platform: 'browser' });
  const { output } = await bundled.generate({ codeSplitting: false, entryFileNames: '[name].js' });
  return output;
};

const noBrowser = findChromium() === undefined ? ' (skipped: this machine has no Chromium)' : '';

test.skipIf(noBrowser !== '')(
  `the service worker of the page answers for a server, and conforms${noBrowser}`,
  { timeout: 120_000 },
  async () => {
    const started = `${codeOf('page')}\nObject.assign(globalThis, { started: true });\n`;
    const [main, worker] = await Promise.all([
      bundle('page', started),
      bundle('service-worker', codeOf('serviceworker')),
    ]);
    await using opened = await openPage([...main, ...worker], 'page');
    const { page } = opened;
    await page.waitForFunction('globalThis.started');
    const contract: Contract = await loadContract({ file: own('openapi.yaml') });
    const report = await runConformance(
      contract,
      { baseUrl: new URL('/v1', page.url()).href, apiKey: 'demo-business' },
      { sender: createPageSender(page), requests: 60 },
    );
    expect(report.verdicts.filter(({ kind }) => kind === 'failed')).toEqual([]);
    expect(report.outcome).toBe('conforms');
    expect(report.run.requests).toBeGreaterThan(40);
    // Without the worker there is nothing at that address.
    expect((await fetch(new URL('/v1/pets', page.url()))).status).toBe(404);
  },
);
