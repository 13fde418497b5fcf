import type { Mutant } from '../../subject/mutant.ts';
import { changingPet, failingOn, type Place, readRequirements } from '../../subject/pet-change.ts';

type Rewrite = (name: string) => string;

const entities: readonly (readonly [entity: string, character: string])[] = [
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&#39;', "'"],
  ['&amp;', '&'],
];

/** What careless services make of a name on its way in, so that every response shows it. */
const rewritten: readonly (readonly [id: string, summary: string, rewrite: Rewrite])[] = [
  ['trimmed', 'loses the spaces around it', (name) => name.trim()],
  [
    'trimmed-right',
    'loses the spaces at its end, as a CHAR column has it',
    (name) => name.trimEnd(),
  ],
  ['spaces-collapsed', 'has runs of spaces made one', (name) => name.replaceAll(/ {2,}/g, ' ')],
  ['cut-32', 'is cut to 32 characters', (name) => name.slice(0, 32)],
  ['cut-64', 'is cut to 64 characters', (name) => name.slice(0, 64)],
  ['cut-255', 'is cut to 255 characters', (name) => name.slice(0, 255)],
  ['cut-1000', 'is cut to 1,000 characters', (name) => name.slice(0, 1000)],
  ['nfc', 'is normalised to NFC', (name) => name.normalize('NFC')],
  ['nfd', 'is normalised to NFD', (name) => name.normalize('NFD')],
  [
    'nfkc',
    'has its compatibility characters replaced, but for those that NFC would join',
    compatible,
  ],
  [
    'html-escaped',
    'is escaped for HTML',
    (name) =>
      entities
        .toReversed()
        .reduce((text, [entity, character]) => text.replaceAll(character, entity), name),
  ],
  [
    'html-unescaped',
    'has its HTML entities decoded',
    (name) =>
      entities.reduce((text, [entity, character]) => text.replaceAll(entity, character), name),
  ],
  [
    'tags-stripped',
    'loses what looks like an HTML tag',
    (name) => name.replaceAll(/<[^<>]*>/g, ''),
  ],
  ['backslashes-stripped', 'loses its backslashes', (name) => name.replaceAll('\\', '')],
  ['backslashes-doubled', 'has its backslashes doubled', (name) => name.replaceAll('\\', '\\\\')],
  [
    'escapes-read',
    'has a written \\n turned into a line break',
    (name) => name.replaceAll('\\n', '\n'),
  ],
  ['percent-decoded', 'has %20 turned into a space', (name) => name.replaceAll('%20', ' ')],
  [
    'plus-to-space',
    'has + turned into a space, as form decoders do',
    (name) => name.replaceAll('+', ' '),
  ],
  ['lower-cased', 'is put in lower case', (name) => name.toLowerCase()],
  [
    'upper-first',
    'has the first letter of each word put in upper case',
    (name) => name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()),
  ],
  [
    'mojibake',
    'is written in UTF-8 and read as Latin-1',
    (name) => Buffer.from(name, 'utf8').toString('latin1'),
  ],
  [
    'ascii-only',
    'has every character beyond ASCII replaced by a question mark',
    (name) => name.replaceAll(/[^\0-\x7f]/g, '?'),
  ],
  [
    'latin-1-only',
    'has every character beyond Latin-1 replaced by a question mark',
    (name) => name.replaceAll(/[^\0-\xff]/g, '?'),
  ],
  [
    'accents-stripped',
    'loses its accents',
    (name) => name.replaceAll(/[\u00c0-\u024f]/g, (letter) => letter.normalize('NFD').charAt(0)),
  ],
  [
    'emoji-dropped',
    'loses the characters beyond the basic plane',
    (name) => name.replaceAll(/[\u{10000}-\u{10ffff}]/gu, ''),
  ],
  [
    'emoji-to-question-marks',
    'has characters beyond the basic plane replaced by ?',
    (name) => name.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?'),
  ],
  [
    'emoji-to-replacement',
    'has characters beyond the basic plane replaced by U+FFFD, as surrogates are written one by one',
    (name) => name.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '\ufffd\ufffd'),
  ],
  [
    'emoji-cuts',
    'ends before the first character beyond the basic plane, as a three-byte UTF-8 column has it',
    (name) => name.replace(/[\u{10000}-\u{10ffff}].*$/su, ''),
  ],
  ['joiners-dropped', 'loses its zero-width joiners', (name) => name.replaceAll('\u200d', '')],
  ['quotes-doubled', 'has its apostrophes doubled', (name) => name.replaceAll("'", "''")],
  ['quotes-halved', 'has doubled apostrophes made one', (name) => name.replaceAll("''", "'")],
  [
    'quotes-curled',
    'has its straight quotes made curly',
    (name) => name.replaceAll(/"([^"]*)"/g, '\u201c$1\u201d'),
  ],
  [
    'controls-dropped',
    'loses its control characters but for tab and line breaks',
    (name) => name.replaceAll(/(?![\t\n\r])\p{Cc}/gu, ''),
  ],
  ['crlf-to-lf', 'has CR LF made LF', (name) => name.replaceAll('\r\n', '\n')],
  ['lf-to-crlf', 'has LF made CR LF', (name) => name.replaceAll(/(?<!\r)\n/g, '\r\n')],
  ['tab-to-spaces', 'has its tabs made spaces', (name) => name.replaceAll('\t', '    ')],
  ['first-line-only', 'ends at its first line break', (name) => name.replace(/[\r\n].*$/s, '')],
  ['nul-cuts', 'ends at its first NUL', (name) => name.replace(/\0.*$/s, '')],
  ['nul-dropped', 'loses its NULs', (name) => name.replaceAll('\0', '')],
  [
    'line-separator-to-lf',
    'has U+2028 made a line feed',
    (name) => name.replaceAll('\u2028', '\n'),
  ],
  [
    'placeholder-filled',
    'is taken for a template, whose {0} is filled',
    (name) => name.replaceAll('{0}', ''),
  ],
  [
    'dollar-expanded',
    'is used as the replacement of a pattern, so that $1 vanishes',
    (name) => name.replaceAll('$1', ''),
  ],
  [
    'comment-stripped',
    'loses what looks like the start of an SQL comment',
    (name) => name.replaceAll('--', ''),
  ],
];

