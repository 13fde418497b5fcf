import { open } from 'node:fs/promises';
import { PetstoreError } from '../../contract/index.ts';
import type { Limit } from '../../limits/index.ts';

/** Bytes that are asked for at once. */
const chunkBytes = 1024 * 1024;

/**
 * Reads a file of at most so many bytes, whatever it is: a device that never ends, or a file that
 * grows, costs no more. Throws `PetstoreError` for a longer one, or the system's error.
 */
export async function readBounded(file: string, { most }: Limit): Promise<Buffer> {
  await using handle = await open(file);
  const { size } = await handle.stat();
  if (size > most) throw tooLarge(file, `${size} bytes`, most);
  const chunks: Buffer[] = [];
  let total = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, most + 1 - total));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, null);
    total += bytesRead;
    if (total > most) throw tooLarge(file, `more than ${most} bytes`, most);
    if (bytesRead === 0) return Buffer.concat(chunks, total);
    chunks.push(chunk.subarray(0, bytesRead));
  }
}

function tooLarge(file: string, found: string, most: number): PetstoreError {
  const message = `${file} is too large: it has ${found}, and at most ${most} are read.`;
  return new PetstoreError('argument', message);
}
