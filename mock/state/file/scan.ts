import { crc32 } from 'node:zlib';
import {
  type BlockHead,
  type PlacedEntry,
  mostHeadBytes,
  readEntries,
  readFormat,
  readHead,
} from './block.ts';
import type { DiskFile } from './disk.ts';

/** How a log ends, or why it cannot be read. Places are in bytes. */
export type LogEnd =
  | { readonly kind: 'whole'; readonly end: number }
  /** What follows `end` was not written to its end. */
  | { readonly kind: 'torn'; readonly end: number; readonly lost: number }
  /** Whole blocks follow the damage, so it is no write that was interrupted. */
  | { readonly kind: 'damaged'; readonly position: number }
  /** Its first block does not say what it is. */
  | { readonly kind: 'foreign' }
  | { readonly kind: 'newer'; readonly version: number };

/** The version of the format that is written. */
export const formatVersion = 1;

const chunkBytes = 2 ** 20;
const headStart = '{"bytes":';

/** Reads all of a log. What the visitor was told counts only if the log is whole or torn. */
export async function scanLog(
  file: DiskFile,
  visit: (entry: PlacedEntry) => void,
): Promise<LogEnd> {
  const reader = createReader(file, await file.size());
  const first = await readBlock(reader, 0);
  const version = first && readFormat(first.body);
  if (first === undefined || version === undefined) return { kind: 'foreign' };
  if (version > formatVersion) return { kind: 'newer', version };
  let end = first.end;
  while (end < reader.size) {
    const block = await readBlock(reader, end);
    if (block === undefined) {
      const isFollowed = await hasBlockAfter(reader, end);
      return isFollowed
        ? { kind: 'damaged', position: end }
        : { kind: 'torn', end, lost: reader.size - end };
    }
    const entries = readEntries(block.body, block.start);
    if (entries === undefined) return { kind: 'damaged', position: end };
    for (const entry of entries) visit(entry);
    end = block.end;
  }
  return { kind: 'whole', end };
}

interface Reader {
  readonly size: number;
  read(position: number, length: number): Promise<Buffer>;
}

/** Reads ahead, so that many small blocks are few reads. */
function createReader(file: DiskFile, size: number): Reader {
  let start = 0;
  let chunk: Buffer = Buffer.alloc(0);
  return {
    size,
    async read(position, length) {
      const wanted = Math.min(length, size - position);
      if (position < start || position + wanted > start + chunk.length) {
        start = position;
        chunk = await file.read(position, Math.max(wanted, chunkBytes));
      }
      return chunk.subarray(position - start, position - start + wanted);
    },
  };
}

interface WholeBlock {
  readonly body: Buffer;
  /** Of the body. */
  readonly start: number;
  readonly end: number;
}

async function readBlock(reader: Reader, position: number): Promise<WholeBlock | undefined> {
  const head: BlockHead | undefined = readHead(await reader.read(position, mostHeadBytes));
  if (head === undefined) return undefined;
  const start = position + head.headBytes;
  const end = start + head.bodyBytes;
  if (end > reader.size) return undefined;
  const body = await reader.read(start, head.bodyBytes);
  return crc32(body) === head.crc ? { body, start, end } : undefined;
}

/** Whether a whole block begins somewhere after a place. */
async function hasBlockAfter(reader: Reader, position: number): Promise<boolean> {
  let from = position;
  while (from < reader.size) {
    const bytes = await reader.read(from, chunkBytes);
    // The place itself holds none.
    let found = bytes.indexOf(headStart, from === position ? 1 : 0);
    while (found >= 0) {
      if ((await readBlock(reader, from + found)) !== undefined) return true;
      found = bytes.indexOf(headStart, found + 1);
    }
    if (from + bytes.length >= reader.size) return false;
    // What begins in one piece and ends in the next is seen too.
    from += bytes.length - headStart.length;
  }
  return false;
}
