import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFile } from '../../cli/package/package-root.ts';

/** A package of the lock file, of which only this matters here. */
interface LockEntry {
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Bytes of the packages that `npm i petstore-contract` brings besides this one. */
export async function measureDependencies(): Promise<number> {
  const lock: { readonly packages: Readonly<Record<string, LockEntry>> } = JSON.parse(
    await readFile(packageFile('package-lock.json'), 'utf8'),
  );
  const found = new Set<string>();
  const follow = (path: string): void => {
    for (const name of Object.keys(lock.packages[path]?.dependencies ?? {})) {
      const own = `${path}/node_modules/${name}`;
      const at = path !== '' && own in lock.packages ? own : `node_modules/${name}`;
      if (!found.has(at)) {
        found.add(at);
        follow(at);
      }
    }
  };
  follow('');
  const sizes = await Promise.all([...found].map((path) => sizeOf(packageFile(path))));
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
