import { nearestNumber, readNumberText } from './number.ts';
import {
  explainSyntaxError,
  findBeyond,
  findNumber,
  JsonSyntaxError,
  syntaxErrorAt,
  type JsonBounds,
} from './scan.ts';

export { JsonSyntaxError } from './scan.ts';

/**
 * What `JSON.parse` gives, with `bigint` for every integer beyond ±(2^53 − 1) and no other, so that
 * int64 survives from wire to wire (RFC 8259 section 6 sets no range).
 */
export type JsonValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly JsonValue[]
  | JsonObject;

/** A JSON object. Made by parsing, so `__proto__` is an ordinary own member. */
export interface JsonObject {
  readonly [member: string]: JsonValue | undefined;
}

type JsonReviver = (
  name: string,
  member: JsonValue,
  context: { readonly source?: string },
) => JsonValue | undefined;

declare global {
  /** ECMAScript's JSON.parse source text access, which TypeScript's library does not know yet. */
  interface JSON {
    parse(text: string, reviver: JsonReviver | undefined): JsonValue;
    rawJSON(text: string): object;
  }
}

/** Levels of arrays and objects that `parseJson` takes (RFC 8259 section 9 allows such a limit). */
export const maximumDepth = 1000;

/**
 * A JSON text to its value, integers exact. The last of several members with one name wins, as in
 * `JSON.parse`. Throws `JsonSyntaxError` with line, column and reason for a text that is no JSON,
 * that is nested more than `maximumDepth` levels deep, or that has a number which cannot be held:
 * beyond the range of a double (`1e400`), or from 2^52 on with a fraction; its kind is `limit` for a
 * text that is too deep, has more than `mostValues` values, members and elements, or more than
 * `mostNames` different names of members. Fractions that a double would round to an integer stay
 * fractions, see `readJsonNumber`. Costs little more than `JSON.parse` where there is no long number.
 */
export function parseJson(text: string, mostValues = Infinity, mostNames = Infinity): JsonValue {
  refuseBeyond(text, { values: mostValues, names: mostNames });
  if (!holdsLongNumber(text)) return parseWith(text);
  return parseWith(text, (number) => {
    const held = readNumberText(number);
    if (held === undefined) throw unheldNumber(text);
    return held;
  });
}

/**
 * As `parseJson`, for a text that is judged: a number that cannot be held does not make it no JSON. It
 * becomes the number next to it that can be held, and stays beyond every format, or a fraction.
 */
export function parseJudged(text: string): JsonValue {
  refuseBeyond(text, { values: Infinity, names: Infinity });
  return parseWith(text, holdsLongNumber(text) ? nearestNumber : undefined);
}

/** A value to JSON text; NaN and infinities become `null`. Throws TypeError for a cycle. */
export function renderJson(value: JsonValue, indent = 0): string {
  try {
    return indent === 0 ? JSON.stringify(value) : JSON.stringify(value, undefined, indent);
  } catch {
    // A bigint: only then is the slower way with a replacer worth its cost. A cycle throws again
    // here.
    return JSON.stringify(value, rawInteger, indent);
  }
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isJsonArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** The items of an array; none of any other value. */
export function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return isJsonArray(value) ? value : [];
}

/** An object as it is; an empty one for any other value. */
export function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : noMembers;
}

const noMembers: JsonObject = Object.freeze({});

/** A plain value as a text, for comparing and telling; empty for none, and for what has members. */
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

/** Sets a member to a value, if any. `__proto__` becomes an ordinary member, as by parsing. */
export function addMember(
  object: Record<string, JsonValue>,
  name: string,
  value: JsonValue | undefined,
): void {
  if (value === undefined) return;
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, ...ordinary });
}

const ordinary = { configurable: true, enumerable: true, writable: true } as const;

