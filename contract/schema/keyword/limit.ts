import { canonicalInteger } from '../../json/number.ts';
import { isJsonArray, isJsonObject, isNumeric, type JsonValue } from '../../json/value.ts';
import { smallest } from '../../list/list.ts';
import { hasUniqueItems } from './equality.ts';
import { testKeyword, testNumber } from './judging.ts';
import type { Keyword, WrongValue } from './keyword.ts';
import { renderCount } from './wording.ts';

/**
 * The inclusive and exclusive keyword of one end of a range; the limit of the first is the tighter of both.
 * `words`: `at least` and `more than`; `wrong`: describes a value beyond the end; `inwards`: 1 or -1.
 */
function boundKeywords(
  facet: 'minimum' | 'maximum',
  exclusiveName: string,
  words: readonly [inclusive: string, exclusive: string],
  wrong: string,
  inwards: number,
): readonly [inclusive: Keyword, exclusive: Keyword] {
  const keyword = (name: string, isExclusive: boolean): Keyword => ({
    name,
    takes: 'number',
    facet,
    judge: (place) => {
      const limit = isNumeric(place.value) ? place.value : 0;
      // JavaScript compares a number with a bigint by value, without rounding.
      const isBeyond = (value: number | bigint): boolean =>
        (inwards > 0 ? value < limit : value > limit) || (isExclusive && value == limit);
      return testNumber(
        place,
        isBeyond,
        () => `must be ${words[isExclusive ? 1 : 0]} ${String(limit)}`,
      );
    },
  });
  const limit: Keyword['limit'] = ({ [facet]: bound }) => {
    if (bound === undefined) return undefined;
    const { value, exclusive } = bound;
    const beyond = typeof value === 'bigint' ? value - BigInt(inwards) : value - inwards;
    return {
      demand: `is ${words[exclusive ? 1 : 0]} ${value}`,
      edges: () =>
        exclusive
          ? []
          : [canonicalInteger(typeof value === 'bigint' ? value : BigInt(Math.trunc(value)))],
      wrong: () => [{ name: wrong, value: exclusive ? value : beyond, rank: 1 }],
    };
  };
  return [{ ...keyword(facet, false), limit }, keyword(exclusiveName, true)];
}

/** JSON Schema Validation, sections 6.2.2 and 6.2.3. */
export const [maximum, exclusiveMaximum] = boundKeywords(
  'maximum',
  'exclusiveMaximum',
  ['at most', 'less than'],
  'just above the maximum',
  -1,
);

/** JSON Schema Validation, sections 6.2.4 and 6.2.5. */
export const [minimum, exclusiveMinimum] = boundKeywords(
  'minimum',
  'exclusiveMinimum',
  ['at least', 'more than'],
  'just below the minimum',
  1,
);

/** JSON Schema Validation, section 6.2.1. */
export const multipleOf: Keyword = {
  name: 'multipleOf',
  takes: 'positive number',
  facet: 'multiple-of',
  judge: (place) => {
    const divisor = isNumeric(place.value) ? place.value : 1;
    return testNumber(
      place,
      (value) => !isMultipleOf(value, divisor),
      () => `must be a multiple of ${String(divisor)}`,
    );
  },
  limit: ({ multipleOf: step }) =>
    step === undefined ? undefined : { demand: `is a multiple of ${step}` },
};

/** Uses the decimal text of both numbers, not their doubles. */
export function isMultipleOf(value: number | bigint, divisor: number | bigint): boolean {
  if (
    typeof value === 'number' &&
    typeof divisor === 'number' &&
    Number.isSafeInteger(value) &&
    Number.isSafeInteger(divisor)
  )
    return value % divisor === 0;
  const [left, right] = [decimalOf(value), decimalOf(divisor)];
  const exponent = Math.min(left.exponent, right.exponent);
  return scaleDecimal(left, exponent) % scaleDecimal(right, exponent) === 0n;
}

/** `digits * 10^exponent`, with at most 17 digits and exponents from -324 to 308. */
export interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

export function decimalOf(value: number | bigint): Decimal {
  if (typeof value === 'bigint') return { digits: value, exponent: 0 };
  const [mantissa = '', power = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}

/** Its digits for another exponent, which is not above its own. */
export function scaleDecimal({ digits, exponent }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to);
}

/** The smallest common multiple of all steps, which are positive. */
export function commonMultiple(steps: readonly (number | bigint)[]): Decimal {
  const decimals = steps.map(decimalOf);
  let exponent = smallest(decimals.map((one) => one.exponent));
  let digits = 1n;
  for (const step of decimals.map((one) => scaleDecimal(one, exponent))) {
    let [divisor, rest] = [digits, step];
    while (rest !== 0n) [divisor, rest] = [rest, divisor % rest];
    digits = (digits / divisor) * step;
  }
  for (; exponent < 0 && digits % 10n === 0n; exponent += 1) digits /= 10n;
  return { digits, exponent };
}

