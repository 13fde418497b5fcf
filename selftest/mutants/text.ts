import { gzipSync } from 'node:zlib';
import type { Parts } from '../service/behaviour.ts';
import { checkName } from '../service/new-pet.ts';
import { type Mutant, createMutants, listMutants, needing } from '../subject/mutant.ts';
import { changingPet, failingOn, type Place, readRequirements } from '../subject/pet-change.ts';
import { created, listed, requirementsAt, type Place as ResponsePlace } from '../subject/place.ts';
import { changeText, changeWireResponse } from '../subject/response-change.ts';

type Rewrite = (name: string) => string;

const rewriting =
  (place: Place) =>
  (rewrite: Rewrite): Parts =>
    changingPet(place, (pet) => ({ ...pet, name: rewrite(pet.name) }));

function replacing(pattern: string | RegExp, text: string): Rewrite {
  return (name) => name.replaceAll(pattern, text);
}

const escapeHtml: Rewrite = (name) =>
  name.replaceAll(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);
const mojibake: Rewrite = (name) => Buffer.from(name, 'utf8').toString('latin1');
const cutAtNul = replacing(/\0.*$/gs, '');

/** What careless services make of a name. */
const rewritten: readonly Mutant[] = [
  ...listMutants('name-trimmed', ['createPet/state.spaces.name'], (parts: Parts) => parts, {
    '': ['A name loses the spaces around it.', rewriting('everywhere')((name) => name.trim())],
    '-created': [
      'A name is answered without the spaces around it.',
      rewriting('created')((name) => name.trim()),
    ],
    '-list': [
      'Lists show a name without the spaces around it, which the response to its addition has.',
      rewriting('list')((name) => name.trim()),
      readRequirements('name', 'list'),
    ],
  }),
  ...listMutants(
    'name-',
    [...readRequirements('name', 'everywhere'), 'createPet/state.spaces.name'],
    rewriting('everywhere'),
    {
      'spaces-collapsed': ['A name has runs of spaces made one.', replacing(/ {2,}/g, ' ')],
      'cut-255': ['A name is cut to 255 characters.', (name) => name.slice(0, 255)],
      nfc: ['A name is normalised to NFC.', (name) => name.normalize('NFC')],
      'html-escaped': ['A name is escaped for HTML.', escapeHtml],
      'backslashes-stripped': ['A name loses its backslashes.', replacing('\\', '')],
      'percent-decoded': ['A name has %20 turned into a space.', replacing('%20', ' ')],
      mojibake: ['A name is written in UTF-8 and read as Latin-1.', mojibake],
      'emoji-dropped': [
        'A name loses the characters beyond the basic plane.',
        replacing(/[\u{10000}-\u{10ffff}]/gu, ''),
      ],
      'emoji-cuts': [
        'A name ends before the first character beyond the basic plane, as a three-byte UTF-8 column has it.',
        replacing(/[\u{10000}-\u{10ffff}].*$/gsu, ''),
      ],
      'controls-dropped': [
        'A name loses its control characters but for tab and line breaks.',
        replacing(/(?![\t\n\r])\p{Cc}/gu, ''),
      ],
      'crlf-to-lf': ['A name has CR LF made LF.', replacing('\r\n', '\n')],
      'nul-cuts': ['A name ends at its first NUL.', cutAtNul],
    },
  ),
  ...(
    [
      ['cut-255', 'stored', (name) => name.slice(0, 255)],
      ['nul-cuts', 'stored', cutAtNul],
      ['html-escaped', 'list', escapeHtml],
      ['html-escaped', 'item', escapeHtml],
      ['mojibake', 'item', mojibake],
      ['in-capitals', 'list', (name) => name.toUpperCase()],
      ['in-capitals', 'item', (name) => name.toUpperCase()],
    ] satisfies readonly (readonly [string, Place, Rewrite])[]
  ).flatMap(([how, place, rewrite]) =>
    listMutants('name-', readRequirements('name', place), rewriting(place), {
      [`${how}-${place}`]: [`A name is ${how.replaceAll('-', ' ')} (${place}).`, rewrite],
    }),
  ),
];

const taken = 'createPet/request.body.name.taken';

/** Characters and lengths that bring the service down. */
const fatal: readonly Mutant[] = listMutants(
  'name-',
  [taken, 'createPet/robustness.no-server-error'],
  (pattern: RegExp) => failingOn(({ name }) => pattern.test(name)),
  {
    'emoji-500': [
      'A character beyond the basic plane does not fit the column, and is answered 500.',
      /[\u{10000}-\u{10ffff}]/u,
    ],
    'nul-500': ['A NUL in a name is refused by the database, and is answered 500.', /\0/],
    'over-1000-500': [
      'A name of more than 1,000 characters does not fit the column, and is answered 500.',
      /^.{1001}/s,
    ],
  },
);

