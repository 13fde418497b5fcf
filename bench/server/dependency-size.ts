import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFile } from '../../cli/package/package-root.ts';

/** What marks a package in the lock file that `npm i petstore-contract` does not bring. */
const apart = ['dev', 'devOptional', 'peer', 'link'] as const;

type LockEntry = Readonly<Partial<Record<(typeof apart)[number], boolean>>>;

/** Bytes of the packages that `npm i petstore-contract` brings besides this one. */
export async function measureDependencies(): Promise<number> {
  const lock: { readonly packages: Readonly<Record<string, LockEntry>> } = JSON.parse(
    await readFile(packageFile('package-lock.json'), 'utf8'),
  );
  const folders = Object.entries(lock.packages)
    .filter(([path]) => path.startsWith('node_modules/'))
    .filter(([, entry]) => apart.every((mark) => entry[mark] !== true))
    .map(([path]) => path);
  const sizes = await Promise.all(folders.map((path) => sizeOf(packageFile(path))));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** A package without the packages within it, which the lock file lists on their own. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true });
  const sizes = entries.map(async (entry) => {
    if (entry.name === 'node_modules') return 0;
    const path = join(folder, entry.name);
    return entry.isDirectory() ? await sizeOf(path) : (await stat(path)).size;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
