import { readFile } from 'node:fs/promises';
import type { OutputChunk } from 'rolldown';
import { packageFile } from '../../cli/package/package-root.ts';
import { bundle } from './bundle.ts';

/** The files of the mock's page by name: `index.html`, `page.js` and its chunks, `page.css`. */
export async function buildPage(): Promise<ReadonlyMap<string, string>> {
  return await addPageFiles(await bundlePage());
}

/** The scripts of the page, bundled. */
export async function bundlePage(): Promise<readonly OutputChunk[]> {
  return await bundle(
    { input: { page: packageFile('page/app.ts') }, platform: 'browser' },
    { minify: true },
  );
}

/** The styles of the page, later ones overriding earlier ones. */
const styles = [
  'page/view/tokens',
  'page/view/style',
  ...['frame', 'form', 'start', 'requests', 'sandboxes', 'conformance', 'reference'].map(
    (name) => `page/style/${name}`,
  ),
];

/** The files of the page: its scripts and assets. */
export async function addPageFiles(
  scripts: readonly OutputChunk[],
): Promise<ReadonlyMap<string, string>> {
  const texts = await Promise.all(styles.map((name) => readText(`${name}.css`)));
  return new Map([
    ['index.html', await readText('page/index.html')],
    ['page.css', texts.join('')],
    ...scripts.map(({ fileName, code }) => [fileName, code] as const),
  ]);
}

async function readText(path: string): Promise<string> {
  return await readFile(packageFile(path), 'utf8');
}
