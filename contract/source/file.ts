import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { decodePercent } from './percent.ts';
import { maxBytes } from './tree.ts';

/** Where a document is, so that its references can be followed. */
export interface DocumentPlace {
  /** Real path of the root document; for a text, a path without a file. */
  readonly file: string;
  /** Real path of the folder in which references are followed; undefined: no files. */
  readonly folder: string | undefined;
  /** Real paths of further folders that may be referenced. */
  readonly allowedFolders: readonly string[];
  /** References to `http:` and `https:` are fetched. */
  readonly allowNetwork: boolean;
}

/** Why a reference is not followed. */
export class ClosedReference extends Error {
  /** How to allow it, without a full stop. */
  readonly fix: string;

  constructor(message: string, fix = 'Correct the reference') {
    super(message);
    this.fix = fix;
  }
}

/** The real path or URL of a path in the file `from`. Throws a ClosedReference. */
export async function findTarget(
  path: string,
  from: string,
  { folder, allowedFolders, allowNetwork }: DocumentPlace,
): Promise<string> {
  if (isAddress(from) || /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(path)) {
    const address = URL.parse(path, isAddress(from) ? from : undefined)?.href ?? path;
    if (allowNetwork && isAddress(address)) return address;
    throw new ClosedReference(
      `refused: ${path} is not a file of this document; nothing is fetched`,
      'Allow it with --allow-network, or refer to a copy in the folder',
    );
  }
  if (folder === undefined)
    throw new ClosedReference(
      `refused: a document given as text has no folder in which to look for ${path}`,
      'Correct the reference, or read the document from a file',
    );
  const refuseOutside = (file: string): void => {
    const isInside = [folder, ...allowedFolders].some((one) => {
      const within = relative(one, file);
      return within !== '..' && !within.startsWith(`..${sep}`) && !isAbsolute(within);
    });
    if (isInside) return;
    throw new ClosedReference(
      `refused: ${path} is outside the folder of the document`,
      'Correct the reference, or open the folder with --allow-folder FOLDER',
    );
  };
  // Some documents use Windows backslashes.
  const wanted = resolve(dirname(from), (decodePercent(path) ?? path).replaceAll('\\', '/'));
  // Before any access: whether a file outside exists is not revealed.
  refuseOutside(wanted);
  const file = await realpath(wanted).catch(() => {
    throw new ClosedReference(`there is no file ${path}`);
  });
  refuseOutside(file);
  if (!(await stat(file)).isFile()) throw new ClosedReference(`${path} is not a regular file`);
  return file;
}

export function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

/** Reads a file as UTF-8 text. Throws an Error whose message is readable. */
export async function loadText(file: string): Promise<string> {
  const state = await stat(file).catch(() => undefined);
  if (state === undefined) throw new Error('there is no such file');
  if (!state.isFile()) throw new Error('it is not a regular file');
  if (state.size > maxBytes)
    throw new Error(`the file has ${state.size} bytes, at most ${maxBytes} are read`);
  const bytes = await readFile(file).catch((cause: unknown) => {
    throw new Error('the file cannot be read', { cause });
  });
  return decodeText(bytes);
}

/** Most milliseconds to fetch the references of a document. */
export const fetchTime = 30_000;

/** Like `loadText`, from a URL. `signal`: aborted when the time for all references is over. */
export async function fetchText(address: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(address, { signal }).catch((cause: unknown) => {
    const limit = `: its references take more than ${fetchTime / 1000} s together`;
    throw new Error(`${address} cannot be fetched${signal.aborted ? limit : ''}`, { cause });
  });
  if (!response.ok) throw new Error(`${address} answers ${response.status}`);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    // Leaving the loop cancels the response.
    if (length > maxBytes) throw new Error(`${address} has more than ${maxBytes} bytes`);
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
