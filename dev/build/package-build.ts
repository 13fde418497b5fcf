import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { OutputChunk } from 'rolldown';
import { packageFile } from '../../cli/package/package-root.ts';
import { joinBrowser } from './browser-build.ts';
import { keepDeclarations } from './declarations.ts';
import { type PublishedEntries, loadPublishedEntries } from './manifest-entries.ts';
import { type PackageModules, joinModules, joinPackages } from './module-join.ts';
import { guardEntries } from './node-guard.ts';
import { renderNotices } from './notices.ts';
import { addPageFiles, joinPage } from './page-build.ts';

/**
 * Writes the package's JavaScript and types into a folder, which is emptied first. Its modules, and
 * the packages that only they use, are joined into some 80 files: what is installed is small, and
 * found and read quickly.
 */
export async function buildPackage(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  const entries = await loadPublishedEntries();
  const [chunks, scripts] = await Promise.all([
    joinAll(entries),
    joinPage(),
    writeDeclarations(folder, entries),
  ]);
  for (const { fileName, code } of chunks) await writeText(join(folder, fileName), code);
  await guardEntries(folder, entries);
  for (const [name, text] of await addPageFiles(scripts))
    await writeText(join(folder, pagePlace, name), text);
  await copyReference(join(folder, 'page/reference'));
  const modules = [...chunks, ...scripts].flatMap(({ moduleIds }) => moduleIds);
  await writeText(join(folder, 'third-party-notices.txt'), await renderNotices(modules));
}

const pagePlace = 'page/files';

/** The mock is joined apart from all else, into fewer files: its start is waited for. */
async function joinAll(entries: PublishedEntries): Promise<readonly OutputChunk[]> {
  const { modules, packages } = entries;
  const [mockCommand, suite] = ['cli/commands/mock', 'cli/conformance/runs'];
  const names = ['cli/petstore', suite, ...modules];
  const joined = await Promise.all([
    joinModules({
      entries: Object.fromEntries(names.map((name) => [name, `${name}.ts`])),
      chunks: 'chunks',
      packages,
      isApart: true,
      files: new Map([[`${mockCommand}.ts`, `${mockCommand}.js`]]),
    }),
    joinModules({
      entries: { [mockCommand]: `${mockCommand}.ts` },
      chunks: mockCommand,
      packages,
      isApart: true,
      startsAtOnce: true,
      // The suite judges only where it is asked to, and has classes of its own.
      files: new Map([[`${suite}.ts`, `${suite}.js`]]),
    }),
  ]);
  const named = (kind: keyof PackageModules): ReadonlySet<string> =>
    new Set(joined.flatMap(({ apart }) => [...apart[kind]]));
  return [
    ...joined.flatMap(({ chunks }) => chunks),
    ...(await joinPackages({ imported: named('imported'), required: named('required') })),
    ...(await joinBrowser(entries)),
  ];
}

async function writeDeclarations(folder: string, { declarations }: PublishedEntries) {
  const compiler = packageFile('node_modules/typescript/bin/tsc');
  const options = ['-p', packageFile('tsconfig.build.json'), '--outDir', folder];
  await promisify(execFile)(process.execPath, [compiler, ...options]);
  await keepDeclarations(folder, declarations);
}

async function writeText(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

/** The library that shows the document: what the page asks for, the script packed, and its licences. */
async function copyReference(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const library = packageFile('node_modules/swagger-ui-dist');
  const script = 'swagger-ui-bundle.js';
  await writeFile(join(folder, `${script}.gz`), gzipSync(await readFile(join(library, script))));
  const names = ['swagger-ui.css', 'swagger-ui-bundle.js.LICENSE.txt', 'LICENSE', 'NOTICE'];
  for (const name of names) await copyFile(join(library, name), join(folder, name));
}
