import { isNumeric } from '../../json/value.ts';
import { limitKeyword, testKeyword } from './keyword.ts';

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
