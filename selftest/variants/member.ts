import type { ServiceBehaviour } from '../service/behaviour.ts';
import type { JsonRecord } from '../service/json.ts';
import { presentPet } from '../service/pet.ts';
import type { Variant } from '../subject/variant.ts';

const open =
  'Resources: the shapes name the fields that have to be there and exclude no others (JSON Schema: additional properties are allowed).';
const codes =
  'Errors / Gaps: the set of values that `code` takes is not shown (x-unspecified error-codes).';
const words =
  'Resources / Error: `message` is a human-readable description, whose language is not said.';

function extended(id: string, summary: string, extra: JsonRecord): Variant {
  const present: ServiceBehaviour['presentItem'] = (pet) => ({ ...extra, ...presentPet(pet) });
  return {
    id: `member-${id}`,
    summary,
    lawful: open,
    behaviour: () => ({ presentItem: present, presentInList: present, presentCreated: present }),
  };
}

function error(
  id: string,
  summary: string,
  lawful: string,
  change: (status: number, code: string) => JsonRecord,
): Variant {
  const renderError: ServiceBehaviour['renderError'] = ({ status, code, reason }) => ({
    code,
    message: reason,
    status: BigInt(status),
    ...change(status, code),
  });
  return { id: `error-${id}`, summary, lawful, behaviour: () => ({ renderError }) };
}

/** Members that nobody asked for, and other words in errors. */
export const memberVariants: readonly Variant[] = [
  extended('further', 'Pets have further members of every type.', {
    createdAt: '2026-01-05T12:00:00Z',
    weight: 4.5,
    tags: ['a', null],
    owner: { id: 1n, name: null },
    sold: false,
  }),
  extended('nested-pets', 'Pets hold pets and errors in further members.', {
    parent: { id: 'none', name: 1n, status: 'unknown' },
    error: { status: 'fine' },
    items: [{ id: null }],
  }),
  extended('huge-number', 'A further member holds a number beyond every format.', {
    chip: 123_456_789_012_345_678_901_234_567_890n,
    ratio: 1e300,
  }),
  extended(
    'awkward-names',
    'Further members have names that objects of the language have too.',
    Object.fromEntries([
      ['__proto__', 1n],
      ['constructor', null],
      ['toString', 'x'],
      ['', true],
      ['/~', 0n],
    ]),
  ),
  {
    id: 'member-only-in-item',
    summary: 'A pet that is fetched alone has more members than one in a list.',
    lawful: open,
    behaviour: () => ({
      presentItem: (pet) => ({ ...presentPet(pet), history: [] }),
      presentInList: (pet) => ({ ...presentPet(pet), self: `/v1/pets/${pet.id}` }),
    }),
  },
  error('further', 'Errors have further members.', open, () => ({
    errors: [{ field: 'name', reason: 'required' }],
    timestamp: '2026-01-05T12:00:00Z',
    path: '/v1/pets',
    traceId: null,
  })),
  error('german', 'Error messages are in German.', words, () => ({
    message: 'Die Anfrage ist ungültig: Schlüssel oder Körper fehlen.',
  })),
  error('chinese', 'Error messages are in Chinese.', words, () => ({ message: '请求无效。' })),
  error('long-message', 'Error messages have many lines.', words, (status) => ({
    message: `Status ${status}\n${'more words '.repeat(300)}`,
  })),
  error('status-phrase', 'Codes are reason phrases in capitals.', codes, (status) => ({
    code:
      { 400: 'BAD_REQUEST', 401: 'UNAUTHORIZED', 404: 'NOT_FOUND', 429: 'TOO_MANY_REQUESTS' }[
        status
      ] ?? 'ERROR',
  })),
  error('status-number', 'Codes are the digits of the status.', codes, (status) => ({
    code: String(status),
  })),
  error('dotted-code', 'Codes are dotted paths.', codes, (_status, code) => ({
    code: `petstore.pets.${code}`,
  })),
  error(
    'address-code',
    'Codes are addresses of pages about the error.',
    codes,
    (_status, code) => ({ code: `https://petstore.example/errors#${code}` }),
  ),
  error('one-code', 'All errors have the same code.', codes, () => ({ code: 'E1' })),
];
