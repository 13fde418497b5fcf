import type { Stats } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';

/** A reference to another file, in YAML or JSON: `$ref: 'schemas/pet.json#/Pet'`. */
const REFERENCE = /\$ref['"]?\s*:\s*['"]?([^\s'"#,}]+)/g;

/**
 * The files that a document is made of, whether they are there or not: a document that is broken
 * may wait for one that it names. `file` is as it was given, and where it leads if it is a link. No
 * file out of its folder is looked at.
 */
export async function listDocumentFiles(file: string): Promise<readonly string[]> {
  const given = resolve(file);
  const root = await realpath(given).catch(() => given);
  const found = new Set([root]);
  for (const one of found)
    for (const named of await listNamed(one)) if (isInside(dirname(root), named)) found.add(named);
  return [...new Set([given, ...found])];
}

/** True where a file was written or replaced after an instant, milliseconds since 1970. */
export async function haveChanged(files: readonly string[], since: number): Promise<boolean> {
  const states = await Promise.all(files.map(stateOf));
  return states.some((state) => (state?.ctimeMs ?? 0) >= since - CLOCK_TICK);
}

/** File systems may take the time from a clock that lags behind by so many milliseconds. */
const CLOCK_TICK = 20;

/** Undefined for a file that is not there. */
async function stateOf(file: string): Promise<Stats | undefined> {
  return await stat(file).catch(() => undefined);
}

async function listNamed(file: string): Promise<readonly string[]> {
  const isFile = (await stateOf(file))?.isFile() ?? false;
  const text = isFile ? await readFile(file, 'utf8').catch(() => '') : '';
  return [...text.matchAll(REFERENCE)].map(([, path = '']) =>
    resolve(dirname(file), decodePath(path)),
  );
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function isInside(folder: string, file: string): boolean {
  const path = relative(folder, file);
  return path !== '' && path !== '..' && !path.startsWith(`..${sep}`);
}