/** The value of a member that the object itself has. */
export function ownMember(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Equality of JSON Schema (Core section 4.2.2), exact: numbers by value, members in any order. */
export function jsonEquals(left: JsonValue, right: JsonValue): boolean {
  if (left === right) return true;
  if (isNumeric(left) || isNumeric(right))
    return isNumeric(left) && isNumeric(right) && compareNumbers(left, right) === 0;
  if (isJsonArray(left)) return isJsonArray(right) && arraysEqual(left, right);
  return isJsonObject(left) && isJsonObject(right) && objectsEqual(left, right);
}

/** Below 0, 0 or above 0 as left is less than, equal to or more than right; exact. */
export function compareNumbers(left: number | bigint, right: number | bigint): number {
  if (left < right) return -1;
  return left > right ? 1 : 0;
}

/** Behind what may be before a number: digits of a digest in a string are none. */
const mayHoldLongNumber = /(?:^|[\s:,[])-?\d(?:[\d.]{15}|[\d.]*[eE])/u;

/** Whether a number that a double may not hold is outside of strings. */
function holdsLongNumber(text: string): boolean {
  return (
    mayHoldLongNumber.test(text) &&
    findNumber(text, (number) => mayHoldLongNumber.test(number)) !== undefined
  );
}

/** `read`: the value of a number by its text. */
function parseWith(text: string, read?: (number: string) => number | bigint): JsonValue {
  const revive: JsonReviver = (_name, member, { source }) =>
    typeof member === 'number' && source !== undefined && read ? read(source) : member;
  try {
    return JSON.parse(text, read && revive);
  } catch (error) {
    throw error instanceof JsonSyntaxError ? error : explainSyntaxError(text);
  }
}

function unheldNumber(text: string): Error {
  const found = findNumber(text, (number) => readNumberText(number) === undefined);
  const reason = `the number ${(found?.number ?? '').slice(0, 40)} is beyond the range or precision that can be held`;
  return syntaxErrorAt(text, found?.offset ?? 0, reason);
}

function refuseBeyond(text: string, { values, names }: Omit<JsonBounds, 'depth'>): void {
  // A value has a character at least, and one that parts it from the next.
  if (text.length / 2 < Math.min(values, names) && !mayBeDeep(text)) return;
  const found = findBeyond(text, { depth: maximumDepth, values, names });
  if (found === undefined) return;
  const reasons = {
    depth: `this is nested more than ${maximumDepth} levels deep`,
    values: `there are more than ${values} values up to here`,
    names: `there are more than ${names} different names of members up to here`,
  };
  throw syntaxErrorAt(text, found.offset, reasons[found.bound], 'limit');
}

/** Whether arrays and objects are nested deeper than `parseJson` takes, be it JSON or not. */
export function isTooDeep(text: string): boolean {
  const bounds = { depth: maximumDepth, values: Infinity, names: Infinity };
  return mayBeDeep(text) && findBeyond(text, bounds) !== undefined;
}

/** Whether brackets outside of strings are nested too deep, if the text is JSON up to there. */
function mayBeDeep(text: string): boolean {
  if (text.length < maximumDepth) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    // Brackets and braces differ from their partners by 2 and from each other by 32.
    else if ((code | 32) === openBrace) depth += 1;
    else if ((code | 32) === closeBrace) depth -= 1;
    if (depth > maximumDepth) return true;
  }
  return false;
}

const [quote, backslash, openBrace, closeBrace] = [34, 92, 123, 125];

/** The place of the quote at its end; that of the end of the text for none. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  for (; end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}

function rawInteger(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value;
}

export function isNumeric(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function arraysEqual(left: readonly JsonValue[], right: readonly JsonValue[]): boolean {
  return (
    left.length === right.length &&
    left.every((item, index) => jsonEquals(item, right[index] ?? null))
  );
}

function objectsEqual(left: JsonObject, right: JsonObject): boolean {
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every(
      (name) => Object.hasOwn(right, name) && jsonEquals(left[name] ?? null, right[name] ?? null),
    )
  );
}
