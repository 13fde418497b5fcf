import {
  isRecord,
  type Json,
  type Parts,
  petStatuses,
  plain,
  renderJson,
  Refusal,
} from '../service/service.ts';
import {
  changeBody,
  changeCategory,
  changeName,
  changeRecord,
  changeResponse,
  changeText,
  changeWire,
  createMutants,
  failOn,
  type Mutant,
  type Place,
} from '../subject/subject.ts';
import { gzipSync } from 'node:zlib';

function isBeyondDouble(value: Json | undefined): boolean {
  return typeof value === 'bigint' && (value > 2n ** 53n || value < -(2n ** 53n));
}

/** Reads a status before its validation; undefined means none. */
function readingStatus(read: (status: string) => string | undefined): Parts {
  return {
    validateNewPet: (body, all) => {
      if (!isRecord(body) || typeof body['status'] !== 'string')
        return plain.validateNewPet(body, all);
      const { status, ...others } = body;
      const changed = read(status);
      return plain.validateNewPet(
        changed === undefined ? others : { ...others, status: changed },
        all,
      );
    },
  };
}

/** A store without a schema keeps a number unchanged. */
const keepingNumbersAsName: Parts = {
  validateNewPet: (body, all) => {
    const name = isRecord(body) ? body['name'] : undefined;
    if (!isRecord(body) || (typeof name !== 'bigint' && typeof name !== 'number'))
      return plain.validateNewPet(body, all);
    const checked = plain.validateNewPet({ ...body, name: '' }, all);
    return checked instanceof Refusal ? checked : { ...checked, rest: { name } };
  },
  acceptNewPet: ({ rest: { name }, ...value }) => ({
    ...value,
    rest: name === undefined ? {} : { name },
  }),
};

const taken = 'createPet/request.body.categoryId.taken';
const fails = `${taken} createPet/robustness.no-server-error`;

/** Members of the wrong format or type; misread categories and statuses. */
const values: readonly Mutant[] = [
  ...createMutants('createPet/response.201.body.id.type', {
    'created-id-null-without-status': changeRecord('createPet 201', (pet) =>
      pet['status'] === undefined ? { ...pet, id: null } : pet,
    ),
    'created-in-data': [
      changeBody('createPet 201', (body) => ({ data: body })),
      'createPet/response.201.body.{id,name,categoryId}.required',
    ],
    'refused-in-error': [
      changeRecord('createPet 400', (error) => ({ error })),
      'createPet/response.400.body.{code,message,status}.required',
    ],
    'created-status-202': [
      changeResponse('createPet 201', (response) => ({ ...response, status: 202 })),
      'createPet/status.201',
    ],
    'created-name-null-not-ascii': [
      changeRecord('createPet 201', (pet) =>
        /[^\0-\x7f]/.test(renderJson(pet['name'] ?? null)) ? { ...pet, name: null } : pet,
      ),
      'createPet/response.201.body.name.type',
    ],
    'list-ids-after-tenth': [
      changeBody('listPets 200', (body) =>
        Array.isArray(body)
          ? body.map((pet: Json, at) => (at < 10 || !isRecord(pet) ? pet : (pet['id'] ?? null)))
          : body,
      ),
      'listPets/response.200.body[].type',
    ],
  }),
  ...createMutants('createPet/state.echo.categoryId', {
    'category-id-beyond-double-refused': [
      {
        checkCategoryId: (value) =>
          isBeyondDouble(value) ? 'categoryId is out of range.' : plain.checkCategoryId(value),
      },
      taken,
    ],
    'category-id-beyond-double-500': [
      failOn(({ categoryId }) => isBeyondDouble(categoryId)),
      fails,
    ],
    'category-id-zero-500': [failOn(({ categoryId }) => categoryId === 0n), fails],
    'category-id-double-everywhere': changeCategory('everywhere', (value) => {
      const double = BigInt(Number(value));
      return double < 2n ** 63n ? double : 2n ** 63n - 1n;
    }),
    'category-id-double-printed': [
      changeCategory('everywhere', (value) => BigInt(Number(value))),
      'createPet/state.echo.categoryId {listPets/response.200.body[],createPet/response.201.body,getPet/response.200.body}.categoryId.format',
    ],
    'category-id-32-bits-stored': [
      changeCategory('stored', (value) => BigInt.asIntN(32, value)),
      '{listPets,getPet}/state.read.categoryId',
    ],
  }),
  ...createMutants('createPet/request.body.status.values', {
    'name-number-kept': [
      keepingNumbersAsName,
      'createPet/request.body.name.type {listPets/response.200.body[],createPet/response.201.body,getPet/response.200.body}.name.type',
    ],
    'status-unknown-left-out': readingStatus((text) =>
      petStatuses.find((status) => status === text),
    ),
    'status-lower-cased': readingStatus((text) => text.toLowerCase()),
  }),
];

/** Changes names when they are received. */
const rewrite = (change: (name: string) => string): Parts => changeName('everywhere', change);

const replace = (pattern: string | RegExp, text: string): Parts =>
  rewrite((name) => name.replaceAll(pattern, text));

const escapeHtml = (name: string): string =>
  name.replaceAll(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);

const encode = (place: Place, encoding: (json: string) => Uint8Array): Parts =>
  changeWire(place, (wire) => ({ ...wire, bytes: encoding(new TextDecoder().decode(wire.bytes)) }));

/** Escapes every character beyond Latin-1. */
const toLatin1 = (json: string): Uint8Array =>
  Buffer.from(
    json.replaceAll(
      /[^\0-\xff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
    'latin1',
  );

const controls: Readonly<Record<string, string>> = { '\\n': '\n', '\\t': '\t', '\\r': '\r' };

/** Names that come back changed. */
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

const nameTaken = 'createPet/request.body.name.taken';
const nameFails = `${nameTaken} createPet/robustness.no-server-error`;

/** Names that are refused or crash the service. */
const fatal: readonly Mutant[] = [
  ...createMutants(nameFails, {
    'name-nul-500': failOn(({ name }) => name.includes('\0')),
    'name-over-1000-500': failOn(({ name }) => name.length > 1000),
  }),
  ...createMutants(
    nameFails,
    {
      'name-word-null-refused': [
        { checkName: (value) => plain.checkName(value === 'null' ? undefined : value) },
        nameTaken,
      ],
      'name-word-constructor-500': failOn(({ name }) => name === 'constructor'),
    },
    { needs: 'more' },
  ),
];

/** Bodies that are not JSON in UTF-8, some only for unusual characters. */
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

/** Bodies that are entirely wrong or wrong for some values, and invalid ones that are accepted. */
export const bodyMutants: readonly Mutant[] = [...values, ...rewritten, ...fatal, ...bodies];
