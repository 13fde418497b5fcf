import { appendPointer } from '../json/pointer.ts';
import { followReference } from './follow-reference.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';

/**
 * A place in the document, read leniently: what is missing or of another type is undefined or
 * empty. References are followed: `pointer` is where a thing is defined.
 */
export interface DocumentNode {
  readonly pointer: string;
  readonly value: JsonValue;
  /** The value as an object, empty where it is none. */
  readonly object: JsonObject;
  /** The named member, its `$ref` followed. */
  readonly get: (name: string) => DocumentNode | undefined;
  /** Members of an object in the document's order, their `$ref` followed. */
  readonly entries: () => readonly (readonly [string, DocumentNode])[];
  /** Items of an array, their `$ref` followed. */
  readonly items: () => readonly DocumentNode[];
  readonly text: (name: string) => string | undefined;
  readonly flag: (name: string) => boolean;
  /** Pointer of a member as it stands here, a `$ref` in it not followed. */
  readonly at: (name: string) => string;
}

export function createDocumentNode(
  document: JsonObject,
  pointer = '#',
  found: JsonValue = document,
): DocumentNode {
  const object = isJsonObject(found) ? found : {};
  const child = (token: string, value: JsonValue): DocumentNode => {
    const target = followReference(document, { pointer: appendPointer(pointer, token), value });
    return createDocumentNode(document, target.pointer, target.value);
  };
  return {
    pointer,
    value: found,
    object,
    get: (name) => (Object.hasOwn(object, name) ? child(name, object[name] ?? null) : undefined),
    entries: () =>
      Object.entries(object).map(([name, value]) => [name, child(name, value ?? null)] as const),
    items: () =>
      isJsonArray(found) ? found.map((value, index) => child(String(index), value)) : [],
    text: (name) => textOf(object[name]),
    flag: (name) => object[name] === true,
    at: (name) => appendPointer(pointer, name),
  };
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
