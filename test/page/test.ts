import type { BrowserContextOptions, Page } from 'playwright-core';
import { browserTest } from './browser-test.ts';
import { watchMarkupFrom } from './browser.ts';
import { type MockServer, type MockServerOptions, startMockServer } from './mock-server.ts';

export { expect } from 'vitest';

/**
 * Tests of the page: `startMock(options?)` starts a mock, `mock` is one without options;
 * `openPage(mock, fragment?, options?)` opens its page, by default `#/start`, as `newPage` does.
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
  .extend('openPage', ({ newPage }) => {
    return async (
      mock: Pick<MockServer, 'origin'>,
      fragment = '#/start',
      options: BrowserContextOptions = {},
    ): Promise<Page> => {
      const page = await newPage(options);
      await watchMarkupFrom(page, `${mock.origin}/_mock/page/page.js`);
      await page.goto(`${mock.origin}/${fragment}`);
      return page;
    };
  });
