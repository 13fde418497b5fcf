import { gzipSync } from 'node:zlib';
import type { Parts } from '../service/behaviour.ts';
import { checkName } from '../service/new-pet.ts';
import { type Place, changeName, changeText, changeWire, failOn } from '../subject/alter.ts';
import { type Mutant, createMutants } from '../subject/subject.ts';

/** Changes names on their way in. */
const rewrite = (change: (name: string) => string): Parts => changeName('everywhere', change);

const replace = (pattern: string | RegExp, text: string): Parts =>
  rewrite((name) => name.replaceAll(pattern, text));

const escapeHtml = (name: string): string =>
  name.replaceAll(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);

const encode = (place: Place, encoding: (json: string) => Uint8Array): Parts =>
  changeWire(place, (wire) => ({ ...wire, bytes: encoding(new TextDecoder().decode(wire.bytes)) }));

/** Every character beyond Latin-1 as an escape. */
const toLatin1 = (json: string): Uint8Array =>
  Buffer.from(
    json.replaceAll(
      /[^\0-\xff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
    'latin1',
  );

const controls: Readonly<Record<string, string>> = { '\\n': '\n', '\\t': '\t', '\\r': '\r' };

/** Names that come back as other ones. */
const rewritten: readonly Mutant[] = [
  ...createMutants('createPet/state.echo.name createPet/state.spaces.name', {
    'name-trimmed': [
      'A name loses the spaces around it.',
      rewrite((name) => name.trim()),
      'createPet/state.spaces.name',
    ],
    'name-spaces-collapsed': ['Runs of spaces in a name become one.', replace(/ {2,}/g, ' ')],
    'name-cut-255': ['A name is cut to 255 characters.', rewrite((name) => name.slice(0, 255))],
    'name-nfc': ['A name is normalised to NFC.', rewrite((name) => name.normalize('NFC'))],
    'name-html-escaped': ['A name is escaped for HTML.', rewrite(escapeHtml)],
    'name-backslashes-stripped': ['A name loses its backslashes.', replace('\\', '')],
    'name-percent-decoded': ['%20 in a name becomes a space.', replace('%20', ' ')],
    'name-mojibake': [
      'A name is written in UTF-8 and read as Latin-1.',
      rewrite((name) => Buffer.from(name, 'utf8').toString('latin1')),
    ],
    'name-emoji-dropped': [
      'A name loses the characters beyond the basic plane.',
      replace(/[\u{10000}-\u{10ffff}]/gu, ''),
    ],
    'name-controls-dropped': [
      'A name loses its control characters except tab and line breaks.',
      replace(/(?![\t\n\r])\p{Cc}/gu, ''),
    ],
    'name-crlf-to-lf': ['CR LF in a name becomes LF.', replace('\r\n', '\n')],
    'name-nul-cuts': ['A name ends at its first NUL.', replace(/\0.*$/gs, '')],
  }),
  ...createMutants('listPets/state.read.name getPet/state.read.name', {
    'name-html-escaped-list': [
      'Lists show names escaped for HTML.',
      changeName('list', escapeHtml),
    ],
    'name-in-capitals-list': [
      'Lists show names in capitals.',
      changeName('list', (name) => name.toUpperCase()),
    ],
    'name-in-capitals-item': [
      'A single pet is shown with its name in capitals.',
      changeName('item', (name) => name.toUpperCase()),
      'getPet/state.read.name',
    ],
  }),
  ...createMutants(
    'createPet/state.echo.name',
    {
      'name-word-number-normalised': [
        'A name that reads as a number comes back in its shortest form: `7` for `007`.',
        rewrite((name) => (/^-?\d+(\.\d+)?(e\d+)?$/.test(name) ? String(Number(name)) : name)),
      ],
      'name-word-prototype-lost': [
        'The name `__proto__` is lost where names are the keys of an object.',
        changeName('item', (name) => (name === '__proto__' ? '' : name)),
        'getPet/state.read.name',
      ],
    },
    { needs: 'more' },
  ),
];

const taken = 'createPet/request.body.name.taken';
const fails = `${taken} createPet/robustness.no-server-error`;

/** Names that are refused or bring the service down. */
const fatal: readonly Mutant[] = [
  ...createMutants(fails, {
    'name-nul-500': [
      'A NUL in a name is rejected by the database, and is answered 500.',
      failOn(({ name }) => name.includes('\0')),
    ],
    'name-over-1000-500': [
      'A name of more than 1,000 characters does not fit the column, and is answered 500.',
      failOn(({ name }) => name.length > 1000),
    ],
  }),
  ...createMutants(
    fails,
    {
      'name-word-null-refused': [
        'The name `null` is refused as a missing one.',
        { checkName: (value) => checkName(value === 'null' ? undefined : value) },
        taken,
      ],
      'name-word-constructor-500': [
        'The name `constructor` is looked up in an object, and what is found is called.',
        failOn(({ name }) => name === 'constructor'),
      ],
    },
    { needs: 'more' },
  ),
];

/** Bodies that are not JSON texts in UTF-8, some of them for odd characters only. */
const bodies: readonly Mutant[] = createMutants('createPet/response.201.body', {
  'list-text-bom': [
    'In a list, a byte order mark precedes the text (RFC 8259 section 8.1 forbids it).',
    changeText('listPets 200', (json) => `\uFEFF${json}`),
    'listPets/response.200.body',
  ],
  'list-bytes-gzip': [
    'In a list, the bytes are compressed and no Content-Encoding says so.',
    encode('listPets 200', (json) => gzipSync(json)),
    'listPets/response.200.body',
  ],
  'created-text-raw-controls': [
    'In the response to an addition, line breaks and tabs of a name are not escaped.',
    changeText('createPet 201', (json) =>
      json.replaceAll(/\\(?:u[0-9a-f]{4}|.)/gi, (escape) => controls[escape] ?? escape),
    ),
  ],
  'created-text-cut-at-nul': [
    'The response to an addition ends at a NUL character of the name, as C strings do.',
    changeText('createPet 201', (json) => json.split(String.raw`\u0000`, 1)[0] ?? ''),
  ],
  'created-bytes-latin1': [
    'The response to an addition is in Latin-1.',
    encode('createPet 201', toLatin1),
  ],
  'created-bytes-length-in-characters': [
    'Content-Length counts characters, so that the response to an addition lacks bytes at its end.',
    encode('createPet 201', (json) => Buffer.from(json).subarray(0, json.length)),
  ],
});

/** Names that come back as other ones or bring the service down, and texts that are broken by them. */
export const textMutants: readonly Mutant[] = [...rewritten, ...fatal, ...bodies];
