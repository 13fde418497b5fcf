import { isJsonArray, isJsonObject, type JsonValue } from '../../../contract/index.ts';

/** What is special about a value, in words that follow "is" or "has", the plainest first. */
export function* valueClasses(value: JsonValue | undefined): Generator<string> {
  if (value === undefined) yield 'is missing';
  else if (value === null) yield 'is null';
  else if (typeof value === 'boolean') yield 'is a boolean';
  else if (typeof value === 'string') yield* textClasses(value);
  else if (isJsonArray(value)) yield 'is an array';
  else if (isJsonObject(value)) yield 'is an object';
  else yield* numberClasses(value);
}

const textTests: readonly (readonly [words: string, pattern: RegExp])[] = [
  ['is empty', /^$/],
  ['has a NUL', /\0/],
  ['has a lone surrogate', /\p{Cs}/u],
  ['has control characters', /\p{Cc}/u],
  ['has characters beyond U+FFFF', /[\u{10000}-\u{10FFFF}]/u],
  ['has a line separator', /[\u2028\u2029]/],
  ['has characters beyond ASCII', /[^\0-\x7F]/],
  ['begins or ends with a space', /^\s|\s$/],
  ['has an apostrophe', /'/],
  ['has a percent sign', /%/],
  ['has a quotation mark or a backslash', /["\\]/],
  ['has a character of HTML', /[<>&]/],
  ['is a number in quotes', /^-?\d+(\.\d+)?$/],
];

const lengths = [4000, 1000, 255, 100, 50, 20];

function* textClasses(text: string): Generator<string> {
  for (const [words, pattern] of textTests) if (pattern.test(text)) yield words;
  const longer = lengths.filter((length) => text.length > length);
  for (const length of longer) yield `is longer than ${length} characters`;
  yield 'is a string';
}

const bounds: readonly (readonly [words: string, test: (value: bigint) => boolean])[] = [
  ['is 0', (value) => value === 0n],
  ['is beyond 64 bits', (value) => value !== BigInt.asIntN(64, value)],
  ['is the largest integer of 64 bits', (value) => value === 2n ** 63n - 1n],
  ['is the smallest integer of 64 bits', (value) => value === -(2n ** 63n)],
  ['is beyond 2^53', (value) => value > 2n ** 53n || value < -(2n ** 53n)],
  ['is beyond 32 bits', (value) => value !== BigInt.asIntN(32, value)],
  ['is negative', (value) => value < 0n],
  ['is below 10', (value) => value > 0n && value < 10n],
];

function* numberClasses(value: number | bigint): Generator<string> {
  if (typeof value === 'number' && !Number.isInteger(value)) yield 'is a fraction';
  else for (const [words, test] of bounds) if (test(BigInt(value))) yield words;
  yield 'is a number';
}
