import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { chromium, type JSHandle, type Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { bundleForBrowser } from '../../.ci/browser-bundle.ts';
import { createMovableClock, runConformance } from '../../conformance/index.ts';
import type { Sender, WireRequest } from '../../conformance/sender.ts';
import { loadPetstore } from '../testing/contracts.ts';
import type { PageOptions } from './testing/page.ts';

const fileOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const bundle = await bundleForBrowser(fileOf('testing/page.ts'));
const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path));
const close: (() => Promise<unknown>)[] = [];

afterAll(async () => {
  for (const each of close.toReversed()) await each();
});

test('the mock and the contract need nothing of Node in a browser', () => {
  const chunks = bundle.filter((file) => file.type === 'chunk');
  const names = new Set(chunks.map(({ fileName }) => fileName));
  const foreign = chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports]).filter((name) => !names.has(name));
  expect(foreign).toEqual([]);
  expect(chunks.flatMap(({ moduleIds }) => moduleIds).filter((id) => /swagger-parser|node-server\.ts$/.test(id))).toEqual([fileOf('../browser/node-server.ts')]);
});

/** Serves the page, its modules and the script of the service worker. */
const servePage = async (): Promise<string> => {
  const files = new Map<string, readonly [type: string, text: string]>([
    ['/', ['text/html', '<!doctype html><title>Test</title><script type="module" src="/page.js"></script>']],
    ['/mockServiceWorker.js', ['text/javascript', await readFile(fileURLToPath(import.meta.resolve('msw/mockServiceWorker.js')), 'utf8')]],
    ...bundle.flatMap((file) => (file.type === 'chunk' ? [[`/${file.fileName}`, ['text/javascript', file.code]] as const] : [])),
  ]);
  const server = createServer(({ url = '' }, response) => {
    const [type = '', text] = files.get(url) ?? [];
    response.writeHead(text === undefined ? 404 : 200, { 'Content-Type': type });
    response.end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close.push(() => new Promise((resolve) => server.close(resolve)));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
};

const openPage = async (): Promise<Page> => {
  const url = await servePage();
  const browser = await chromium.launch({ executablePath: executablePath ?? '', args: ['--no-sandbox'] });
  close.push(() => browser.close());
  const page = await browser.newPage();
  await page.goto(url);
  await page.waitForFunction('globalThis.startMock');
  return page;
};

type Advance = (milliseconds: number) => void;

const startMock = async (page: Page, options: PageOptions): Promise<JSHandle<Advance>> =>
  await page.evaluateHandle(async (given) => {
    const start: (options: PageOptions) => Promise<Advance> = Reflect.get(globalThis, 'startMock');
    return await start(given);
  }, options);

const send = async (page: Page, { url, method, headers, body }: WireRequest): ReturnType<Sender['send']> => {
  const answer = await page.evaluate(async ([address, verb, pairs, text]) => {
    const response = await fetch(address, { method: verb, headers: pairs.map(([name, value]): [string, string] => [name, value]), ...(text === undefined ? {} : { body: text }) });
    return { status: response.status, headers: [...response.headers], body: await response.text() };
  }, [url, method, headers, body] as const);
  return { kind: 'answered', answer: { ...answer, utf8: true } };
};

const why = executablePath === undefined ? ' (skipped: this machine has no Chromium; `apt-get install chromium` brings it)' : '';

describe.skipIf(executablePath === undefined)(`in a service worker of Chromium${why}`, () => {
  test('the mock conforms', { timeout: 120_000 }, async () => {
    const [contract, document, seed] = await Promise.all([loadPetstore(), readFile(fileOf('../../openapi.yaml'), 'utf8'), readFile(fileOf('../../fixtures/inventory.json'), 'utf8')]);
    const page = await openPage();
    const baseUrl = 'https://api.example.com/v1';
    const advance = await startMock(page, { baseUrl, document, seed });
    const time = createMovableClock();
    const clock = {
      now: time.now,
      async sleep(milliseconds: number) {
        await time.sleep(milliseconds);
        await advance.evaluate((move, by) => move(by), milliseconds);
      },
    };
    const sender: Sender = { send: (request) => send(page, request), [Symbol.asyncDispose]: () => Promise.resolve() };
    const report = await runConformance(contract, { baseUrl, apiKey: 'demo-free' }, { clock, sender, exhaust: true, plan: 'Free', longestWait: 2 * 86_400_000 });
    expect(report.verdicts.filter(({ kind }) => kind === 'violated')).toEqual([]);
    expect([report.outcome, report.run.requests > 60]).toEqual(['conforms', true]);
    const exact = await send(page, { url: `${baseUrl}/pets`, method: 'POST', headers: [['authorization', 'Bearer demo-pro'], ['content-type', 'application/json']], body: '{"name":"Rex","categoryId":9007199254740993}' });
    expect(exact).toMatchObject({ answer: { status: 201, body: expect.stringContaining('9007199254740993') } });
  });
});