const refusing = (isRefused: (name: string) => boolean): Parts => ({
  checkName: (value) =>
    checkName(value) ??
    (typeof value === 'string' && isRefused(value) ? 'name is reserved.' : undefined),
});

/** Names that are one word as a whole, which careless code takes for something else. */
const words: readonly Mutant[] = needing(
  'more',
  createMutants([taken], {
    'name-word-null-refused': [
      'The name `null` is refused as a missing one.',
      refusing((name) => name === 'null'),
    ],
    'name-word-numeric-refused': [
      'A name that reads as a number is refused: it is no text to the validator.',
      refusing((name) => name.trim() !== '' && Number.isFinite(Number(name))),
    ],
    'name-word-number-normalised': [
      'A name that reads as a number comes back as that is written: `7` for `007`.',
      rewriting('everywhere')((name) =>
        /^-?\d+(\.\d+)?(e\d+)?$/.test(name) ? String(Number(name)) : name,
      ),
      readRequirements('name', 'everywhere'),
    ],
    'name-word-prototype-lost': [
      'The name `__proto__` is lost where names are the keys of an object.',
      rewriting('item')((name) => (name === '__proto__' ? '' : name)),
      readRequirements('name', 'item'),
    ],
    'name-word-constructor-500': [
      'The name `constructor` is looked up in an object, and what is found is called.',
      failingOn(({ name }) => name === 'constructor'),
      [taken, 'createPet/robustness.no-server-error'],
    ],
  }),
);

type Encode = (json: string) => Uint8Array;

const encoding = (place: ResponsePlace, encode: Encode): Parts =>
  changeWireResponse(place, (response) => ({
    ...response,
    bytes: encode(new TextDecoder().decode(response.bytes)),
  }));

/** Rewrites each escape of a JSON text, such as `\n`. */
function mapEscapes(json: string, change: (escape: string) => string): string {
  return json.replaceAll(/\\(?:u[0-9a-f]{4}|.)/gi, change);
}

const controls: Readonly<Record<string, string>> = { '\\n': '\n', '\\t': '\t', '\\r': '\r' };

/** Bodies that are no JSON text in UTF-8, some of them for odd characters only. */
const bodies: readonly Mutant[] = [
  ...createMutants(requirementsAt(listed, 'body'), {
    'list-text-bom': [
      'In a list, a byte order mark stands before the text (RFC 8259 section 8.1 forbids it).',
      changeText(listed, (json) => `\uFEFF${json}`),
    ],
    'list-bytes-gzip': [
      'In a list, the bytes are compressed and no Content-Encoding says so.',
      encoding(listed, (json) => gzipSync(json)),
    ],
  }),
  ...createMutants(requirementsAt(created, 'body'), {
    'created-text-raw-controls': [
      'In the response to an addition, line breaks and tabs of a name are not escaped.',
      changeText(created, (json) => mapEscapes(json, (escape) => controls[escape] ?? escape)),
    ],
    'created-text-raw-quotes': [
      'In the response to an addition, quotes of a name are not escaped.',
      changeText(created, (json) =>
        mapEscapes(json, (escape) => (escape === String.raw`\"` ? '"' : escape)),
      ),
    ],
    'created-text-cut-at-nul': [
      'The response to an addition ends at a NUL character of the name, as C strings do.',
      changeText(created, (json) => json.split(String.raw`\u0000`, 1)[0] ?? ''),
    ],
    'created-bytes-surrogates': [
      'In the response to an addition, characters beyond 16 bits are two encoded surrogates, as in CESU-8.',
      encoding(created, encodeUnits),
    ],
    'created-bytes-latin1': [
      'The response to an addition is in Latin-1.',
      encoding(created, (json) =>
        Buffer.from(
          json.replaceAll(/[^\0-\xff]/g, (unit) => `\\u${hexOf(unit)}`),
          'latin1',
        ),
      ),
    ],
    'created-bytes-length-in-characters': [
      'Content-Length counts characters, so that bytes are missing at the end of a response to an addition.',
      encoding(created, (json) => Buffer.from(json).subarray(0, json.length)),
    ],
  }),
];

function hexOf(unit: string): string {
  return unit.charCodeAt(0).toString(16).padStart(4, '0');
}

/** Every UTF-16 code unit on its own, surrogates as three bytes each. */
function encodeUnits(json: string): Uint8Array {
  const bytes = json.split('').map((unit) => {
    const code = unit.charCodeAt(0);
    return code >= 0xd800 && code < 0xe000
      ? Uint8Array.of(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f))
      : Buffer.from(unit);
  });
  return Buffer.concat(bytes);
}

/** Names that come back as other ones or bring the service down, and texts that are broken by them. */
export const textMutants: readonly Mutant[] = [...rewritten, ...fatal, ...words, ...bodies];
