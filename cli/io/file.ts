import { createReadStream, existsSync } from 'node:fs';
import { readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { hasCode, PetstoreError } from '../../contract/error/petstore-error.ts';
import { JsonSyntaxError } from '../../contract/json/scan.ts';
import { type JsonValue, parseJson } from '../../contract/json/value.ts';
import { argumentError } from './command-failure.ts';
import { inputLimits } from '../../contract/limits/index.ts';

/**
 * Reads a file that the user named, as text: invalid UTF-8 becomes U+FFFD. Reads at most `limit`
 * bytes.
 *
 * @throws {PetstoreError} if the file is larger, with its size, or the system's error
 */
export async function readInput(
  file: string,
  limit: number = inputLimits.recordingBytes,
): Promise<string> {
  const bytes = await readUpTo(file, limit);
  if (bytes instanceof Uint8Array) return bytes.toString();
  const [size, most] = [bytes.size, limit].map((count) => count.toLocaleString('en'));
  throw argumentError(
    `${file} is too large: it has ${size} bytes or more; at most ${most} are read.`,
  );
}

/**
 * The bytes of a file, or its minimum size if it has more than `most`. Pipes and devices are read
 * only if the path itself is a system path, such as `/dev/stdin`: one in a foreign folder might
 * never end.
 */
export async function readUpTo(
  file: string,
  most: number,
): Promise<Buffer | { readonly size: number }> {
  const found = await stat(file);
  if (found.isDirectory()) throw argumentError(`${file} is a folder, not a file.`);
  if (!found.isFile() && !/^\/(?:dev|proc)\//.test(resolve(file)))
    throw argumentError(`${file} is a pipe or a device, not a file.`);
  if (found.size > most) return { size: found.size };
  // A pipe or a device has no size, and may never end. `end` is the last byte that is read.
  const bytes = await buffer(createReadStream(file, { end: most, highWaterMark: 2 ** 20 }));
  return bytes.length > most ? { size: bytes.length } : bytes;
}

/**
 * Parses the JSON of a file. Ignores a byte order mark, as RFC 8259 section 8.1 allows. Throws
 * `JsonSyntaxError`, also for too many values.
 */
export function parseInput(text: string): JsonValue {
  return parseJson(text.replace(/^\uFEFF/, ''), inputLimits.values);
}

/**
 * Resolves paths to files: the file itself, the file of this name in a folder, or those in its
 * subfolders. Throws `PetstoreError` for a folder without any, or the system's error.
 */
export async function findInputs(
  paths: readonly string[],
  name: string,
): Promise<readonly string[]> {
  const all: string[] = [];
  for (const path of paths) {
    const isFolder = (await stat(path)).isDirectory();
    const own = isFolder ? join(path, name) : path;
    const inner = isFolder ? (await readdir(path)).toSorted() : [];
    const files = existsSync(own)
      ? [own]
      : inner.map((folder) => join(path, folder, name)).filter((file) => existsSync(file));
    if (files.length === 0)
      throw argumentError(`${path} contains no ${name}, and neither does any folder in it.`);
    all.push(...files);
  }
  return all;
}

/**
 * Writes a file atomically: an existing file stays until the new one is complete. Throws the
 * system's error, or an error of the pieces.
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

/**
 * Reads a JSON file that the user named. `noun`: what it must be, such as `a report`. `read` checks
 * and converts the value. Throws `PetstoreError` with the file's name, or the system's error.
 */
export async function readJsonFile<Value>(
  file: string,
  noun: string,
  read: (value: JsonValue, text: string) => Value | Promise<Value>,
): Promise<Value> {
  const text = await readInput(file);
  // Playwright writes `traffic.har.zip`.
  if (text.startsWith('PK\u0003\u0004'))
    throw argumentError(`${file} is a ZIP archive. Unpack it, and pass the file in it.`);
  try {
    return await read(parseInput(text), text);
  } catch (error) {
    if (error instanceof JsonSyntaxError)
      throw argumentError(`${file} is not valid JSON: ${error.message}.`, error);
    if (hasCode(error, 'shape', 'journal'))
      throw argumentError(`${file} is not ${noun}: ${error.message.replace(/\.$/, '')}.`, error);
    if (!hasCode(error, 'replay', 'waiver')) throw error;
    throw new PetstoreError(error.code, `${file}: ${error.message}`, { cause: error });
  }
}
