import { type Json, isRecord, renderJson } from '../../service/json.ts';
import { petStatuses } from '../../service/pet.ts';
import { fallen, petRequirements } from '../../subject/place.ts';
import { type Mutant, createMutants, listMutants, needing } from '../../subject/mutant.ts';
import {
  type Reader,
  fallingOver,
  fallingOverMember,
  keepingRaw,
  readingBody,
  readingMember,
} from '../../subject/reading.ts';

type Test = (value: Json | undefined) => boolean;

const isNumber: Test = (value) => typeof value === 'bigint' || typeof value === 'number';
const isNull: Test = (value) => value === null;
const isBoolean: Test = (value) => typeof value === 'boolean';
const isArray: Test = (value) => Array.isArray(value);
const isText: Test = (value) => typeof value === 'string';
const isFraction: Test = (value) => typeof value === 'number' && !Number.isInteger(value);
const isOtherText: Test = (value) =>
  isText(value) && !petStatuses.some((status) => status === value);

const fallback = { name: 'New pet', categoryId: 1n };

const nameType = 'createPet/request.body.name.type';
const categoryType = 'createPet/request.body.categoryId.type';
const statusType = 'createPet/request.body.status.type';
const statusValues = 'createPet/request.body.status.values';

/** Values that a service takes or falls over although their type, or the choice, is wrong. */
export const requestTypeMutants: readonly Mutant[] = [
  ...listMutants('name-', [nameType], readingMember('name'), {
    'number-to-text': ['A number as name becomes its digits.', when(isNumber, toText)],
    'null-to-empty': ['A null name becomes the empty text.', when(isNull, () => '')],
    'null-to-text': [
      'A null name becomes the text "null", as string concatenation has it.',
      when(isNull, () => 'null'),
    ],
    'boolean-to-text': ['A boolean name becomes "true" or "false".', when(isBoolean, toText)],
    'object-to-text': [
      'An object as name becomes "[object Object]".',
      when(isRecord, () => '[object Object]'),
    ],
    'object-to-json': [
      'An object as name becomes its JSON text.',
      when(isRecord, (value) => renderJson(value ?? null)),
    ],
    'array-first': [
      'Of an array as name the first item is taken, as form decoders do.',
      when(isArray, firstOf),
    ],
  }),
  ...listMutants('category-id-', [categoryType], readingMember('categoryId'), {
    'text-to-number': [
      'A text of digits as categoryId becomes a number.',
      when(isText, (value) => toInteger(toText(value))),
    ],
    'fraction-truncated': [
      'A fraction as categoryId is cut to an integer.',
      when(isFraction, (value) => BigInt(Math.trunc(Number(value)))),
    ],
    'fraction-rounded': [
      'A fraction as categoryId is rounded to an integer.',
      when(isFraction, (value) => BigInt(Math.round(Number(value)))),
    ],
    'null-to-zero': [
      'A null categoryId becomes 0, the zero value of the type.',
      when(isNull, () => 0n),
    ],
    'boolean-to-number': [
      'A boolean categoryId becomes 1 or 0.',
      when(isBoolean, (value) => BigInt(value === true)),
    ],
    'object-id': [
      'An object as categoryId is taken for a nested category, whose id defaults to 0.',
      when(isRecord, () => 0n),
    ],
    'array-length': [
      'An array as categoryId becomes the number of its items.',
      when(isArray, (value) => BigInt(Array.isArray(value) ? value.length : 0)),
    ],
  }),
  ...listMutants('status-', [statusType], readingMember('status'), {
    'null-left-out': ['A null status counts as none.', when(isNull, () => undefined)],
    'number-as-index': [
      'A number as status is an index into the enumeration; beyond it there is no status.',
      when(isNumber, (value) => petStatuses[Number(value)]),
    ],
    'any-type-left-out': [
      'A status that is no text counts as none.',
      when(
        (value) => value !== undefined && !isText(value),
        () => undefined,
      ),
    ],
    'boolean-as-available': [
      'A boolean as status says whether the pet is available.',
      when(isBoolean, (value) => (value === true ? 'available' : 'sold')),
    ],
    'array-first': [
      'Of an array as status the first item is taken if it fits, else none.',
      when(isArray, (value) => petStatuses.find((status) => status === firstOf(value))),
    ],
  }),
  ...needing(
    'more',
    listMutants('status-', [statusType], readingMember('status'), {
      'array-unwrapped': [
        'An array as status counts as its first item, which has to be one of the three.',
        when(isArray, firstOf),
      ],
    }),
  ),
  ...listMutants('status-', [statusValues], readingMember('status'), {
    'unknown-left-out': [
      'A status that is none of the three counts as none.',
      (value) => (isOtherText(value) ? undefined : value),
    ],
    'unknown-to-available': [
      'A status that is none of the three becomes available.',
      (value) => (isOtherText(value) ? 'available' : value),
    ],
    'lower-cased': [
      'A status in capitals is taken in lower case.',
      when(isText, (value) => toText(value).toLowerCase()),
    ],
    'empty-left-out': [
      'An empty status counts as none.',
      (value) => (value === '' ? undefined : value),
    ],
    trimmed: [
      'A status with spaces around it is taken without them.',
      when(isText, (value) => toText(value).trim()),
    ],
    'matched-within': [
      'A status is searched for one of the three words, so that unavailable is taken for available.',
      (value) => petStatuses.find((status) => toText(value).includes(status)) ?? value,
    ],
  }),
  ...listMutants('name-', [nameType, ...petRequirements('name.type')], keepingRaw('name'), {
    'number-kept': ['A number as name is stored as a number.', isNumber],
    'null-kept': ['A null name is stored as null.', isNull],
    'object-kept': [
      'An object as name is stored as an object, as a document store has it.',
      isRecord,
    ],
  }),
  ...listMutants(
    'category-id-',
    [categoryType, ...petRequirements('categoryId.type')],
    keepingRaw('categoryId'),
    {
      'text-kept': ['A text of digits as categoryId is stored as text.', isText],
      'fraction-kept': [
        'A fraction as categoryId is stored as it is: the check is for numbers, not integers.',
        isFraction,
      ],
      'null-kept': ['A null categoryId is stored as null.', isNull],
    },
  ),
  ...listMutants(
    'status-',
    [statusValues, ...petRequirements('status.values')],
    keepingRaw('status'),
    {
      'unknown-kept': ['Any text is stored as status.', isOtherText],
    },
  ),
  ...listMutants('status-', [statusType, ...petRequirements('status.type')], keepingRaw('status'), {
    'null-kept': ['A null status is stored and answered as null.', isNull],
  }),
  ...listMutants('name-', [nameType, fallen.addition], fallingOverMember('name'), {
    'number-500': ['A number as name has no trim(), and is answered 500.', isNumber],
    'null-500': ['A null name is answered 500.', isNull],
  }),
  ...listMutants('category-id-', [categoryType, fallen.addition], fallingOverMember('categoryId'), {
    'text-500': ['A text as categoryId fails in the database and is answered 500.', isText],
    'fraction-500': [
      'A fraction as categoryId cannot be made a big integer and is answered 500.',
      isFraction,
    ],
  }),
  ...listMutants('status-', [statusValues, fallen.addition], fallingOverMember('status'), {
    'unknown-500': [
      'A status that is none of the three fails in the database and is answered 500.',
      isOtherText,
    ],
  }),
  ...createMutants(['createPet/request.body.type'], {
    'body-array-first': [
      'Of an array the first item is added.',
      readingBody(when(isArray, firstOf)),
    ],
    'body-array-as-empty': [
      'An array is an object to the language: its members are missing, and defaults are taken.',
      readingBody(when(isArray, () => fallback)),
    ],
    'body-null-taken': [
      'null is taken for no data, and a pet is made of defaults.',
      readingBody(when(isNull, () => fallback)),
    ],
    'body-null-500': [
      'null runs into a null pointer and is answered 500.',
      fallingOver(isNull),
      ['createPet/request.body.type', fallen.addition],
    ],
    'body-text-as-name': [
      'A text as body is taken for the name of the pet.',
      readingBody(when(isText, (value) => ({ ...fallback, name: value ?? '' }))),
    ],
  }),
];

function when(test: Test, read: Reader): Reader {
  return (value) => (test(value) ? read(value) : value);
}

function firstOf(value: Json | undefined): Json | undefined {
  const items: readonly Json[] = Array.isArray(value) ? value : [];
  return items[0];
}

/** A text as it is, anything else as its JSON. */
function toText(value: Json | undefined): string {
  return typeof value === 'string' ? value : renderJson(value ?? null);
}

function toInteger(text: string): Json {
  return /^-?\d{1,18}$/.test(text) ? BigInt(text) : text;
}
