import type { Parts } from '../../service/behaviour.ts';
import { type Mutant, type Rows, createMutant, listMutants, phrase } from '../../subject/mutant.ts';
import { changingPet, failingOn, type Place, readRequirements } from '../../subject/pet-change.ts';

type Rewrite = (name: string) => string;

/** The characters beyond the basic plane. */
const astral = /[\u{10000}-\u{10ffff}]/gu;

const entities: readonly (readonly [entity: string, character: string])[] = [
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&#39;', "'"],
  ['&amp;', '&'],
];

/** What careless services make of a name on its way in, so that every response shows it. */
const rewritten: Rows<Rewrite> = {
  'spaces-collapsed': ['has runs of spaces made one', replacing(/ {2,}/g, ' ')],
  'cut-32': ['is cut to 32 characters', (name) => name.slice(0, 32)],
  'cut-64': ['is cut to 64 characters', (name) => name.slice(0, 64)],
  'cut-255': ['is cut to 255 characters', (name) => name.slice(0, 255)],
  'cut-1000': ['is cut to 1,000 characters', (name) => name.slice(0, 1000)],
  nfc: ['is normalised to NFC', (name) => name.normalize('NFC')],
  nfd: ['is normalised to NFD', (name) => name.normalize('NFD')],
  nfkc: [
    'has its compatibility characters replaced, but for those that NFC would join',
    compatible,
  ],
  'html-escaped': [
    'is escaped for HTML',
    (name) =>
      entities
        .toReversed()
        .reduce((text, [entity, character]) => text.replaceAll(character, entity), name),
  ],
  'html-unescaped': [
    'has its HTML entities decoded',
    (name) =>
      entities.reduce((text, [entity, character]) => text.replaceAll(entity, character), name),
  ],
  'tags-stripped': ['loses what looks like an HTML tag', replacing(/<[^<>]*>/g, '')],
  'backslashes-stripped': ['loses its backslashes', replacing('\\', '')],
  'backslashes-doubled': ['has its backslashes doubled', replacing('\\', '\\\\')],
  'escapes-read': ['has a written \\n turned into a line break', replacing('\\n', '\n')],
  'percent-decoded': ['has %20 turned into a space', replacing('%20', ' ')],
  'plus-to-space': ['has + turned into a space, as form decoders do', replacing('+', ' ')],
  'lower-cased': ['is put in lower case', (name) => name.toLowerCase()],
  'upper-first': [
    'has the first letter of each word put in upper case',
    (name) => name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()),
  ],
  mojibake: [
    'is written in UTF-8 and read as Latin-1',
    (name) => Buffer.from(name, 'utf8').toString('latin1'),
  ],
  'ascii-only': [
    'has every character beyond ASCII replaced by a question mark',
    replacing(/[^\0-\x7f]/g, '?'),
  ],
  'latin-1-only': [
    'has every character beyond Latin-1 replaced by a question mark',
    replacing(/[^\0-\xff]/g, '?'),
  ],
  'accents-stripped': [
    'loses its accents',
    (name) => name.replaceAll(/[\u00c0-\u024f]/g, (letter) => letter.normalize('NFD').charAt(0)),
  ],
  'emoji-dropped': ['loses the characters beyond the basic plane', replacing(astral, '')],
  'emoji-to-question-marks': [
    'has characters beyond the basic plane replaced by ?',
    replacing(astral, '?'),
  ],
  'emoji-to-replacement': [
    'has characters beyond the basic plane replaced by U+FFFD, as surrogates are written one by one',
    replacing(astral, '\ufffd\ufffd'),
  ],
  'emoji-cuts': [
    'ends before the first character beyond the basic plane, as a three-byte UTF-8 column has it',
    (name) => name.replace(/[\u{10000}-\u{10ffff}].*$/su, ''),
  ],
  'joiners-dropped': ['loses its zero-width joiners', replacing('\u200d', '')],
  'quotes-doubled': ['has its apostrophes doubled', replacing("'", "''")],
  'quotes-halved': ['has doubled apostrophes made one', replacing("''", "'")],
  'quotes-curled': [
    'has its straight quotes made curly',
    replacing(/"([^"]*)"/g, '\u201c$1\u201d'),
  ],
  'controls-dropped': [
    'loses its control characters but for tab and line breaks',
    replacing(/(?![\t\n\r])\p{Cc}/gu, ''),
  ],
  'crlf-to-lf': ['has CR LF made LF', replacing('\r\n', '\n')],
  'lf-to-crlf': ['has LF made CR LF', replacing(/(?<!\r)\n/g, '\r\n')],
  'tab-to-spaces': ['has its tabs made spaces', replacing('\t', '    ')],
  'first-line-only': ['ends at its first line break', (name) => name.replace(/[\r\n].*$/s, '')],
  'nul-cuts': ['ends at its first NUL', (name) => name.replace(/\0.*$/s, '')],
  'nul-dropped': ['loses its NULs', replacing('\0', '')],
  'line-separator-to-lf': ['has U+2028 made a line feed', replacing('\u2028', '\n')],
  'placeholder-filled': ['is taken for a template, whose {0} is filled', replacing('{0}', '')],
  'dollar-expanded': [
    'is used as the replacement of a pattern, so that $1 vanishes',
    replacing('$1', ''),
  ],
  'comment-stripped': ['loses what looks like the start of an SQL comment', replacing('--', '')],
};

