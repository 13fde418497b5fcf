/** Exact arithmetic of the numeric keywords, over numbers and bigints alike. */

/**
 * `multipleOf` (JSON Schema Validation section 6.2.1), by the decimal text of both and not by their
 * doubles.
 */
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

/**
 * `int32` and `int64` of the OpenAPI format registry: integers of two's complement of that many
 * bits.
 */
export function isIntegerOfBits(value: number | bigint, bits: 32 | 64): boolean {
  return (typeof value === 'bigint' || Number.isInteger(value)) && isInRangeOfBits(value, bits);
}

export function isInRangeOfBits(value: number | bigint, bits: 32 | 64): boolean {
  const { lowest, highest } = integerRange[bits];
  return value >= lowest && value <= highest;
}

export const integerRange = {
  32: { lowest: -(2n ** 31n), highest: 2n ** 31n - 1n },
  64: { lowest: -(2n ** 63n), highest: 2n ** 63n - 1n },
} as const;

/** `float` of the OpenAPI format registry: within the range of single precision (IEEE 754). */
export function isFloat(value: number | bigint): boolean {
  return Number.isFinite(Math.fround(Number(value)));
}

/**
 * `digits * 10^exponent`; bounded, as a double has at most 17 digits and exponents from -324 to
 * 308.
 */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

function decimalOf(value: number | bigint): Decimal {
  if (typeof value === 'bigint') return { digits: value, exponent: 0 };
  const [mantissa = '', power = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}

function scaled({ digits, exponent }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to);
}
