/**
 * A text that is no JSON (RFC 8259), JSON with a value that cannot be held exactly, or JSON that is
 * larger than allowed.
 */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
  /** `limit` for a text that may be JSON, and is too deep or has too many values. */
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

/** What is wrong with a text that `JSON.parse` refused. Reads it again, without recursion. */
export function explainSyntaxError(text: string): JsonSyntaxError {
  const reader = new JsonReader(text);
  const found = reader.firstIssue();
  return syntaxErrorAt(text, found?.offset ?? 0, found?.reason ?? 'this is not JSON');
}

const [quote, backslash, minus] = [34, 92, 45];

/** What a number has besides digits. */
const numberMarks: ReadonlySet<number> = new Set(Array.from('.eE+-', (mark) => mark.charCodeAt(0)));

/** The first number of a JSON text that the test refuses, with its offset. */
export function findNumber(
  text: string,
  isRefused: (number: string) => boolean,
): { readonly offset: number; readonly number: string } | undefined {
  for (let offset = 0; offset < text.length; offset += 1) {
    const code = text.charCodeAt(offset);
    if (code === quote) offset = endOfString(text, offset);
    else if (code === minus || isDigit(code)) {
      // An expression would run out of its stack in millions of digits.
      let end = offset + 1;
      while (isDigit(text.charCodeAt(end)) || numberMarks.has(text.charCodeAt(end))) end += 1;
      const number = text.slice(offset, end);
      if (isRefused(number)) return { offset, number };
      offset = end - 1;
    }
  }
  return undefined;
}

/** Where the string ends that starts with a quote at `start`. */
export function endOfString(text: string, start: number): number {
  let offset = start + 1;
  while (offset < text.length) {
    const code = text.charCodeAt(offset);
    if (code === quote) return offset;
    offset += code === backslash ? 2 : 1;
  }
  return offset;
}

