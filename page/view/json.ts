import { renderPointer } from '../../contract/json/pointer.ts';
import { JsonScanner } from '../../contract/json/scan.ts';

/** A piece of a line: a token, the name of a member, or a word about a member that is not there. */
export interface JsonPart {
  readonly kind: 'string' | 'number' | 'word' | 'punctuation' | 'name' | 'missing';
  /** As it was written: numbers and escapes keep every character. */
  readonly text: string;
  /** Pointer to the value that it is, or begins; undefined for punctuation and names. */
  readonly at?: string | undefined;
}

export interface JsonLine {
  /** Levels of indentation. */
  readonly depth: number;
  readonly parts: readonly JsonPart[];
}

/** Longest text, in UTF-16 code units, and deepest nesting that is worth a line for each value. */
const longest = 500_000;
const deepest = 60;

/** A JSON text with a line for each value. Undefined where it is not JSON, is very long, or nests very deep. */
export function layOutJson(text: string): readonly JsonLine[] | undefined {
  if (text.length > longest) return undefined;
  const scanner = new JsonScanner(text);
  let line: { depth: number; parts: JsonPart[] } = { depth: 0, parts: [] };
  const lines = [line];
  const put = (part: JsonPart): void => void line.parts.push(part);
  const startLine = (depth: number): void => {
    line = { depth, parts: [] };
    lines.push(line);
  };
  // The token before: it decides whether the next one begins a line, follows a comma or closes an empty value.
  let before: JsonScanner['kind'] | undefined;
  while (scanner.next()) {
    const { kind, depth } = scanner;
    const token = text.slice(scanner.start, scanner.end);
    const isOpening = kind === '{' || kind === '[';
    const wasOpened = before === '{' || before === '[';
    if (depth > deepest) return undefined;
    if (kind === '}' || kind === ']') {
      const opening = line.parts.at(-1);
      if (wasOpened && opening !== undefined) {
        // An empty object or array is one part.
        line.parts.splice(-1, 1, { ...opening, text: opening.text + token });
      } else {
        startLine(depth - 1);
        put({ kind: 'punctuation', text: token });
      }
    } else {
      if (before !== undefined && before !== 'name') {
        if (!wasOpened) put({ kind: 'punctuation', text: ',' });
        startLine(isOpening ? depth - 1 : depth);
      }
      if (kind === 'name') {
        put({ kind, text: token });
        put({ kind: 'punctuation', text: ': ' });
      } else
        put({
          kind: isOpening ? 'punctuation' : kind,
          text: token,
          at: renderPointer(scanner.path()),
        });
    }
    before = kind;
  }
  return scanner.issue === undefined ? lines : undefined;
}

/** A JSON text in lines, and which values of it are marked. */
export interface MarkedJson {
  readonly lines: readonly JsonLine[];
  /** Pointers of the marked values that are there. */
  readonly marked: ReadonlySet<string>;
}

/**
 * Lays a JSON text out with the values at some pointers marked. Where nothing is at a pointer, a line in the
 * nearest object or array around it says that it is missing. Undefined as `layOutJson`.
 */
export function markJson(text: string, pointers: readonly string[]): MarkedJson | undefined {
  const lines = layOutJson(text);
  if (lines === undefined) return undefined;
  const values = new Map<string, JsonPart>();
  for (const part of lines.flatMap(({ parts }) => parts))
    if (part.at !== undefined) values.set(part.at, part);
  const marked = new Set<string>();
  const missing = new Map<JsonPart, string[]>();
  for (const pointer of new Set(pointers)) {
    let around = pointer;
    while (around !== '' && !values.has(around)) around = around.slice(0, around.lastIndexOf('/'));
    const part = values.get(around);
    if (around === pointer || part?.kind !== 'punctuation') marked.add(around);
    else missing.set(part, [...(missing.get(part) ?? []), nameOf(pointer, around)]);
  }
  return { lines: lines.flatMap((line) => addMissing(line, missing)), marked };
}

/** A line, and after it those for the members that its last value lacks. */
function addMissing(
  { depth, parts }: JsonLine,
  missing: ReadonlyMap<JsonPart, readonly string[]>,
): readonly JsonLine[] {
  const at = parts.findIndex((part) => missing.has(part));
  const part = parts[at];
  if (part === undefined) return [{ depth, parts }];
  const { text } = part;
  // An empty object or array is on one line, which is parted.
  const [begin = '', end] = text;
  const rest = parts.slice(at + 1);
  return [
    { depth, parts: [...parts.slice(0, at), { ...part, text: begin }, ...(end ? [] : rest)] },
    ...(missing.get(part) ?? []).map((name) => ({
      depth: depth + 1,
      parts: [{ kind: 'missing', text: `${name} is missing` } as const],
    })),
    ...(end ? [{ depth, parts: [{ kind: 'punctuation', text: end } as const, ...rest] }] : []),
  ];
}

/** The rest of a pointer for people: a name as JSON has it. */
function nameOf(pointer: string, around: string): string {
  const rest = pointer.slice(around.length + 1);
  return JSON.stringify(rest.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Where a text stops to be JSON: a position in it, or its length where its end is missing. */
export function findJsonFault(text: string): number | undefined {
  if (text.length > longest) return undefined;
  const scanner = new JsonScanner(text);
  while (scanner.next());
  return scanner.issue?.offset;
}
