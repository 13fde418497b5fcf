import { translateClass } from './character-class.ts';
import { translateEscape } from './escape.ts';

/**
 * A regular expression of another dialect (PCRE, Java, .NET, Python, POSIX) as ECMA-262 has it with
 * the u flag; undefined where it says what that cannot. One that is sound already stays.
 */
export function translatePattern(pattern: string): string | undefined {
  const literal = readLiteral(pattern);
  if (literal === undefined && compiles(pattern)) return pattern;
  const { body, flags } = literal ?? { body: pattern, flags: '' };
  if (flags === '' && compiles(body)) return body;
  const translated = new Translation(body, flags).run();
  return translated !== undefined && compiles(translated) ? translated : undefined;
}

function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

/** `/^a$/i`, as several languages write it between delimiters; as it stands it matches nothing. */
function readLiteral(pattern: string) {
  const [, body, flags = ''] = /^\/(\^.*\$)\/([a-z]*)$/s.exec(pattern) ?? [];
  return body === undefined ? undefined : { body, flags };
}

/** Flags that a group may set: `i` for any case of letters, `s` for a dot that is any character. */
type Flags = ReadonlySet<string>;

class Translation {
  readonly #text: string;
  /** The flags of each open group, outermost first. */
  readonly #scopes: Flags[];
  #offset = 0;
  #output = '';
  /** Whether a quantifier may stand here. */
  #canRepeat = false;
  /** It says what ECMA-262 has no words for. */
  #isForeign = false;

  constructor(text: string, flags: string) {
    this.#text = text;
    this.#scopes = [new Set(flags)];
  }

  run(): string | undefined {
    while (this.#offset < this.#text.length && !this.#isForeign) this.#step();
    return this.#isForeign ? undefined : this.#output;
  }

  get #flags(): Flags {
    return this.#scopes.at(-1) ?? new Set();
  }

  #step(): void {
    const rest = this.#text.slice(this.#offset);
    const character = String.fromCodePoint(rest.codePointAt(0) ?? 0);
    if (character === '\\') this.#escape(rest);
    else if (character === '[') this.#class(rest);
    else if (character === '(') this.#open(rest);
    else if (character === ')') this.#close();
    else if (/^(?:[*+?]|\{\d*(?:,\d*)?\})/.test(rest)) this.#quantifier(rest);
    else this.#literal(character);
  }

  #emit(text: string, length: number, canRepeat = true): void {
    this.#output += text;
    this.#offset += length;
    this.#canRepeat = canRepeat;
  }

  #escape(rest: string): void {
    const { text, length, isAssertion } = translateEscape(rest);
    this.#emit(text, length, !isAssertion);
  }

  #class(rest: string): void {
    const { text, length } = translateClass(rest, this.#flags.has('i'));
    // The classes of Java may be cut with one another.
    this.#isForeign ||= text.includes('&&[');
    this.#emit(text, length);
  }

  #open(rest: string): void {
    const comment = /^\(\?#[^)]*\)/.exec(rest)?.[0];
    if (comment !== undefined) return this.#emit('', comment.length, this.#canRepeat);
    const setting = /^\(\?([a-z]*)(?:-([a-z]*))?(\)|:)/i.exec(rest);
    if (setting !== null) return this.#set(setting);
    this.#scopes.push(this.#flags);
    const [head = '('] = /^\((?:\?(?:P?<[\w-]+>|'\w+'|<?[=!]|>))?/.exec(rest) ?? [];
    const name = /^\(\?P?[<']([\w-]+)[>']/.exec(head)?.[1];
    const opening = name !== undefined ? `(?<${groupName(name)}>` : head === '(?>' ? '(?:' : head;
    const reference = /^\(\?P=(\w+)\)/.exec(rest);
    this.#isForeign ||= head === '(' && rest.startsWith('(?') && reference === null;
    if (reference === null) return this.#emit(opening, head.length, false);
    this.#scopes.pop();
    this.#emit(`\\k<${groupName(reference[1] ?? '')}>`, reference[0].length);
  }

  /** `(?i)` for the rest of a group, `(?i:...)` for a group of its own. */
  #set([head, added = '', removed = '', end]: RegExpExecArray): void {
    const flags = new Set(
      [...this.#flags, ...added.split('')].filter((flag) => !removed.includes(flag)),
    );
    if (end === ':') {
      this.#scopes.push(flags);
      return this.#emit('(?:', head.length, false);
    }
    this.#scopes[this.#scopes.length - 1] = flags;
    this.#emit('', head.length, false);
  }

  #close(): void {
    if (this.#scopes.length > 1) this.#scopes.pop();
    this.#emit(')', 1);
  }

  /** What is possessive, or bounded from above only, is written as its equal. */
  #quantifier(rest: string): void {
    const [head = ''] = /^(?:[*+?]|\{\d*(?:,\d*)?\})/.exec(rest) ?? [];
    const isCount = !head.startsWith('{') || /\d/.test(head);
    if (!isCount) return this.#literal('{');
    this.#isForeign ||= !this.#canRepeat;
    const mode = rest[head.length] === '?' ? '?' : '';
    const length = head.length + (/[?+]/.test(rest[head.length] ?? '') ? 1 : 0);
    this.#emit(head.replace('{,', '{0,') + mode, length, false);
  }

  #literal(character: string): void {
    const isAssertion = '^$|'.includes(character);
    if ('{}]'.includes(character)) return this.#emit(`\\${character}`, 1);
    if (character === '.' && this.#flags.has('s')) return this.#emit(String.raw`[\s\S]`, 1);
    if (this.#flags.has('x') && /\s/.test(character)) return this.#emit('', 1, this.#canRepeat);
    const isLetter = this.#flags.has('i') && character.toLowerCase() !== character.toUpperCase();
    const text = isLetter ? `[${character.toLowerCase()}${character.toUpperCase()}]` : character;
    this.#emit(text, character.length, !isAssertion);
  }
}

function groupName(name: string): string {
  return name.replaceAll('-', '_').replace(/^(?=\d)/, '_');
}
