/**
 * A text that is not JSON (RFC 8259), JSON with a number that cannot be represented exactly, or JSON
 * that is larger than allowed.
 */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
  /** `limit` for a text that may be JSON, but is too deep or has too many values. */
  readonly kind: 'syntax' | 'limit';
  /** What is wrong, without the place: `a comma or "]" must follow an array element`. */
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

/** An array or object that the scanner is in. */
interface Level {
  readonly isArray: boolean;
  /** Elements before the current one. */
  index: number;
  /** The current member's name as written, with its quotes. */
  name: string;
}

/**
 * Reads a JSON text token by token by the grammar of RFC 8259, without recursion. Commas, colons and
 * white space are not tokens. Call `next` until it returns false; then `issue` is what is wrong, if
 * anything is.
 */
export class JsonScanner {
  readonly text: string;
  /** Of the current token. `name` is a member's name, `word` is `null`, `true` or `false`. */
  kind: 'name' | 'string' | 'number' | 'word' | '[' | '{' | ']' | '}' = 'word';
  /** Offsets of the current token; strings and names include their quotes. */
  start: number;
  end: number;
  /** Arrays and objects around the current token; a bracket counts as inside of itself. */
  depth = 0;
  /** Where and why the text is not JSON. */
  issue: { readonly offset: number; readonly reason: string } | undefined;
  /** `first` is a value or name, or the end of the array or object that it would be the first of. */
  #expected: 'value' | 'first' | 'name' | 'colon' | 'comma' | 'nothing' = 'value';
  readonly #levels: Level[] = [];

  /** `start`: the offset of the value to read; what follows it in the text is read only by `next`. */
  constructor(text: string, start = 0) {
    this.text = text;
    this.start = start;
    this.end = start;
  }

  /** Moves to the next token. False at the end of the text, and at the first token that is wrong. */
  next(): boolean {
    if (this.issue !== undefined) return false;
    this.depth = this.#levels.length;
    const level = this.#levels.at(-1);
    const close = level?.isArray === true ? ']' : '}';
    const expected = this.#expected;
    const character = this.#skipSpace();
    if (character === '') {
      if (expected === 'nothing') return false;
      return this.#fail(
        level === undefined
          ? 'the text is empty, a JSON value is expected'
          : `the text ends inside an ${level.isArray ? 'array' : 'object'}`,
      );
    }
    if (expected === 'nothing') return this.#fail('nothing may follow the value');
    if (character === close && (expected === 'comma' || expected === 'first')) {
      this.#levels.pop();
      this.#expected = this.#levels.length === 0 ? 'nothing' : 'comma';
      return this.#token(close, this.start + 1);
    }
    if (expected === 'comma') {
      if (level === undefined || character !== ',')
        return this.#fail(
          `a comma or "${close}" must follow ${close === ']' ? 'an array element' : 'a member of an object'}`,
        );
      level.index += 1;
      this.end += 1;
      this.#expected = level.isArray ? 'value' : 'name';
      return this.next();
    }
    if (expected === 'colon') {
      if (character !== ':') return this.#fail('a colon must follow the name of a member');
      this.end += 1;
      this.#expected = 'value';
      return this.next();
    }
    const isName = expected === 'name' || (expected === 'first' && level?.isArray === false);
    return isName ? this.#name(character, level) : this.#value(character);
  }

  /** Names and indexes that lead to the current value, or to the current name's value. */
  path(): readonly (string | number)[] {
    const isBracket = '[{]}'.includes(this.kind);
    return this.#levels
      .slice(0, isBracket ? this.depth - 1 : this.depth)
      .map(({ isArray, index, name }) => (isArray ? index : readName(name)));
  }

  /** The character that the next token begins with; empty at the end of the text. */
  #skipSpace(): string {
    while (' \n\r\t'.includes(this.text.charAt(this.end) || '-')) this.end += 1;
    this.start = this.end;
    return this.text.charAt(this.start);
  }

  #fail(reason: string, offset = this.start): false {
    this.issue = { offset, reason };
    return false;
  }

  #token(kind: JsonScanner['kind'], end: number): true {
    this.kind = kind;
    this.end = end;
    return true;
  }

  #name(character: string, level: Level | undefined): boolean {
    if (character === '}') return this.#fail('a comma must not be followed by "}"');
    if (character !== '"') return this.#fail('the name of a member must be in double quotes');
    if (!this.#string('name')) return false;
    if (level !== undefined) level.name = this.text.slice(this.start, this.end);
    this.#expected = 'colon';
    return true;
  }

  #value(character: string): boolean {
    if (character === '[' || character === '{') {
      this.#levels.push({ isArray: character === '[', index: 0, name: '' });
      this.#expected = 'first';
      this.depth = this.#levels.length;
      return this.#token(character, this.start + 1);
    }
    this.#expected = this.#levels.length === 0 ? 'nothing' : 'comma';
    return character === '"' ? this.#string('string') : this.#scalar(character);
  }

  #string(kind: 'name' | 'string'): boolean {
    const { text } = this;
    for (let offset = this.start + 1; offset < text.length; offset += 1) {
      const code = text.charCodeAt(offset);
      if (code === quote) return this.#token(kind, offset + 1);
      if (code < 32) return this.#fail('a control character in a string must be escaped', offset);
      if (code !== backslash) continue;
      const length = escape.exec(text.slice(offset, offset + 6))?.[0].length;
      if (length === undefined) return this.#fail(wrongEscape, offset);
      offset += length - 1;
    }
    return this.#fail('the text ends inside a string', text.length);
  }

  #scalar(character: string): boolean {
    const { text, start } = this;
    const word = ['null', 'true', 'false'].find((one) => text.startsWith(one, start));
    const end = word === undefined ? endOfNumber(text, start) : start + word.length;
    // White space, punctuation or the end of the text, none of which can be part of either.
    if (end !== undefined && /^[\s,:[\]{}"]?$/u.test(text.charAt(end)))
      return this.#token(word === undefined ? 'number' : 'word', end);
    return this.#fail(wrongScalar(character, text.slice(start, start + 40)));
  }
}

