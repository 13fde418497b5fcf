import { type JsonObject, type JsonValue, isJsonObject } from './value.ts';

/** Member names from an object down to a nested value: `['id']`, `['metadata', 'name']`. */
export type MemberPlace = readonly [string, ...string[]];

/** The value at a path of member names, outermost first. */
export function valueAt(
  value: JsonValue | undefined,
  place: readonly string[],
): JsonValue | undefined {
  return place.reduce<JsonValue | undefined>(
    (found, name) => (isJsonObject(found) && Object.hasOwn(found, name) ? found[name] : undefined),
    value,
  );
}

/** The value with another one at a path; missing objects are created. */
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

/** An object without the member at a path. */
export function withoutMember(
  object: JsonObject,
  [name = '', ...rest]: readonly string[],
): JsonObject {
  const inner = object[name];
  if (rest.length === 0 || !isJsonObject(inner)) return without(object, new Set([name]));
  return { ...object, [name]: withoutMember(inner, rest) };
}

/** An object without some members. */
export function without(object: JsonObject, names: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.has(name)));
}
