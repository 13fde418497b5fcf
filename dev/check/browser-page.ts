import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import type { OutputAsset, OutputChunk } from 'rolldown';
import { findChromium, launchChromium } from '../../test/page/browser.ts';

export interface OpenPage extends AsyncDisposable {
  readonly page: Page;
}

type Bundle = readonly (OutputAsset | OutputChunk)[];

/** Opens a page that loads a module of the bundle, with MSW's service worker beside it. */
export async function openPage(bundle: Bundle, module: string): Promise<OpenPage> {
  const files = await filesOf(bundle, module);
  const server = createServer(({ url = '' }, response) => {
    const [type = '', text] = files.get(url) ?? [];
    response.writeHead(text === undefined ? 404 : 200, { 'Content-Type': type });
    response.end(text);
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

type Files = ReadonlyMap<string, readonly [type: string, text: string]>;

async function filesOf(bundle: Bundle, module: string): Promise<Files> {
  const script = fileURLToPath(import.meta.resolve('msw/mockServiceWorker.js'));
  const page = `<!doctype html><title>Test</title><script type="module" src="/${module}.js"></script>`;
  const chunks = bundle.filter((file) => file.type === 'chunk');
  return new Map<string, readonly [type: string, text: string]>([
    ['/', ['text/html', page]],
    ['/mockServiceWorker.js', ['text/javascript', await readFile(script, 'utf8')]],
    ...chunks.map(({ fileName, code }) => [`/${fileName}`, ['text/javascript', code]] as const),
  ]);
}
