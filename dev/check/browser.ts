import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import type { OutputAsset, OutputChunk, OutputOptions, Plugin } from 'rolldown';
import type { Sender } from '../../conformance/index.ts';
import { sendByFetch } from '../../test/mock/fetch-sender.ts';
import { findChromium, launchChromium } from '../../test/page/browser.ts';
import { browserOptions, bundle } from '../build/bundle.ts';

/** Bundles a module for a browser, as a user's bundler does it with the published package. */
export async function bundleForBrowser(
  entry: string,
  plugins: readonly Plugin[] = [],
  output: OutputOptions = {},
): Promise<readonly OutputChunk[]> {
  const options = await browserOptions();
  const input = { ...options, input: entry, plugins: [...plugins, ...options.plugins] };
  return await bundle(input, output);
}

/** Opens a page that loads a module of the bundle, with MSW's service worker beside it. */
export async function openPage(
  files: readonly (OutputAsset | OutputChunk)[],
  module: string,
): Promise<AsyncDisposable & { readonly page: Page }> {
  const worker = fileURLToPath(import.meta.resolve('msw/mockServiceWorker.js'));
  const chunks = files.filter((file) => file.type === 'chunk');
  const texts = new Map([
    ['/', `<!doctype html><title>Test</title><script type="module" src="/${module}.js"></script>`],
    ['/mockServiceWorker.js', await readFile(worker, 'utf8')],
    ...chunks.map(({ fileName, code }) => [`/${fileName}`, code] as const),
  ]);
  const server = createServer(({ url = '' }, response) => {
    const text = texts.get(url);
    const type = url === '/' ? 'text/html' : 'text/javascript';
    response.writeHead(text === undefined ? 404 : 200, { 'Content-Type': type }).end(text);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const browser = await launchChromium(findChromium() ?? '');
  const page = await browser.newPage();
  const address = server.address();
  await page.goto(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`);
  return {
    page,
    async [Symbol.asyncDispose]() {
      await browser.close();
      server.close();
    },
  };
}

/** Sends what a run sends by the `fetch` of a page. Rejects as that does. */
export function createPageSender(page: Page): Sender {
  return sendByFetch(async (url, init) => {
    const received = await page.evaluate(
      async ([address, options]) => {
        const response = await fetch(address, options);
        return {
          status: response.status,
          headers: [...response.headers],
          text: await response.text(),
        };
      },
      [url, init] as const,
    );
    return { ...received, text: () => Promise.resolve(received.text) };
  });
}
