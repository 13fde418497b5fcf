import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFile } from '../cli/package/package-root.ts';

interface LockEntry {
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly peer?: boolean;
  readonly link?: boolean;
}

/**
 * Bytes of all files of the packages that `npm i petstore-contract` brings besides this one, by the
 * lock file.
 */
export async function measureDependencies(): Promise<number> {
  const lock: { readonly packages: Readonly<Record<string, LockEntry>> } = JSON.parse(
    await readFile(packageFile('package-lock.json'), 'utf8'),
  );
  const folders = Object.entries(lock.packages)
    .filter(([path, entry]) => path.startsWith('node_modules/') && isProduction(entry))
    .map(([path]) => path);
  const sizes = await Promise.all(folders.map((path) => sizeOf(packageFile(path))));
  return sizes.reduce((sum, size) => sum + size, 0);
}

function isProduction({ dev, devOptional, peer, link }: LockEntry): boolean {
  return ![dev, devOptional, peer, link].includes(true);
}

/** A package without the packages within it, which the lock file lists on their own. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true });
  const sizes = entries
    .filter(({ name }) => name !== 'node_modules')
    .map(async (entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? await sizeOf(path) : (await stat(path)).size;
    });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
