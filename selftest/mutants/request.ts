import { type Json, isRecord } from '../service/json.ts';
import { petStatuses } from '../service/pet.ts';
import { type Mutant, createMutants, listMutants } from '../subject/mutant.ts';
import { petRequirements } from '../subject/place.ts';
import { textOf } from '../subject/response-change.ts';
import { type Reader, keepingRaw, readingBody, readingMember } from '../subject/reading.ts';

type Test = (value: Json | undefined) => boolean;

const isNumber: Test = (value) => typeof value === 'bigint' || typeof value === 'number';
const isNull: Test = (value) => value === null;
const isText: Test = (value) => typeof value === 'string';
const isFraction: Test = (value) => typeof value === 'number' && !Number.isInteger(value);

/** Values that a service converts although their type, or the choice, is wrong. */
export const requestMutants: readonly Mutant[] = [
  ...listMutants('name-', ['createPet/request.body.name.type'], readingMember('name'), {
    'number-to-text': ['A number as name becomes its digits.', when(isNumber, toText)],
    'null-to-text': [
      'A null name becomes the text "null", as string concatenation has it.',
      when(isNull, () => 'null'),
    ],
  }),
  ...listMutants(
    'name-',
    ['createPet/request.body.name.type', ...petRequirements('name.type')],
    keepingRaw('name'),
    { 'number-kept': ['A number as name is stored as a number.', isNumber] },
  ),
  ...listMutants(
    'category-id-',
    ['createPet/request.body.categoryId.type'],
    readingMember('categoryId'),
    {
      'text-to-number': [
        'A text of digits as categoryId becomes a number.',
        when(isText, (value) =>
          /^-?\d{1,18}$/.test(toText(value)) ? BigInt(toText(value)) : value,
        ),
      ],
      'fraction-truncated': [
        'A fraction as categoryId is cut to an integer.',
        when(isFraction, (value) => BigInt(Math.trunc(Number(value)))),
      ],
      'null-to-zero': [
        'A null categoryId becomes 0, the zero value of the type.',
        when(isNull, () => 0n),
      ],
    },
  ),
  ...listMutants('status-', ['createPet/request.body.status.type'], readingMember('status'), {
    'any-type-left-out': [
      'A status that is not text counts as none.',
      when(
        (value) => value !== undefined && !isText(value),
        () => undefined,
      ),
    ],
  }),
  ...listMutants('status-', ['createPet/request.body.status.values'], readingMember('status'), {
    'unknown-left-out': [
      'A status that is none of the three counts as none.',
      when(isText, (value) => petStatuses.find((status) => status === value)),
    ],
    'lower-cased': [
      'A status in capitals is accepted in lower case.',
      when(isText, (value) => toText(value).toLowerCase()),
    ],
    'matched-within': [
      'A status is searched for one of the three words, so that unavailable is taken for available.',
      (value) => petStatuses.find((status) => toText(value).includes(status)) ?? value,
    ],
  }),
  ...createMutants(['createPet/request.body.type'], {
    'body-array-first': [
      'The first item of an array is added.',
      readingBody(when(Array.isArray, (value) => (Array.isArray(value) ? value[0] : value))),
    ],
    'body-empty-object-taken': [
      'An object without members counts as "no data": nothing is checked, and a pet is made of defaults.',
      readingBody((body) =>
        isRecord(body) && Object.keys(body).length === 0
          ? { name: 'New pet', categoryId: 1n }
          : body,
      ),
      ['createPet/request.body.name.required', 'createPet/request.body.categoryId.required'],
    ],
  }),
];

/** A text as it is, anything else as its JSON. */
function toText(value: Json | undefined): string {
  return textOf(value ?? null);
}

function when(test: Test, read: Reader): Reader {
  return (value) => (test(value) ? read(value) : value);
}
