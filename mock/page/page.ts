import { hash } from 'node:crypto';
import { qualityOf } from '../http/field.ts';
import { type MockRequest, type MockResponse, headerText } from '../http/message.ts';
import { type PageFiles, loadPageFiles, readSwaggerUi } from './files.ts';

/** Where it is, and its files, below the mock's origin. */
const entrance = '/_mock/';
const folder = '/_mock/page/';

/** Scripts and styles of its own files only; what comes from elsewhere is shown as text. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const mediaTypes: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/** What browsers ask for beside every document of the origin. The page has its icon within. */
const iconPath = '/favicon.ico';

const noIcon: MockResponse = { status: 204, headers: ['Cache-Control', 'max-age=86400'], body: '' };

/** The library that shows the document, which is large and asked for by few visitors. */
const swaggerUi = 'reference/swagger-ui.js';

/** The page of the mock as responses. Its files are loaded with the first visit, and hold no secret. */
export function createPage(load: () => Promise<PageFiles> = loadPageFiles) {
  let files: Promise<PageFiles> | undefined;
  return {
    /** Undefined for a request that is not for the page. */
    async response({ method, target, headers }: MockRequest): Promise<MockResponse | undefined> {
      if (method !== 'GET' && method !== 'HEAD') return undefined;
      const path = target.split('?')[0] ?? '';
      if (path === iconPath) return noIcon;
      const name = nameOf(path, headerText(headers, 'accept'));
      if (name === undefined) return undefined;
      const text =
        name === swaggerUi ? await readSwaggerUi() : (await (files ??= load())).get(name);
      if (text === undefined) return undefined;
      return respond(name, text, headerText(headers, 'if-none-match'));
    },
  };
}

/** The file that a path is for; undefined for none. */
function nameOf(path: string, accept: string | undefined): string | undefined {
  if (path.startsWith(folder)) return path.slice(folder.length);
  return path === entrance && prefersHtml(accept) ? 'index.html' : undefined;
}

/** A browser names HTML; a tool takes anything, or JSON. */
function prefersHtml(accept = ''): boolean {
  return (
    /text\/html/i.test(accept) &&
    qualityOf(accept, 'text/html') >= qualityOf(accept, 'application/json')
  );
}

function respond(name: string, text: string, known: string | undefined): MockResponse {
  const tag = `"${hash('sha256', text, 'base64url').slice(0, 27)}"`;
  const isKnown = known === tag;
  const type = mediaTypes[name.split('.').at(-1) ?? ''] ?? 'text/plain; charset=utf-8';
  return {
    status: isKnown ? 304 : 200,
    headers: [
      'Content-Type',
      type,
      'Content-Security-Policy',
      policy,
      'X-Content-Type-Options',
      'nosniff',
      'Referrer-Policy',
      'no-referrer',
      'Cross-Origin-Opener-Policy',
      'same-origin',
      'Cross-Origin-Resource-Policy',
      'same-origin',
      'Cache-Control',
      'no-cache',
      'Vary',
      'Accept',
      'ETag',
      tag,
    ],
    body: isKnown ? '' : text,
  };
}
