import { gzipSync } from 'node:zlib';
import { type Parts, plain } from '../service/service.ts';
import {
  type Place,
  changeName,
  changeText,
  changeWire,
  failOn,
  type Mutant,
  createMutants,
} from '../subject/subject.ts';

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
    'name-trimmed': [rewrite((name) => name.trim()), 'createPet/state.spaces.name'],
    'name-spaces-collapsed': replace(/ {2,}/g, ' '),
    'name-cut-255': rewrite((name) => name.slice(0, 255)),
    'name-nfc': rewrite((name) => name.normalize('NFC')),
    'name-html-escaped': rewrite(escapeHtml),
    'name-backslashes-stripped': replace('\\', ''),
    'name-percent-decoded': replace('%20', ' '),
    'name-mojibake': rewrite((name) => Buffer.from(name, 'utf8').toString('latin1')),
    'name-emoji-dropped': replace(/[\u{10000}-\u{10ffff}]/gu, ''),
    'name-controls-dropped': replace(/(?![\t\n\r])\p{Cc}/gu, ''),
    'name-crlf-to-lf': replace('\r\n', '\n'),
    'name-nul-cuts': replace(/\0.*$/gs, ''),
  }),
  ...createMutants('listPets/state.read.name getPet/state.read.name', {
    'name-html-escaped-list': changeName('list', escapeHtml),
    'name-in-capitals-list': changeName('list', (name) => name.toUpperCase()),
    'name-in-capitals-item': [
      changeName('item', (name) => name.toUpperCase()),
      'getPet/state.read.name',
    ],
  }),
  ...createMutants(
    'createPet/state.echo.name',
    {
      'name-word-number-normalised': rewrite((name) =>
        /^-?\d+(\.\d+)?(e\d+)?$/.test(name) ? String(Number(name)) : name,
      ),
      'name-word-prototype-lost': [
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
    'name-nul-500': failOn(({ name }) => name.includes('\0')),
    'name-over-1000-500': failOn(({ name }) => name.length > 1000),
  }),
  ...createMutants(
    fails,
    {
      'name-word-null-refused': [
        { checkName: (value) => plain.checkName(value === 'null' ? undefined : value) },
        taken,
      ],
      'name-word-constructor-500': failOn(({ name }) => name === 'constructor'),
    },
    { needs: 'more' },
  ),
];

/** Bodies that are not JSON texts in UTF-8, some of them for odd characters only. */
const bodies: readonly Mutant[] = createMutants('createPet/response.201.body', {
  'list-text-bom': [
    changeText('listPets 200', (json) => `\uFEFF${json}`),
    'listPets/response.200.body',
  ],
  'list-bytes-gzip': [
    encode('listPets 200', (json) => gzipSync(json)),
    'listPets/response.200.body',
  ],
  'created-text-raw-controls': changeText('createPet 201', (json) =>
    json.replaceAll(/\\(?:u[0-9a-f]{4}|.)/gi, (escape) => controls[escape] ?? escape),
  ),
  'created-text-cut-at-nul': changeText(
    'createPet 201',
    (json) => json.split(String.raw`\u0000`, 1)[0] ?? '',
  ),
  'created-bytes-latin1': encode('createPet 201', toLatin1),
  'created-bytes-length-in-characters': encode('createPet 201', (json) =>
    Buffer.from(json).subarray(0, json.length),
  ),
});

/** Names that come back as other ones or bring the service down, and texts that are broken by them. */
export const textMutants: readonly Mutant[] = [...rewritten, ...fatal, ...bodies];
