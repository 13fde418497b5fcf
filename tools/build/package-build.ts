import { execFile } from 'node:child_process';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type OutputChunk, rolldown } from 'rolldown';
import { packageFile } from '../../cli/package/package-root.ts';
import { guardEntries } from './node-guard.ts';
import { buildPage } from './page-build.ts';

/**
 * Writes the package's JavaScript and types into a folder, which is emptied first. `petstore mock`
 * is joined into few files in place of its 130 modules, the finding and reading of which would be
 * half of its start; packages and the suite stay outside.
 */
export async function buildPackage(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  const compiler = packageFile('node_modules/typescript/bin/tsc');
  const options = ['-p', packageFile('tsconfig.build.json'), '--outDir', folder];
  await promisify(execFile)(process.execPath, [compiler, ...options]);
  await joinModules(folder, 'mock');
  await guardEntries(folder);
  await writePage(join(folder, 'page/files'));
  await copyReference(join(folder, 'page/reference'));
}

async function writePage(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of await buildPage()) await writeFile(join(folder, name), text);
}

/** The library that shows the document: the files that the page asks for, and its licences. */
async function copyReference(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const names = [
    'swagger-ui-bundle.js',
    'swagger-ui.css',
    'swagger-ui-bundle.js.LICENSE.txt',
    'LICENSE',
    'NOTICE',
  ];
  for (const name of names)
    await copyFile(packageFile(`node_modules/swagger-ui-dist/${name}`), join(folder, name));
}

/**
 * Puts a command and all that it imports, now or later, in place of the command's own module. What it
 * imports at once is one file: each file costs a start the search for it.
 */
async function joinModules(folder: string, command: string): Promise<void> {
  const place = join(folder, 'cli/commands', command);
  await using bundle = await rolldown({
    input: { run: join(place, 'run.js') },
    platform: 'node',
    // The suite judges only where it is asked to: it stays where it is.
    external: [/^[^./]/, /\/cli\/conformance\//],
  });
  const form = {
    dir: place,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  } as const;
  const { output } = await bundle.generate(form);
  const first = listImported(
    output.filter((file) => file.type === 'chunk'),
    'run.js',
  );
  await bundle.write({
    ...form,
    codeSplitting: { groups: [{ name: 'start', test: (id) => first.has(id) }] },
  });
}

/** The modules of a file and of all that it imports at once. */
function listImported(chunks: readonly OutputChunk[], name: string): ReadonlySet<string> {
  const names = new Set([name]);
  for (const one of names)
    for (const imported of chunks.find(({ fileName }) => fileName === one)?.imports ?? [])
      names.add(imported);
  return new Set(
    chunks.filter(({ fileName }) => names.has(fileName)).flatMap(({ moduleIds }) => moduleIds),
  );
}