const [quote, backslash] = [34, 92];

const escape = /^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/u;

const wrongEscape =
  'a backslash in a string must begin one of \\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX';

/** By hand: an expression would exhaust its stack on millions of digits. */
function endOfNumber(text: string, start: number): number | undefined {
  let at = text[start] === '-' ? start + 1 : start;
  const skipDigits = (): boolean => {
    const first = at;
    for (let code = text.charCodeAt(at); code >= 48 && code <= 57; code = text.charCodeAt(at))
      at += 1;
    return at > first;
  };
  if (text[at] === '0') at += 1;
  else if (!skipDigits()) return undefined;
  if (text[at] === '.') {
    at += 1;
    if (!skipDigits()) return undefined;
  }
  const power = /^[eE][-+]?/u.exec(text.slice(at, at + 2))?.[0];
  if (power === undefined) return at;
  at += power.length;
  return skipDigits() ? at : undefined;
}

function wrongScalar(character: string, rest: string): string {
  if (character === ']') return 'a comma must not be followed by "]"';
  if (character === "'") return 'a string must be in double quotes';
  if (character === '\ufeff') return 'a byte order mark must not precede the value';
  const [token = ''] = /^[^\s,:[\]{}"]*/u.exec(rest) ?? [];
  if (/^[-+.\d]/u.test(token)) return `${token} is not a JSON number`;
  return token === '' ? 'a value is expected' : `${JSON.stringify(token)} is not a JSON value`;
}

/** A string or name, with its quotes, as the text that it stands for. */
export function readName(quoted: string): string {
  return quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1);
}

/** The first name that an object in a JSON text has twice (RFC 8259 section 4). */
export function findDuplicateMember(text: string): string | undefined {
  const open: Set<string>[] = [];
  const scanner = new JsonScanner(text);
  while (scanner.next()) {
    if (scanner.kind === '{' || scanner.kind === '[') open.push(new Set());
    else if (scanner.kind === '}' || scanner.kind === ']') open.pop();
    if (scanner.kind !== 'name') continue;
    // Two spellings of one name, such as "a" and "\u0061", are one name.
    const name = readName(text.slice(scanner.start, scanner.end));
    if (open.at(-1)?.has(name) === true) return name;
    open.at(-1)?.add(name);
  }
  return undefined;
}
