import type { JsonObject, JsonValue } from './value.ts';

/** Changes in a document that was just read and that nobody else holds. */

/** Sets a member or an item; `__proto__` is a name like any other. */
export function setMember(holder: object, name: string | number, value: JsonValue): void {
  Object.defineProperty(holder, name, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}

export function removeMember(holder: object, name: string): void {
  Reflect.deleteProperty(holder, name);
}

/** Gives a member another name, at the same place among the others. */
export function renameMember(holder: JsonObject, from: string, to: string): void {
  const entries = Object.entries(holder);
  for (const [name] of entries) removeMember(holder, name);
  for (const [name, value] of entries)
    if (value !== undefined) setMember(holder, name === from ? to : name, value);
}

/** Leaves items out of an array. */
export function keepItems(list: readonly JsonValue[], kept: readonly JsonValue[]): void {
  for (const [index, item] of kept.entries()) setMember(list, index, item);
  Reflect.set(list, 'length', kept.length);
}
