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

  constructor(
    reason: string,
    line: number,
    column: number,
    kind: JsonSyntaxError['kind'] = 'syntax',
  ) {
    super(`${reason} (line ${line}, column ${column})`);
    this.kind = kind;
    this.reason = reason;
    this.line = line;
    this.column = column;
  }
}

/** The error for a place in a text; `offset` in UTF-16 code units. */
export function syntaxErrorAt(
  text: string,
  offset: number,
  reason: string,
  kind?: JsonSyntaxError['kind'],
): JsonSyntaxError {
  let [line, lineStart] = [1, 0];
  let next = text.indexOf('\n');
  while (next !== -1 && next < offset) {
    line += 1;
    lineStart = next + 1;
    next = text.indexOf('\n', lineStart);
  }
  return new JsonSyntaxError(reason, line, offset - lineStart + 1, kind);
}

/** `name` is a member's name, `word` is `null`, `true` or `false`. */
export type JsonTokenKind = 'name' | 'string' | 'number' | 'word' | '[' | '{' | ']' | '}';

type Expected =
  | 'value'
  | 'value or end'
  | 'name'
  | 'name or end'
  | 'colon'
  | 'comma or end'
  | 'nothing';

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
  /** Of the current token. */
  kind: JsonTokenKind = 'word';
  /** Offsets of the current token; strings and names include their quotes. */
  start: number;
  end: number;
  /** Arrays and objects around the current token; a bracket counts as inside of itself. */
  depth = 0;
  /** Where and why the text is not JSON. */
  issue: { readonly offset: number; readonly reason: string } | undefined;
  #expected: Expected = 'value';
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
    if (this.kind === ']' || this.kind === '}') this.depth = this.#levels.length;
    this.#skipSpace();
    this.start = this.end;
    if (this.start >= this.text.length)
      return this.#expected === 'nothing' ? false : this.#fail(this.#endReason());
    if (this.#expected === 'comma or end') return this.#afterValue();
    if (this.#expected === 'colon') return this.#afterName();
    if (this.#expected === 'name' || this.#expected === 'name or end') return this.#name();
    if (this.#expected === 'nothing') return this.#fail('nothing may follow the value');
    return this.#value();
  }

  /** Names and indexes that lead to the current value, or to the current name's value. */
  path(): readonly (string | number)[] {
    const isBracket = '[{]}'.includes(this.kind);
    return this.#levels
      .slice(0, isBracket ? this.depth - 1 : this.depth)
      .map(({ isArray, index, name }) => (isArray ? index : readName(name)));
  }

  #fail(reason: string, offset = this.start): false {
    this.issue = { offset, reason };
    return false;
  }

  #token(kind: JsonTokenKind, end: number): true {
    this.kind = kind;
    this.end = end;
    return true;
  }

  #skipSpace(): void {
    while (isSpace(this.text.charCodeAt(this.end))) this.end += 1;
  }

  #endReason(): string {
    const level = this.#levels.at(-1);
    if (level === undefined) return 'the text is empty, a JSON value is expected';
    return `the text ends inside an ${level.isArray ? 'array' : 'object'}`;
  }

  #afterValue(): boolean {
    const level = this.#levels.at(-1);
    const close = level?.isArray === true ? ']' : '}';
    if (this.text[this.start] === close) return this.#close(close);
    if (level === undefined || this.text[this.start] !== ',')
      return this.#fail(
        level?.isArray === true
          ? 'a comma or "]" must follow an array element'
          : 'a comma or "}" must follow a member of an object',
      );
    level.index += 1;
    this.#expected = level.isArray ? 'value' : 'name';
    this.end = this.start + 1;
    return this.next();
  }

  #name(): boolean {
    const character = this.text[this.start];
    if (character === '}')
      return this.#expected === 'name or end'
        ? this.#close('}')
        : this.#fail('a comma must not be followed by "}"');
    if (character !== '"') return this.#fail('the name of a member must be in double quotes');
    if (!this.#string('name')) return false;
    const level = this.#levels.at(-1);
    if (level !== undefined) level.name = this.text.slice(this.start, this.end);
    this.#expected = 'colon';
    return true;
  }

  #afterName(): boolean {
    if (this.text[this.start] !== ':')
      return this.#fail('a colon must follow the name of a member');
    this.#expected = 'value';
    this.end = this.start + 1;
    return this.next();
  }

  #value(): boolean {
    const character = this.text[this.start] ?? '';
    if (character === ']' && this.#expected === 'value or end') return this.#close(']');
    if (character === '[' || character === '{') return this.#open(character);
    const isScalar = character === '"' ? this.#string('string') : this.#scalar(character);
    if (isScalar) this.#valueDone();
    return isScalar;
  }

  #open(bracket: '[' | '{'): true {
    this.#levels.push({ isArray: bracket === '[', index: 0, name: '' });
    this.#expected = bracket === '[' ? 'value or end' : 'name or end';
    this.depth = this.#levels.length;
    return this.#token(bracket, this.start + 1);
  }

  #close(bracket: ']' | '}'): true {
    this.#levels.pop();
    this.#valueDone();
    return this.#token(bracket, this.start + 1);
  }

  #valueDone(): void {
    this.#expected = this.#levels.length === 0 ? 'nothing' : 'comma or end';
  }

  #string(kind: 'name' | 'string'): boolean {
    let offset = this.start + 1;
    for (;;) {
      const code = this.text.charCodeAt(offset);
      if (code === quote) return this.#token(kind, offset + 1);
      if (offset >= this.text.length) return this.#fail('the text ends inside a string', offset);
      if (code < 32) return this.#fail('a control character in a string must be escaped', offset);
      const length = code === backslash ? lengthOfEscape(this.text, offset) : 1;
      if (length === 0) return this.#fail(wrongEscape, offset);
      offset += length;
    }
  }

  #scalar(character: string): boolean {
    const { text, start } = this;
    const word = ['null', 'true', 'false'].find((one) => text.startsWith(one, start));
    const end = word === undefined ? endOfNumber(text, start) : start + word.length;
    if (end !== undefined && isDelimiter(text.charCodeAt(end)))
      return this.#token(word === undefined ? 'number' : 'word', end);
    return this.#fail(wrongScalar(character, text.slice(start, start + 40)));
  }
}

