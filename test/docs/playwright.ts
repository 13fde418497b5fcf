import { test as vitestTest } from 'vitest';
import { findChromium, launchChromium } from '../page/browser.ts';

export { expect } from 'vitest';

/**
 * Stands in for `test` of @playwright/test, with the Chromium of this machine: each test has a page
 * in a context of its own.
 */
export const test = vitestTest
  .extend('executablePath', { scope: 'file' }, () => findChromium() ?? '')
  .extend('browser', { scope: 'file' }, async ({ executablePath }, { onCleanup }) => {
    const browser = await launchChromium(executablePath);
    onCleanup(() => browser.close());
    return browser;
  })
  .extend('page', async ({ browser }, { onCleanup }) => {
    const context = await browser.newContext();
    onCleanup(() => context.close());
    const page = await context.newPage();
    page.setDefaultTimeout(10_000);
    return page;
  });
