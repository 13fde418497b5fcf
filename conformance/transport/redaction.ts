import { escapePattern } from '../../contract/openapi/path-pattern.ts';
import type { Outcome } from './exchange.ts';
import { redactedKey } from './cut.ts';

export { redactedKey } from './cut.ts';

/** A shorter key cannot be distinguished from other text: `a` is in every response. */
const shortestKey = 4;

/** The smallest part of a key that is searched for where a text was cut. */
const shortestCut = 6;

/** Letters and digits of a longer key are not searched for in other spellings: the pattern would be too large. */
const longestSpelled = 200;

/** Of a longer key, or one with more other characters, only the text itself is searched for: no pattern can hold it. */
const longestPattern = 16_000;
const maxSpelled = 1_000;

/**
 * Removes a key and its near misses (cut, longer, in another case) from a text: as they are,
 * percent-encoded, with escapes of JSON or HTML, in any case, in Base64 or hexadecimal, and
 * reversed. If the text was cut within the key (`…`), half of the key is enough.
 */
export type Redact = (text: string) => string;

/** Creates the redaction of one key. A key of fewer than four characters is not redacted. */
export function createRedaction(key = ''): Redact {
  if (key.length < shortestKey) return (text) => text;
  const isHuge =
    key.length > longestPattern ||
    (key.length > longestSpelled && key.replaceAll(/\w/g, '').length > maxSpelled);
  if (isHuge)
    return (text) =>
      text.replaceAll(key, () => redactedKey).replaceAll(key.slice(0, -1), () => redactedKey);
  // Expensive, and traffic may have many keys while nothing is redacted.
  let pattern: RegExp | undefined;
  return (text) => text.replace((pattern ??= compileKey(key)), redactedKey);
}

/** A pattern for all forms of a key, including those that are cut off by a `…`. */
function compileKey(key: string): RegExp {
  const encoded = listEncoded(key);
  const isLong = key.length > longestSpelled;
  const spell = (each: string): string =>
    isLong && /^\w$/.test(each) ? each : spellCharacter(each);
  const halves = [
    firstHalf(key).map(spell).join(''),
    ...encoded.map((form) => escapePattern(firstHalf(form).join(''))),
  ];
  const forms = [
    spellKey(key, spell),
    ...encoded.map(escapePattern),
    String.raw`(?:${halves.join('|')})\S{0,${6 * key.length}}?(?=…)`,
  ];
  return new RegExp(forms.join('|'), 'giu');
}

function firstHalf(text: string): readonly string[] {
  const characters = Array.from(text);
  return characters.slice(0, Math.max(shortestCut, Math.ceil(characters.length / 2)));
}

/**
 * Removes keys from an outcome. If the target itself wrote `[redacted]`, it is changed to capitals,
 * unless keys were removed before.
 * @param isSecret fields that contain keys
 */
export function redactOutcome(
  outcome: Outcome,
  redact: Redact,
  isSecret: (name: string) => boolean = () => false,
  isAgain = false,
): Outcome {
  const clean: Redact = (text) =>
    redact(isAgain ? text : text.replaceAll(redactedKey, redactedKey.toUpperCase()));
  if (outcome.kind === 'no-response') {
    const { error } = outcome;
    return { kind: 'no-response', error: { ...error, message: clean(error.message) } };
  }
  const { response } = outcome;
  const headers = response.headers.map(
    ([name, value]) => [clean(name), isSecret(name) ? redactedKey : clean(value)] as const,
  );
  return { kind: 'answered', response: { ...response, headers, body: clean(response.body) } };
}

/** A pattern for the key in all spellings, without its last character or with an `x` more. */
function spellKey(key: string, spell: (character: string) => string): string {
  const characters = Array.from(key);
  const last = characters.pop() ?? '';
  const body = characters.map(spell).join('');
  const whole = `${body}(?:${spell(last)})?(?:${spell('x')})?`;
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

/** A form of the key with this length does not occur in other text by chance. */
const shortestSure = 8;

/** The key and its near misses in other forms, in which a service may echo them. */
function listEncoded(key: string): readonly string[] {
  if (key.length < shortestSure) return listBase64(key);
  const swapped = Array.from(key, (each) =>
    each === each.toLowerCase() ? each.toUpperCase() : each.toLowerCase(),
  ).join('');
  const cases = [...new Set([key, swapped, key.toLowerCase(), key.toUpperCase()])];
  // A text that contains the whole key also contains the key without its end.
  const forms = cases.flatMap((text) => {
    const cut = text.slice(0, -1);
    return [...listBase64(text), ...listBase64(cut), Buffer.from(cut).toString('hex')];
  });
  return [...forms, Array.from(key.slice(0, -1)).toReversed().join('')];
}

/** Base64 that contains the key, for each offset in a group of three bytes (RFC 4648 section 4). */
function listBase64(key: string): readonly string[] {
  const length = Buffer.byteLength(key);
  return [0, 1, 2].flatMap((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), Buffer.from(key)]).toString('base64');
    const sure = text.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + length) * 8) / 6));
    return [...new Set([sure, sure.replaceAll('+', '-').replaceAll('/', '_')])];
  });
}
