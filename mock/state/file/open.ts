import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PetstoreError } from '../../../contract/index.ts';
import type { StateEngine } from '../engine.ts';
import { explainDiskError, hasErrorCode } from './disk-error.ts';
import { type FileEngineOptions, createFileEngine } from './engine.ts';
import { type LockTimes, takeLock } from './lock.ts';
import { createNodeDisk, syncFolder } from './node-disk.ts';

/**
 * The folder of an address: `file:./state`, `file:/var/lib/petstore` or `file:///var/lib/petstore`.
 *
 * @throws {PetstoreError} with code `state`
 */
export function readFolder(address: string): string {
  const path = address.replace(/^file:/i, '');
  if (path === '')
    throw new PetstoreError('state', `"${address}" does not name a folder.`, {
      remedy: 'Name one, such as file:./petstore-state.',
    });
  if (!path.startsWith('//')) return resolve(path);
  try {
    return fileURLToPath(address);
  } catch (cause) {
    const remedy = 'Write a relative path without slashes before it: file:./petstore-state';
    throw new PetstoreError('state', `"${address}" is not a folder on this machine.`, {
      remedy,
      cause,
    });
  }
}

/** The state has keys in it: it is for the user who runs the mock alone. */
const folderMode = 0o700;

/**
 * Makes a folder and those above it. Node's own way (`recursive`) never returns where a system makes
 * no folders, as below `/proc`.
 */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, folderMode);
  } catch (error) {
    const above = dirname(folder);
    if (hasErrorCode(error, 'EEXIST') && (await isFolder(folder))) return;
    if (!hasErrorCode(error, 'ENOENT') || above === folder || (await isFolder(above))) throw error;
    await makeFolder(above);
    await mkdir(folder, folderMode);
  }
  await syncFolder(dirname(folder));
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() === true;
}

/**
 * Opens a folder to keep state in, and makes it where it is not there. It is this process's until
 * the engine is closed or the process ends.
 *
 * @throws {PetstoreError} with code `state`
 */
export async function openFileEngine(
  folder: string,
  options: FileEngineOptions & { readonly lock?: LockTimes } = {},
): Promise<StateEngine> {
  try {
    await makeFolder(folder);
    const lock = await takeLock(folder, options.lock);
    try {
      const confirm = (): Promise<void> => lock.confirm();
      const engine = await createFileEngine(createNodeDisk(folder), folder, {
        ...options,
        confirm,
      });
      const close = engine.close.bind(engine);
      engine.close = async () => {
        await close();
        await lock.release();
      };
      return engine;
    } catch (error) {
      await lock.release();
      throw error;
    }
  } catch (error) {
    throw explainDiskError(folder, error);
  }
}
