import { readJsonTokens, type JsonToken } from './token.ts';

/** A piece of a line: a token, the name of a member, or a word about a member that is not there. */
export interface JsonPart {
  readonly kind: Exclude<JsonToken['kind'], 'fault'> | 'name' | 'missing';
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

/**
 * A JSON text with a line for each value, every token as it was written. Undefined where it is no
 * JSON, is very long, or nests very deep.
 *
 * @param missing names of members that are missing, by the pointer of the object or array
 */
export function layOutJson(
  text: string,
  missing: ReadonlyMap<string, readonly string[]> = new Map(),
): readonly JsonLine[] | undefined {
  return text.length > longest ? undefined : new Layout(readJsonTokens(text), missing).read();
}

/** Where a text stops to be JSON: a position in it, or its length where its end is missing. */
export function findJsonFault(text: string): number | undefined {
  if (text.length > longest) return undefined;
  const layout = new Layout(readJsonTokens(text), new Map());
  return layout.read() === undefined ? (layout.place ?? text.length) : undefined;
}

/** An object or an array whose end has not come yet. */
interface Container {
  readonly end: '}' | ']';
  readonly at: string;
  count: number;
}

class Layout {
  readonly #tokens: readonly JsonToken[];
  readonly #missing: ReadonlyMap<string, readonly string[]>;
  readonly #open: Container[] = [];
  readonly #lines: { depth: number; parts: JsonPart[] }[] = [{ depth: 0, parts: [] }];
  #next = 0;

  constructor(tokens: readonly JsonToken[], missing: ReadonlyMap<string, readonly string[]>) {
    this.#tokens = tokens;
    this.#missing = missing;
  }

  /** Where the token begins that comes next; undefined at the end. */
  get place(): number | undefined {
    return this.#tokens[this.#next]?.start;
  }

  read(): readonly JsonLine[] | undefined {
    if (!this.#readValue('')) return undefined;
    for (let open = this.#open.at(-1); open !== undefined; open = this.#open.at(-1))
      if (!this.#readMember(open)) return undefined;
    return this.#next === this.#tokens.length ? this.#lines : undefined;
  }

  /** A scalar, an empty container, or the beginning of one that is not. */
  #readValue(at: string): boolean {
    const token = this.#tokens[this.#next];
    if (token === undefined || token.kind === 'fault') return false;
    if (token.kind === 'punctuation' && token.text !== '{' && token.text !== '[') return false;
    this.#next += 1;
    const { kind, text } = token;
    if (kind !== 'punctuation') return this.#put({ kind, text, at });
    const end = text === '{' ? '}' : ']';
    const absent = this.#missing.get(at) ?? [];
    if (absent.length === 0 && this.#take(end)) return this.#put({ kind, text: text + end, at });
    this.#put({ kind, text, at });
    this.#open.push({ end, at, count: 0 });
    for (const name of absent)
      this.#breakLine().push({ kind: 'missing', text: `${name} is missing` });
    return this.#open.length <= deepest;
  }

  /** The next member or item of a container, or its end. */
  #readMember(open: Container): boolean {
    if (this.#take(open.end)) {
      this.#open.pop();
      this.#breakLine();
      return this.#put({ kind: 'punctuation', text: open.end });
    }
    if (open.count > 0) {
      if (!this.#take(',')) return false;
      this.#put({ kind: 'punctuation', text: ',' });
    }
    this.#breakLine();
    open.count += 1;
    if (open.end === ']') return this.#readValue(`${open.at}/${open.count - 1}`);
    const name = this.#tokens[this.#next];
    if (name?.kind !== 'string') return false;
    this.#next += 1;
    this.#put({ kind: 'name', text: name.text });
    if (!this.#take(':')) return false;
    this.#put({ kind: 'punctuation', text: ': ' });
    return this.#readValue(`${open.at}/${pointerToken(name.text)}`);
  }

  #take(text: string): boolean {
    const token = this.#tokens[this.#next];
    const isThere = token?.kind === 'punctuation' && token.text === text;
    if (isThere) this.#next += 1;
    return isThere;
  }

  #put(part: JsonPart): true {
    this.#lines.at(-1)?.parts.push(part);
    return true;
  }

  #breakLine(): JsonPart[] {
    const line = { depth: this.#open.length, parts: [] };
    this.#lines.push(line);
    return line.parts;
  }
}

/** A name as it was written in JSON, as a token of a pointer (RFC 6901 section 3). */
function pointerToken(name: string): string {
  return String(JSON.parse(name)).replaceAll('~', '~0').replaceAll('/', '~1');
}
