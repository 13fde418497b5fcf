import { canonicalInteger } from '../json/number.ts';
import { setMember } from '../json/edit.ts';
import { isNumeric, type JsonObject, type JsonValue, listOf, objectOf } from '../json/value.ts';
import type { DiagnosticCode, TextLocator, TextPlace } from './diagnostic.ts';

/** Most bytes of a document, and of a referenced file. */
export const maxBytes = 32 * 1024 * 1024;

/** Most levels of objects and lists in a document. */
export const maxLevels = 500;

/** Most values of a document, with aliases resolved. */
export const maxValues = 1_000_000;

/** Most items of a list, and members of an object. */
export const maxMembers = 100_000;

/** Most characters of a member name. */
export const maxNameText = 1_000;

/**
 * Most characters of a pointer into a document, before escaping. Three times as many are still hashed: V8
 * gives all longer strings of the same length the same hash, so maps of them take quadratic time.
 */
const maxPointerText = 5_000;

/** The result of reading a text. */
export interface ReadText {
  /** Undefined if nothing could be read. */
  readonly value: JsonValue | undefined;
  /** Number of values at all levels. */
  readonly values: number;
  /** Syntax errors in YAML or JSON. */
  readonly issues: readonly TextIssue[];
  readonly locate: TextLocator;
}

export interface TextIssue {
  readonly code: DiagnosticCode;
  readonly message: string;
  /** Undefined for the whole text. */
  readonly place?: TextPlace | undefined;
}

/** The result for a text in which nothing could be read. */
export function unreadable(code: DiagnosticCode, message: string, place?: TextPlace): ReadText {
  const locate = (): TextPlace => place ?? { line: 1, column: 1 };
  return { value: undefined, values: 0, issues: [{ code, message, place }], locate };
}

/** A value in a text. */
export interface TextNode {
  /** Offset of the name for a member, of the value for anything else. */
  readonly start: number;
  /** Shared by all aliases of a value. */
  readonly id: unknown;
  readonly kind: 'scalar' | 'list' | 'object';
  /** Of a scalar; an integer may be a bigint. */
  readonly scalar?: unknown;
  /** Members or items, by name or index. */
  readonly entries: () => Iterable<readonly [string, TextNode]>;
}

/** An issue with its offset in the text. */
export type IssueAt = Omit<TextIssue, 'place'> & { readonly offset: number };

/**
 * The value of a YAML text: each use of an alias is a separate value, and a member `<<` is replaced by the
 * members of other objects. `open` parses the text, and again to find positions.
 */
export function readTree(
  text: string,
  open: () => TextNode,
  found: readonly IssueAt[] = [],
): ReadText {
  const size = new TextSize();
  const issues = new Map(found.map((one) => [`${one.offset} ${one.message}`, one]));
  /** Lists and objects around the current value. */
  const holders = new Set<unknown>();
  const report = (code: DiagnosticCode, { start: offset }: TextNode, message: string): null => {
    issues.set(`${offset} ${message}`, { code, offset, message });
    return null;
  };
  const read = (node: TextNode, levels: number, names: number): JsonValue => {
    const { kind, scalar, id } = node;
    size.add(scalar);
    if (kind === 'scalar') {
      const value = jsonScalar(scalar);
      if (value !== undefined) return value;
      return report('invalid-syntax', node, `${Number(scalar)} is not a JSON value`);
    }
    if (holders.has(id))
      return report('invalid-syntax', node, 'an anchor is used within its own value');
    const entries = [...node.entries()];
    size.enter(entries, kind, levels, names);
    holders.add(id);
    const items: JsonValue[] = [];
    const members: JsonObject = {};
    for (const [name, inner] of entries) {
      const value = read(inner, levels + 1, names + name.length + 1);
      if (kind === 'object' && Object.hasOwn(members, name))
        report('duplicate-key', inner, 'Map keys must be unique');
      if (kind === 'list') items.push(value);
      else setMember(members, name, value);
    }
    holders.delete(id);
    if (kind === 'list') return items;
    return Object.hasOwn(members, '<<') ? mergeMembers(members) : members;
  };
  const root = open();
  const limited = size.limit(() => read(root, 0, 0));
  const lines = new LineIndex(text);
  const placed = [...issues.values()]
    .toSorted((one, other) => one.offset - other.offset)
    .map(({ offset, ...issue }) => ({ ...issue, place: lines.placeAt(offset) }));
  return {
    ...limited,
    issues: [...limited.issues, ...placed],
    locate: createLocator(text, open),
  };
}

/** The JSON value of a YAML scalar; undefined if there is none, as for `.inf`. */
function jsonScalar(value: unknown): JsonValue | undefined {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (!isNumeric(value) || !Number.isFinite(Number(value))) return undefined;
  if (typeof value === 'bigint') return canonicalInteger(value);
  return Number.isInteger(value) ? canonicalInteger(BigInt(value)) : value;
}

