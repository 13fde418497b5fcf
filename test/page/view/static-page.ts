import type { BrowserContextOptions, Page } from 'playwright-core';
import { browserTest } from '../browser-test.ts';
import { watchMarkup } from '../browser.ts';

export { describe, expect } from 'vitest';

/** The origin at which a static page is shown: it serves nothing else, and the clipboard works. */
const address = 'https://page.test/';

/**
 * Tests of a static page: `open(html, options?)` shows it, as `newPage` does. A page that asks the
 * network for something fails its test.
 */
export const test = browserTest.extend('open', ({ newPage, onTestFinished }) => {
  return async (html: string, options: BrowserContextOptions = {}): Promise<Page> => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const page = await newPage({ permissions, ...options });
    await page.addInitScript({ content: `{${watchMarkup}}` });
    const asked: string[] = [];
    onTestFinished(() => {
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

/** Unfolds everything. */
export async function unfold(page: Page): Promise<void> {
  await page.evaluate(`for (const fold of document.querySelectorAll('details')) fold.open = true`);
}
