import type { BrowserContextOptions, Page } from 'playwright-core';
import { test as vitestTest } from 'vitest';
import { findChromium, launchChromium, openWatchedPage } from './browser.ts';

/**
 * Tests in the Chromium of this machine, one browser per test file; `browser` is undefined without
 * Chromium. `newPage(options?)` opens an isolated empty page, by default 1280 pixels wide and light. A page
 * that throws or logs an error fails its test; without Chromium the test is skipped.
 */
export const browserTest = vitestTest
  .extend('executablePath', { scope: 'file' }, () => findChromium())
  .extend('browser', { scope: 'file' }, async ({ executablePath }, { onCleanup }) => {
    if (executablePath === undefined) return undefined;
    const browser = await launchChromium(executablePath);
    onCleanup(async () => await browser.close());
    return browser;
  })
  .extend('newPage', ({ browser, skip, onTestFinished }) => {
    return async (options: BrowserContextOptions = {}): Promise<Page> => {
      if (browser === undefined) return skip('There is no Chromium on this machine.');
      const viewport = { width: 1280, height: 900 };
      const { page, problems, close } = await openWatchedPage(browser, { viewport, ...options });
      onTestFinished(async () => {
        await close();
        if (problems.length > 0) throw new Error(`The page has errors:\n${problems.join('\n')}`);
      });
      return page;
    };
  });
