import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, type Page, chromium } from 'playwright-core';

/** The Chromium of this machine; undefined where there is none. */
export function findChromium(): string | undefined {
  return ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
    existsSync(path),
  );
}

export async function launchChromium(executablePath: string): Promise<Browser> {
  return await chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

/** A page of a browser, and what went wrong in it. */
export interface WatchedPage {
  readonly page: Page;
  /** Errors that were thrown or told in its console. */
  readonly problems: readonly string[];
  readonly close: () => Promise<void>;
}

/** Opens an empty page that shares nothing with others. */
export async function openWatchedPage(
  browser: Browser,
  options: BrowserContextOptions,
): Promise<WatchedPage> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.stack ?? error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !isExpected(message.text(), message.location().url))
      problems.push(message.text());
  });
  return { page, problems, close: () => context.close() };
}

/**
 * Chromium tells of each request that fails: all may, but for the files of the page. Images that a
 * document takes from elsewhere are not loaded.
 */
function isExpected(text: string, url: string): boolean {
  if (/^Loading the image 'https?:.*violates.*"img-src 'self' data:"/.test(text)) return true;
  const path = URL.canParse(url) ? new URL(url).pathname : '';
  return text.startsWith('Failed to load resource') && !path.startsWith('/_mock/page/');
}
