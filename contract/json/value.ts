import { nearestNumber, readNumberText } from './number.ts';
import { JsonScanner, JsonSyntaxError } from './scan.ts';

export { JsonSyntaxError } from './scan.ts';

/**
 * The result of `JSON.parse`, with `bigint` for every integer beyond ±(2^53 − 1) and no other, so that
 * int64 stays exact end to end (RFC 8259 section 6 sets no range).
 */
export type JsonValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly JsonValue[]
  | JsonObject;

/** A JSON object. Created by parsing, so `__proto__` is an ordinary own member. */
export interface JsonObject {
  readonly [member: string]: JsonValue | undefined;
}

type JsonReviver = (
  name: string,
  member: JsonValue,
  context: { readonly source?: string },
) => JsonValue | undefined;

declare global {
  /** ECMAScript's JSON.parse source text access, which TypeScript's library lacks. */
  interface JSON {
    parse(text: string, reviver: JsonReviver | undefined): JsonValue;
    rawJSON(text: string): object;
  }
}

/** Most levels of arrays and objects for `parseJson` (RFC 8259 section 9 allows such a limit). */
export const maximumDepth = 1000;

/**
 * Parses a JSON text with exact integers. The last of duplicate members wins, as in `JSON.parse`. Throws
 * `JsonSyntaxError` with line, column and reason for a text that is not JSON, that is nested more than
 * `maximumDepth` levels deep, or that has a number that cannot be represented: beyond the range of a double
 * (`1e400`), or a fraction from 2^52 on. Its kind is `limit` for a text that is nested too deeply, has more
 * than `maxValues` values, members and elements, or more than `maxNames` different member names.
 * Fractions that a double would round to an integer stay fractions, see `readNumberText`. Costs little more
 * than `JSON.parse` without long numbers.
 */
export function parseJson(text: string, maxValues = Infinity, maxNames = Infinity): JsonValue {
  // A value has at least one character, and one that separates it from the next.
  if (text.length / 2 >= Math.min(maxValues, maxNames)) {
    const issue = explainJson(text, readNumberText, maxValues, maxNames);
    if (issue !== undefined) throw issue;
  }
  return parseWith(text, readNumberText);
}

/**
 * Like `parseJson`, for a text to be judged: a number that cannot be represented does not make it invalid.
 * It becomes the nearest representable number, which is still a fraction, or too large for any format.
 */
export function parseJudged(text: string): JsonValue {
  return parseWith(text, nearestNumber);
}

/** Whether `parseJudged` rejects a text for its depth, provided that the text is JSON. */
export function isTooDeep(text: string): boolean {
  return explainJson(text, nearestNumber)?.kind === 'limit';
}

/** A value as JSON text; NaN and infinities become `null`. Throws TypeError for a cycle. */
export function renderJson(value: JsonValue, indent = 0): string {
  // In lists of large integers, throwing for each would take most of the time.
  if (typeof value === 'bigint') return String(value);
  try {
    return indent === 0 ? JSON.stringify(value) : JSON.stringify(value, undefined, indent);
  } catch {
    // A bigint: only then is the slower way with a replacer worth its cost. A cycle throws again here.
    return JSON.stringify(value, rawInteger, indent);
  }
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isJsonArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** The items of an array; empty for any other value. */
export function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return isJsonArray(value) ? value : [];
}

/** The object itself; an empty one for any other value. */
export function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : noMembers;
}

const noMembers: JsonObject = Object.freeze({});

/** A scalar as text, for comparisons and messages; empty for null and anything else. */
export function wordOf(value: JsonValue | undefined): string {
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value);
}

/** A copy of an object with each member mapped. `__proto__` stays an ordinary member. */
export function mapMembers<From, To>(
  object: Readonly<Record<string, From>> | object,
  map: (value: From, name: string) => To,
): Record<string, To> {
  const members: [string, From][] = Object.entries(object);
  return Object.fromEntries(members.map(([name, value]) => [name, map(value, name)]));
}

