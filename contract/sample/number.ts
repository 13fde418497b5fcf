import { canonicalInteger } from '../json/number.ts';
import { isNumeric, type JsonValue } from '../json/value.ts';
import { maximum, minimum } from '../schema/keyword/bound.ts';
import type { Place } from './place.ts';
import type { Part } from './schema-view.ts';
import { memberNumber } from './meaning.ts';
import { createDraw, type Draw } from './random.ts';

/** Numbers that may fit the parts, the plainest first. With `draw`, others come before them. */
export function* listNumbers(
  parts: readonly Part[],
  isInteger: boolean,
  { name }: Place,
  draw: Draw | undefined,
): Generator<JsonValue> {
  const schemas = parts.map(({ schema }) => schema);
  const low = minimum.limit(schemas)?.value;
  const high = maximum.limit(schemas)?.value;
  const steps = schemas.map((schema) => schema.multipleOf).filter(isNumeric);
  const least = low?.value ?? (high === undefined || high.value > 1 ? 1 : Number(high.value) - 100);
  const most = high?.value ?? Number(least) + 10_000;
  for (const value of listRaw())
    yield typeof value === 'number' ? plainNumber(value) : canonicalInteger(value);

  function* listRaw(): Generator<number | bigint> {
    const meant = memberNumber(name, draw ?? createDraw(name));
    if (meant !== undefined) yield isInteger ? Math.round(meant) : meant;
    if (draw !== undefined && steps.length === 0)
      for (let tries = 0; tries < 4; tries += 1) yield drawBetween(least, most, draw, isInteger);
    if (low === undefined && steps.length === 0) yield* isInteger ? [1, 0] : [1, 1.5, 0];
    const step = steps.reduce(commonMultiple, isInteger ? 1n : 0);
    if (isInteger || typeof step === 'bigint') yield* integersBetween(least, most, step, draw);
    if (isInteger && typeof step === 'bigint') return;
    if (step !== 0) yield* multiples(Number(least), Number(step));
    const [from, to] = [Number(least), Number(most)];
    yield* [from, to, (from + to) / 2, from + (to - from) / 16, from + 1, to - 1, 0];
    yield* [from + Math.abs(from) * 1e-9, to - Math.abs(to) * 1e-9];
    yield* [from + Number.EPSILON * Math.max(1, Math.abs(from)), to - Number.EPSILON];
  }
}

function* integersBetween(
  least: number | bigint,
  most: number | bigint,
  step: number | bigint,
  draw: Draw | undefined,
): Generator<bigint> {
  const unit = typeof step === 'bigint' && step > 0n ? step : 1n;
  const first = ceilDivide(toBigInt(least, Math.ceil), unit) * unit;
  const last = toBigInt(most, Math.floor);
  const count = last < first ? 0n : (last - first) / unit;
  const start = draw === undefined ? 0n : BigInt(draw(Math.min(Number(count) + 1, 10_000)));
  for (const at of [0n, 1n, 2n, 3n, 5n, 10n, 30n, 100n]) {
    yield first + (start + at) * unit;
    yield (last / unit - at) * unit;
  }
  for (let at = 0n; at < 200n; at += 1n) yield first + at * unit;
}

/** `times * step`, rounded to the decimals of the step. */
function* multiples(least: number, step: number): Generator<number> {
  const decimals = Math.min(100, (/\.(\d+)/.exec(String(step))?.[1] ?? '').length);
  const from = Math.ceil(least / step);
  for (let times = 0; times < 120; times += 1)
    yield Number(((from + times) * step).toFixed(decimals));
  yield 0;
}

function drawBetween(
  least: number | bigint,
  most: number | bigint,
  draw: Draw,
  isInteger: boolean,
): number | bigint {
  if (isInteger) {
    const first = toBigInt(least, Math.ceil);
    const count = toBigInt(most, Math.floor) - first + 1n;
    return count <= 0n ? first : first + BigInt(draw(Math.min(Number(count), 1e9)));
  }
  const width = Math.min(Number(most) - Number(least), 1e9);
  return Math.round((Number(least) + (width * draw(10_000)) / 10_000) * 100) / 100;
}

/** As JSON has it: no negative zero, and an integer in its one form. */
function plainNumber(value: number): JsonValue {
  if (!Number.isFinite(value)) return 0;
  if (!Number.isInteger(value)) return value;
  return value === 0 ? 0 : canonicalInteger(BigInt(value));
}

/** Of integers, exactly; of others the larger, which the smaller may divide. */
function commonMultiple(one: number | bigint, other: number | bigint): number | bigint {
  if (one === 0) return Number.isInteger(other) ? BigInt(other) : other;
  if (!isWhole(one) || !isWhole(other)) return Number(one) > Number(other) ? one : other;
  const [left, right] = [BigInt(one), BigInt(other)];
  return right === 0n ? left : (left / greatestDivisor(left, right)) * right;
}

function isWhole(value: number | bigint): boolean {
  return typeof value === 'bigint' || Number.isInteger(value);
}

function greatestDivisor(one: bigint, other: bigint): bigint {
  return other === 0n ? one : greatestDivisor(other, one % other);
}

function toBigInt(value: number | bigint, round: (value: number) => number): bigint {
  if (typeof value === 'bigint') return value;
  // What a bigint was rounded to may be beyond all doubles.
  const held = Math.min(Math.max(value, -Number.MAX_VALUE), Number.MAX_VALUE);
  return BigInt(round(held));
}

function ceilDivide(value: bigint, step: bigint): bigint {
  const quotient = value / step;
  return value > 0n && value % step !== 0n ? quotient + 1n : quotient;
}
