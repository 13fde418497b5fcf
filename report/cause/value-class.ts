import { isJsonArray, isJsonObject, type JsonValue } from '../../contract/json/value.ts';

type Test = (value: JsonValue | undefined) => boolean;

function ofText(pattern: RegExp): Test {
  return (value) => typeof value === 'string' && pattern.test(value);
}

function longerThan(length: number): Test {
  return (value) => typeof value === 'string' && value.length > length;
}

function ofInteger(test: (value: bigint) => boolean): Test {
  return (value) =>
    typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))
      ? test(BigInt(value))
      : false;
}

/** What is special about a value: words that follow its name, the plainest first. */
const classes = {
  missing: ['is missing', (value) => value === undefined],
  null: ['is null', (value) => value === null],
  boolean: ['is a boolean', (value) => typeof value === 'boolean'],
  empty: ['is empty', ofText(/^$/)],
  nul: ['contains a NUL', ofText(/\0/)],
  surrogate: ['contains a lone surrogate', ofText(/\p{Cs}/u)],
  control: ['contains control characters', ofText(/\p{Cc}/u)],
  astral: ['contains characters beyond U+FFFF', ofText(/[\u{10000}-\u{10FFFF}]/u)],
  separator: ['contains a line separator', ofText(/[\u2028\u2029]/)],
  'non-ascii': ['contains non-ASCII characters', ofText(/[^\0-\x7F]/)],
  spaces: ['begins or ends with a space', ofText(/^\s|\s$/)],
  apostrophe: ['contains an apostrophe', ofText(/'/)],
  percent: ['contains a percent sign', ofText(/%/)],
  quotation: ['contains a quotation mark or a backslash', ofText(/["\\]/)],
  markup: ['contains an HTML character', ofText(/[<>&]/)],
  digits: ['is a number in quotes', ofText(/^-?\d+(\.\d+)?$/)],
  'over-4000': ['is longer than 4000 characters', longerThan(4000)],
  'over-1000': ['is longer than 1000 characters', longerThan(1000)],
  'over-255': ['is longer than 255 characters', longerThan(255)],
  'over-100': ['is longer than 100 characters', longerThan(100)],
  'over-50': ['is longer than 50 characters', longerThan(50)],
  'over-20': ['is longer than 20 characters', longerThan(20)],
  string: ['is a string', (value) => typeof value === 'string'],
  array: ['is an array', isJsonArray],
  object: ['is an object', isJsonObject],
  fraction: ['is a fraction', (value) => typeof value === 'number' && !Number.isInteger(value)],
  zero: ['is 0', ofInteger((value) => value === 0n)],
  'over-64-bits': ['is beyond 64 bits', ofInteger((value) => value !== BigInt.asIntN(64, value))],
  largest: ['is the largest 64-bit integer', ofInteger((value) => value === 2n ** 63n - 1n)],
  smallest: ['is the smallest 64-bit integer', ofInteger((value) => value === -(2n ** 63n))],
  'over-double': [
    'is beyond 2^53',
    ofInteger((value) => value > 2n ** 53n || value < -(2n ** 53n)),
  ],
  'over-32-bits': ['is beyond 32 bits', ofInteger((value) => value !== BigInt.asIntN(32, value))],
  negative: ['is negative', ofInteger((value) => value < 0n)],
  'under-10': ['is below 10', ofInteger((value) => value > 0n && value < 10n)],
  number: ['is a number', (value) => typeof value === 'number' || typeof value === 'bigint'],
} as const satisfies Readonly<Record<string, readonly [words: string, test: Test]>>;

const entries = Object.entries(classes);

/** The classes that a value is of. */
export function* valueClassesOf(value: JsonValue | undefined): Generator<string> {
  for (const [name, [, test]] of entries) if (test(value)) yield name;
}

/** `is null`: words that follow the name of a value. */
export function valueWords(name: string): string {
  return new Map<string, readonly [string, Test]>(entries).get(name)?.[0] ?? name;
}