/** Rewritings that are met at one place too: a column, or one serializer of several. */
const placed: Readonly<Record<string, readonly Place[]>> = {
  'cut-255': ['stored'],
  'emoji-to-question-marks': ['stored'],
  'nul-cuts': ['stored'],
  'html-escaped': ['list', 'item'],
  'cut-32': ['list'],
  mojibake: ['item'],
};

/** Characters and lengths that bring the service down. */
const fatal: Rows<RegExp> = {
  apostrophe: ['An apostrophe in a name breaks the SQL text', /'/],
  percent: ['A percent sign in a name is taken for a malformed escape', /%/],
  emoji: ['A character beyond the basic plane does not fit the column', /[\u{10000}-\u{10ffff}]/u],
  nul: ['A NUL in a name is refused by the database', /\0/],
  control: ['A control character in a name cannot be written to the log', /(?![\t\n\r\0])\p{Cc}/u],
  'line-separator': ['A U+2028 in a name breaks a script', /\u2028/],
  'over-255': ['A name of more than 255 characters does not fit the column', /^.{256}/s],
  'over-1000': ['A name of more than 1,000 characters does not fit the column', /^.{1001}/s],
};

const rewriting =
  (place: Place) =>
  (rewrite: Rewrite): Parts =>
    changingPet(place, (pet) => ({ ...pet, name: rewrite(pet.name) }));

/** What is lost of the white space around a name; that it is kept is recommended only. */
const trimmed: readonly (readonly [id: string, words: string, place: Place, rewrite: Rewrite])[] = [
  ['trimmed', 'loses the spaces around it', 'everywhere', (name) => name.trim()],
  ['trimmed-right', 'loses the spaces at its end', 'everywhere', (name) => name.trimEnd()],
  ['trimmed-created', 'is answered without the spaces around it', 'created', (name) => name.trim()],
];

/** Names that come back as other ones, or that the service falls over. */
export const textMutants: readonly Mutant[] = [
  ...trimmed.map(([id, words, place, rewrite]) =>
    createMutant(
      `name-${id}`,
      ['createPet/state.spaces.name'],
      `A name ${words}.`,
      rewriting(place)(rewrite),
    ),
  ),
  createMutant(
    'name-trimmed-list',
    readRequirements('name', 'list'),
    'Lists show a name without the spaces around it, which the response to its addition has.',
    rewriting('list')((name) => name.trim()),
  ),
  ...listMutants(
    'name-',
    [...readRequirements('name', 'everywhere'), 'createPet/state.spaces.name'],
    rewriting('everywhere'),
    phrase((words) => `A name ${words}.`, rewritten),
  ),
  ...Object.entries(rewritten).flatMap(([id, [words, rewrite]]) =>
    (placed[id] ?? []).map((place) =>
      createMutant(
        `name-${id}-${place}`,
        readRequirements('name', place),
        `A name ${words} (${place}).`,
        rewriting(place)(rewrite),
      ),
    ),
  ),
  ...Object.entries(fatal).map(([id, [words, test]]) =>
    createMutant(
      `name-${id}-500`,
      ['createPet/request.body.name.taken', 'createPet/robustness.no-server-error'],
      `${words}, and is answered 500.`,
      failingOn(({ name }) => test.test(name)),
    ),
  ),
];

function replacing(pattern: string | RegExp, text: string): Rewrite {
  return (name) => name.replaceAll(pattern, text);
}

/** Ligatures and wide forms only, each for itself. */
function compatible(name: string): string {
  return name.replaceAll(/[\ufb00-\ufb06\uff01-\uff5e]/g, (character) =>
    character.normalize('NFKC'),
  );
}
