import { dirname, resolve } from 'node:path';
import { mostBytes } from './bounds.ts';
import { decodeText, findFileInside, loadText } from './file.ts';

/** Where a document lies, so that its references can be followed. */
export interface DocumentPlace {
  /** Real path of the root document; that of no file for a text. */
  readonly file: string;
  /** References are followed within this folder; undefined: to no file. */
  readonly folder: string | undefined;
  /** Further folders that references may lead to. */
  readonly allowedFolders?: readonly string[];
  /** References to `http:` and `https:` are fetched. */
  readonly allowNetwork?: boolean;
}

/** Finds what references name, and reads it. */
interface TargetFinder {
  /** The real path or the address that a path stands for. Throws Error with a reason for people. */
  readonly find: (path: string, from: string) => Promise<string>;
  /** Its text. Throws Error with a reason for people. */
  readonly load: (target: string) => Promise<string>;
}

export function createTargetFinder(place: DocumentPlace | undefined): TargetFinder {
  /** Files that were found, by where they were looked for. */
  const found = new Map<string, string>();
  return {
    find: async (path, from) => {
      const wanted = isAddress(path) || isAddress(from) ? path : resolve(dirname(from), path);
      const known = found.get(wanted);
      if (known !== undefined) return known;
      const target = await findTarget(path, from, place);
      if (!isAddress(from)) found.set(wanted, target);
      return target;
    },
    load: (target) => (isAddress(target) ? fetchText(target) : loadText(target)),
  };
}

async function findTarget(
  path: string,
  from: string,
  place: DocumentPlace | undefined,
): Promise<string> {
  const base = isAddress(from) ? from : undefined;
  const isFar = isFarPath(path) || base !== undefined;
  if (isFar) {
    const address = URL.parse(path, base)?.href ?? path;
    if (place?.allowNetwork === true && isAddress(address)) return address;
    throw new Error(`refused: ${path} is no file of this document; nothing is fetched`);
  }
  if (place?.folder === undefined)
    throw new Error(`refused: a document given as text has no folder in which to look for ${path}`);
  return findFile(decodePath(path), dirname(from), place.folder, place.allowedFolders ?? []);
}

async function findFile(
  path: string,
  from: string,
  home: string,
  others: readonly string[],
): Promise<string> {
  try {
    return await findFileInside(home, from, path);
  } catch (cause) {
    for (const folder of others) {
      const found = await findFileInside(folder, from, path).catch(() => undefined);
      if (found !== undefined) return found;
    }
    throw cause;
  }
}

/** What would have a reference followed that was not, for its reason. */
export function remedyOf(path: string, reason: string): string {
  if (!reason.startsWith('refused:')) return 'Correct the reference';
  if (isFarPath(path)) return 'Allow it with --allow-network, or refer to a copy in the folder';
  return reason.includes('outside the folder')
    ? 'Correct the reference, or open the folder with --allow-folder FOLDER'
    : 'Correct the reference, or read the document from a file';
}

function isFarPath(path: string): boolean {
  return /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(path);
}

function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text);
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

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