const [quote, backslash] = [34, 92];

const wrongEscape =
  'a backslash in a string must begin one of \\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX';

function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9;
}

/** White space, punctuation or the end of the text, none of which can be part of a number or word. */
function isDelimiter(code: number): boolean {
  return Number.isNaN(code) || isSpace(code) || ',:[]{}"'.includes(String.fromCharCode(code));
}

/** 2 or 6 characters; 0 for what is not an escape sequence. */
function lengthOfEscape(text: string, offset: number): number {
  const letter = text[offset + 1] ?? '';
  if (letter === 'u') return /^[0-9a-fA-F]{4}$/u.test(text.slice(offset + 2, offset + 6)) ? 6 : 0;
  return letter !== '' && '"\\/bfnrt'.includes(letter) ? 2 : 0;
}

/** By hand: an expression would exhaust its stack on millions of digits. */
function endOfNumber(text: string, start: number): number | undefined {
  let at = text[start] === '-' ? start + 1 : start;
  const digits = (): boolean => {
    const first = at;
    while (isDigit(text.charCodeAt(at))) at += 1;
    return at > first;
  };
  if (text[at] === '0') at += 1;
  else if (!digits()) return undefined;
  if (text[at] === '.') {
    at += 1;
    if (!digits()) return undefined;
  }
  if (text[at] === 'e' || text[at] === 'E') {
    at += 1;
    if (text[at] === '+' || text[at] === '-') at += 1;
    if (!digits()) return undefined;
  }
  return at;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
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

/** What is wrong with a text that `JSON.parse` refused. */
export function explainSyntaxError(text: string): JsonSyntaxError {
  const scanner = new JsonScanner(text);
  while (scanner.next());
  const { offset, reason } = scanner.issue ?? { offset: 0, reason: 'this is not JSON' };
  return syntaxErrorAt(text, offset, reason);
}

/** The first number in a JSON text that the test accepts, with its offset. */
export function findNumber(
  text: string,
  isWanted: (number: string) => boolean,
): { readonly offset: number; readonly number: string } | undefined {
  const scanner = new JsonScanner(text);
  while (scanner.next()) {
    if (scanner.kind !== 'number') continue;
    const number = text.slice(scanner.start, scanner.end);
    if (isWanted(number)) return { offset: scanner.start, number };
  }
  return undefined;
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

/** The most that a JSON text may have. */
export interface JsonBounds {
  /** Levels of arrays and objects. */
  readonly depth: number;
  /** Values: the whole, members of objects and elements of arrays. */
  readonly values: number;
  /** Different names of members, in all objects together. */
  readonly names: number;
}

/** The first token that exceeds a bound, or undefined. Of a text that is not JSON, up to the error. */
export function findBeyond(
  text: string,
  bounds: JsonBounds,
): { readonly offset: number; readonly bound: keyof JsonBounds } | undefined {
  let values = 0;
  const names = new Set<string>();
  const scanner = new JsonScanner(text);
  while (scanner.next()) {
    const { kind, start: offset } = scanner;
    if (kind === 'name') {
      if (bounds.names < Infinity) names.add(text.slice(offset, scanner.end));
      if (names.size > bounds.names) return { offset, bound: 'names' };
    } else if (kind !== ']' && kind !== '}') values += 1;
    if (scanner.depth > bounds.depth) return { offset, bound: 'depth' };
    if (values > bounds.values) return { offset, bound: 'values' };
  }
  return undefined;
}