/** The smallest integer not below the quotient. */
export function ceilDivide(value: Decimal, step: Decimal): bigint {
  const exponent = Math.min(value.exponent, step.exponent);
  const [dividend, divisor] = [scaleDecimal(value, exponent), scaleDecimal(step, exponent)];
  const quotient = dividend / divisor;
  return dividend > 0n && dividend % divisor !== 0n ? quotient + 1n : quotient;
}

/** What keywords count, in the singular. */
type Noun = 'character' | 'item' | 'member';

interface Counted {
  /** Counts no further than necessary; undefined for a value of another type. */
  readonly count: (value: JsonValue, limit: number) => number | undefined;
  readonly make: (count: number) => JsonValue;
  /** The largest count that can be sent. */
  readonly most: number;
  /** Describes a value with too many, and how significant that is. */
  readonly long: Pick<WrongValue, 'name' | 'rank'>;
}

const namesOf = (count: number): readonly string[] =>
  Array.from({ length: count }, (_one, index) => `v${index}`);

const counted: Readonly<Record<Noun, Counted>> = {
  character: {
    count: (value, limit) =>
      typeof value === 'string' ? countCharacters(value, limit) : undefined,
    make: (count) => 'a'.repeat(count),
    most: 100_000,
    long: { name: 'one character too long', rank: 1 },
  },
  item: {
    count: (value) => (isJsonArray(value) ? value.length : undefined),
    make: namesOf,
    most: 1000,
    long: { name: 'an array with too many items', rank: 2 },
  },
  member: {
    count: (value) => (isJsonObject(value) ? Object.keys(value).length : undefined),
    make: (count) => Object.fromEntries(namesOf(count).map((name, index) => [name, index])),
    most: 1000,
    long: { name: 'an object with too many members', rank: 2 },
  },
};

/** Code points. A text of `length` code units has between `length / 2` and `length` code points. */
function countCharacters(text: string, limit: number): number {
  const { length } = text;
  if (length < limit || length > 2 * limit + 1) return length < limit ? length : limit + 1;
  let count = 0;
  for (let at = 0; at < length; at += 1) {
    count += 1;
    if ((text.codePointAt(at) ?? 0) > 0xffff) at += 1;
  }
  return count;
}

function countKeyword(
  name: `${'min' | 'max'}${'Length' | 'Items' | 'Properties'}`,
  noun: Noun,
  facet?: string,
): Keyword {
  const isLeast = name.startsWith('min');
  const side = isLeast ? 'at least' : 'at most';
  return {
    name,
    takes: 'count',
    ...(facet !== undefined && { facet }),
    judge: (place) => {
      const limit = Number(place.value);
      const { count } = counted[noun];
      const isWrong = (value: JsonValue): boolean => {
        const found = count(value, limit);
        return found !== undefined && (isLeast ? found < limit : found > limit);
      };
      return testKeyword(place, isWrong, () => `must have ${side} ${renderCount(limit, noun)}`);
    },
    limit: ({ [name]: count }) =>
      count === undefined
        ? undefined
        : {
            demand: `has ${side} ${count} ${noun}s`,
            edges: () => listEdges(noun, count),
            wrong: () => (isLeast ? listShort(noun, count) : listLong(noun, count)),
          },
  };
}

function listEdges(noun: Noun, count: number): readonly JsonValue[] {
  const isMade = noun === 'character' ? count <= 10_000 : noun === 'member' && count === 0;
  return isMade ? [counted[noun].make(count)] : [];
}

function listLong(noun: Noun, count: number): readonly WrongValue[] {
  const { make, most, long } = counted[noun];
  return count < most ? [{ ...long, value: make(count + 1) }] : [];
}

function listShort(noun: Noun, count: number): readonly WrongValue[] {
  if (count === 0) return [];
  if (noun === 'item') return [{ name: 'an array with too few items', value: [], rank: 1 }];
  if (noun === 'member') return [{ name: 'an object with too few members', value: {}, rank: 1 }];
  return count > 10_000
    ? [{ name: 'a text too short', value: 'a', rank: 1 }]
    : [{ name: 'one character too short', value: 'a'.repeat(count - 1), rank: 1 }];
}

/** JSON Schema Validation, sections 6.3.1 and 6.3.2. Characters are code points. */
export const maxLength = countKeyword('maxLength', 'character', 'max-length');
export const minLength = countKeyword('minLength', 'character', 'min-length');

/** JSON Schema Validation, sections 6.4.1 and 6.4.2. */
export const maxItems = countKeyword('maxItems', 'item', 'max-items');
export const minItems = countKeyword('minItems', 'item', 'min-items');

/** JSON Schema Validation, sections 6.5.1 and 6.5.2. */
export const maxProperties = countKeyword('maxProperties', 'member');
export const minProperties = countKeyword('minProperties', 'member');

/** JSON Schema Validation, section 6.4.3. */
export const uniqueItems: Keyword = {
  name: 'uniqueItems',
  takes: 'flag',
  facet: 'unique-items',
  judge: (place) =>
    place.value === true
      ? testKeyword(
          place,
          (value) => isJsonArray(value) && !hasUniqueItems(value),
          () => 'must not have two equal items',
        )
      : undefined,
  limit: ({ uniqueItems: isUnique }) =>
    isUnique ? { demand: 'has no duplicate items' } : undefined,
};
