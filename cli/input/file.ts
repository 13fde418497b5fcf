import { open, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type JsonValue, parseJson, PetstoreError } from '../../contract/index.ts';
import { type Limit, inputLimits } from '../../limits/index.ts';

/** As `readBytes`, as text: what is no UTF-8 stands as U+FFFD. */
export async function readInput(
  file: string,
  limit: Limit = inputLimits.recordingBytes,
): Promise<string> {
  return (await readBytes(file, limit)).toString();
}

/**
 * Reads a file that a person named. No more is read than the limit allows.
 *
 * @throws {PetstoreError} for a file that is larger, with its size, or the system's error
 */
export async function readBytes(file: string, limit: Limit): Promise<Buffer> {
  const bytes = await readUpTo(file, limit.most);
  if (bytes instanceof Uint8Array) return bytes;
  throw new PetstoreError(
    'argument',
    `${file} is too large: ${explainSize(bytes.size, limit.most)}`,
  );
}

/**
 * The bytes of a file, or how many it has at least where they are more than `most`. A pipe or a device
 * is read only where the path itself is one of the system, such as `/dev/stdin`: one in a folder of
 * somebody else might never end.
 */
export async function readUpTo(
  file: string,
  most: number,
): Promise<Buffer | { readonly size: number }> {
  const found = await stat(file);
  if (found.isDirectory())
    throw new PetstoreError('argument', `${file} is a folder, and a file is wanted.`);
  if (!found.isFile() && !/^\/(?:dev|proc)\//.test(resolve(file)))
    throw new PetstoreError('argument', `${file} is a pipe or a device, and a file is wanted.`);
  const { size } = found;
  if (size > most) return { size };
  const handle = await open(file);
  try {
    const chunks: Buffer[] = [];
    let length = 0;
    // A pipe or a device has no size, and may never end.
    for (;;) {
      const wanted = Math.max(size + 1 - length, 65_536);
      const { bytesRead, buffer } = await handle.read({ buffer: Buffer.alloc(wanted) });
      if (bytesRead === 0)
        return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
      chunks.push(buffer.subarray(0, bytesRead));
      length += bytesRead;
      if (length > most) return { size: length };
    }
  } finally {
    await handle.close();
  }
}

/** "it has 20,000,000 bytes or more; at most 16,777,216 are read." */
function explainSize(size: number, most: number): string {
  return `it has ${size.toLocaleString('en')} bytes or more; at most ${most.toLocaleString('en')} are read.`;
}

/**
 * The JSON of a file; a byte order mark before it is passed over, as RFC 8259 section 8.1 allows.
 * Throws `JsonSyntaxError`, also for more values than are taken.
 */
export function parseInput(text: string): JsonValue {
  return parseJson(text.replace(/^\uFEFF/, ''), inputLimits.values.most);
}
