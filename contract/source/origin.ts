import { appendPointer, parsePointer } from '../json/pointer.ts';
import { isJsonArray, isJsonObject, ownMember, type JsonValue } from '../json/value.ts';
import type { TextLocator } from './place.ts';

/** A text that a document was made from. */
export interface SourceText {
  /** Name in messages: `openapi.yaml`. */
  readonly name: string;
  readonly locate: TextLocator;
}

/** A place in the text that a value came from. */
export interface Origin {
  readonly source: SourceText;
  /** JSON pointer into the value of that text: `#/paths`. */
  readonly pointer: string;
}

/**
 * Where the values of a document came from. A value that was moved is known by itself; the members
 * of a value are below its place unless they were moved too.
 */
export class Origins {
  readonly #known = new WeakMap<object, Origin>();
  readonly #root: SourceText;

  constructor(root: SourceText) {
    this.#root = root;
  }

  set(value: object, origin: Origin): void {
    this.#known.set(value, origin);
  }

  get(value: JsonValue | undefined): Origin | undefined {
    return typeof value === 'object' && value !== null ? this.#known.get(value) : undefined;
  }

  /** The place that a pointer into the document stands for, or the nearest above it. */
  trace(document: JsonValue, pointer: string): Origin {
    let value: JsonValue | undefined = document;
    let at = this.get(document) ?? { source: this.#root, pointer: '#' };
    for (const token of parsePointer(pointer)) {
      value = memberOf(value, token);
      at = this.get(value) ?? { source: at.source, pointer: appendPointer(at.pointer, token) };
    }
    return at;
  }

  /** Remembers that a value comes from a place, unless it is known to come from another. */
  keep(document: JsonValue, value: JsonValue | undefined, pointer: string): void {
    if (typeof value === 'object' && value !== null && this.get(value) === undefined)
      this.set(value, this.trace(document, pointer));
  }
}

/** Gives the values of a copy of the same form, or of a form with more, the origins of the first. */
export function copyOrigins(origins: Origins, from: JsonValue, to: JsonValue | undefined): void {
  if (typeof from !== 'object' || from === null || from === to) return;
  if (typeof to !== 'object' || to === null) return;
  const origin = origins.get(from);
  if (origin !== undefined) origins.set(to, origin);
  for (const [name, member = null] of Object.entries(from))
    copyOrigins(origins, member, memberOf(to, name));
}

function memberOf(value: JsonValue | undefined, token: string): JsonValue | undefined {
  if (isJsonArray(value)) return value[Number(token)];
  return isJsonObject(value) ? ownMember(value, token) : undefined;
}
