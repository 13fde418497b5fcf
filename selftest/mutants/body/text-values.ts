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
  'cut-255': ['is cut to 255 characters', (name) => name.slice(0, 255)],
  'cut-1000': ['is cut to 1,000 characters', (name) => name.slice(0, 1000)],
  nfc: ['is normalised to NFC', (name) => name.normalize('NFC')],
  'html-escaped': [
    'is escaped for HTML',
    (name) =>
      entities
        .toReversed()
        .reduce((text, [entity, character]) => text.replaceAll(character, entity), name),
  ],
  'backslashes-stripped': ['loses its backslashes', replacing('\\', '')],
  'percent-decoded': ['has %20 turned into a space', replacing('%20', ' ')],
  'plus-to-space': ['has + turned into a space, as form decoders do', replacing('+', ' ')],
  'lower-cased': ['is put in lower case', (name) => name.toLowerCase()],
  mojibake: [
    'is written in UTF-8 and read as Latin-1',
    (name) => Buffer.from(name, 'utf8').toString('latin1'),
  ],
  'latin-1-only': [
    'has every character beyond Latin-1 replaced by a question mark',
    replacing(/[^\0-\xff]/g, '?'),
  ],
  'emoji-dropped': ['loses the characters beyond the basic plane', replacing(astral, '')],
  'emoji-cuts': [
    'ends before the first character beyond the basic plane, as a three-byte UTF-8 column has it',
    (name) => name.replace(/[\u{10000}-\u{10ffff}].*$/su, ''),
  ],
  'controls-dropped': [
    'loses its control characters but for tab and line breaks',
    replacing(/(?![\t\n\r])\p{Cc}/gu, ''),
  ],
  'crlf-to-lf': ['has CR LF made LF', replacing('\r\n', '\n')],
  'nul-cuts': ['ends at its first NUL', (name) => name.replace(/\0.*$/s, '')],
  'line-separator-to-lf': ['has U+2028 made a line feed', replacing('\u2028', '\n')],
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
  emoji: ['A character beyond the basic plane does not fit the column', /[\u{10000}-\u{10ffff}]/u],
  nul: ['A NUL in a name is refused by the database', /\0/],
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
