import {
  appendPointer,
  canonicalFragment,
  memberOf,
  parsePointer,
  resolvePointer,
} from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue, listOf, objectOf } from '../json/value.ts';

/** Follows the `$ref` of a value, each text once: the document must not change any more. */
type Follow = (place: Located) => Located;

/** The node of the whole document. */
export function createDocumentNode(document: JsonObject): DocumentNode {
  const targets = new Map<string, Located>();
  return new DocumentNode({ pointer: '#', value: document }, (place) => {
    const reference = referenceOf(place.value);
    if (reference === undefined) return place;
    const known = targets.get(reference);
    if (known !== undefined) return known;
    const target = followReference(document, place);
    // A broken reference is its own target.
    if (target !== place) targets.set(reference, target);
    return target;
  });
}

/** The node at a pointer such as `#/paths/~1pets/get`; undefined for none. */
export function nodeAt(root: DocumentNode, pointer: string): DocumentNode | undefined {
  return parsePointer(pointer).reduce<DocumentNode | undefined>(
    (node, token) => node?.get(token),
    root,
  );
}

/**
 * A place in the document, read leniently: missing values and wrong types are undefined or empty.
 * References are followed: `pointer` is where something is defined. A large document has hundreds of
 * thousands of nodes: each stores only its place.
 */
export class DocumentNode {
  readonly pointer: string;
  readonly value: JsonValue;
  readonly #follow: Follow;

  constructor({ pointer, value }: Located, follow: Follow) {
    this.pointer = pointer;
    this.value = value;
    this.#follow = follow;
  }

  /** The value as an object, empty for other types. */
  get object(): JsonObject {
    return objectOf(this.value);
  }

  /** The named member, with its `$ref` followed. */
  get(name: string): DocumentNode | undefined {
    const { object } = this;
    return Object.hasOwn(object, name) ? this.#child(name, object[name] ?? null) : undefined;
  }

  /** Members of an object in the document's order, with their `$ref` followed. */
  entries(): readonly (readonly [string, DocumentNode])[] {
    return Object.entries(this.object).map(
      ([name, value]) => [name, this.#child(name, value ?? null)] as const,
    );
  }

  /** Items of an array, with their `$ref` followed. */
  items(): readonly DocumentNode[] {
    return listOf(this.value).map((item, index) => this.#child(String(index), item));
  }

  text(name: string): string | undefined {
    const value = this.object[name];
    return typeof value === 'string' ? value : undefined;
  }

  flag(name: string): boolean {
    return this.object[name] === true;
  }

  /** Pointer of a member itself, without following its `$ref`. */
  at(name: string): string {
    return appendPointer(this.pointer, name);
  }

  #child(token: string, value: JsonValue): DocumentNode {
    return new DocumentNode(
      this.#follow({ pointer: appendPointer(this.pointer, token), value }),
      this.#follow,
    );
  }
}

/** A value with its JSON pointer in the document. */
export interface Located {
  readonly pointer: string;
  readonly value: JsonValue;
}

/** Longest chain of references that is followed. */
export const maxReferences = 20;

/**
 * Follows `$ref` until a value that is not a reference; a broken, circular or too long chain is returned
 * unchanged.
 */
export function followReference(document: JsonObject, start: Located): Located {
  let at = start;
  for (let count = 0; count <= maxReferences; count += 1) {
    const reference = referenceOf(at.value);
    if (reference === undefined) return at;
    const pointer = pointerOfReference(reference);
    const value = pointer === undefined ? undefined : resolvePointer(document, pointer);
    if (pointer === undefined || value === undefined) return start;
    at = { pointer, value };
  }
  return start;
}

/** The text of a reference object's `$ref`. */
export function referenceOf(value: JsonValue): string | undefined {
  const reference = isJsonObject(value) ? value['$ref'] : undefined;
  return typeof reference === 'string' ? reference : undefined;
}

/** The pointer of a local reference, with only `%` encoded (RFC 6901 section 6); undefined for others. */
export function pointerOfReference(reference: string): string | undefined {
  if (!reference.startsWith('#')) return undefined;
  try {
    return canonicalFragment(reference);
  } catch {
    return undefined;
  }
}

/** The section of the interface: the nearest `x-source` at or above a pointer; empty for none. */
export function sectionOf(document: JsonObject, pointer: string): string {
  let here: JsonValue | undefined = document;
  let section = objectOf(here)['x-source'];
  for (const token of parsePointer(pointer)) {
    here = memberOf(here, token);
    const source = objectOf(here)['x-source'];
    if (typeof source === 'string') section = source;
  }
  return typeof section === 'string' ? section : '';
}
