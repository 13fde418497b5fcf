import { appendPointer, memberOf, parsePointer, renderFragment } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue, objectOf } from '../json/value.ts';
import {
  followReference,
  type Located,
  mostReferences,
  pointerOfReference,
  referenceOf,
} from '../source/node.ts';

/** Resolves references within one document, guessing the meaning of broken ones where possible. */
export class References {
  readonly #document: JsonObject;
  /** Targets that are objects; any other value may still be replaced by a repair. */
  readonly #known = new Map<string, Located>();
  #anchors: ReadonlyMap<string, string> | undefined;

  constructor(document: JsonObject) {
    this.#document = document;
  }

  /** Undefined for a reference that leads nowhere, back to itself or to too many others. */
  resolve(reference: string): Located | undefined {
    const before = this.#known.get(reference);
    if (before !== undefined) return before;
    const target = this.find(reference);
    if (target === undefined || this.follow(target) === undefined) return undefined;
    if (isJsonObject(target.value)) this.#known.set(reference, target);
    return target;
  }

  /** What a reference leads to, be it a reference that leads nowhere. */
  find(reference: string): Located | undefined {
    for (const pointer of candidates(reference)) {
      const target = this.#walk(pointer);
      if (target !== undefined) return target;
    }
    const anchored = (this.#anchors ??= listAnchors(this.#document)).get(reference);
    return anchored === undefined ? undefined : this.#walk(anchored);
  }

  /** Follows references in a row up to one that leads nowhere; undefined for too many of them. */
  follow(start: Located): Located | undefined {
    let at = start;
    for (let count = 0; count < mostReferences; count += 1) {
      const reference = referenceOf(at.value);
      const target = reference === undefined ? undefined : this.find(reference);
      if (target === undefined) return at;
      at = target;
    }
    return undefined;
  }

  /** Follows references on the way, because some documents point through them. */
  #walk(reference: string): Located | undefined {
    const pointer = pointerOfReference(reference);
    if (pointer === undefined) return undefined;
    let at: Located = { pointer: '#', value: this.#document };
    for (const token of parsePointer(pointer)) {
      const isHere = memberOf(at.value, token) !== undefined;
      const holder = isHere ? at : followReference(this.#document, at);
      const value = memberOf(holder.value, token);
      if (value === undefined) return undefined;
      at = { pointer: appendPointer(holder.pointer, token), value };
    }
    return at;
  }
}

/** What a reference may mean, its own words first. */
function candidates(reference: string): readonly string[] {
  const encoded = encodeURI(reference.toWellFormed().replace(/^#?\/?/, ''));
  const found = reference.startsWith('#') ? [reference, `#/${encoded}`] : [];
  // Of a schema also the name alone; version 2.0 has its components at the root.
  const moved = encoded
    .replace(/^(?:definitions\/|schemas\/|(?=[^/#]+$))/, 'components/schemas/')
    .replace(/^(?=(?:parameters|responses)\/)/, 'components/');
  return [...found, `#/${moved}`];
}

/** Pointers by the `$id`, `$anchor` and `$dynamicAnchor` of what they lead to. */
function listAnchors(document: JsonObject): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const collect = (value: JsonValue, tokens: readonly string[]): void => {
    if (typeof value !== 'object' || value === null) return;
    const { $id, $anchor, $dynamicAnchor } = objectOf(value);
    for (const [name, prefix] of [
      [$id, ''],
      [$anchor, '#'],
      [$dynamicAnchor, '#'],
    ] as const)
      if (typeof name === 'string' && !found.has(prefix + name))
        found.set(prefix + name, renderFragment(tokens));
    for (const [name, member = null] of Object.entries(value)) collect(member, [...tokens, name]);
  };
  collect(document, []);
  return found;
}
