import type { Parts, ServiceBehaviour } from '../service/behaviour.ts';
import type { JsonRecord } from '../service/json.ts';
import { presentPet } from '../service/pet.ts';
import { type Variant, listVariants } from '../subject/variant.ts';

const open =
  'Resources: the shapes name the fields that have to be there and exclude no others (JSON Schema: additional properties are allowed).';
const codes =
  'Errors / Gaps: the set of values that `code` takes is not shown (x-unspecified error-codes).';
const words =
  'Resources / Error: `message` is a human-readable description, whose language is not said.';

function extend(extra: JsonRecord): Parts {
  const present: ServiceBehaviour['presentItem'] = (pet) => ({ ...extra, ...presentPet(pet) });
  return { presentItem: present, presentInList: present, presentCreated: present };
}

type ErrorChange = (status: number, code: string) => JsonRecord;

const changeError = (change: ErrorChange): Parts => ({
  renderError: ({ status, code, reason }) => ({
    code,
    message: reason,
    status: BigInt(status),
    ...change(status, code),
  }),
});

const phrases: Readonly<Record<number, string>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  404: 'NOT_FOUND',
  429: 'TOO_MANY_REQUESTS',
};

/** Members that nobody asked for, and other words in errors. */
export const memberVariants: readonly Variant[] = [
  ...listVariants('member', open, extend, {
    'beyond-a-double': [
      'A further member holds an integer of 400 digits.',
      { chip: 10n ** 400n - 1n },
    ],
    'awkward-names': [
      'Further members have names that objects of the language have too.',
      { ['__proto__']: 1n, constructor: null, toString: 'x', '': true, '/~': 0n },
    ],
  }),
  {
    id: 'member-short-in-list',
    summary: 'Lists leave out the status, which a pet that is fetched alone has.',
    valid: 'Resources / Pet: `status` is not required.',
    behaviour: () => ({
      presentInList: (pet) => presentPet({ ...pet, status: undefined }),
    }),
  },
  ...listVariants('error', codes, changeError, {
    further: [
      'Errors have further members.',
      () => ({
        errors: [{ field: 'name', reason: 'required' }],
        timestamp: '2026-01-05T12:00:00Z',
        path: '/v1/pets',
        traceId: null,
      }),
      open,
    ],
    german: [
      'Error messages are in German.',
      () => ({ message: 'Die Anfrage ist ungültig: Schlüssel oder Körper fehlen.' }),
      words,
    ],
    chinese: ['Error messages are in Chinese.', () => ({ message: '请求无效。' }), words],
    'long-message': [
      'Error messages have many lines.',
      (status) => ({ message: `Status ${status}\n${'more words '.repeat(300)}` }),
      words,
    ],
    'status-phrase': [
      'Codes are reason phrases in capitals.',
      (status) => ({ code: phrases[status] ?? 'ERROR' }),
    ],
    'status-number': [
      'Codes are the digits of the status.',
      (status) => ({ code: String(status) }),
    ],
    'dotted-code': [
      'Codes are dotted paths.',
      (_status, code) => ({ code: `petstore.pets.${code}` }),
    ],
    'address-code': [
      'Codes are addresses of pages about the error.',
      (_status, code) => ({ code: `https://petstore.example/errors#${code}` }),
    ],
    'one-code': ['All errors have the same code.', () => ({ code: 'E1' })],
  }),
];
