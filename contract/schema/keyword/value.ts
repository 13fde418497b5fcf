import {
  isJsonArray,
  isJsonObject,
  jsonEquals,
  type JsonObject,
  type JsonValue,
} from '../../json/value.ts';

/**
 * Whether a value equals one of the list, as `enum` has it: exact, numbers by value, member order
 * aside.
 */
export function createMembership(values: readonly JsonValue[]): (value: JsonValue) => boolean {
  const simple = new Set<JsonValue>(values.filter(isSimple));
  const others = values.filter((value) => !isSimple(value));
  return (value) => simple.has(value) || others.some((other) => jsonEquals(other, value));
}

/** A value that `===` compares as JSON Schema does: one whose number has a single form. */
export function isSimple(value: JsonValue): value is null | boolean | number | string {
  if (typeof value === 'number') return Number.isSafeInteger(value) || !Number.isInteger(value);
  return typeof value === 'string' || typeof value === 'boolean' || value === null;
}

/** `uniqueItems`; linear in the size of the items, so that a long array cannot hold a server up. */
export function hasUniqueItems(items: readonly JsonValue[]): boolean {
  const seen = new Set<JsonValue>();
  return items.every((item) => seen.size < seen.add(uniqueKey(item)).size);
}

/**
 * Strings are keys as they are; the text of any other value begins with a NUL, which sets it apart.
 */
function uniqueKey(value: JsonValue): JsonValue {
  return typeof value === 'string' && !value.startsWith('\0') ? value : `\0${canonicalText(value)}`;
}

/** The same text for equal values, different texts for different ones. */
function canonicalText(value: JsonValue): string {
  if (isJsonArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (isJsonObject(value)) return `{${canonicalMembers(value).join(',')}}`;
  if (typeof value === 'number' && Number.isInteger(value)) return String(BigInt(value));
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}

function canonicalMembers(object: JsonObject): string[] {
  const members = Object.keys(object).map(
    (name) => `${JSON.stringify(name)}:${canonicalText(object[name] ?? null)}`,
  );
  return members.toSorted();
}
