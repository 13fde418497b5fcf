import { existsSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a folder and its parents if they do not exist; `mode` is that of new ones. Throws the system's
 * error. Node's `recursive` never returns if a file system refuses folders, as `/proc` does.
 */
export async function makeFolder(folder: string, mode = 0o777): Promise<void> {
  if (await isFolder(folder)) return;
  const parent = dirname(folder);
  if (!existsSync(parent)) await makeFolder(parent, mode);
  await mkdir(folder, mode).catch(async (error: unknown) => {
    // Another process may have created it.
    if (!(await isFolder(folder))) throw error;
  });
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() === true;
}
