import type { JsonValue } from '../json/value.ts';
import type { DiagnosticCode, TextPlace } from './diagnostic.ts';

/** The place of the member or item that some tokens lead to, or of the nearest one above it. */
export type TextLocator = (tokens: readonly string[]) => TextPlace;

/** What was read of a text. */
export interface ReadText {
  /** Undefined where nothing can be read. */
  readonly value: JsonValue | undefined;
  /** How many values it has, at all levels. */
  readonly values: number;
  /** What is wrong with the text as YAML or JSON. */
  readonly issues: readonly TextIssue[];
  readonly locate: TextLocator;
}

export interface TextIssue {
  readonly code: DiagnosticCode;
  readonly message: string;
  /** Undefined for the whole text. */
  readonly place?: TextPlace | undefined;
}

/** A member of an object or an item of a list in a text. */
export interface Entry<Value> {
  /** Offset of its name, or of the item. */
  readonly start: number;
  /** What finds its own entries. */
  readonly value: Value;
}

export type Entries<Value> = ReadonlyMap<string, Entry<Value>>;

/** A text whose values can be looked up; `entriesOf` is called once for each value on the way. */
export interface TextIndex<Value> {
  readonly root: Entry<Value>;
  readonly entriesOf: (value: Value) => Entries<Value>;
}

/** A locator that has the text indexed when the first place is asked for. */
export function createLocator<Value>(
  text: string,
  createIndex: () => TextIndex<Value>,
): TextLocator {
  const known = new Map<Value, Entries<Value>>();
  let index: TextIndex<Value> | undefined;
  let lines: readonly number[] | undefined;
  return (tokens) => {
    index ??= createIndex();
    let at = index.root;
    for (const token of tokens) {
      const entries = known.get(at.value) ?? index.entriesOf(at.value);
      known.set(at.value, entries);
      const found = entries.get(token);
      if (found === undefined) break;
      at = found;
    }
    return placeAt((lines ??= lineStarts(text)), at.start);
  };
}

export function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

export function placeAt(starts: readonly number[], offset: number): TextPlace {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
}
