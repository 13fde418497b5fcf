import { rename, rm, writeFile } from 'node:fs/promises';

/**
 * Writes a file that is there whole or not at all: one that was there stays until then. Throws the
 * system's error, or that of the pieces.
 */
export async function writeWhole(file: string, content: string | Iterable<string>): Promise<void> {
  const partial = `${file}.${process.pid}.partial`;
  try {
    await writeFile(partial, content);
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}
