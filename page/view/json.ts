import { renderPointer } from '../../contract/json/pointer.ts';
import { JsonScanner } from '../../contract/json/scan.ts';

/** A part of a line: a token, a member name, or a note that a member is missing. */
export interface JsonPart {
  readonly kind: 'string' | 'number' | 'word' | 'punctuation' | 'name' | 'missing';
  /** Source text: numbers and escapes stay unchanged. */
  readonly text: string;
  /** Pointer to the value that it is, or starts; undefined for punctuation and names. */
  readonly at?: string | undefined;
  readonly isMarked?: boolean;
}

export interface JsonLine {
  /** Levels of indentation. */
  readonly depth: number;
  readonly parts: readonly JsonPart[];
}

/** Longest text, in UTF-16 code units, and deepest nesting that are laid out. */
const longest = 500_000;
const deepest = 60;

/**
 * Lays out a JSON text with one line per value, and marks values. If nothing is at a pointer, a
 * line in the nearest object or array says that it is missing. Undefined if the text is not JSON,
 * too long, or nested too deeply.
 */
export function layOutJson(
  text: string,
  pointers: readonly string[] = [],
): readonly JsonLine[] | undefined {
  if (text.length > longest) return undefined;
  const marks = placeMarks(text, new Set(pointers));
  const scanner = new JsonScanner(text);
  let line: { depth: number; parts: JsonPart[] } = { depth: 0, parts: [] };
  const lines = [line];
  const put = (part: JsonPart): void => void line.parts.push(part);
  const startLine = (depth: number): void => {
    line = { depth, parts: [] };
    lines.push(line);
  };
  // The previous token decides whether the next one starts a line, follows a comma or closes an
  // empty value.
  let before: JsonScanner['kind'] | undefined;
  while (scanner.next()) {
    const { kind, depth } = scanner;
    const token = text.slice(scanner.start, scanner.end);
    const wasOpened = before === '{' || before === '[';
    if (depth > deepest) return undefined;
    if (kind === '}' || kind === ']') {
      const opening = line.parts.at(-1);
      if (wasOpened && opening?.kind === 'punctuation') {
        // An empty object or array is one part.
        line.parts.splice(-1, 1, { ...opening, text: opening.text + token });
      } else {
        startLine(depth - 1);
        put({ kind: 'punctuation', text: token });
      }
      before = kind;
      continue;
    }
    const isOpening = kind === '{' || kind === '[';
    if (before !== undefined && before !== 'name') {
      if (!wasOpened) put({ kind: 'punctuation', text: ',' });
      startLine(isOpening ? depth - 1 : depth);
    }
    before = kind;
    if (kind === 'name') {
      put({ kind, text: token });
      put({ kind: 'punctuation', text: ': ' });
      continue;
    }
    const at = renderPointer(scanner.path());
    const names = marks.get(at);
    const isMarked = names?.includes('') === true;
    put({ kind: isOpening ? 'punctuation' : kind, text: token, at, isMarked });
    for (const name of names?.filter((one) => one !== '') ?? []) {
      startLine(depth);
      put({ kind: 'missing', text: `${name} is missing`, isMarked: true });
    }
  }
  return scanner.issue === undefined ? lines : undefined;
}

/**
 * Marks by pointers to existing values: the names of missing members, or `''` for the value itself.
 */
function placeMarks(
  text: string,
  pointers: ReadonlySet<string>,
): ReadonlyMap<string, readonly string[]> {
  const marks = new Map<string, string[]>();
  if (pointers.size === 0) return marks;
  /** Pointers to all values, and whether they can have members. */
  const values = new Map<string, boolean>();
  const scanner = new JsonScanner(text);
  while (scanner.next())
    if (!['name', '}', ']'].includes(scanner.kind))
      values.set(renderPointer(scanner.path()), ['{', '['].includes(scanner.kind));
  for (const pointer of pointers) {
    let around = pointer;
    while (around !== '' && !values.has(around)) around = around.slice(0, around.lastIndexOf('/'));
    const isThere = around === pointer || values.get(around) !== true;
    const name = isThere ? '' : nameOf(pointer, around);
    marks.set(around, [...(marks.get(around) ?? []), name]);
  }
  return marks;
}

/** The rest of a pointer for people: a member name in JSON notation. */
function nameOf(pointer: string, around: string): string {
  const rest = pointer.slice(around.length + 1);
  return JSON.stringify(rest.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Position at which a text stops being JSON; its length if the end is missing. */
export function findJsonFault(text: string): number | undefined {
  if (text.length > longest) return undefined;
  const scanner = new JsonScanner(text);
  while (scanner.next());
  return scanner.issue?.offset;
}
