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
  const reader = new JsonReader(text);
  return text.length <= longest && reader.read() ? reader.lines : undefined;
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
  const reader = new JsonReader(text);
  return reader.read() ? undefined : reader.place;
}

/** White space, then one token of RFC 8259. */
const piece =
  // oxlint-disable-next-line no-control-regex
  /[ \t\n\r]*(?:(?<punctuation>[{}[\],:])|(?<string>"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(?<number>-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?<word>true|false|null))?/y;

/** Reads a JSON text into lines, every token as it was written. */
class JsonReader {
  readonly lines: { depth: number; parts: JsonPart[] }[] = [{ depth: 0, parts: [] }];
  readonly #text: string;
  readonly #piece = new RegExp(piece);
  #end = 0;
  /** The token that comes next; undefined at the end, and where nothing is one. */
  #token: JsonPart | undefined;

  constructor(text: string) {
    this.#text = text;
    this.#advance();
  }

  /** Where the token begins that comes next, or what is none. */
  get place(): number {
    return this.#end - (this.#token?.text.length ?? 0);
  }

  /** Whether the whole text is JSON. */
  read(): boolean {
    return this.#readValue('', 0) && this.place === this.#text.length;
  }

  #readValue(at: string, depth: number): boolean {
    const token = this.#token;
    if (token === undefined) return false;
    if (token.kind !== 'punctuation') return this.#put({ ...token, at });
    const end = token.text === '{' ? '}' : ']';
    if ((token.text !== '{' && token.text !== '[') || depth === deepest) return false;
    this.#advance();
    if (this.#token?.text === end) return this.#put({ ...token, text: token.text + end, at });
    this.lines.at(-1)?.parts.push({ ...token, at });
    for (let index = 0; ; index += 1) {
      this.lines.push({ depth: depth + 1, parts: [] });
      const name = this.#token;
      if (end === '}' && !(name?.kind === 'string' && this.#put({ kind: 'name', text: name.text })))
        return false;
      if (end === '}' && !this.#take(':', ': ')) return false;
      const own = end === '}' ? pointerToken(name?.text ?? '') : `${index}`;
      if (!this.#readValue(`${at}/${own}`, depth + 1)) return false;
      if (this.#token?.text === end) break;
      if (!this.#take(',', ',')) return false;
    }
    this.lines.push({ depth, parts: [] });
    return this.#take(end, end);
  }

  #take(text: string, shown: string): boolean {
    return this.#token?.text === text && this.#put({ kind: 'punctuation', text: shown });
  }

  /** Writes a part in the place of the token that comes next. */
  #put(part: JsonPart): true {
    this.lines.at(-1)?.parts.push(part);
    this.#advance();
    return true;
  }

  #advance(): void {
    const groups = this.#piece.exec(this.#text)?.groups ?? {};
    this.#end = this.#piece.lastIndex;
    this.#token = undefined;
    for (const kind of ['punctuation', 'string', 'number', 'word'] as const) {
      const text = groups[kind];
      if (text !== undefined) this.#token = { kind, text };
    }
  }
}

/** A name as it was written in JSON, as a token of a pointer (RFC 6901 section 3). */
function pointerToken(name: string): string {
  return String(JSON.parse(name)).replaceAll('~', '~0').replaceAll('/', '~1');
}
