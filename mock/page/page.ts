import { readFile, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { qualityOf } from '../http/field.ts';
import { type MockRequest, type MockResponse, headerText } from '../http/message.ts';
import { packageFile } from '../package/package-file.ts';

/** The files of the page by name, such as `page.js`. */
type PageFiles = ReadonlyMap<string, string>;

/** The path of the page and its files, below the mock's origin. */
const entrance = '/_mock/';
const folder = '/_mock/page/';

/** Only its own scripts and styles; foreign content is shown as text. */
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

/** Browsers request this for every document of the origin. The page contains its icon. */
const iconPath = '/favicon.ico';

const noIcon: MockResponse = { status: 204, headers: ['Cache-Control', 'max-age=86400'], body: '' };

/** The library that shows the document, which is large and rarely requested. */
const swaggerUi = 'reference/swagger-ui.js';

/**
 * The page of the mock as responses; undefined for requests to other paths. Its files are loaded with the
 * first visit, and contain no secret.
 */
export function createPage(): (request: MockRequest) => Promise<MockResponse | undefined> {
  let files: Promise<PageFiles> | undefined;
  return async ({ method, target, headers }) => {
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    const path = target.split('?')[0] ?? '';
    if (path === iconPath) return noIcon;
    const name = nameOf(path, headerText(headers, 'accept'));
    if (name === undefined) return undefined;
    const text =
      name === swaggerUi ? await readSwaggerUi() : (await (files ??= loadPageFiles())).get(name);
    return text === undefined ? undefined : respond(name, text);
  };
}

/** The file for a path; undefined for none. */
function nameOf(path: string, accept: string | undefined): string | undefined {
  if (path.startsWith(folder)) return path.slice(folder.length);
  return path === entrance && prefersHtml(accept) ? 'index.html' : undefined;
}

/** A browser accepts HTML by name; a tool accepts anything, or JSON. */
function prefersHtml(accept = ''): boolean {
  return (
    /text\/html/i.test(accept) &&
    qualityOf(accept, 'text/html') >= qualityOf(accept, 'application/json')
  );
}

function respond(name: string, text: string): MockResponse {
  const type = mediaTypes[name.split('.').at(-1) ?? ''] ?? 'text/plain; charset=utf-8';
  return {
    status: 200,
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
    ],
    body: text,
  };
}

/** The builder, in a checkout. */
const builder = 'dev/build/page-build.ts';

const isSource = import.meta.url.endsWith('.ts');

/** Reads the files of the page; in a checkout, builds them. */
export async function loadPageFiles(): Promise<PageFiles> {
  if (isSource) return await buildFromSource();
  const folder = packageFile('dist/page/files');
  const names = await readdir(folder);
  const texts = names.map(
    async (name) => [name, await readFile(join(folder, name), 'utf8')] as const,
  );
  return new Map(await Promise.all(texts));
}

/** The script of Swagger UI; the build adds it to the package, compressed. */
async function readSwaggerUi(): Promise<string> {
  const name = 'swagger-ui-bundle.js';
  if (!isSource)
    return gunzipSync(await readFile(packageFile(`dist/page/reference/${name}.gz`))).toString();
  const { resolve } = createRequire(import.meta.url);
  return await readFile(resolve(`swagger-ui-dist/${name}`), 'utf8');
}

async function buildFromSource(): Promise<PageFiles> {
  const { buildPage }: { buildPage: () => Promise<PageFiles> } = await import(
    pathToFileURL(packageFile(builder)).href
  );
  return await buildPage();
}
