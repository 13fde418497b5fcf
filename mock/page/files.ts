import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageFile } from '../package/package-file.ts';

/** The files of the page by name, such as `page.js`. */
export type PageFiles = ReadonlyMap<string, string>;

/** Where `npm run build` puts what the page is made of. A path. */
export function builtFolder(name: 'files' | 'reference'): string {
  return packageFile(`dist/page/${name}`);
}

/** The builder, in a checkout of the source. */
const builder = 'dev/build/page-build.ts';

/** Reads the files of the page; in a checkout of the source they are built of it. */
export async function loadPageFiles(): Promise<PageFiles> {
  if (import.meta.url.endsWith('.ts')) return await buildFromSource();
  const folder = builtFolder('files');
  const names = await readdir(folder);
  const texts = names.map(
    async (name) => [name, await readFile(join(folder, name), 'utf8')] as const,
  );
  return new Map(await Promise.all(texts));
}

async function buildFromSource(): Promise<PageFiles> {
  const { buildPage }: { buildPage: () => Promise<PageFiles> } = await import(
    pathToFileURL(packageFile(builder)).href
  );
  return await buildPage();
}
