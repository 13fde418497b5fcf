import { largest, smallest } from '../../list/list.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonValue,
  isNumeric,
  compareNumbers,
} from '../../json/value.ts';
import {
  limitKeyword,
  type LimitKeyword,
  testKeyword,
  type WrongValue,
  type Keyword,
} from './keyword.ts';
import { renderCount } from './wording.ts';
import { canonicalInteger } from '../../json/number.ts';

/** The end of a range of numbers. */
export interface Bound {
  readonly value: number | bigint;
  readonly exclusive: boolean;
}

/**
 * The two keywords of one end of a range; the first shows the tighter of both in the shape. `words`:
 * `at least` and `more than`; `wrong`: what a value beyond the end is; `inwards`: 1 or -1.
 */
function boundKeywords(
  [name, exclusiveName]: readonly [inclusive: string, exclusive: string],
  words: readonly [inclusive: string, exclusive: string],
  wrong: string,
  inwards: number,
): readonly [inclusive: LimitKeyword<Bound>, exclusive: Keyword] {
  const keyword = (own: string, word: string, isExclusive: boolean): Keyword => ({
    name: own,
    takes: 'number',
    facet: name,
    judge: (place) => {
      const limit = isNumeric(place.value) ? place.value : 0;
      // JavaScript compares a number with a bigint by value, without rounding.
      const isBeyond = (value: JsonValue): boolean =>
        isNumeric(value) &&
        ((inwards > 0 ? value < limit : value > limit) || (isExclusive && value == limit));
      return testKeyword(place, isBeyond, () => `must be ${word} ${String(limit)}`);
    },
  });
  const isTighter = (one: Bound, other: Bound): boolean => {
    const order = inwards * compareNumbers(one.value, other.value);
    return order > 0 || (order === 0 && one.exclusive && !other.exclusive);
  };
  const inclusive = limitKeyword<Bound>(
    keyword(name, words[0], false),
    (parts) => {
      let tightest: Bound | undefined;
      for (const { schema } of parts)
        for (const exclusive of [false, true]) {
          const value = schema[exclusive ? exclusiveName : name];
          const bound = isNumeric(value) && { value, exclusive };
          if (bound && (tightest === undefined || isTighter(bound, tightest))) tightest = bound;
        }
      return tightest;
    },
    ({ value, exclusive }) => ({
      demand: `is ${words[exclusive ? 1 : 0]} ${value}`,
      edges: () =>
        exclusive
          ? []
          : [canonicalInteger(BigInt(typeof value === 'bigint' ? value : Math.trunc(value)))],
      wrong: () => [{ name: wrong, value: exclusive ? value : shift(value, -inwards), rank: 1 }],
    }),
  );
  return [inclusive, keyword(exclusiveName, words[1], true)];
}

function shift(value: number | bigint, by: number): JsonValue {
  return typeof value === 'bigint' ? value + BigInt(by) : value + by;
}

/** JSON Schema Validation, sections 6.2.2 and 6.2.3. */
export const [maximum, exclusiveMaximum] = boundKeywords(
  ['maximum', 'exclusiveMaximum'],
  ['at most', 'less than'],
  'just above the maximum',
  -1,
);

/** JSON Schema Validation, sections 6.2.4 and 6.2.5. */
export const [minimum, exclusiveMinimum] = boundKeywords(
  ['minimum', 'exclusiveMinimum'],
  ['at least', 'more than'],
  'just below the minimum',
  1,
);

/** JSON Schema Validation, section 6.2.1. The shape shows the first of several. */
export const multipleOf = limitKeyword(
  {
    name: 'multipleOf',
    takes: 'positive number',
    judge: (place) => {
      const divisor = isNumeric(place.value) ? place.value : 1;
      return testKeyword(
        place,
        (value) => isNumeric(value) && !isMultipleOf(value, divisor),
        () => `must be a multiple of ${String(divisor)}`,
      );
    },
    facet: 'multiple-of',
  },
  (parts) => parts.map(({ schema }) => schema.multipleOf).find((one) => typeof one === 'number'),
  (value) => ({ demand: `is a multiple of ${value}` }),
);

/** By the decimal text of both, and not by their doubles. */
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
  return scaled(left, exponent) % scaled(right, exponent) === 0n;
}

/** `digits * 10^exponent`, of at most 17 digits and exponents from -324 to 308. */
interface MultipleDecimal {
  readonly digits: bigint;
  readonly exponent: number;
}

function decimalOf(value: number | bigint): MultipleDecimal {
  if (typeof value === 'bigint') return { digits: value, exponent: 0 };
  const [mantissa = '', power = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}

function scaled({ digits, exponent }: MultipleDecimal, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to);
}

