/** The text is not JSON (RFC 8259), has a number that cannot be represented exactly, or exceeds a limit. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
  /** `limit`: the text may be JSON, but is nested too deeply or has too many values. */
  readonly kind: 'syntax' | 'limit';
  /** What is wrong, without the position: `a comma or "]" must follow an array element`. */
  readonly reason: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units. */
  readonly column: number;

  /** `offset` in UTF-16 code units. */
  constructor(text: string, offset: number, reason: string, kind: 'syntax' | 'limit' = 'syntax') {
    const before = text.slice(0, offset);
    const line = before.split('\n').length;
    const column = offset - before.lastIndexOf('\n');
    super(`${reason} (line ${line}, column ${column})`);
    this.kind = kind;
    this.reason = reason;
    this.line = line;
    this.column = column;
  }
}

/** An array or object that contains the current position. */
interface Level {
  readonly isArray: boolean;
  /** Number of elements before the current one. */
  index: number;
  /** The current member's name as written, including quotes. */
  name: string;
}

/** `first`: a value or name, or the end of the array or object just opened. */
type Expected = 'value' | 'first' | 'name' | 'colon' | 'comma' | 'nothing';

/**
 * Reads the tokens of a JSON text by the grammar of RFC 8259, without recursion. Commas, colons and white
 * space are not tokens. Call `next` until it returns false; then `issue` has the error, if any.
 */
export class JsonScanner {
  readonly text: string;
  /** Kind of the current token. `name` is a member's name, `word` is `null`, `true` or `false`. */
  kind: 'name' | 'string' | 'number' | 'word' | '[' | '{' | ']' | '}' = 'word';
  /** Offsets of the current token; strings and names include their quotes. */
  start: number;
  end: number;
  /** Number of arrays and objects around the current token; a bracket counts as inside itself. */
  depth = 0;
  /** The position and reason of a syntax error. */
  issue: { readonly offset: number; readonly reason: string } | undefined;
  #expected: Expected = 'value';
  readonly #levels: Level[] = [];

  /** `start`: offset of the value to read; only further calls of `next` read the text after it. */
  constructor(text: string, start = 0) {
    this.text = text;
    this.start = start;
    this.end = start;
  }

  /** Advances to the next token. False at the end of the text, and at the first wrong token. */
  next(): boolean {
    if (this.issue !== undefined) return false;
    this.depth = this.#levels.length;
    const level = this.#levels.at(-1);
    const close = level?.isArray === true ? ']' : '}';
    let character = this.#skipSpace();
    if (level !== undefined && character === separators[this.#expected]) {
      if (character === ',') level.index += 1;
      this.#expected = character === ':' || level.isArray ? 'value' : 'name';
      this.end += 1;
      character = this.#skipSpace();
    }
    const expected = this.#expected;
    if (character === close && (expected === 'comma' || expected === 'first')) {
      this.#levels.pop();
      return this.#take(close, this.start + 1);
    }
    const isName = expected === 'name' || (expected === 'first' && close === '}');
    const isValue = expected === 'value' || (expected === 'first' && close === ']');
    if (character === '"' && (isName || isValue))
      return this.#takeString(isName ? level : undefined);
    if (isValue && (character === '[' || character === '{')) {
      this.#levels.push({ isArray: character === '[', index: 0, name: '' });
      this.depth = this.#levels.length;
      return this.#take(character, this.start + 1, 'first');
    }
    const token = /^[^\s,:[\]{}"]*/.exec(this.text.slice(this.start))?.[0] ?? '';
    if (isValue && token !== '') return this.#takeScalar(token);
    if (expected === 'nothing' && character === '') return false;
    if (character === '\ufeff') return this.#fail('a byte order mark is not part of JSON');
    const wanted = {
      value: 'a value',
      first: isName ? 'a name in double quotes or "}"' : 'a value or "]"',
      name: 'a name in double quotes',
      colon: 'a colon',
      comma: `a comma or "${close}"`,
      nothing: 'the end of the text',
    };
    return this.#fail(`${wanted[expected]} is expected here`);
  }

  /** The names and indexes of the path to the current value, or to the value of the current name. */
  path(): readonly (string | number)[] {
    const isBracket = '[{]}'.includes(this.kind);
    return this.#levels
      .slice(0, isBracket ? this.depth - 1 : this.depth)
      .map(({ isArray, index, name }) => (isArray ? index : readName(name)));
  }

  /** The first character of the next token; empty at the end of the text. */
  #skipSpace(): string {
    while (' \n\r\t'.includes(this.text.charAt(this.end) || '-')) this.end += 1;
    this.start = this.end;
    return this.text.charAt(this.start);
  }

  #fail(reason: string, offset = this.start): false {
    this.issue = { offset, reason };
    return false;
  }

  #take(
    kind: JsonScanner['kind'],
    end: number,
    expected: Expected = this.#levels.length === 0 ? 'nothing' : 'comma',
  ): true {
    this.kind = kind;
    this.end = end;
    this.#expected = expected;
    return true;
  }

  /** `named`: the object whose member it names. */
  #takeString(named: Level | undefined): boolean {
    const { text } = this;
    for (let offset = this.start + 1; offset < text.length; offset += 1) {
      const code = text.charCodeAt(offset);
      if (code < 32) return this.#fail('a control character in a string must be escaped', offset);
      if (code === quote) {
        if (named === undefined) return this.#take('string', offset + 1);
        named.name = text.slice(this.start, offset + 1);
        return this.#take('name', offset + 1, 'colon');
      }
      if (code !== backslash) continue;
      const length = escape.exec(text.slice(offset, offset + 6))?.[0].length;
      if (length === undefined) return this.#fail(wrongEscape, offset);
      offset += length - 1;
    }
    return this.#fail('the text ends inside a string', text.length);
  }

  /** The text up to white space or punctuation: `JSON.parse` decides whether it is a number or word. */
  #takeScalar(token: string): boolean {
    try {
      JSON.parse(token);
    } catch {
      return this.#fail(`${JSON.stringify(token.slice(0, 40))} is not a JSON value`);
    }
    return this.#take(/^[-\d]/.test(token) ? 'number' : 'word', this.start + token.length);
  }
}

const [quote, backslash] = [34, 92];

const separators: Readonly<Partial<Record<Expected, string>>> = { comma: ',', colon: ':' };

const escape = /^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/u;

const wrongEscape =
  'a backslash in a string must begin one of \\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX';

/** The value of a quoted string or name. */
export function readName(quoted: string): string {
  return quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1);
}

/** The first duplicate member name in a JSON text (RFC 8259 section 4). */
export function findDuplicateMember(text: string): string | undefined {
  const open: Set<string>[] = [];
  const scanner = new JsonScanner(text);
  while (scanner.next()) {
    if (scanner.kind === '{' || scanner.kind === '[') open.push(new Set());
    else if (scanner.kind === '}' || scanner.kind === ']') open.pop();
    if (scanner.kind !== 'name') continue;
    // Different spellings of a name, such as "a" and "\u0061", are the same name.
    const name = readName(text.slice(scanner.start, scanner.end));
    if (open.at(-1)?.has(name) === true) return name;
    open.at(-1)?.add(name);
  }
  return undefined;
}