/** Adds the members of the objects under `<<` that are not present otherwise; of several, the first. */
function mergeMembers(members: JsonObject): JsonObject {
  let merged: JsonObject = {};
  for (const [name, value] of Object.entries(members))
    if (name !== '<<') setMember(merged, name, value);
    else
      for (const source of [...listOf(value), value])
        merged = { ...merged, ...objectOf(source), ...merged };
  return merged;
}

/** A value read from JSON, unless it exceeds a limit. */
export function limitJson(value: JsonValue): Omit<ReadText, 'locate'> {
  const size = new TextSize();
  const count = (one: JsonValue | undefined, levels: number, names: number): void => {
    size.add(one);
    if (typeof one !== 'object' || one === null) return;
    const entries: readonly [string, JsonValue | undefined][] = Object.entries(one);
    size.enter(entries, Array.isArray(one) ? 'list' : 'object', levels, names);
    for (const [name, member] of entries) count(member, levels + 1, names + name.length + 1);
  };
  return size.limit(() => {
    count(value, 0, 0);
    return value;
  });
}

class LimitError extends Error {}

/** Counts the contents of a text. */
class TextSize {
  #values = 0;
  #characters = 0;

  /** The result of `read`; without a value but with a reason if it exceeds a limit. */
  limit(read: () => JsonValue): Omit<ReadText, 'locate'> {
    try {
      const value = read();
      return { value, values: this.#values, issues: [] };
    } catch (cause) {
      if (!(cause instanceof LimitError)) throw cause;
      const issues = [{ code: 'too-large', message: cause.message }] as const;
      return { value: undefined, values: this.#values, issues };
    }
  }

  add(value: unknown): void {
    this.#values += 1;
    if (typeof value === 'string') this.#characters += value.length;
    this.#refuse(this.#values > maxValues, `the document has more than ${maxValues} values`);
    this.#refuse(this.#characters > maxBytes, `the document has more than ${maxBytes} characters`);
  }

  /** `levels`, `names`: the number and total length of the tokens in the pointer to a list or object. */
  enter(
    entries: readonly (readonly [string, unknown])[],
    kind: TextNode['kind'],
    levels: number,
    names: number,
  ): void {
    const { length } = entries;
    if (length === 0) return;
    const noun = kind === 'list' ? 'items' : 'members';
    this.#refuse(
      length > maxMembers,
      `a value has ${length} ${noun}, at most ${maxMembers} are read`,
    );
    this.#refuse(levels >= maxLevels, `it is nested more than ${maxLevels} levels deep`);
    this.#refuse(
      names > maxPointerText,
      `the names around a value have more than ${maxPointerText} characters`,
    );
    const long = entries.find(([name]) => name.length > maxNameText)?.[0] ?? '';
    this.#refuse(
      long !== '',
      `the name ${long.slice(0, 40)}… has ${long.length} characters, at most ${maxNameText} are read`,
    );
  }

  #refuse(isBeyond: boolean, message: string): void {
    if (isBeyond) throw new LimitError(message);
  }
}

/** A locator that parses the text when the first position is needed. */
export function createLocator(text: string, open: () => TextNode): TextLocator {
  const known = new Map<TextNode, ReadonlyMap<string, TextNode>>();
  let read: { readonly root: TextNode; readonly lines: LineIndex } | undefined;
  return (tokens) => {
    read ??= { root: open(), lines: new LineIndex(text) };
    let node = read.root;
    for (const token of tokens) {
      const entries = known.get(node) ?? new Map(node.entries());
      known.set(node, entries);
      const inner = entries.get(token);
      if (inner === undefined) break;
      node = inner;
    }
    return read.lines.placeAt(node.start);
  };
}

/** Characters within which only the first start of a line is kept: a text may have millions of lines. */
const blockLength = 256;

/** Finds the line and the column of an offset in a text. */
export class LineIndex {
  readonly #text: string;
  readonly #blocks = [{ start: 0, line: 1 }];

  constructor(text: string) {
    this.#text = text;
    let [line, last] = [1, 0];
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
      line += 1;
      if (at + 1 - last < blockLength) continue;
      last = at + 1;
      this.#blocks.push({ start: last, line });
    }
  }

  placeAt(offset: number): TextPlace {
    let [low, high] = [0, this.#blocks.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#blocks[middle]?.start ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    const first = this.#blocks[low]?.start ?? 0;
    let { start, line } = this.#blocks[low] ?? { start: 0, line: 1 };
    const near = this.#text.slice(start, Math.min(offset, start + blockLength));
    for (let at = near.indexOf('\n'); at >= 0; at = near.indexOf('\n', at + 1)) {
      line += 1;
      start = first + at + 1;
    }
    return { line, column: offset - start + 1 };
  }
}
