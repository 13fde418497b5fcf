import type { JsonObject, JsonValue } from './value.ts';

/** Changes to a freshly read document that nothing else refers to. */

/** Sets a member or an item unless the value is undefined; `__proto__` is an ordinary name. */
export function setMember(
  holder: object,
  name: string | number,
  value: JsonValue | undefined,
): void {
  if (value === undefined) return;
  const members: Record<string, unknown> = Object(holder);
  if (name !== '__proto__') members[name] = value;
  else Object.defineProperty(holder, name, { value, ...ordinary });
}

const ordinary = { configurable: true, enumerable: true, writable: true } as const;

export function removeMember(holder: object, name: string): void {
  Reflect.deleteProperty(holder, name);
}

/** Moves members of an object, if present, into a new object. */
export function takeMembers(holder: JsonObject, names: readonly string[]): JsonObject {
  const taken: JsonObject = {};
  for (const name of names) {
    setMember(taken, name, holder[name]);
    removeMember(holder, name);
  }
  return taken;
}

/** Renames members without changing their order. `names`: the old names by the new ones. */
export function renameMembers(holder: JsonObject, names: ReadonlyMap<string, string>): void {
  if (names.size === 0) return;
  const read = new Map(Array.from(names, ([to, from]) => [from, to]));
  const entries = Object.entries(holder);
  for (const [name] of entries) removeMember(holder, name);
  for (const [name, value] of entries) setMember(holder, read.get(name) ?? name, value);
}

/** Removes items from an array. */
export function keepItems(list: readonly JsonValue[], kept: readonly JsonValue[]): void {
  for (const [index, item] of kept.entries()) setMember(list, index, item);
  Reflect.set(list, 'length', kept.length);
}
