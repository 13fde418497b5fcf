import { readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { TextDecoder } from 'node:util';

import { mostBytes } from './bounds.ts';

/** Reads a file as UTF-8 text. Throws an Error whose message is a reason for people. */
export async function loadText(file: string): Promise<string> {
  return decodeText(await readBytes(file));
}

/** Throws an Error whose message is a reason for people. */
export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error('the file is not UTF-8');
  }
}

/**
 * The real path of a file that a reference names. Throws an Error where it lies outside the folder
 * or is no file. `from` is the real folder of the file that refers.
 */
export async function findFileInside(
  folder: string,
  from: string,
  reference: string,
): Promise<string> {
  const root = await realpath(folder);
  const wanted = resolve(from, reference);
  // Before anything is touched: whether a file outside exists is not told.
  if (!isInside(root, wanted)) throw outside(reference);
  const file = await realpath(wanted).catch(() => {
    throw new Error(`there is no file ${reference}`);
  });
  if (!isInside(root, file)) throw outside(reference);
  if (!(await stat(file)).isFile()) throw new Error(`${reference} is no regular file`);
  return file;
}

function outside(reference: string): Error {
  return new Error(`refused: ${reference} lies outside the folder of the document`);
}

function isInside(folder: string, file: string): boolean {
  const path = relative(folder, file);
  return path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
}

async function readBytes(file: string): Promise<Uint8Array> {
  const state = await stat(file).catch(() => undefined);
  if (state === undefined) throw new Error('there is no such file');
  if (!state.isFile()) throw new Error('it is no regular file');
  if (state.size > mostBytes)
    throw new Error(`the file has ${state.size} bytes, at most ${mostBytes} are read`);
  return readFile(file).catch((cause: unknown) => {
    throw new Error('the file cannot be read', { cause });
  });
}
