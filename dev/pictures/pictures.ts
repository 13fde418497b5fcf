import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { packageFile } from '../../cli/package/package-root.ts';
import { createControlClient } from '../../mock/control/client.ts';
import { runCommand, startCommand } from '../../test/cli/command.ts';
import { findChromium, launchChromium } from '../../test/page/browser.ts';

/** `npm run pictures`: takes the pictures of the docs again. Ports 4010 and 4011 must be free. */
const origin = 'http://127.0.0.1:4010';
const folder = packageFile('docs/pictures');

await mkdir(folder, { recursive: true });
const executablePath = findChromium();
if (executablePath === undefined) throw new Error('There is no Chromium on this machine.');
const mock = startCommand('mock', '--no-watch');
await mock.printed(/is mocked at/);
const browser = await launchChromium(executablePath);
try {
  await sendRequests();
  await takePage('start', '#/start', (page) => page.getByText('Base URL').first().waitFor());
  await takePage('page', '#/requests', openRefusal);
  await takePage('sandboxes', '#/sandboxes', (page) =>
    page.getByRole('cell', { name: 'Juno' }).waitFor(),
  );
  await takePage('conformance', '#/tests', judgeMock);
  await takeReport();
} finally {
  await browser.close();
  await mock.stop();
}

/** Requests of each kind: accepted, refused, over the limit, faulty. */
async function sendRequests(): Promise<void> {
  const control = createControlClient(origin);
  await control.call('addFault', {
    sandbox: 'main',
    body: { operation: 'getPet', status: 503, retryAfter: 2, count: 1 },
  });
  await control.call('setQuota', {
    sandbox: 'alice',
    plan: 'Free',
    body: { used: { minute: 57 } },
  });
  const send = async (method: string, path: string, key: string, body?: string): Promise<void> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    await fetch(`${origin}/v1${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
  };
  await send('GET', '/pets?limt=3', 'demo-free');
  await send('POST', '/pets', 'demo-free', '{"name":"Juno","categoryId":3}');
  for (const id of [1, 2, 31, 900]) await send('GET', `/pets/${id}`, 'demo-pro');
  for (const status of ['available', 'sold', 'pending', 'lost'])
    await send('GET', `/pets?status=${status}&limit=5`, 'free_alice');
  await send('GET', '/pets', 'no-key-of-ours');
  await send('DELETE', '/pets/31', 'demo-free');
  await send('POST', '/pets', 'demo-business', '{"name":"","status":"new"}');
}

/** Opens the last refused request. */
async function openRefusal(page: Page): Promise<void> {
  await page.getByRole('row', { name: /POST .* 400/ }).click();
  await page.locator('.request-panel').getByText('categoryId is required').first().waitFor();
}

async function judgeMock(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Start' }).click();
  await page.frameLocator('iframe').getByRole('heading').first().waitFor({ timeout: 60_000 });
}

async function takePage(
  name: string,
  fragment: string,
  prepare: (page: Page) => Promise<void>,
): Promise<void> {
  await take(name, async (page) => {
    await page.goto(`${origin}/${fragment}`);
    await prepare(page);
  });
}

/** A report on a server that fails: Prism's mock, which keeps no state. */
async function takeReport(): Promise<void> {
  const report = await mkdtemp(join(tmpdir(), 'petstore-report-'));
  const program = packageFile('node_modules/@stoplight/prism-cli/dist/index.js');
  const words = [program, 'mock', packageFile('openapi.yaml'), '-p', '4011'];
  const prism = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    // Read to its end, because Prism stops at a closed pipe.
    await new Promise<void>((resolve) => {
      prism.stdout.on('data', (text) => void (String(text).includes('listening') && resolve()));
    });
    await runCommand('conform', 'http://127.0.0.1:4011', '--api-key', 'demo', '--report', report);
    await take('report', async (page) => void (await page.goto(`file://${report}/report.html`)));
  } finally {
    prism.kill();
    await rm(report, { recursive: true });
  }
}

async function take(name: string, prepare: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await prepare(page);
  await page.waitForTimeout(300);
  await page.screenshot({ path: `${folder}/${name}.png` });
  await context.close();
}
