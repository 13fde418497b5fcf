import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, type Page, chromium } from 'playwright-core';

/** The Chromium of this machine; undefined if there is none. */
export function findChromium(): string | undefined {
  return ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
    existsSync(path),
  );
}

export async function launchChromium(executablePath: string): Promise<Browser> {
  return await chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

/** A browser page, and its errors. */
export interface WatchedPage {
  readonly page: Page;
  /** Errors thrown or logged to its console. */
  readonly problems: readonly string[];
  readonly close: () => Promise<void>;
}

/** Opens an isolated empty page. */
export async function openWatchedPage(
  browser: Browser,
  options: BrowserContextOptions,
): Promise<WatchedPage> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.stack ?? error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !isExpected(message.text(), message.location().url))
      problems.push(message.text());
  });
  return { page, problems, close: () => context.close() };
}

/**
 * Chromium reports each failed request: all may fail, except those for the files of the page. Images of a
 * document on other hosts are not loaded. It also reports event handlers in markup that is parsed into a
 * separate document (as the sanitizer of Swagger UI does), which never run: `watchMarkup` reports those in
 * the page.
 */
function isExpected(text: string, url: string): boolean {
  if (/^Loading the image 'https?:.*violates.*"img-src 'self' data:"/.test(text)) return true;
  if (text.startsWith('Executing inline event handler violates')) return true;
  const path = URL.canParse(url) ? new URL(url).pathname : '';
  return text.startsWith('Failed to load resource') && !path.startsWith('/_mock/page/');
}

/**
 * Prepends `watchMarkup` to a script of the page. Playwright would run its own initial scripts in every
 * frame, and a frame without scripts reports an error.
 */
export async function watchMarkupFrom(page: Page, script: string): Promise<void> {
  await page.route(script, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `{${watchMarkup}}\n${await response.text()}` });
  });
}

/**
 * A script for the page: reports, as an error, each element of it or of a shadow tree whose markup runs a
 * script, however briefly it exists.
 */
export const watchMarkup = `
  const runsScript = ({ name, value }) => /^on/i.test(name) || /^\\s*javascript:/i.test(value);
  const check = (element) => {
    if ([...element.attributes].some(runsScript))
      console.error('Markup in the page runs a script: ' + element.outerHTML.slice(0, 200));
  };
  const watch = (root) => {
    const observer = new MutationObserver((mutations) => {
      for (const { type, target, addedNodes } of mutations)
        for (const node of type === 'attributes' ? [target] : addedNodes)
          if (node instanceof Element) [node, ...node.querySelectorAll('*')].forEach(check);
    });
    observer.observe(root, { subtree: true, childList: true, attributes: true });
  };
  watch(document);
  const { attachShadow } = Element.prototype;
  Element.prototype.attachShadow = function (init) {
    const root = attachShadow.call(this, init);
    watch(root);
    return root;
  };
`;