/** The value of an own member. */
export function ownMember(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Equality of JSON Schema (Core section 4.2.2), exact: numbers by value, members in any order. */
export function jsonEquals(left: JsonValue, right: JsonValue): boolean {
  if (left === right) return true;
  if (isNumeric(left) || isNumeric(right))
    return isNumeric(left) && isNumeric(right) && compareNumbers(left, right) === 0;
  if (isJsonArray(left))
    return (
      isJsonArray(right) &&
      left.length === right.length &&
      left.every((item, index) => jsonEquals(item, right[index] ?? null))
    );
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every(
      (name) => Object.hasOwn(right, name) && jsonEquals(left[name] ?? null, right[name] ?? null),
    )
  );
}

/** Negative, 0 or positive if left is less than, equal to or greater than right; exact. */
export function compareNumbers(left: number | bigint, right: number | bigint): number {
  if (left < right) return -1;
  return left > right ? 1 : 0;
}

/** A number that a double may not represent; digits within a string do not match. */
const longNumber = /(?:^|[\s:,[])-?\d(?:[\d.]{15}|[\d.]*[eE])/u;

/** The value of a number from its text; undefined if it cannot be represented. */
type ReadNumber = (text: string) => number | bigint | undefined;

function parseWith(text: string, read: ReadNumber): JsonValue {
  const revive: JsonReviver = (_name, member, { source }) => {
    if (typeof member !== 'number' || source === undefined) return member;
    const held = read(source);
    if (held === undefined) throw new SyntaxError('a number cannot be represented');
    return held;
  };
  try {
    const value = JSON.parse(text, longNumber.test(text) ? revive : undefined);
    if (text.length <= 2 * maximumDepth || !isDeep(value)) return value;
  } catch (cause) {
    throw explainJson(text, read) ?? cause;
  }
  throw explainJson(text, read) ?? new JsonSyntaxError(text, 0, 'this is not JSON');
}

/** Level by level, because a value may be deeper than the stack. */
function isDeep(value: JsonValue): boolean {
  let level: readonly object[] = [[value]];
  for (let depth = 0; depth <= maximumDepth && level.length > 0; depth += 1) {
    const inner: object[] = [];
    for (const holder of level)
      for (const member of Object.values(holder))
        if (typeof member === 'object' && member !== null) inner.push(member);
    level = inner;
  }
  return level.length > 0;
}

/** Why a text is rejected; undefined if it is not. */
function explainJson(
  text: string,
  read: ReadNumber,
  maxValues = Infinity,
  maxNames = Infinity,
): JsonSyntaxError | undefined {
  const scanner = new JsonScanner(text);
  const names = new Set<string>();
  let values = 0;
  while (scanner.next()) {
    const { kind, start } = scanner;
    const token = text.slice(start, scanner.end);
    if (kind === 'name') {
      if (maxNames < Infinity) names.add(token);
    } else if (kind !== ']' && kind !== '}') values += 1;
    const beyond =
      scanner.depth > maximumDepth
        ? `this is nested more than ${maximumDepth} levels deep`
        : values > maxValues
          ? `there are more than ${maxValues} values up to here`
          : names.size > maxNames
            ? `there are more than ${maxNames} different names of members up to here`
            : undefined;
    if (beyond !== undefined) return new JsonSyntaxError(text, start, beyond, 'limit');
    if (kind !== 'number' || read(token) !== undefined) continue;
    const why = Number.isFinite(Number(token))
      ? 'has too many digits: from 2^52 on, only integers are exact'
      : `is out of range: the largest possible is ${Number.MAX_VALUE}`;
    return new JsonSyntaxError(text, start, `the number ${token.slice(0, 40)} ${why}`);
  }
  return scanner.issue && new JsonSyntaxError(text, scanner.issue.offset, scanner.issue.reason);
}

function rawInteger(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value;
}

export function isNumeric(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}
