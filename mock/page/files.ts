import { readFile, readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** The files of the page by name, such as `page.js`. */
export type PageFiles = ReadonlyMap<string, string>;

/**
 * Where `npm run build` puts what the page is made of: from a module of the package, and from the
 * joined command. Paths that end in a slash.
 */
export function builtFolders(name: 'files' | 'reference'): readonly string[] {
  return [`../../page/${name}/`, `../../../page/${name}/`].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  );
}

/** The builder, in a checkout of the source. */
const builder = '../../tools/build/page-build.ts';

/** Reads the files of the page; in a checkout of the source they are built of it. */
export async function loadPageFiles(): Promise<PageFiles> {
  if (import.meta.url.endsWith('.ts')) return await buildFromSource();
  const [first = '', second = ''] = builtFolders('files');
  return await readFolder(first).catch(async () => await readFolder(second));
}

async function readFolder(folder: string): Promise<PageFiles> {
  const names = await readdir(folder);
  const texts = names.map(async (name) => [name, await readFile(folder + name, 'utf8')] as const);
  return new Map(await Promise.all(texts));
}

async function buildFromSource(): Promise<PageFiles> {
  const { buildPage }: { buildPage: () => Promise<PageFiles> } = await import(
    new URL(builder, import.meta.url).href
  );
  return await buildPage();
}
