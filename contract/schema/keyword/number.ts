import { canonicalInteger } from '../../json/number.ts';
import { isNumeric, type JsonValue } from '../../json/value.ts';
import { smallest } from '../../list/list.ts';
import { type Keyword, testKeyword } from './keyword.ts';

/**
 * The two keywords of one end of a range; the limit of the first has the tighter of both. `words`:
 * `at least` and `more than`; `wrong`: what a value beyond the end is; `inwards`: 1 or -1.
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
      const isBeyond = (value: JsonValue): boolean =>
        isNumeric(value) &&
        ((inwards > 0 ? value < limit : value > limit) || (isExclusive && value == limit));
      return testKeyword(
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
    return testKeyword(
      place,
      (value) => isNumeric(value) && !isMultipleOf(value, divisor),
      () => `must be a multiple of ${String(divisor)}`,
    );
  },
  limit: ({ multipleOf: step }) =>
    step === undefined ? undefined : { demand: `is a multiple of ${step}` },
};

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
  return scaleDecimal(left, exponent) % scaleDecimal(right, exponent) === 0n;
}

/** `digits * 10^exponent`, of at most 17 digits and exponents from -324 to 308. */
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

/** Its digits with another exponent, which is not above its own. */
export function scaleDecimal({ digits, exponent }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to);
}

/** The least number that is a multiple of all steps, which are above 0. */
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

/** The least integer that is not below the quotient. */
export function ceilDivide(value: Decimal, step: Decimal): bigint {
  const exponent = Math.min(value.exponent, step.exponent);
  const [dividend, divisor] = [scaleDecimal(value, exponent), scaleDecimal(step, exponent)];
  const quotient = dividend / divisor;
  return dividend > 0n && dividend % divisor !== 0n ? quotient + 1n : quotient;
}
