/**
 * Translates a regular expression of another dialect (PCRE, Java, .NET, Python, POSIX) to ECMA-262 with the
 * flag u; undefined if that is impossible. A valid one is not changed.
 */
export function translatePattern(pattern: string): string | undefined {
  const [, literal, flags = ''] = /^\/(\^.*\$)\/([a-z]*)$/s.exec(pattern) ?? [];
  if (literal === undefined && compiles(pattern)) return pattern;
  const [, inline = '', body = ''] = /^(?:\(\?([a-z]+)\))?(.*)$/s.exec(literal ?? pattern) ?? [];
  if (flags + inline === '' && compiles(body)) return body;
  // An intersection of two classes, as in Java.
  if (body.includes('&&[')) return undefined;
  const translated = translate(body, (flags + inline).includes('i'));
  return compiles(translated) ? translated : undefined;
}

export function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

/**
 * A named set, an escape, the start of a group, a possessive quantifier, a range of letters, or any
 * character.
 */
const token =
  /\[:\w+:\]|\\[pP]\{[\w=]+\}|\\(?:u[\dA-Fa-f]{4}|u\{[\dA-Fa-f]+\}|x[\dA-Fa-f]{2}|c[A-Za-z]|k<\w+>|.)|\(\?(?:P?<(?![=!])|>)|(?:[*+?]|\{\d*,?\d*\})\+?|[a-z]-[a-z]|[A-Z]-[A-Z]|./gsu;

/** Syntax that differs in ECMA-262 outside of classes. */
const forms: ReadonlyMap<string, string> = new Map([
  ['\\A', '^'],
  ['\\z', '$'],
  ['\\Z', '$'],
  ['\\-', '-'],
  ['(?P<', '(?<'],
  ['(?>', '(?:'],
  ['{', '\\{'],
  ['{}', '\\{\\}'],
  ['}', '\\}'],
  [']', '\\]'],
]);

function translate(body: string, isAnyCase: boolean): string {
  let isInClass = false;
  let isAfterSet = false;
  const named = body.replaceAll(/\(\?P=(\w+)\)/g, String.raw`\k<$1>`);
  return named.replaceAll(token, (whole: string, at: number) => {
    const isMember = isInClass;
    // A dash next to a set of characters is a literal.
    const isBesideSet = isAfterSet || named[at + whole.length] === '\\';
    const isFirst = /\[\^?$/.test(named.slice(Math.max(0, at - 2), at));
    if (whole === '[' || (whole === ']' && !isFirst)) isInClass = whole === '[';
    const set = sets.get(/^(?:\[:|\\p\{)(\w+)/.exec(whole)?.[1]?.toLowerCase() ?? '');
    isAfterSet = set !== undefined || /^\\[dDwWsSpP]/.test(whole);
    if (set !== undefined) return isMember ? set : `[${set}]`;
    if (isMember && isInClass && (whole === ']' || (whole === '-' && isBesideSet)))
      return `\\${whole}`;
    const form = isMember ? undefined : forms.get(whole);
    if (form !== undefined) return form;
    if (!isMember && /^[*+?{]./.test(whole)) return whole.replace(/\+$/, '').replace('{,', '{0,');
    if (/^\\\D$/su.test(whole))
      return compiles(isMember ? `[${whole}]` : whole) ? whole : whole.slice(1);
    if (whole.startsWith('\\') || !isAnyCase) return whole;
    return isMember
      ? bothCases(whole)
      : whole.replaceAll(/\p{L}/gu, (letter) => bothCases(letter).replace(/^..+$/su, '[$&]'));
  });
}

/** A letter or a range of letters, in both cases. */
function bothCases(text: string): string {
  const [lower, upper] = [text.toLowerCase(), text.toUpperCase()];
  return lower === upper ? text : lower + upper;
}

/** Named character sets of POSIX and Java, as members of a class. */
const sets: ReadonlyMap<string, string> = new Map([
  ['lower', 'a-z'],
  ['upper', 'A-Z'],
  ['alpha', 'A-Za-z'],
  ['digit', '0-9'],
  ['alnum', '0-9A-Za-z'],
  ['xdigit', '0-9A-Fa-f'],
  ['punct', String.raw`!-\/:-@\[-\x60\{-~`],
  ['blank', String.raw` \t`],
  ['space', String.raw`\s`],
  ['ascii', String.raw`\x00-\x7F`],
]);
