import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PetstoreError } from '../../contract/index.ts';

/**
 * The files that are meant by paths: a file itself, the file of this name in a folder, else those in
 * its folders. Throws `PetstoreError` for a folder without any, or the system's error.
 */
export async function findInputs(
  paths: readonly string[],
  name: string,
): Promise<readonly string[]> {
  const found = await Promise.all(paths.map((path) => findIn(path, name)));
  return found.flat();
}

async function findIn(path: string, name: string): Promise<readonly string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  const own = join(path, name);
  if (await isFile(own)) return [own];
  const inner = (await readdir(path)).toSorted().map((each) => join(path, each, name));
  const there = await Promise.all(inner.map(isFile));
  const files = inner.filter((_, index) => there[index]);
  if (files.length > 0) return files;
  throw new PetstoreError('argument', `${path} holds no ${name}, and no folder in it does.`);
}

async function isFile(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
