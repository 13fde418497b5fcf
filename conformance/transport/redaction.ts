import { escapePattern } from '../../contract/openapi/path-pattern.ts';
import type { Outcome } from './exchange.ts';
import { redactedKey } from './cut.ts';

export { redactedKey } from './cut.ts';

/** Below this length a key cannot be distinguished from other text: `a` is in every response. */
const shortestKey = 4;

/** So much of a key at least is looked for where a text was cut. */
const shortestCut = 6;

/**
 * Takes the key out of a text, and those made of it: cut, longer, in another case; as it is,
 * percent-encoded, with escapes of JSON or HTML, in any case, in Base64 or hexadecimal, and backwards. Where the
 * text was cut within the key (`…`), from half of it on.
 */
export type Redact = (text: string) => string;

interface CompiledKey {
  readonly plain: RegExp;
  readonly encoded: RegExp;
  readonly cut: RegExp;
}

function compileKey(key: string): CompiledKey {
  return {
    plain: new RegExp(spellKey(key), 'giu'),
    encoded: new RegExp(`(?:${listEncoded(key).map(escapePattern).join('|')})`, 'gu'),
    cut: new RegExp(spellCut(key), 'giu'),
  };
}

/** Creates the redaction of one key. A key of fewer than four characters is not looked for. */
export function createRedaction(key: string | undefined): Redact {
  const blanks = key === undefined ? [] : [createBlank(key)];
  return (text) => redactKeys(text, blanks).text;
}

/** Puts a mark in the place of one key. */
export type Blank = (text: string, mark: string) => string;

/** What finds one key in texts; one of fewer than four characters is not looked for. */
export function createBlank(key: string): Blank {
  if (key.length < shortestKey) return (text) => text;
  // Expensive, and traffic may have many keys while nothing is redacted.
  let compiled: CompiledKey | undefined;
  return (text, mark) => {
    const { plain, encoded, cut } = (compiled ??= compileKey(key));
    const some = text.replace(plain, mark).replace(encoded, mark);
    return some.includes('…') ? some.replace(cut, `${mark}…`) : some;
  };
}

/** A text without keys. */
export interface Redacted {
  readonly text: string;
  /** The positions at which `[redacted]` replaces a key. */
  readonly cuts: readonly number[];
}

/** Takes keys out of a text, all of them before any `[redacted]` is inserted. */
export function redactKeys(text: string, blanks: Iterable<Blank>): Redacted {
  const mark = unusedCharacter(text);
  let left = text;
  for (const blank of blanks) left = blank(left, mark);
  return left === text ? { text, cuts: [] } : placeRedactions(left.split(mark));
}

function placeRedactions([first = '', ...parts]: readonly string[]): Redacted {
  const cuts: number[] = [];
  let text = first;
  for (const part of parts) {
    cuts.push(text.length);
    text += redactedKey + part;
  }
  return { text, cuts };
}

/** A character that no key has, and the text does not have either (noncharacters, Unicode 23.7). */
function unusedCharacter(text: string): string {
  for (let code = 0xfdd0; code < 0xfdef; code += 1) {
    const character = String.fromCharCode(code);
    if (!text.includes(character)) return character;
  }
  return '\u{fdef}';
}

/** A text that was cut before it came here may end within a key: from its half on that is found. */
function spellCut(key: string): string {
  const characters = Array.from(key);
  const all = [
    firstHalf(characters).map(spellCharacter).join(''),
    ...listEncoded(key).map((form) => escapePattern(firstHalf(Array.from(form)).join(''))),
  ];
  return String.raw`(?:${all.join('|')})\S{0,1000}?…`;
}

function firstHalf(text: readonly string[]): readonly string[] {
  return text.slice(0, Math.max(shortestCut, Math.ceil(text.length / 2)));
}

