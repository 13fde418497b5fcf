import type { Page } from 'playwright-core';
import { composeHostileDocument } from '../../cli/testing/hostile-document.ts';
import { loadContract } from '../../contract/index.ts';
import { composePrototypeDocument, prototypeNames } from '../../contract/testing/hostile/texts.ts';
import { hostileTexts } from '../../view/testing/hostile.ts';
import { measureOverflow } from '../testing/accessibility.ts';
import { expect, test } from '../testing/test.ts';

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

const sections = ['start', 'requests', 'sandboxes', 'conformance', 'reference'];

/** Visits every section; nothing of the document was run, and nothing came from other hosts. */
async function visit(page: Page, origin: string): Promise<void> {
  const foreign: string[] = [];
  page.on('response', (response) => {
    const url = response.url();
    if (!url.startsWith(origin) && !/^(?:data|blob):/.test(url)) foreign.push(url);
  });
  page.on('dialog', (dialog) => void dialog.dismiss().then(() => foreign.push('dialog')));
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
  expect(foreign).toEqual([]);
  expect(await page.evaluate(() => Object.keys(Object.prototype))).toEqual([]);
}

test(
  'nothing that stands in a document is run in the page',
  { timeout: 240_000 },
  async ({ startMock, openPage }) => {
    for (const text of [
      hostileTexts.join(' '),
      '<script>alert(1)</script><img src=x onerror=alert(2)>',
    ]) {
      const source = JSON.stringify(composeHostileDocument(text, true));
      const mock = await startMock({
        contract: await loadContract({ name: 'a.json', text: source }),
      });
      await mock.send('GET', `/items?q=${encodeURIComponent(text.toWellFormed())}`);
      await visit(await openPage(mock), mock.origin);
    }
  },
);

test(
  'names that every object has are names like any other',
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
