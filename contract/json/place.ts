import { type JsonObject, type JsonValue, isJsonObject } from './value.ts';

/** Names of members from an object down to one within it: `['id']`, `['metadata', 'name']`. */
export type MemberPlace = readonly [string, ...string[]];

/** The value at a place within a value: names of members, outermost first. */
export function valueAt(
  value: JsonValue | undefined,
  place: readonly string[],
): JsonValue | undefined {
  return place.reduce<JsonValue | undefined>(
    (found, name) => (isJsonObject(found) && Object.hasOwn(found, name) ? found[name] : undefined),
    value,
  );
}

/** The value with another at a place; objects that are missing on the way are made. */
export function withValueAt(value: JsonObject, place: MemberPlace, set: JsonValue): JsonObject;
export function withValueAt(
  value: JsonValue | undefined,
  place: readonly string[],
  set: JsonValue,
): JsonValue;
export function withValueAt(
  value: JsonValue | undefined,
  [name, ...rest]: readonly string[],
  set: JsonValue,
): JsonValue {
  if (name === undefined) return set;
  const object = isJsonObject(value) ? value : {};
  return { ...object, [name]: withValueAt(object[name], rest, set) };
}

/** An object without the member at a place. */
export function withoutMember(
  object: JsonObject,
  [name = '', ...rest]: readonly string[],
): JsonObject {
  const inner = object[name];
  if (rest.length === 0 || !isJsonObject(inner)) return without(object, new Set([name]));
  return { ...object, [name]: withoutMember(inner, rest) };
}

/** An object without the members of these names. */
export function without(object: JsonObject, names: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.has(name)));
}