/** Whether a colon follows the string that ends at `end`, as it does the name of a member and no other. */
export function isName(text: string, end: number): boolean {
  let at = end + 1;
  while (' \t\n\r'.includes(text[at] ?? 'x')) at += 1;
  return text[at] === ':';
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

interface SyntaxIssue {
  readonly offset: number;
  readonly reason: string;
}

type Expected = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end';

const beforeEnd: Readonly<Record<'[' | '{', string>> = {
  '[': 'a comma or "]" must follow an array element',
  '{': 'a comma or "}" must follow a member of an object',
};

/** Walks the grammar of RFC 8259 section 2 with a stack of open brackets. */
class JsonReader {
  readonly #text: string;
  readonly #open: ('[' | '{')[] = [];
  #offset = 0;
  #expected: Expected = 'value';
  #isComplete = false;

  constructor(text: string) {
    this.#text = text;
  }

  firstIssue(): SyntaxIssue | undefined {
    for (;;) {
      this.#skipSpace();
      if (this.#offset >= this.#text.length)
        return this.#isComplete ? undefined : this.#issue(this.#endReason());
      const reason = this.#isComplete ? 'nothing may follow the value' : this.#step();
      if (reason !== undefined) return this.#issue(reason);
    }
  }

  #issue(reason: string): SyntaxIssue {
    return { offset: this.#offset, reason };
  }

  #endReason(): string {
    if (this.#open.length === 0) return 'the text is empty, a JSON value is expected';
    return this.#open.at(-1) === '['
      ? 'the text ends inside an array'
      : 'the text ends inside an object';
  }

  #skipSpace(): void {
    while (' \t\n\r'.includes(this.#text[this.#offset] ?? 'x')) this.#offset += 1;
  }

  /** Takes one token; a reason if it does not belong here. */
  #step(): string | undefined {
    const character = this.#text[this.#offset] ?? '';
    if (this.#expected === 'colon')
      return this.#take(character === ':', 'value', 'a colon must follow the name of a member');
    if (this.#expected === 'comma or end') return this.#commaOrEnd(character);
    if (this.#expected === 'name' || this.#expected === 'name or end')
      return this.#memberName(character);
    if (this.#expected === 'value or end' && character === ']') return this.#close();
    return this.#value(character);
  }

  #take(isRight: boolean, next: Expected, reason: string): string | undefined {
    if (!isRight) return reason;
    this.#offset += 1;
    this.#expected = next;
    return undefined;
  }

  #commaOrEnd(character: string): string | undefined {
    const open = this.#open.at(-1) ?? '[';
    if (character === (open === '[' ? ']' : '}')) return this.#close();
    return this.#take(character === ',', open === '[' ? 'value' : 'name', beforeEnd[open]);
  }

  #memberName(character: string): string | undefined {
    if (character === '"') return this.#string('colon');
    if (character !== '}') return 'the name of a member must stand in double quotes';
    return this.#expected === 'name or end' ? this.#close() : 'no comma may stand before "}"';
  }

  #value(character: string): string | undefined {
    if (character === '"') return this.#string('comma or end');
    if (character === '[') return this.#push('[', 'value or end');
    if (character === '{') return this.#push('{', 'name or end');
    return this.#scalar(character);
  }

  #push(open: '[' | '{', next: Expected): undefined {
    this.#open.push(open);
    this.#offset += 1;
    this.#expected = next;
  }

  #close(): undefined {
    this.#open.pop();
    this.#offset += 1;
    this.#valueDone();
  }

  #valueDone(): undefined {
    this.#expected = 'comma or end';
    this.#isComplete = this.#open.length === 0;
  }

  #string(next: Expected): string | undefined {
    this.#offset = endOfCharacters(this.#text, this.#offset + 1);
    const stop = this.#text[this.#offset];
    if (stop !== '"') return stringReason(stop);
    this.#offset += 1;
    if (next === 'colon') this.#expected = next;
    else this.#valueDone();
    return undefined;
  }

  #scalar(character: string): string | undefined {
    const word = /[^\s,:[\]{}"]*/uy;
    word.lastIndex = this.#offset;
    const token = word.exec(this.#text)?.[0] ?? '';
    if (!/^(?:null|true|false|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/u.test(token))
      return scalarReason(character, token);
    this.#offset += token.length;
    return this.#valueDone();
  }
}

/** Where the characters of a string end: at its quote, or at what may not stand in it. */
function endOfCharacters(text: string, start: number): number {
  let offset = start;
  for (;;) {
    const code = text.charCodeAt(offset);
    // NaN behind the end is not at least a space either.
    if (!(code >= 32) || code === quote) return offset;
    const length = code === backslash ? lengthOfEscape(text, offset) : 1;
    if (length === 0) return offset;
    offset += length;
  }
}

/** 2 or 6 characters; 0 for what is no escape. */
function lengthOfEscape(text: string, offset: number): number {
  const letter = text[offset + 1] ?? '';
  if (letter === 'u') return /^[0-9a-fA-F]{4}$/u.test(text.slice(offset + 2, offset + 6)) ? 6 : 0;
  return letter !== '' && '"\\/bfnrt'.includes(letter) ? 2 : 0;
}

function stringReason(stop: string | undefined): string {
  if (stop === undefined) return 'the text ends inside a string';
  if (stop === '\\')
    return 'a backslash in a string must begin one of \\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX';
  return 'a control character in a string must be escaped';
}

function scalarReason(character: string, token: string): string {
  if (character === ']') return 'no comma may stand before "]"';
  if (character === "'") return 'a string must stand in double quotes';
  if (character === '\ufeff') return 'a byte order mark may not stand before the value';
  if (/^[-+.\d]/u.test(token)) return `${token.slice(0, 40)} is not a number as JSON writes it`;
  return token === ''
    ? 'a value is expected'
    : `${JSON.stringify(token.slice(0, 40))} is not a JSON value`;
}
