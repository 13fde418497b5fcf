import type { Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { startCommand } from '../../test/cli/command.ts';
import { type MockOfPage, startJudgingMock } from '../../test/cli/judging-mock.ts';
import { startPlainServer } from '../../test/cli/plain-server.ts';
import { petstore } from '../../test/contract/petstore.ts';
import { renderJsonReport } from '../../report/index.ts';
import { hostile, sampleReport } from '../../test/report/sample-report.ts';
import { findBarriers, measureOverflow } from '../../test/page/accessibility.ts';
import { expect, test as pageTest } from '../../test/page/test.ts';

/** With `judging`: `petstore mock`, which can judge; and `section`: the section of its page. */
const test = pageTest
  .extend('judging', async ({ onTestFinished: afterwards }): Promise<MockOfPage> => {
    const mock = await startJudgingMock('--quiet');
    afterwards(() => mock[Symbol.asyncDispose]());
    return mock;
  })
  .extend('section', async ({ judging, openPage }): Promise<Page> => {
    const page = await openPage(judging, '#/tests');
    // A run is work for two: this machine may have more to do.
    page.setDefaultTimeout(30_000);
    await page.getByRole('heading', { level: 1, name: 'Tests' }).waitFor();
    return page;
  });

/** A server that takes requests and answers none; gives its base URL. */
const startSilentServer = (): Promise<string> => startPlainServer(() => {});

const file = (text: string, name = 'report.json') => ({
  name,
  mimeType: 'application/json',
  buffer: Buffer.from(text),
});

const sample = renderJsonReport(sampleReport(petstore), petstore);

test('shows the plan of a run, and offers the number of requests for full coverage', async ({
  section,
}) => {
  await section.getByText('with the choices and limits of sandbox main').waitFor();
  const requests = section.getByLabel('Number of requests');
  await section.getByLabel('Plan of the key').selectOption('Free');
  await section.getByRole('button', { name: 'Show the plan' }).click();
  const plan = section.getByRole('region', { name: 'Plan' });
  await plan.getByText(/^255 requests, about \d+ seconds?\.$/).waitFor();
  await plan.getByText('with the choices and limits of the sandbox main').waitFor();
  await plan.getByRole('button', { name: 'Use 140' }).click();
  await expect.poll(() => requests.inputValue()).toBe('140');
  await section.getByRole('button', { name: 'Show the plan' }).click();
  await plan.getByText(/^335 requests, about/).waitFor();
  await plan.getByText('195 for the rate limit').waitFor();
  expect(await findBarriers(section)).toEqual([]);
});

test('tests this mock with the keyboard only, and shows the report sandboxed', async ({
  section,
}) => {
  await section.getByLabel('Number of requests').focus();
  await section.keyboard.type('60');
  await section.keyboard.press('Enter');
  await section
    .getByRole('heading', { level: 1, name: 'Report of run-1: a copy of this mock' })
    .waitFor();
  await section
    .getByText('A copy of this mock conforms to Petstore 1.0.0, as far as was tested.')
    .waitFor();
  expect(new URL(section.url()).hash).toBe('#/tests/run-1');
  const report = section.frameLocator('iframe[title="Report of run-1"]');
  await report
    .getByRole('heading', { level: 1, name: /^A copy of this mock conforms to Petstore/ })
    .waitFor();
  expect(await report.locator('body').evaluate(() => globalThis.origin)).toBe('null');
  expect(await section.locator('iframe').getAttribute('sandbox')).toBe('allow-scripts');
  const [download] = await Promise.all([
    section.waitForEvent('download'),
    section.getByRole('button', { name: 'Download JSON' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('report-run-1.json');
  expect(await findBarriers(section)).toEqual([]);
  for (const width of [390, 768, 1920]) {
    await section.setViewportSize({ width, height: 900 });
    expect(await measureOverflow(section)).toBe(0);
  }
  await section.getByRole('link', { name: 'All runs' }).click();
  await section
    .getByRole('listitem')
    .getByText('A copy of this mock conforms to Petstore 1.0.0')
    .waitFor();
});

test('shows errors next to their fields, and never shows the key', async ({ section, judging }) => {
  const form = section.getByRole('form', { name: 'Test a server' });
  await section.getByLabel('Another server').check();
  await section.getByRole('button', { name: 'Start' }).click();
  const address = section.getByLabel('Base URL', { exact: true });
  expect(await address.getAttribute('aria-invalid')).toBe('true');
  expect(await address.evaluate((field) => field === document.activeElement)).toBe(true);
  await section.getByText('Base URL is required.').waitFor();
  await address.fill(judging.url);
  const key = section.getByLabel('API key');
  expect([await key.getAttribute('type'), await key.getAttribute('autocomplete')]).toEqual([
    'password',
    'off',
  ]);
  await section.getByRole('button', { name: 'Start' }).click();
  await section.getByRole('alert').getByText("Enter the server's key under API key.").waitFor();
  await key.fill('key-of-a-partner');
  await section.getByRole('button', { name: 'Start' }).click();
  await section.getByRole('alert').getByText('The first request was rejected (401)').waitFor();
  await section.getByLabel('Number of requests').fill('many');
  await section.getByRole('button', { name: 'Show the plan' }).click();
  await form.getByText('Enter a number.').waitFor();
  await section.getByRole('listitem').filter({ hasText: 'no report' }).first().waitFor();
  expect(await findBarriers(section)).toEqual([]);
  expect(await section.content()).not.toContain('key-of-a-partner');
  expect(
    await section.evaluate(() => JSON.stringify([localStorage, sessionStorage])),
  ).not.toContain('key-of-a-partner');
});

test('advanced options are initially folded', async ({ section }) => {
  await section.getByText('More options').waitFor();
  expect(await section.getByLabel('Random seed').isVisible()).toBe(false);
  await section.getByText('More options').click();
  await section.getByLabel('Random seed').waitFor();
});

test('shows the progress of a run, and stops it', async ({ section }) => {
  await section.getByLabel('Another server').check();
  await section.getByLabel('Base URL', { exact: true }).fill(await startSilentServer());
  await section.getByRole('button', { name: 'Start' }).click();
  await section.getByRole('progressbar', { name: /^Testing http/ }).waitFor();
  await section.getByText('0 of 60 requests').waitFor();
  expect(await findBarriers(section)).toEqual([]);
  await section.getByRole('button', { name: 'Stop' }).click();
  await section.getByText('run-1 was stopped. It has no report.').waitFor();
  await section.getByRole('progressbar').waitFor({ state: 'detached' });
  const focused = async (): Promise<unknown> =>
    await section.evaluate(() => document.activeElement?.textContent);
  expect(await focused()).toBe('Runs and reports');
  await section.getByText('A run is in progress.').waitFor({ state: 'detached' });
});

test('shows the progress of runs started on another page', async ({ section, judging }) => {
  const run = await judging.control.call('startRun', { body: { requests: 20 } });
  await judging.endOf(run);
  await section.getByRole('link', { name: `Report of ${run.id}` }).waitFor();
  expect(await section.locator('iframe').count()).toBe(0);
});

test('says that a report is loading until it is shown', async ({ section }) => {
  let send = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    send = resolve;
  });
  await section.route('**/report?format=html**', async (route) => {
    await held;
    await route.continue();
  });
  await section.getByLabel('Open a report.json').setInputFiles(file(sample));
  await section.getByText('Loading the report …').waitFor();
  expect(await section.locator('iframe').isVisible()).toBe(false);
  send();
  await section.locator('iframe').waitFor();
  await section.getByText('Loading the report …').waitFor({ state: 'detached' });
});

test('opens report files, shows their content as text, and compares them', async ({ section }) => {
  const choose = section.getByLabel('Open a report.json');
  await choose.setInputFiles(file('{"format":1}', 'other.json'));
  await section.getByText('other.json: This is not a report.json of').waitFor();
  await choose.setInputFiles(file(sample));
  const heading = section.getByRole('heading', { name: /^Report of file-1/ });
  await heading.waitFor();
  await section
    .frameLocator('iframe')
    .getByText('alert("1")')
    .first()
    .waitFor({ state: 'attached' });
  await section.getByRole('link', { name: 'All runs' }).click();
  const judged = sampleReport(petstore);
  const client = renderJsonReport({ ...judged, client: `shop ${hostile}` }, petstore);
  await choose.setInputFiles(file(client));
  await section.getByRole('heading', { name: /^Report of file-2: the client shop/ }).waitFor();
  await section.getByRole('link', { name: 'All runs' }).click();
  await section.getByRole('button', { name: 'Compare' }).click();
  await section.getByText('No difference in').waitFor();
  expect(await section.locator('iframe').count()).toBe(0);
  expect(await findBarriers(section)).toEqual([]);
  await section.getByRole('link', { name: 'All runs' }).click();
  await section.getByRole('button', { name: 'Remove file-2' }).click();
  await section.getByRole('button', { name: 'Compare' }).waitFor({ state: 'detached' });
});

test('compares two runs requirement by requirement', async ({ section, judging }) => {
  await judging.endOf(await judging.control.call('startRun', { body: { requests: 30 } }));
  await section.getByLabel('Open a report.json').setInputFiles(file(sample));
  await section.getByRole('link', { name: 'All runs' }).click();
  await section.getByRole('button', { name: 'Compare' }).click();
  const differences = section.getByRole('region', { name: 'Differences' });
  await differences.getByRole('columnheader', { name: 'file-2' }).waitFor();
  await differences.getByText('getPet/state.read.name').waitFor();
  expect(await findBarriers(section)).toEqual([]);
  await section.setViewportSize({ width: 390, height: 800 });
  expect(await measureOverflow(section)).toBe(0);
});

test('shows reports although a token is required, which links cannot send', async ({
  openPage,
}) => {
  const command = startCommand('mock', '--port', '0', '--quiet', '--control-token', 'sesame');
  onTestFinished(() => command.stop());
  const [url = ''] = await command.printed(/http:\/\/127\.0\.0\.1:\d+/);
  const page = await openPage({ origin: url }, '#/tests');
  await page.getByRole('textbox', { name: 'Token' }).fill('sesame');
  await page.keyboard.press('Enter');
  await page.getByLabel('Open a report.json').setInputFiles(file(sample));
  await page
    .frameLocator('iframe')
    .getByRole('heading', { level: 1, name: /fails .* of Petstore/ })
    .waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download HTML' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('report-file-1.html');
});

pageTest('says so where the mock cannot judge', async ({ mock, openPage }) => {
  const page = await openPage(mock, '#/tests');
  await page.getByText('This mock cannot test servers').waitFor();
  await page.getByText(`petstore conform --base-url ${mock.url}`).waitFor();
  expect(await findBarriers(page)).toEqual([]);
});
