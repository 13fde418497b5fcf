import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { type Page, chromium } from 'playwright-core';
import type { RolldownOutput } from 'rolldown';

export interface OpenPage extends AsyncDisposable {
  readonly page: Page;
}

/** The Chromium of this machine; undefined where there is none. */
export function chromiumPath(): string | undefined {
  return ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
    existsSync(path),
  );
}

type Bundle = RolldownOutput['output'];

/** Opens a page that loads a module of the bundle, with MSW's service worker beside it. */
export async function openPage(bundle: Bundle, module: string): Promise<OpenPage> {
  const files = await filesOf(bundle, module);
  const server = createServer(({ url = '' }, response) => {
    const [type = '', text] = files.get(url) ?? [];
    response.writeHead(text === undefined ? 404 : 200, { 'Content-Type': type });
    response.end(text);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const executablePath = chromiumPath() ?? '';
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
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
