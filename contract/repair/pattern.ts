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

/** Alternatives: a quoted text, a class by name, an escape, the start of a group, a quantifier, any. */
const token =
  /\\Q(?<quoted>.*?)(?:\\E|$)|\[:(?<posix>\w+):\]|\\[pP](?:\{\^?(?<property>[\w=]+)\}|(?<short>[A-Z]))|\\(?:x\{(?<code>[\dA-Fa-f]+)\}|u[\dA-Fa-f]{4}|u\{[\dA-Fa-f]+\}|x[\dA-Fa-f]{2}|c[A-Za-z]|k<\w+>|[1-9]\d?|(?<letter>.))|\(\?P=(?<reference>\w+)\)|(?<group>\((?:\?(?:P?<(?![=!])|>|#[^)]*\)))?)|(?<quantifier>(?:[*+?]|\{\d*,?\d*\})[?+]?)|(?<range>[a-z]-[a-z]|[A-Z]-[A-Z])|./gsu;

function translate(body: string, isAnyCase: boolean): string {
  let isInClass = false;
  let isAfterSet = false;
  return body.replaceAll(token, (whole: string, ...rest: readonly unknown[]) => {
    const groups: Readonly<Record<string, string | undefined>> = Object(rest.at(-1));
    const next = body[Number(rest.at(-3)) + whole.length] ?? '';
    const wasInClass = isInClass;
    const wasAfterSet = isAfterSet;
    isAfterSet = false;
    if (whole === '[' && !isInClass) isInClass = true;
    else if (whole === ']' && isInClass && !/\[\^?$/.test(body.slice(0, Number(rest.at(-3)))))
      isInClass = false;
    const members = membersOf(whole, groups);
    if (members !== undefined) {
      isAfterSet = true;
      return wasInClass || /^\\[pP]\{/.test(members) ? members : `[${members}]`;
    }
    if (groups['letter'] !== undefined) {
      isAfterSet = /[dDwWsS]/.test(groups['letter']);
      return escapeOf(groups['letter'], wasInClass);
    }
    if (groups['code'] !== undefined) return `\\u{${groups['code']}}`;
    if (groups['quoted'] !== undefined) return groups['quoted'].replaceAll(syntax, String.raw`\$&`);
    if (wasInClass) return isInClass ? inClass(whole, wasAfterSet, next, isAnyCase) : whole;
    if (groups['reference'] !== undefined) return `\\k<${groups['reference']}>`;
    if (groups['group'] !== undefined) return groupOf(whole);
    if (groups['quantifier'] !== undefined) return quantifierOf(whole);
    if ('{}]'.includes(whole)) return `\\${whole}`;
    const range = groups['range'];
    if (range !== undefined)
      return `${bothCases(range.charAt(0), isAnyCase)}-${bothCases(range.charAt(2), isAnyCase)}`;
    return bothCases(whole, isAnyCase);
  });
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

function membersOf(
  whole: string,
  { posix, property, short, letter }: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (posix !== undefined) return sets.get(posix);
  if (letter === 'h') return sets.get('blank');
  const name = property ?? short;
  if (name === undefined) return undefined;
  const bare = name.replace(/^Is/, '');
  const kind = whole.charAt(1);
  return (
    (kind === 'p' ? sets.get(name.toLowerCase()) : undefined) ??
    [name, bare, `Script=${bare}`].map((one) => `\\${kind}{${one}}`).find(compiles)
  );
}

const anchors: Readonly<Record<string, string>> = { A: '^', z: '$', Z: '$', G: '' };

/** What a backslash and a letter stand for. */
function escapeOf(letter: string, isInClass: boolean): string {
  const anchor = isInClass ? undefined : anchors[letter];
  if (anchor !== undefined) return anchor;
  if (letter === 'e') return String.raw`\x1B`;
  if (letter === 'a') return String.raw`\x07`;
  if (letter === '-') return isInClass ? String.raw`\-` : '-';
  return compiles(isInClass ? `[\\${letter}]` : `\\${letter}`) ? `\\${letter}` : letter;
}

function inClass(whole: string, isAfterSet: boolean, next: string, isAnyCase: boolean): string {
  if (whole === ']') return String.raw`\]`;
  // Beside a set of characters a dash is one of the members.
  if (whole === '-' && (isAfterSet || next === '\\')) return String.raw`\-`;
  if (!isAnyCase || whole.toLowerCase() === whole.toUpperCase()) return whole;
  return whole.toLowerCase() + whole.toUpperCase();
}

function groupOf(group: string): string {
  if (group.startsWith('(?#')) return '';
  return group === '(?>' ? '(?:' : group.replace('?P<', '?<');
}

/** Possessive quantifiers are greedy ones here; `{,3}` and a brace alone exist elsewhere. */
function quantifierOf(quantifier: string): string {
  if (!/\d/.test(quantifier) && quantifier.startsWith('{'))
    return quantifier.replaceAll(/[{}]/g, String.raw`\$&`);
  const counted = quantifier.replace('{,', '{0,');
  return counted.length > 1 && counted.endsWith('+') ? counted.slice(0, -1) : counted;
}

function bothCases(character: string, isAnyCase: boolean): string {
  const [lower, upper] = [character.toLowerCase(), character.toUpperCase()];
  return isAnyCase && lower !== upper ? `[${lower}${upper}]` : character;
}
