import { appendPointer } from '../json/pointer.ts';
import { followReference, type Located, referenceOf } from './follow-reference.ts';
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

/** Follows the `$ref` of a value, each text once: the document must not change any more. */
type Follow = (place: Located) => Located;

/** The node of the whole document. */
export function createDocumentNode(document: JsonObject): DocumentNode {
  const targets = new Map<string, Located>();
  return createNode({ pointer: '#', value: document }, (place) => {
    const reference = referenceOf(place.value);
    if (reference === undefined) return place;
    const known = targets.get(reference);
    if (known !== undefined) return known;
    const target = followReference(document, place);
    // One that leads nowhere stays the place that it stands at.
    if (target !== place) targets.set(reference, target);
    return target;
  });
}

function createNode({ pointer, value: found }: Located, follow: Follow): DocumentNode {
  const object = isJsonObject(found) ? found : {};
  const child = (token: string, value: JsonValue): DocumentNode =>
    createNode(follow({ pointer: appendPointer(pointer, token), value }), follow);
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
