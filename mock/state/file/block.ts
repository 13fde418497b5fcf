import { crc32 } from 'node:zlib';

/** Bytes in a file. */
export interface Span {
  readonly position: number;
  readonly bytes: number;
}

/** One change of what is kept, as a block holds it. */
export type Entry =
  /** The changes after which a sandbox has this version. */
  | {
      readonly kind: 'append';
      readonly sandbox: string;
      readonly version: number;
      readonly texts: readonly string[];
    }
  /** What is kept of a sandbox begins at this version, with a snapshot or nothing. */
  | {
      readonly kind: 'begin';
      readonly sandbox: string;
      readonly version: number;
      readonly texts: readonly [] | readonly [string];
    }
  /** The one text stands for all changes up to this version. */
  | {
      readonly kind: 'snapshot';
      readonly sandbox: string;
      readonly version: number;
      readonly texts: readonly [string];
    }
  /** Nothing of the sandbox is left; it goes on after this version. */
  | {
      readonly kind: 'forget';
      readonly sandbox: string;
      readonly version: number;
      readonly texts: readonly [];
    };

/** An entry, its texts by where they are. */
export interface PlacedEntry extends Pick<Entry, 'kind' | 'sandbox' | 'version'> {
  readonly texts: readonly Span[];
}

/** A block as it is written: all of it is kept, or nothing. */
export interface Block {
  readonly bytes: Buffer;
  /** Places from the start of the block. */
  readonly entries: readonly PlacedEntry[];
}

/** Room for the line before a block: the lengths of two numbers and their names. */
export const mostHeadBytes = 64;

const newline = 0x0a;
const lineBreak = Buffer.from('\n');

/**
 * JSON lines: one of the length and the CRC-32 of what follows, then for each entry one that says
 * what it is, and its texts.
 */
export function renderBlock(entries: readonly Entry[]): Block {
  const parts: Buffer[] = [];
  let length = 0;
  const add = (text: string): Span => {
    const bytes = Buffer.from(text);
    if (bytes.includes(newline)) throw new TypeError('A text of the log has no line breaks.');
    parts.push(bytes, lineBreak);
    const span = { position: length, bytes: bytes.length };
    length += bytes.length + 1;
    return span;
  };
  const placed = entries.map(({ kind, sandbox, version, texts }) => {
    add(JSON.stringify({ [kind]: sandbox, version, texts: texts.length }));
    return { kind, sandbox, version, texts: texts.map(add) };
  });
  const { bytes, shift } = sealBlock(Buffer.concat(parts));
  return { bytes, entries: placed.map((entry) => moveEntry(entry, shift)) };
}

/** A block of what the file is: its first. */
export function renderFormat(version: number): Buffer {
  return sealBlock(Buffer.from(`${JSON.stringify({ [formatName]: version })}\n`)).bytes;
}

const formatName = 'petstore-contract state';

/** The version of the format that a block tells; undefined for another block. */
export function readFormat(body: Buffer): number | undefined {
  const version = readObject(body.toString())?.[formatName];
  return typeof version === 'number' ? version : undefined;
}

function sealBlock(body: Buffer): { readonly bytes: Buffer; readonly shift: number } {
  const crc = crc32(body).toString(16).padStart(8, '0');
  const head = Buffer.from(`${JSON.stringify({ bytes: body.length, crc })}\n`);
  return { bytes: Buffer.concat([head, body]), shift: head.length };
}

/** The line before a block. */
export interface BlockHead {
  /** Of the line itself. */
  readonly headBytes: number;
  /** Of what follows it. */
  readonly bodyBytes: number;
  readonly crc: number;
}

/** Reads the line that bytes begin with; undefined where it is no such line. */
export function readHead(bytes: Buffer): BlockHead | undefined {
  const end = bytes.subarray(0, mostHeadBytes).indexOf(newline);
  if (end < 0) return undefined;
  const line = /^\{"bytes":(\d{1,15}),"crc":"([0-9a-f]{8})"\}$/.exec(
    bytes.toString('latin1', 0, end),
  );
  if (line === null) return undefined;
  const [, bodyBytes = '', crc = ''] = line;
  return { headBytes: end + 1, bodyBytes: Number(bodyBytes), crc: Number.parseInt(crc, 16) };
}

/**
 * The entries of a block, from a body whose CRC is right.
 *
 * @param position of the body
 * @returns undefined where a line is none that this version writes
 */
export function readEntries(body: Buffer, position: number): readonly PlacedEntry[] | undefined {
  const entries: PlacedEntry[] = [];
  let at = 0;
  const next = (): Span | undefined => {
    const end = body.indexOf(newline, at);
    if (end < 0) return undefined;
    const span = { position: at, bytes: end - at };
    at = end + 1;
    return span;
  };
  while (at < body.length) {
    const line = next();
    const head = line && readEntryHead(body.toString('utf8', line.position, at - 1));
    if (head === undefined) return undefined;
    const texts: Span[] = [];
    for (let count = 0; count < head.count; count += 1) {
      const text = next();
      if (text === undefined) return undefined;
      texts.push(text);
    }
    const { kind, sandbox, version } = head;
    entries.push(moveEntry({ kind, sandbox, version, texts }, position));
  }
  return entries;
}

function readEntryHead(line: string) {
  const { version, texts: count, ...named } = readObject(line) ?? {};
  const [[kind, sandbox] = []] = Object.entries(named);
  if (!isKind(kind)) return undefined;
  if (typeof sandbox !== 'string') return undefined;
  if (typeof version !== 'number' || typeof count !== 'number') return undefined;
  return { kind, sandbox, version, count } as const;
}

function isKind(text: string | undefined): text is Entry['kind'] {
  return text === 'append' || text === 'begin' || text === 'snapshot' || text === 'forget';
}

function readObject(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** An entry whose places count from further before. */
export function moveEntry(entry: PlacedEntry, shift: number): PlacedEntry {
  const texts = entry.texts.map(({ position, bytes }) => ({ position: position + shift, bytes }));
  return { ...entry, texts };
}
