import { canonicalInteger } from '../json/number.ts';
import { isNumeric, type JsonValue } from '../json/value.ts';
import type { SchemaPart } from '../schema/keyword/keyword.ts';
import { maximum, minimum } from '../schema/keyword/limit.ts';
import { memberNumber } from './meaning.ts';
import { createDraw, type Draw } from './random.ts';

/** Multiples of a step, and integers, that are tried from either end of a range. */
const mostFromEnd = 200;

/** Integers that are drawn from, from the least on. */
const mostDrawn = 10_001;

/** Numbers that may fit the schemas, the plainest first. With `draw`, others come before them. */
export function* listNumbers(
  parts: readonly SchemaPart[],
  isInteger: boolean,
  name: string,
  draw: Draw | undefined,
): Generator<JsonValue> {
  const low = minimum.merge(parts)?.value;
  const high = maximum.merge(parts)?.value;
  const least = low ?? (high === undefined || high > 1 ? 1 : Number(high) - 100);
  const most = high ?? Number(least) + 10_000;
  const steps = parts.map(({ schema }) => schema.multipleOf).filter(isNumeric);
  const isFree = steps.length === 0;
  const meant = memberNumber(name, draw ?? createDraw(name));
  if (meant !== undefined) yield plainNumber(isInteger ? Math.round(meant) : meant);
  if (!isInteger && draw !== undefined && isFree)
    for (let tries = 0; tries < 4; tries += 1) yield drawBetween(Number(least), Number(most), draw);
  const isPlain = low === undefined && isFree;
  if (isPlain && !isInteger) yield* [1, 1.5, 0];
  else if (isPlain && draw === undefined) yield* [1, 0];
  if (isInteger || (!isFree && steps.every(isWhole)))
    yield* integersBetween(least, most, steps.filter(isWhole).map(BigInt), draw);
  if (isInteger) return yield 0;
  yield* multiples(Number(least), Math.max(...steps.map(Number)));
  const [from, to] = [Number(least), Number(most)];
  yield* [from, to, (from + to) / 2, from + (to - from) / 16, from + 1, to - 1, 0].map(plainNumber);
}

/** Multiples of all steps, from both ends of the range. */
function* integersBetween(
  least: number | bigint,
  most: number | bigint,
  steps: readonly bigint[],
  draw: Draw | undefined,
): Generator<JsonValue> {
  const unit = steps.filter((step) => step > 0n).reduce(commonMultiple, 1n);
  const first = ceilDivide(toBigInt(least, Math.ceil), unit);
  const last = -ceilDivide(-toBigInt(most, Math.floor), unit);
  const count = last < first ? 0 : Number(last - first);
  const start = draw === undefined ? 0n : BigInt(draw(Math.min(count + 1, mostDrawn)));
  for (let at = 0n; at < mostFromEnd; at += 1n)
    for (const times of [first + start + at, last - at, first + at])
      yield canonicalInteger(times * unit);
}

/** `times * step`, rounded to the decimals of the step. */
function* multiples(least: number, step: number): Generator<JsonValue> {
  if (!Number.isFinite(step)) return;
  const decimals = Math.min(100, (/\.(\d+)/.exec(String(step))?.[1] ?? '').length);
  const from = Math.ceil(least / step);
  for (let times = 0; times < mostFromEnd; times += 1)
    yield plainNumber(Number(((from + times) * step).toFixed(decimals)));
}

function drawBetween(least: number, most: number, draw: Draw): JsonValue {
  const width = Math.min(most - least, 1e9);
  return plainNumber(Math.round((least + (width * draw(10_000)) / 10_000) * 100) / 100);
}

/** As JSON has it: no negative zero, and an integer in its one form. */
function plainNumber(value: number): JsonValue {
  if (!Number.isFinite(value)) return 0;
  return Number.isInteger(value) ? canonicalInteger(BigInt(value)) : value;
}

function isWhole(value: number | bigint): boolean {
  return typeof value === 'bigint' || Number.isInteger(value);
}

function commonMultiple(one: bigint, other: bigint): bigint {
  let [divisor, rest] = [one, other];
  while (rest !== 0n) [divisor, rest] = [rest, divisor % rest];
  return (one / divisor) * other;
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
