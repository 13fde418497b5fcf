import { describe } from 'vitest';
import { type JsonObject, renderJson } from '../../contract/json/value.ts';
import { loadContract } from '../../contract/load.ts';
import { expect, test } from '../../test/page/test.ts';

const attack =
  'document.title="ran";fetch("/_mock/sandboxes/main/journal",{method:"DELETE"});' +
  'fetch("/_mock/sandboxes/main/reset",{method:"POST"})';

/** A form that sends itself as soon as something lets it. */
const form =
  '<form id="f" method="post" enctype="text/plain" action="/_mock/sandboxes/main/reset"></form>' +
  '<img src="x:" onerror="f.submit()">';

const documents: Readonly<Record<string, string>> = {
  'text/html': `<!doctype html><title>shown</title><script>${attack}</script>${form}`,
  'application/xhtml+xml': `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>shown</title><script>${attack}</script></head></html>`,
  'image/svg+xml': `<svg xmlns="http://www.w3.org/2000/svg"><title>shown</title><script>${attack}</script></svg>`,
  'text/xml': `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>shown</title><script>${attack}</script></head></html>`,
};

const paths = Object.entries(documents).map(([mediaType, example], index): [string, JsonObject] => [
  `/document-${index}`,
  {
    get: {
      responses: {
        200: { description: 'Shown.', content: { [mediaType]: { example } } },
        404: { description: 'None.', content: { [mediaType]: { example } } },
      },
    },
  },
]);

const contract = await loadContract({
  text: renderJson({
    openapi: '3.1.0',
    info: { title: 'Documents', version: '1' },
    paths: Object.fromEntries(paths),
  }),
});

describe('a script in what the API serves', () => {
  test.for(Object.keys(documents).map((mediaType, index) => [mediaType, index] as const))(
    'cannot control the mock: %s',
    async ([mediaType, index], { browser, startMock, skip }) => {
      if (browser === undefined) return skip('There is no Chromium on this machine.');
      const mock = await startMock({ contract });
      const page = await browser.newPage();
      const sent: string[] = [];
      page.on('request', (request) => sent.push(new URL(request.url()).pathname));
      const target = `/document-${index}`;
      const url = mock.url + target;
      const response = await page.goto(url, { waitUntil: 'networkidle' });
      expect(response?.headers()['content-type']).toContain(mediaType);
      expect(await page.title()).not.toBe('ran');
      expect(sent.filter((path) => path.startsWith('/_mock/sandboxes'))).toEqual([]);
      await page.close();
    },
  );
});
