import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The folder of this package, from which its data files are found: the same from the source and
 * from the JavaScript in `dist/`, which lies one level deeper.
 *
 * @param start the folder to search from, upwards; default: this module's
 * @throws {Error} where neither it nor a folder above it holds a `package.json`
 */
export function findPackageRoot(start: string = dirname(fileURLToPath(import.meta.url))): string {
  if (existsSync(join(start, 'package.json'))) return start;
  const parent = dirname(start);
  if (parent === start) throw new Error('There is no package.json in this folder or above it.');
  return findPackageRoot(parent);
}

/** The version of this package: what a run is judged by, as its rules change with it. */
export async function readVersion(): Promise<string> {
  const facts: unknown = JSON.parse(await readFile(packageFile('package.json'), 'utf8'));
  return typeof facts === 'object' && facts !== null && 'version' in facts
    ? String(facts.version)
    : 'unknown';
}

/** The path of a file of this package, by its path within it: `fixtures/inventory.json`. */
export function packageFile(path: string): string {
  return join(findPackageRoot(), path);
}
