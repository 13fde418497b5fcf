import type { Page } from 'playwright-core';
import { composeHostileDocument } from '../../test/cli/hostile-document.ts';
import { loadContract } from '../../contract/load.ts';
import { composePrototypeDocument, prototypeNames } from '../../test/contract/prototype-names.ts';
import { hostileTexts } from '../../test/page/view/hostile.ts';
import { measureOverflow } from '../../test/page/accessibility.ts';
import { openWatchedPage, watchMarkupFrom } from '../../test/page/browser.ts';
import { expect, test } from '../../test/page/test.ts';

test('long words of a document do not make the page wider than the window', async ({
  startMock,
  openPage,
}) => {
  const word = 'x'.repeat(400);
  const document = {
    openapi: '3.1.0',
    info: { title: word, version: word, summary: word },
    paths: { '/a': { get: { operationId: word, summary: word, responses: {} } } },
  };
  const contract = await loadContract({ name: 'a.json', text: JSON.stringify(document) });
  const mock = await startMock({ contract });
  const page = await openPage(mock);
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await measureOverflow(page)).toBe(0);
});

const sections = [
  'start',
  'requests',
  'sandboxes/items',
  'sandboxes/faults',
  'sandboxes/limits',
  'sandboxes/snapshots',
  'sandboxes/questions',
  'sandboxes/webhooks',
  'conformance',
  'reference',
];

/**
 * Visits every section: nothing of the document runs, and nothing comes from other hosts. That none
 * of its markup becomes an element that could run a script, `openPage` sees.
 */
async function visit(page: Page, origin: string): Promise<void> {
  const foreign: string[] = [];
  page.on('response', (response) => {
    const url = response.url();
    if (!url.startsWith(origin) && !/^(?:data|blob):/.test(url)) foreign.push(url);
  });
  const dialogs = watchDialogs(page);
  for (const section of sections) {
    await page.goto(`${origin}/#/${section}`);
    await page.getByRole('heading').first().waitFor();
    for (const more of await page.locator('summary').all())
      if (await more.isVisible()) await more.click();
  }
  await page.locator('.swagger-ui .opblock').first().waitFor();
  for (const block of (await page.locator('.swagger-ui .opblock-summary').all()).slice(0, 5)) {
    await block.click();
  }
  await settleImages(page);
  expect([...foreign, ...dialogs]).toEqual([]);
  expect(await page.evaluate(() => Object.keys(Object.prototype))).toEqual([]);
}

/** Images that were asked for before this have been answered: their handlers would have run. */
async function settleImages(page: Page): Promise<void> {
  await page.evaluate(
    async () =>
      await new Promise((resolve) => {
        const image = new Image();
        image.addEventListener('error', resolve);
        image.src = '/none.png';
      }),
  );
}

/** What scripts of the document show, as its hostile texts call `alert`. */
function watchDialogs(page: Page): readonly string[] {
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  return dialogs;
}

const markup = '<script>alert(1)</script><img src=x onerror=alert(2)>';

test.for([
  ['runs in the page', {}],
  ['would run without the policy of the page', { bypassCSP: true }],
] as const)(
  'nothing in a document %s',
  { timeout: 240_000 },
  async ([, options], { startMock, openPage }) => {
    for (const text of [hostileTexts.join(' '), markup]) {
      const source = JSON.stringify(composeHostileDocument(text, true));
      const mock = await startMock({
        contract: await loadContract({ name: 'a.json', text: source }),
      });
      await mock.send('GET', `/items?q=${encodeURIComponent(text.toWellFormed())}`);
      await visit(await openPage(mock, '#/start', options), mock.origin);
    }
  },
);

test('markup that reaches an element is detected', async ({ mock, browser, skip }) => {
  if (browser === undefined) return skip('There is no Chromium on this machine.');
  const { page, problems, close } = await openWatchedPage(browser, { bypassCSP: true });
  const dialogs = watchDialogs(page);
  await watchMarkupFrom(page, `${mock.origin}/_mock/page/page.js`);
  await page.goto(mock.origin);
  const parse = async (into: string): Promise<void> =>
    await page.evaluate(`${into}.innerHTML = ${JSON.stringify(markup)}; undefined`);
  await parse(`document.implementation.createHTMLDocument('').body`);
  await settleImages(page);
  expect([...dialogs, ...problems]).toEqual([]);
  await parse(`document.createElement('p')`);
  await expect.poll(() => dialogs).toEqual(['2']);
  await parse(
    `document.body.appendChild(document.createElement('p')).attachShadow({ mode: 'closed' })`,
  );
  await expect.poll(() => problems).toEqual([expect.stringContaining('onerror="alert(2)"')]);
  await close();
});

test(
  'names of Object.prototype are ordinary names',
  { timeout: 240_000 },
  async ({ startMock, openPage }) => {
    const text = composePrototypeDocument();
    const mock = await startMock({ contract: await loadContract({ name: 'a.json', text }) });
    for (const name of prototypeNames) await mock.send('GET', `/${name}`);
    const page = await openPage(mock, '#/requests');
    for (const name of prototypeNames)
      await page
        .locator('.rows .target', { hasText: `/${name}` })
        .first()
        .waitFor();
    await visit(page, mock.origin);
  },
);
