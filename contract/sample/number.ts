import { canonicalInteger } from '../json/number.ts';
import { isNumeric, type JsonValue } from '../json/value.ts';
import type { MergedSchema } from '../schema/keyword/merged-schema.ts';
import {
  ceilDivide,
  commonMultiple,
  type Decimal,
  decimalOf,
  scaleDecimal,
} from '../schema/keyword/limit.ts';
import { memberNumber } from './meaning.ts';
import { createDraw, type Draw } from './random.ts';

/** Most multiples of a step that are tried from each end of a range. */
const maxFromEnd = 200n;

/** A drawn multiple is one of this many, from the smallest on. */
const maxDrawn = 10_001;

/** Numbers that may fit the schemas, the plainest first. With `draw`, others come before them. */
export function* listNumbers(
  schemas: MergedSchema,
  isInteger: boolean,
  name: string,
  draw: Draw | undefined,
): Generator<JsonValue> {
  const bottom = schemas.minimum?.value;
  const high = schemas.maximum?.value;
  // Of a range around zero, such as that of an `int32`, positive numbers are the plainest.
  const isAroundZero = bottom !== undefined && bottom < 0 && (high === undefined || high > 1);
  const low = isAroundZero ? undefined : bottom;
  const least = low ?? (high === undefined || high > 1 ? 1 : shift(high, -100));
  const most = high ?? shift(least, 10_000);
  const steps = schemas.parts.map(({ schema }) => schema.multipleOf).filter(isNumeric);
  const isFree = steps.length === 0;
  const meant = memberNumber(name, draw ?? createDraw(name));
  if (meant !== undefined) yield plainNumber(isInteger ? Math.round(meant) : meant);
  const [from, to] = [Number(least), Number(most)];
  if (!isInteger && draw !== undefined && isFree)
    for (let tries = 0; tries < 4; tries += 1) yield drawBetween(from, to, draw);
  const isPlain = low === undefined && isFree;
  if (isPlain && !isInteger) yield* [1, 1.5, 0];
  else if (isPlain && draw === undefined) yield* [1, 0];
  if (isInteger || !isFree)
    yield* multiplesBetween(least, most, commonMultiple(isInteger ? [1, ...steps] : steps), draw);
  if (isInteger) return yield 0;
  yield* [from, to, (from + to) / 2, from + (to - from) / 16, from + 1, to - 1, 0].map(plainNumber);
}

/** From both ends of the range. */
function* multiplesBetween(
  least: number | bigint,
  most: number | bigint,
  unit: Decimal,
  draw: Draw | undefined,
): Generator<JsonValue> {
  const first = ceilDivide(decimalOf(least), unit);
  const { digits, exponent } = decimalOf(most);
  const last = -ceilDivide({ digits: -digits, exponent }, unit);
  const count = last < first ? 0 : Number(last - first);
  const start = draw === undefined ? 0n : BigInt(draw(Math.min(count + 1, maxDrawn)));
  const step = Number(`${unit.digits}e${unit.exponent}`);
  const inexact: number[] = [];
  for (let at = 0n; at < maxFromEnd; at += 1n)
    for (const times of [first + start + at, last - at, first + at])
      if (unit.exponent >= 0) yield canonicalInteger(times * scaleDecimal(unit, 0));
      else {
        const value = Number(`${times * unit.digits}e${unit.exponent}`);
        // Validators that divide doubles reject some multiples, such as 0.07 for 0.01: these come last.
        if (Number.isInteger(value / step)) yield plainNumber(value);
        else inexact.push(value);
      }
  yield* inexact.map(plainNumber);
}

function shift(value: number | bigint, by: number): number | bigint {
  return typeof value === 'bigint' ? value + BigInt(by) : value + by;
}

function drawBetween(least: number, most: number, draw: Draw): JsonValue {
  const width = Math.min(most - least, 1e9);
  return plainNumber(Math.round((least + (width * draw(10_000)) / 10_000) * 100) / 100);
}

/** A number in the form of parsed JSON: no negative zero, integers beyond 2^53 as bigint. */
function plainNumber(value: number): JsonValue {
  if (!Number.isFinite(value)) return 0;
  return Number.isInteger(value) ? canonicalInteger(BigInt(value)) : value;
}
