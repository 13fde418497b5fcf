/** What stands for an escape sequence. */
export interface TranslatedEscape {
  readonly text: string;
  /** Of the sequence in the pattern. */
  readonly length: number;
  /** It matches a place between characters, so that it cannot be repeated. */
  readonly isAssertion: boolean;
}

/** Sequences of other dialects, as members of a class without its brackets. */
const classEscapes: ReadonlyMap<string, string> = new Map([
  ['h', String.raw` \t`],
  ['e', String.raw`\x1B`],
  ['a', String.raw`\x07`],
  ['R', String.raw`\r\n`],
  ['N', String.raw`^\n`],
  ['i', ':A-Z_a-z'],
  ['c', String.raw`\-.0-9:A-Z_a-z`],
]);

const assertions: ReadonlyMap<string, string> = new Map([
  ['A', '^'],
  ['z', '$'],
  ['Z', '$'],
  ['G', ''],
  ['b', String.raw`\b`],
  ['B', String.raw`\B`],
]);

/** Properties by the names of Java and POSIX. */
const properties: ReadonlyMap<string, string> = new Map([
  ['Lower', 'a-z'],
  ['Upper', 'A-Z'],
  ['Alpha', 'A-Za-z'],
  ['Digit', '0-9'],
  ['Alnum', '0-9A-Za-z'],
  ['XDigit', '0-9A-Fa-f'],
  ['Punct', String.raw`!-\/:-@\[-\x60\{-~`],
  ['Graph', '!-~'],
  ['Print', ' -~'],
  ['Blank', String.raw` \t`],
  ['Space', String.raw`\s`],
  ['Cntrl', String.raw`\x00-\x1F\x7F`],
  ['ASCII', String.raw`\x00-\x7F`],
  ['Word', String.raw`\w`],
]);

/** The members of a POSIX class such as `[:alpha:]`; undefined for none. */
export function posixMembers(name: string): string | undefined {
  return [...properties].find(([key]) => key.toLowerCase() === name)?.[1];
}

/** An escape sequence at the start of a text, outside a class. */
export function translateEscape(rest: string): TranslatedEscape {
  const quoted = /^\\Q(.*?)(?:\\E|$)/s.exec(rest);
  if (quoted !== null)
    return made((quoted[1] ?? '').replace(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`), quoted[0]);
  const letter = rest[1] ?? '';
  const assertion = assertions.get(letter);
  if (assertion !== undefined) return { text: assertion, length: 2, isAssertion: true };
  if (letter === '-') return { text: '-', length: 2, isAssertion: false };
  const { members, length } = escapeMembers(rest);
  const isOne = members === rest.slice(0, length) || /^[^$()*+.?[\\\]^{|}]$/u.test(members);
  return { text: isOne ? members : `[${members}]`, length, isAssertion: false };
}

/** An escape sequence at the start of a text, as members of a class. */
export function escapeMembers(rest: string): { readonly members: string; readonly length: number } {
  const property = /^\\([pP])(?:\{\^?([\w=]+)\}|([A-Z]))/.exec(rest);
  if (property !== null) return { members: propertyOf(property), length: property[0].length };
  const code = /^\\(?:x\{([\dA-Fa-f]+)\}|U([\dA-Fa-f]{8}))/.exec(rest);
  if (code !== null) return { members: `\\u{${code[1] ?? code[2]}}`, length: code[0].length };
  const [sound] =
    /^\\(?:[$()*+./?[\\\]^{|}dDwWsSfnrtv-]|0(?!\d)|c[A-Za-z]|x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|u\{[\dA-Fa-f]+\}|k<\w+>|[1-9]\d?)/.exec(
      rest,
    ) ?? [];
  if (sound !== undefined) return { members: sound, length: sound.length };
  const letter = rest.slice(1, 2);
  return { members: classEscapes.get(letter) ?? (letter === '' ? '\\\\' : letter), length: 2 };
}

function propertyOf([whole, kind = 'p', long, short]: RegExpExecArray): string {
  const name = long ?? short ?? '';
  const ranges = properties.get(name);
  if (ranges !== undefined && kind === 'p') return ranges;
  const bare = name.replace(/^Is/, '');
  const candidates = [name, bare, `Script=${bare}`].map((one) => `\\${kind}{${one}}`);
  return candidates.find(isProperty) ?? whole;
}

function isProperty(text: string): boolean {
  try {
    return new RegExp(text, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

function made(text: string, from: string): TranslatedEscape {
  return { text, length: from.length, isAssertion: false };
}
