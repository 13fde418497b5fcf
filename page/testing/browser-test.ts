import { test as vitestTest } from 'vitest';
import { findChromium, launchChromium } from './browser.ts';

/** Tests in the Chromium of this machine, one for each test file; `browser` is undefined without. */
export const browserTest = vitestTest
  .extend('executablePath', { scope: 'file' }, () => findChromium())
  .extend('browser', { scope: 'file' }, async ({ executablePath }, { onCleanup }) => {
    if (executablePath === undefined) return undefined;
    const browser = await launchChromium(executablePath);
    onCleanup(async () => await browser.close());
    return browser;
  });
