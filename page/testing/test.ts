import type { BrowserContextOptions, Page } from 'playwright-core';
import { browserTest } from './browser-test.ts';
import { openWatchedPage, watchMarkupFrom } from './browser.ts';
import { type MockServer, type MockServerOptions, startMockServer } from './mock-server.ts';

export { expect } from 'vitest';

/**
 * Tests of the page in the Chromium of this machine, one for each test file:
 *
 * - `startMock(options?)` starts a mock, `mock` is one without options;
 * - `openPage(mock, fragment?, options?)` opens its page, by default `#/start`, 1280 wide and light,
 *   in a context that shares nothing with another page.
 *
 * A page that throws or prints an error fails its test; a machine without Chromium skips it.
 */
export const test = browserTest
  .extend('startMock', ({ onTestFinished }) => {
    return async (options: MockServerOptions = {}): Promise<MockServer> => {
      const mock = await startMockServer(options);
      onTestFinished(async () => await mock.stop());
      return mock;
    };
  })
  .extend('mock', async ({ startMock }) => await startMock())
  .extend('openPage', ({ browser, skip, onTestFinished }) => {
    return async (
      mock: Pick<MockServer, 'origin'>,
      fragment = '#/start',
      options: BrowserContextOptions = {},
    ): Promise<Page> => {
      if (browser === undefined) return skip('There is no Chromium on this machine.');
      const size = { width: 1280, height: 900 };
      const { page, problems, close } = await openWatchedPage(browser, {
        viewport: size,
        ...options,
      });
      onTestFinished(async () => {
        await close();
        if (problems.length > 0) throw new Error(`The page has errors:\n${problems.join('\n')}`);
      });
      await watchMarkupFrom(page, `${mock.origin}/_mock/page/theme.js`);
      await page.goto(`${mock.origin}/${fragment}`);
      return page;
    };
  });
