import { readFile, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { packageFile } from '../package/package-file.ts';

/** The files of the page by name, such as `page.js`. */
export type PageFiles = ReadonlyMap<string, string>;

/** The builder, in a checkout of the source. */
const builder = 'dev/build/page-build.ts';

const isSource = import.meta.url.endsWith('.ts');

/** Reads the files of the page; in a checkout of the source they are built of it. */
export async function loadPageFiles(): Promise<PageFiles> {
  if (isSource) return await buildFromSource();
  const folder = packageFile('dist/page/files');
  const names = await readdir(folder);
  const texts = names.map(
    async (name) => [name, await readFile(join(folder, name), 'utf8')] as const,
  );
  return new Map(await Promise.all(texts));
}

/** The script of Swagger UI; the build puts it into the package, compressed. */
export async function readSwaggerUi(): Promise<string> {
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
