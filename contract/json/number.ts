/**
 * The value of a JSON number (RFC 8259 section 6) from its text, exact for integers: `9007199254740993.0`
 * is the bigint 9007199254740993. Undefined for a number that cannot be represented: beyond the range of a
 * double (`1e400`), or a fraction from 2^52 on (`9007199254740993.5`). A fraction that a double would round
 * to an integer (`1.0000000000000000001`) becomes the nearest double that is not an integer
 * (`1.0000000000000002`), so that it is never taken for an integer.
 */
export function readNumberText(text: string): number | bigint | undefined {
  const double = Number(text);
  if (!Number.isFinite(double)) return undefined;
  if (!Number.isInteger(double)) return double;
  const decimal = parseDecimal(text);
  if (decimal.digits === '') return double;
  if (decimal.exponent < 0) return nearestFraction(double, decimal);
  return Number.isSafeInteger(double) ? double : exactInteger(decimal);
}

/**
 * Like `readNumberText`; a number that cannot be represented becomes the largest representable one of its
 * sign and kind.
 */
export function nearestNumber(text: string): number | bigint {
  const largest = Number.isFinite(Number(text)) ? largestFraction : Number.MAX_VALUE;
  return readNumberText(text) ?? (text.startsWith('-') ? -largest : largest);
}

const largestFraction = 2 ** 52 - 0.5;

/** An integer as a JsonValue: a number within ±(2^53 − 1), else a bigint. */
export function canonicalInteger(value: bigint): number | bigint {
  const double = Number(value);
  return Number.isSafeInteger(double) ? double : value;
}

/** `sign * digits * 10^exponent`; the digits have no leading or trailing zeros and are empty for zero. */
interface Decimal {
  readonly negative: boolean;
  readonly digits: string;
  readonly exponent: number;
}

/** Hand-written: a regular expression would take quadratic time for trailing zeros. */
function parseDecimal(text: string): Decimal {
  const negative = text.startsWith('-');
  const [mantissa = '', power = '0'] = text.slice(negative ? 1 : 0).split(/[eE]/u);
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = whole + fraction;
  let [start, end] = [0, digits.length];
  while (digits[end - 1] === '0') end -= 1;
  while (start < end && digits[start] === '0') start += 1;
  const exponent = Number(power) - fraction.length + (digits.length - end);
  return { negative, digits: digits.slice(start, end), exponent };
}

/** Bounded: the caller has checked that the double is finite, so there are at most 309 digits. */
function exactInteger({ negative, digits, exponent }: Decimal): number | bigint {
  const magnitude = BigInt(digits + '0'.repeat(exponent));
  return canonicalInteger(negative ? -magnitude : magnitude);
}

/** The adjacent double of an integer double on the decimal's side, unless it is an integer. */
function nearestFraction(double: number, { digits, exponent, negative }: Decimal) {
  const magnitude = Math.abs(double);
  const wholeLength = digits.length + exponent;
  const isAbove = Number(wholeLength > 0 ? digits.slice(0, wholeLength) : '0') === magnitude;
  if (magnitude > 2 ** 52 || (isAbove && magnitude === 2 ** 52)) return undefined;
  // The bits of positive doubles have the same order as their values.
  const [bits = 0n] = new BigUint64Array(Float64Array.of(magnitude).buffer);
  const [neighbour = 0] = new Float64Array(BigUint64Array.of(bits + (isAbove ? 1n : -1n)).buffer);
  return negative ? -neighbour : neighbour;
}
