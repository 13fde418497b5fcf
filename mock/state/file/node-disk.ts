import { type FileHandle, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrorCode } from './disk-error.ts';
import type { Disk, DiskFile } from './disk.ts';

/** The state has keys in it. */
const fileMode = 0o600;

/** A folder of this machine. */
export function createNodeDisk(folder: string): Disk {
  const at = (name: string): string => join(folder, name);
  return {
    list: () => readdir(folder),
    open: async (name) => createNodeFile(await open(at(name), 'r+')),
    create: async (name) => createNodeFile(await open(at(name), 'w+', fileMode)),
    rename: (from, to) => rename(at(from), at(to)),
    remove: (name) => rm(at(name)),
    syncFolder: () => syncFolder(folder),
  };
}

/** Makes the names in a folder durable, where the system lets a folder be synced. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    // Windows opens no folders, and some file systems sync none.
    if (!hasErrorCode(error, 'EPERM', 'EISDIR', 'EINVAL', 'ENOTSUP', 'EACCES')) throw error;
  }
}

function createNodeFile(handle: FileHandle): DiskFile {
  return {
    size: async () => (await handle.stat()).size,
    async read(position, length) {
      const bytes = Buffer.allocUnsafe(length);
      let done = 0;
      while (done < length) {
        const { bytesRead } = await handle.read(bytes, done, length - done, position + done);
        if (bytesRead === 0) break;
        done += bytesRead;
      }
      return bytes.subarray(0, done);
    },
    async write(position, bytes) {
      let done = 0;
      while (done < bytes.length) {
        const { bytesWritten } = await handle.write(
          bytes,
          done,
          bytes.length - done,
          position + done,
        );
        done += bytesWritten;
      }
    },
    truncate: (size) => handle.truncate(size),
    sync: () => handle.datasync(),
    close: () => handle.close(),
  };
}