/** An outcome without keys, with the places that they were cut from. `isSecret`: fields that are keys. */
export function redactOutcome(
  outcome: Outcome,
  redact: (text: string) => Redacted,
  isSecret: (name: string) => boolean = () => false,
): Outcome {
  if (outcome.kind === 'no-response') {
    const { error } = outcome;
    return { kind: 'no-response', error: { ...error, message: redact(error.message).text } };
  }
  const { response } = outcome;
  const cutHeaders: number[] = [];
  const headers = response.headers.map(([name, value], at) => {
    const one = redact(name);
    const other = isSecret(name) ? { text: redactedKey, cuts: [0] } : redact(value);
    if (one.cuts.length + other.cuts.length > 0) cutHeaders.push(at);
    return [one.text, other.text] as const;
  });
  const body = redact(response.body);
  const isWhole = cutHeaders.length + body.cuts.length === 0;
  const cuts = isWhole ? {} : { cuts: { headers: cutHeaders, body: body.cuts } };
  return { kind: 'answered', response: { ...response, headers, body: body.text, ...cuts } };
}

/** A pattern for the key in all spellings, without its last character or with an `x` more. */
function spellKey(key: string): string {
  const characters = Array.from(key);
  const last = characters.pop() ?? '';
  const body = characters.map(spellCharacter).join('');
  const whole = `${body}(?:${spellCharacter(last)})?${spellCharacter('x')}?`;
  if (/^\d+$/.test(key) && key.length < 12) return `(?<!\\d)${whole}(?!\\d|\\s*[,\\]}])`;
  // A short word may be part of another one: `demo` of "academic".
  return /^[a-z]+$/i.test(key) && key.length < 8 ? `(?<![a-z])${whole}(?![a-z])` : whole;
}

/** One character as it is, percent-encoded, as a JSON escape or an HTML reference. */
function spellCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  const bytes = [...Buffer.from(character)]
    .map((byte) => `%(?:25){0,4}${byte.toString(16).padStart(2, '0')}`)
    .join('');
  const units = character
    .split('')
    .map((unit) => String.raw`\\{1,8}u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
  const all = [
    String.raw`\\{0,8}${escapePattern(character)}`,
    bytes,
    units,
    `&#0{0,4}${code};`,
    `&#x0{0,4}${hex};`,
    ...(others[character] ?? []),
  ];
  return `(?:${all.join('|')})`;
}

/** The reference of HTML by name; a space in a form. */
const others: Readonly<Record<string, readonly string[]>> = {
  '&': ['&amp;'],
  '<': ['&lt;'],
  '>': ['&gt;'],
  '"': ['&quot;'],
  "'": ['&apos;'],
  ' ': [String.raw`\+`],
};

/** From this length on a form of the key is in no other text by chance. */
const shortestSure = 8;

/** The key and its near misses in other forms: a service may show what it was sent in one of them. */
function listEncoded(key: string): readonly string[] {
  if (key.length < shortestSure) return listBase64(key);
  const swapped = Array.from(key, (each) =>
    each === each.toLowerCase() ? each.toUpperCase() : each.toLowerCase(),
  ).join('');
  const cases = [...new Set([key, swapped, key.toLowerCase(), key.toUpperCase()])];
  // What has the key without its end has the key as well.
  return cases.flatMap((text) => {
    const cut = text.slice(0, -1);
    const hex = Buffer.from(cut).toString('hex');
    const backwards = Array.from(cut).toReversed().join('');
    return [...listBase64(text), ...listBase64(cut), hex, hex.toUpperCase(), backwards];
  });
}

/** Base64 that holds the key, for each place in a group of three bytes (RFC 4648 section 4). */
function listBase64(key: string): readonly string[] {
  const length = Buffer.byteLength(key);
  return [0, 1, 2].flatMap((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), Buffer.from(key)]).toString('base64');
    const sure = text.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + length) * 8) / 6));
    return [...new Set([sure, sure.replaceAll('+', '-').replaceAll('/', '_')])];
  });
}
