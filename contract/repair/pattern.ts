/**
 * A regular expression of another dialect (PCRE, Java, .NET, Python, POSIX) in ECMA-262 with the u
 * flag; undefined where it cannot be written in that. One that is valid already is not changed.
 */
export function translatePattern(pattern: string): string | undefined {
  const [, literal, flags = ''] = /^\/(\^.*\$)\/([a-z]*)$/s.exec(pattern) ?? [];
  if (literal === undefined && compiles(pattern)) return pattern;
  const [, inline = '', body = ''] = /^(?:\(\?([a-z]+)\))?(.*)$/s.exec(literal ?? pattern) ?? [];
  if (flags + inline === '' && compiles(body)) return body;
  // The intersection of two classes, which Java has.
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

/** A quoted text, a set by name, an escape, the start of a group, a quantifier, a range, any character. */
const token =
  /\\Q.*?(?:\\E|$)|\[:\w+:\]|\\[pP](?:\{\^?[\w=]+\}|[A-Z])|\\(?:x\{[\dA-Fa-f]+\}|u[\dA-Fa-f]{4}|u\{[\dA-Fa-f]+\}|x[\dA-Fa-f]{2}|c[A-Za-z]|k<\w+>|[1-9]\d?|.)|\(\?P=\w+\)|\((?:\?(?:P?<(?![=!])|>|#[^)]*\)))?|(?:[*+?]|\{\d*,?\d*\})[?+]?|[a-z]-[a-z]|[A-Z]-[A-Z]|./gsu;

type Rewrite = readonly [form: RegExp, text: string];

/** What has another form in ECMA-262: anywhere, and outside of classes. */
const anywhere: readonly Rewrite[] = [
  [/^\\x(?=\{)/, String.raw`\u`],
  [/^\\e$/, String.raw`\x1B`],
  [/^\\a$/, String.raw`\x07`],
];
const outside: readonly Rewrite[] = [
  ...anywhere,
  [/^\\A$/, '^'],
  [/^\\z$/i, '$$'],
  [/^\\G$/, ''],
  [/^\\-$/, '-'],
  [/^\(\?P=(.*)\)$/, String.raw`\k<$1>`],
  [/^\(\?P</, '(?<'],
  [/^\(\?>/, '(?:'],
  [/^\(\?#.*/s, ''],
  [/^\{(,?)\}/, String.raw`\{$1\}`],
  [/^\{,/, '{0,'],
  // Possessive quantifiers are greedy ones here.
  [/^([*+?]|\{[\d,]+\})\+$/, '$1'],
  [/^[{}\]]$/, String.raw`\$&`],
];

function translate(body: string, isAnyCase: boolean): string {
  let isInClass = false;
  let isAfterSet = false;
  return body.replaceAll(token, (whole: string, at: number) => {
    const isMember = isInClass;
    // Beside a set of characters a dash is one of the members.
    const isBesideSet = isAfterSet || body[at + whole.length] === '\\';
    const isFirst = /\[\^?$/.test(body.slice(Math.max(0, at - 2), at));
    if (whole === '[' || (whole === ']' && !isFirst)) isInClass = whole === '[';
    const set = readSet(whole);
    isAfterSet = set !== undefined;
    if (set !== undefined) return isMember || set.startsWith('\\') ? set : `[${set}]`;
    if (whole.startsWith('\\Q'))
      return whole.replace(/^\\Q|\\E$/g, '').replaceAll(syntax, String.raw`\$&`);
    const read = (isMember ? anywhere : outside).reduce(
      (text, [form, other]) => text.replace(form, other),
      whole,
    );
    if (read !== whole) return read;
    if (/^\\[^1-9]$/su.test(whole))
      return compiles(isMember ? `[${whole}]` : whole) ? whole : whole.slice(1);
    if (whole.startsWith('\\')) return whole;
    if (isMember && isInClass && (whole === ']' || (whole === '-' && isBesideSet)))
      return `\\${whole}`;
    if (!isAnyCase) return whole;
    return isMember
      ? bothCases(whole)
      : whole.replaceAll(/\p{L}/gu, (letter) => bothCases(letter).replace(/^..+$/su, '[$&]'));
  });
}

/** A letter, or a range of them, in lower and in upper case. */
function bothCases(text: string): string {
  const [lower, upper] = [text.toLowerCase(), text.toUpperCase()];
  return lower === upper ? text : lower + upper;
}

const syntax = /[$()*+.?[\\\]^{|}/]/g;

/** Sets of characters by their names in POSIX and Java, as members of a class. */
const sets: ReadonlyMap<string, string> = new Map([
  ['lower', 'a-z'],
  ['upper', 'A-Z'],
  ['alpha', 'A-Za-z'],
  ['digit', '0-9'],
  ['alnum', '0-9A-Za-z'],
  ['xdigit', '0-9A-Fa-f'],
  ['punct', String.raw`!-\/:-@\[-\x60\{-~`],
  ['graph', '!-~'],
  ['print', ' -~'],
  ['blank', String.raw` \t`],
  ['space', String.raw`\s`],
  ['cntrl', String.raw`\x00-\x1F\x7F`],
  ['ascii', String.raw`\x00-\x7F`],
  ['word', String.raw`\w`],
]);

/** The members of a set by its name; undefined for what is none. */
function readSet(whole: string): string | undefined {
  if (/^\\[dDwWsS]$/.test(whole)) return whole;
  if (whole === '\\h') return sets.get('blank');
  const [, escape = '', name = ''] = /^(?:\[:|\\([pP])\{?)(\^?[\w=]+)/.exec(whole) ?? [];
  if (escape === '' || (escape === 'p' && sets.has(name.toLowerCase())))
    return sets.get(name.toLowerCase());
  const bare = name.replace(/^Is/, '');
  return [name, bare, `Script=${bare}`].map((one) => `\\${escape}{${one}}`).find(compiles);
}
