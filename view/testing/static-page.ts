import type { BrowserContextOptions, Page } from 'playwright-core';
import { browserTest } from '../../page/testing/browser-test.ts';
import { openWatchedPage, watchMarkup } from '../../page/testing/browser.ts';

export { describe, expect } from 'vitest';

/** Where a page that stands alone is shown: nothing else is there, and the clipboard works. */
const address = 'https://page.test/';

/**
 * Tests of a page that stands alone, in the Chromium of this machine: `open(html, options?)` shows
 * it, by default 1280 wide and light. A page that tells an error or asks the network for something
 * fails its test; a machine without Chromium skips it.
 */
export const test = browserTest.extend('open', ({ browser, skip, onTestFinished }) => {
  return async (html: string, options: BrowserContextOptions = {}): Promise<Page> => {
    if (browser === undefined) return skip('There is no Chromium on this machine.');
    const { page, problems, close } = await openWatchedPage(browser, {
      viewport: { width: 1280, height: 900 },
      permissions: ['clipboard-read', 'clipboard-write'],
      ...options,
    });
    await page.addInitScript({ content: `{${watchMarkup}}` });
    const asked: string[] = [];
    onTestFinished(async () => {
      await close();
      if (problems.length > 0) throw new Error(`The page has errors:\n${problems.join('\n')}`);
      if (asked.length > 0) throw new Error(`The page asked for ${asked.join(', ')}`);
    });
    await page.route('**', async (route) => {
      const url = route.request().url();
      if (url !== address) asked.push(url);
      await route.fulfill({ contentType: 'text/html; charset=utf-8', body: html });
    });
    await page.goto(address);
    return page;
  };
});

/** Opens all that is folded. */
export async function unfold(page: Page): Promise<void> {
  await page.evaluate(`for (const fold of document.querySelectorAll('details')) fold.open = true`);
}
