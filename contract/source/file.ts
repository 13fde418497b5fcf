import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { decodePercent } from './percent.ts';
import { mostBytes } from './tree.ts';

/** Where a document lies, so that its references can be followed. */
export interface DocumentPlace {
  /** Real path of the root document; that of no file for a text. */
  readonly file: string;
  /** Real path of the folder in which references are followed; undefined: to no file. */
  readonly folder: string | undefined;
  /** Real paths of further folders that references may lead to. */
  readonly allowedFolders?: readonly string[];
  /** References to `http:` and `https:` are fetched. */
  readonly allowNetwork?: boolean;
}

/** Finds what references name, and reads it. Both throw an Error with a reason for people. */
interface TargetFinder {
  /** The real path or the address that a path in the file `from` leads to. */
  readonly find: (path: string, from: string) => Promise<string>;
  /** Its text. */
  readonly load: (target: string) => Promise<string>;
}

export function createTargetFinder(place: DocumentPlace | undefined): TargetFinder {
  /** Files that were found, by where they were looked for. */
  const found = new Map<string, string>();
  return {
    find: async (path, from) => {
      if (isAddress(from) || /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(path)) {
        const address = URL.parse(path, isAddress(from) ? from : undefined)?.href ?? path;
        if (place?.allowNetwork === true && isAddress(address)) return address;
        throw new Error(`refused: ${path} is not a file of this document; nothing is fetched`);
      }
      if (place?.folder === undefined)
        throw new Error(
          `refused: a document given as text has no folder in which to look for ${path}`,
        );
      const wanted = resolve(dirname(from), decodePercent(path) ?? path);
      const target =
        found.get(wanted) ??
        (await findFile(wanted, path, [place.folder, ...(place.allowedFolders ?? [])]));
      found.set(wanted, target);
      return target;
    },
    load: (target) => (isAddress(target) ? fetchText(target) : loadText(target)),
  };
}

/** The real path of a file, which is within one of some folders. */
async function findFile(
  wanted: string,
  reference: string,
  folders: readonly string[],
): Promise<string> {
  const isInside = (file: string): boolean =>
    folders.some((folder) => {
      const path = relative(folder, file);
      return path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
    });
  const outside = `refused: ${reference} is outside the folder of the document`;
  // Before anything is touched: whether a file outside exists is not revealed.
  if (!isInside(wanted)) throw new Error(outside);
  const file = await realpath(wanted).catch(() => {
    throw new Error(`there is no file ${reference}`);
  });
  if (!isInside(file)) throw new Error(outside);
  if (!(await stat(file)).isFile()) throw new Error(`${reference} is not a regular file`);
  return file;
}

/** What would have a reference followed that was not, for its message. */
export function fixOf(message: string): string {
  if (!message.startsWith('refused:')) return 'Correct the reference';
  if (message.endsWith('nothing is fetched'))
    return 'Allow it with --allow-network, or refer to a copy in the folder';
  return message.includes('outside the folder')
    ? 'Correct the reference, or open the folder with --allow-folder FOLDER'
    : 'Correct the reference, or read the document from a file';
}

function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

/** Reads a file as UTF-8 text. Throws an Error whose message is a reason for people. */
export async function loadText(file: string): Promise<string> {
  const state = await stat(file).catch(() => undefined);
  if (state === undefined) throw new Error('there is no such file');
  if (!state.isFile()) throw new Error('it is not a regular file');
  if (state.size > mostBytes)
    throw new Error(`the file has ${state.size} bytes, at most ${mostBytes} are read`);
  const bytes = await readFile(file).catch((cause: unknown) => {
    throw new Error('the file cannot be read', { cause });
  });
  return decodeText(bytes);
}

/** How long a fetched reference may take, in milliseconds. */
const fetchTime = 30_000;

async function fetchText(address: string): Promise<string> {
  const response = await fetch(address, { signal: AbortSignal.timeout(fetchTime) }).catch(
    (cause: unknown) => {
      throw new Error(`${address} cannot be fetched`, { cause });
    },
  );
  if (!response.ok) throw new Error(`${address} answers ${response.status}`);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    // Leaving the loop cancels the response.
    if (length > mostBytes) throw new Error(`${address} has more than ${mostBytes} bytes`);
    chunks.push(chunk);
  }
  return decodeText(Buffer.concat(chunks));
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error('the file is not UTF-8');
  }
}
