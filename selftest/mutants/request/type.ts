import type { Json } from '../../service/json.ts';
import { isRecord, renderJson } from '../../service/json.ts';
import { petStatuses } from '../../service/pet.ts';
import type { Mutant } from '../../subject/mutant.ts';
import type { Member, Reader } from '../../subject/reading.ts';
import {
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

/** Members of a wrong type that are turned into the right one, and taken. */
const coerced: readonly (readonly [id: string, member: Member, summary: string, read: Reader])[] = [
  ['name-number-to-text', 'name', 'A number as name becomes its digits.', when(isNumber, toText)],
  ['name-null-to-empty', 'name', 'A null name becomes the empty text.', when(isNull, () => '')],
  [
    'name-null-to-text',
    'name',
    'A null name becomes the text "null", as string concatenation has it.',
    when(isNull, () => 'null'),
  ],
  [
    'name-boolean-to-text',
    'name',
    'A boolean name becomes "true" or "false".',
    when(isBoolean, toText),
  ],
  [
    'name-object-to-text',
    'name',
    'An object as name becomes "[object Object]".',
    when(isRecord, () => '[object Object]'),
  ],
  [
    'name-object-to-json',
    'name',
    'An object as name becomes its JSON text.',
    when(isRecord, (value) => renderJson(value ?? null)),
  ],
  [
    'name-array-first',
    'name',
    'Of an array as name the first item is taken, as form decoders do.',
    when(isArray, firstOf),
  ],
  [
    'category-id-text-to-number',
    'categoryId',
    'A text of digits as categoryId becomes a number.',
    when(isText, (value) => toInteger(toText(value))),
  ],
  [
    'category-id-fraction-truncated',
    'categoryId',
    'A fraction as categoryId is cut to an integer.',
    when(isFraction, (value) => BigInt(Math.trunc(Number(value)))),
  ],
  [
    'category-id-fraction-rounded',
    'categoryId',
    'A fraction as categoryId is rounded to an integer.',
    when(isFraction, (value) => BigInt(Math.round(Number(value)))),
  ],
  [
    'category-id-null-to-zero',
    'categoryId',
    'A null categoryId becomes 0, the zero value of the type.',
    when(isNull, () => 0n),
  ],
  [
    'category-id-boolean-to-number',
    'categoryId',
    'A boolean categoryId becomes 1 or 0.',
    when(isBoolean, (value) => BigInt(value === true)),
  ],
  [
    'category-id-object-id',
    'categoryId',
    'An object as categoryId is taken for a nested category, whose id defaults to 0.',
    when(isRecord, () => 0n),
  ],
  [
    'category-id-array-length',
    'categoryId',
    'An array as categoryId becomes the number of its items.',
    when(isArray, (value) => BigInt(Array.isArray(value) ? value.length : 0)),
  ],
  [
    'status-null-left-out',
    'status',
    'A null status counts as none.',
    when(isNull, () => undefined),
  ],
  [
    'status-number-as-index',
    'status',
    'A number as status is an index into the enumeration; beyond it there is no status.',
    when(isNumber, (value) => petStatuses[Number(value)]),
  ],
  [
    'status-any-type-left-out',
    'status',
    'A status that is no text counts as none.',
    when(
      (value) => value !== undefined && !isText(value),
      () => undefined,
    ),
  ],
  [
    'status-boolean-as-available',
    'status',
    'A boolean as status says whether the pet is available.',
    when(isBoolean, (value) => (value === true ? 'available' : 'sold')),
  ],
  [
    'status-array-first',
    'status',
    'Of an array as status the first item is taken if it fits, else none.',
    when(isArray, (value) => petStatuses.find((status) => status === firstOf(value))),
  ],
];

/** Texts as status that are none of the three, and taken. */
const misread: readonly (readonly [id: string, summary: string, read: Reader])[] = [
  [
    'status-unknown-left-out',
    'A status that is none of the three counts as none.',
    (value) => (isOtherText(value) ? undefined : value),
  ],
  [
    'status-unknown-to-available',
    'A status that is none of the three becomes available.',
    (value) => (isOtherText(value) ? 'available' : value),
  ],
  [
    'status-lower-cased',
    'A status in capitals is taken in lower case.',
    when(isText, (value) => toText(value).toLowerCase()),
  ],
  [
    'status-empty-left-out',
    'An empty status counts as none.',
    (value) => (value === '' ? undefined : value),
  ],
  [
    'status-trimmed',
    'A status with spaces around it is taken without them.',
    when(isText, (value) => toText(value).trim()),
  ],
  [
    'status-matched-within',
    'A status is searched for one of the three words, so that unavailable is taken for available.',
    (value) => petStatuses.find((status) => toText(value).includes(status)) ?? value,
  ],
];

/** Members of a wrong type or value that are kept as they are. */
const raw: readonly (readonly [
  id: string,
  member: Member,
  facet: string,
  summary: string,
  isSaved: Test,
])[] = [
  ['name-number-kept', 'name', 'type', 'A number as name is stored as a number.', isNumber],
  ['name-null-kept', 'name', 'type', 'A null name is stored as null.', isNull],
  [
    'name-object-kept',
    'name',
    'type',
    'An object as name is stored as an object, as a document store has it.',
    isRecord,
  ],
  [
    'category-id-text-kept',
    'categoryId',
    'type',
    'A text of digits as categoryId is stored as text.',
    isText,
  ],
  [
    'category-id-fraction-kept',
    'categoryId',
    'type',
    'A fraction as categoryId is stored as it is: the check is for numbers, not integers.',
    isFraction,
  ],
  ['category-id-null-kept', 'categoryId', 'type', 'A null categoryId is stored as null.', isNull],
  ['status-unknown-kept', 'status', 'values', 'Any text is stored as status.', isOtherText],
  ['status-null-kept', 'status', 'type', 'A null status is stored and answered as null.', isNull],
];

/** Wrong values that bring the service down where they should be refused. */
const fatal: readonly (readonly [
  id: string,
  requirement: string,
  summary: string,
  member: Member,
  fails: Test,
])[] = [
  [
    'name-number-500',
    'name.type',
    'A number as name has no trim(), and is answered 500.',
    'name',
    isNumber,
  ],
  ['name-null-500', 'name.type', 'A null name is answered 500.', 'name', isNull],
  [
    'category-id-text-500',
    'categoryId.type',
    'A text as categoryId fails in the database and is answered 500.',
    'categoryId',
    isText,
  ],
  [
    'category-id-fraction-500',
    'categoryId.type',
    'A fraction as categoryId cannot be made a big integer and is answered 500.',
    'categoryId',
    isFraction,
  ],
  [
    'status-unknown-500',
    'status.values',
    'A status that is none of the three fails in the database and is answered 500.',
    'status',
    isOtherText,
  ],
];

/** Values that a service takes or falls over although their type, or the choice, is wrong. */
export const requestTypeMutants: readonly Mutant[] = [
  ...coerced.map(([id, member, summary, read]) => ({
    id,
    breaks: breaking(`${member}.type`),
    summary,
    behaviour: () => readingMember(member, read),
  })),
  ...misread.map(([id, summary, read]) => ({
    id,
    breaks: breaking('status.values'),
    summary,
    behaviour: () => readingMember('status', read),
  })),
  ...raw.map(([id, member, facet, summary, isSaved]) => ({
    id,
    breaks: breaking(`${member}.${facet}`),
    summary,
    behaviour: () => keepingRaw(member, isSaved),
  })),
  ...fatal.map(([id, requirement, summary, member, fails]) => ({
    id,
    breaks: breaking(requirement),
    summary,
    behaviour: () => fallingOverMember(member, fails),
  })),
  ...bodyTypeMutants(),
];

function bodyTypeMutants(): readonly Mutant[] {
  const spare = { name: 'New pet', categoryId: 1n };
  const breaks = breaking('type');
  return [
    {
      id: 'body-array-first',
      breaks,
      summary: 'Of an array the first item is added.',
      behaviour: () => readingBody(when(isArray, firstOf)),
    },
    {
      id: 'body-array-as-empty',
      breaks,
      summary:
        'An array is an object to the language: its members are missing, and defaults are taken.',
      behaviour: () => readingBody(when(isArray, () => spare)),
    },
    {
      id: 'body-null-taken',
      breaks,
      summary: 'null is taken for no data, and a pet is made of defaults.',
      behaviour: () => readingBody(when(isNull, () => spare)),
    },
    {
      id: 'body-null-500',
      breaks,
      summary: 'null runs into a null pointer and is answered 500.',
      behaviour: () => fallingOver(isNull),
    },
    {
      id: 'body-text-as-name',
      breaks,
      summary: 'A text as body is taken for the name of the pet.',
      behaviour: () => readingBody(when(isText, (value) => ({ ...spare, name: value ?? '' }))),
    },
  ];
}

function breaking(facet: string): readonly [string] {
  return [`createPet/request.body.${facet}`];
}

function when(test: Test, read: Reader): Reader {
  return (value) => (test(value) ? read(value) : value);
}

function isFraction(value: Json | undefined): boolean {
  return typeof value === 'number' && !Number.isInteger(value);
}

function isOtherText(value: Json | undefined): boolean {
  return typeof value === 'string' && !petStatuses.some((status) => status === value);
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