/** Rewritings that are met at one place only: a column, or one serializer of several. */
const placed: readonly (readonly [id: string, place: Place])[] = [
  ['cut-255', 'stored'],
  ['emoji-to-question-marks', 'stored'],
  ['nul-cuts', 'stored'],
  ['html-escaped', 'list'],
  ['cut-32', 'list'],
  ['html-escaped', 'item'],
  ['mojibake', 'item'],
  ['trimmed', 'created'],
];

/** Characters and lengths that bring the service down. */
const fatal: readonly (readonly [id: string, summary: string, test: RegExp])[] = [
  ['apostrophe', 'An apostrophe in a name breaks the SQL text', /'/],
  ['percent', 'A percent sign in a name is taken for a malformed escape', /%/],
  [
    'emoji',
    'A character beyond the basic plane does not fit the column',
    /[\u{10000}-\u{10ffff}]/u,
  ],
  ['nul', 'A NUL in a name is refused by the database', /\0/],
  [
    'control',
    'A control character in a name cannot be written to the log',
    /(?![\t\n\r\0])\p{Cc}/u,
  ],
  ['line-separator', 'A U+2028 in a name breaks a script', /\u2028/],
  ['over-255', 'A name of more than 255 characters does not fit the column', /^.{256}/s],
  ['over-1000', 'A name of more than 1,000 characters does not fit the column', /^.{1001}/s],
];

/** Names that come back as other ones, or that the service falls over. */
export const textMutants: readonly Mutant[] = [
  ...rewritten.map((row) => rewriting(row, 'everywhere')),
  ...placed.flatMap(([id, place]) =>
    rewritten.filter((row) => row[0] === id).map((row) => rewriting(row, place)),
  ),
  ...fatal.map(([id, summary, test]): Mutant => ({
    id: `name-${id}-500`,
    breaks: ['createPet/request.body.name.type', 'createPet/robustness.no-server-error'],
    summary: `${summary}, and is answered 500.`,
    behaviour: () => failingOn(({ name }) => test.test(name)),
  })),
];

function rewriting([id, summary, rewrite]: (typeof rewritten)[number], place: Place): Mutant {
  return {
    id: place === 'everywhere' ? `name-${id}` : `name-${id}-${place}`,
    breaks: readRequirements('name', place),
    summary: `A name ${summary}${place === 'everywhere' ? '' : ` (${place})`}.`,
    behaviour: () => changingPet(place, (pet) => ({ ...pet, name: rewrite(pet.name) })),
  };
}

/** Ligatures and wide forms only, each for itself. */
function compatible(name: string): string {
  return name.replaceAll(/[\ufb00-\ufb06\uff01-\uff5e]/g, (character) =>
    character.normalize('NFKC'),
  );
}