/** Counts no further than it must; undefined for a value that the keywords are not about. */
const counters = {
  character: (value: JsonValue, limit: number) =>
    typeof value === 'string' ? countCharacters(value, limit) : undefined,
  item: (value: JsonValue) => (isJsonArray(value) ? value.length : undefined),
  member: (value: JsonValue) => (isJsonObject(value) ? Object.keys(value).length : undefined),
};

/** Code points. A text of `length` units has between half as many and `length` of them. */
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

/** What differs between the keywords that count characters, items or members. */
interface CountRow {
  readonly name: string;
  readonly facet?: string;
  /** In the singular. */
  readonly noun: keyof typeof counters;
  readonly edges?: (count: number) => readonly JsonValue[];
  /** Values just invalid. For `at least`, of a count from 1 on. */
  readonly wrong: (count: number) => WrongValue | undefined;
}

/** A keyword that counts. Of several, the one that leaves the fewest values holds. */
function countKeyword(side: 'at least' | 'at most', row: CountRow): LimitKeyword<number> {
  const { noun, edges, wrong, ...rest } = row;
  const isLeast = side === 'at least';
  return limitKeyword(
    {
      ...rest,
      takes: 'count',
      judge: (place) => {
        const limit = Number(place.value);
        const count = counters[noun];
        const isWrong = (value: JsonValue): boolean => {
          const found = count(value, limit);
          return found !== undefined && (isLeast ? found < limit : found > limit);
        };
        return testKeyword(place, isWrong, () => `must have ${side} ${renderCount(limit, noun)}`);
      },
    },
    (parts) => {
      const counts = parts
        .map(({ schema }) => schema[row.name])
        .filter((one) => typeof one === 'number');
      if (counts.length === 0) return undefined;
      return isLeast ? largest(counts) : smallest(counts);
    },
    (count) => ({
      demand: `has ${side} ${count} ${noun}s`,
      edges: () => edges?.(count) ?? [],
      wrong: () => (isLeast && count === 0 ? [] : [wrong(count) ?? []].flat()),
    }),
  );
}

/** A text of a length, where that is short enough to be sent. */
const textOf = (count: number): readonly JsonValue[] => (count > 10_000 ? [] : ['a'.repeat(count)]);

/** JSON Schema Validation, section 6.3.1. Characters are code points. */
export const maxLength = countKeyword('at most', {
  name: 'maxLength',
  facet: 'max-length',
  noun: 'character',
  edges: textOf,
  wrong: (count) =>
    count < 100_000
      ? { name: 'one character too long', value: 'a'.repeat(count + 1), rank: 1 }
      : undefined,
});

/** JSON Schema Validation, section 6.3.2. */
export const minLength = countKeyword('at least', {
  name: 'minLength',
  facet: 'min-length',
  noun: 'character',
  edges: textOf,
  wrong: (count) =>
    count > 10_000
      ? { name: 'a text too short', value: 'a', rank: 1 }
      : { name: 'one character too short', value: 'a'.repeat(count - 1), rank: 1 },
});

/** Too many, where those can be sent. */
const many = <Value>(count: number, make: (index: number) => Value): Value[] | undefined =>
  count < 1000 ? Array.from({ length: count + 1 }, (_one, index) => make(index)) : undefined;

/** JSON Schema Validation, section 6.4.1. */
export const maxItems = countKeyword('at most', {
  name: 'maxItems',
  facet: 'max-items',
  noun: 'item',
  wrong: (count) => {
    const value = many(count, (index) => `v${index}`);
    return value && { name: 'an array with too many items', value, rank: 2 };
  },
});

/** JSON Schema Validation, section 6.4.2. */
export const minItems = countKeyword('at least', {
  name: 'minItems',
  facet: 'min-items',
  noun: 'item',
  wrong: () => ({ name: 'an array with too few items', value: [], rank: 1 }),
});

/** JSON Schema Validation, section 6.5.1. */
export const maxProperties = countKeyword('at most', {
  name: 'maxProperties',
  noun: 'member',
  edges: (count) => (count === 0 ? [{}] : []),
  wrong: (count) => {
    const members = many(count, (index) => [`v${index}`, index] as const);
    const value = members && Object.fromEntries(members);
    return value && { name: 'an object with too many members', value, rank: 2 };
  },
});

/** JSON Schema Validation, section 6.5.2. */
export const minProperties = countKeyword('at least', {
  name: 'minProperties',
  noun: 'member',
  wrong: () => ({ name: 'an object with too few members', value: {}, rank: 1 }),
});
