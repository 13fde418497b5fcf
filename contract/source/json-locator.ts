import { endOfString } from '../json/syntax.ts';

/** Gives the offset in a sound JSON text of a member's name or an item, or the nearest above it. */
export function createJsonIndex(text: string): (tokens: readonly string[]) => number {
  const containers = new Map<number, ReadonlyMap<string, Entry>>();
  const entriesAt = (open: number): ReadonlyMap<string, Entry> => {
    const entries = containers.get(open) ?? listEntries(text, open);
    containers.set(open, entries);
    return entries;
  };
  return (tokens) => {
    let offset = skipSpace(text, 0);
    let value = offset;
    for (const token of tokens) {
      const found = entriesAt(value).get(token);
      if (found === undefined) return offset;
      offset = found.start;
      value = found.value;
    }
    return offset;
  };
}

interface Entry {
  /** Offset of its name, or of the item itself. */
  readonly start: number;
  /** Offset of its value. */
  readonly value: number;
}

/** The members or items of the value at an offset; of several with one name the last counts. */
function listEntries(text: string, open: number): ReadonlyMap<string, Entry> {
  const entries = new Map<string, Entry>();
  const isArray = text[open] === '[';
  if (!isArray && text[open] !== '{') return entries;
  let start = skipSpace(text, open + 1);
  while (start < text.length && !']}'.includes(text[start] ?? '')) {
    const nameEnd = isArray ? start : endOfString(text, start) + 1;
    const value = isArray ? start : skipSpace(text, skipSpace(text, nameEnd) + 1);
    const name = isArray ? String(entries.size) : readName(text.slice(start, nameEnd));
    entries.set(name, { start, value });
    const end = skipSpace(text, skipValue(text, value));
    if (text[end] !== ',') break;
    start = skipSpace(text, end + 1);
  }
  return entries;
}

function readName(quoted: string): string {
  return quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1);
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && ' \t\n\r\uFEFF'.includes(text[at] ?? '')) at += 1;
  return at;
}

/** The offset after the value that starts here. */
function skipValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === quote) at = endOfString(text, at);
    else if (isOpening(character)) depth += 1;
    else if (isClosing(character)) depth -= 1;
    else if (depth > 0 || !isAfter(character)) continue;
    if (depth < 0 || isAfter(character)) return at;
    if (depth === 0) return at + 1;
  }
  return text.length;
}

const quote = 0x22;

function isOpening(character: number): boolean {
  return character === 0x7b || character === 0x5b;
}

function isClosing(character: number): boolean {
  return character === 0x7d || character === 0x5d;
}

/** A comma or white space. */
function isAfter(character: number): boolean {
  return character === 0x2c || character <= 0x20;
}
