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
 * of a value stand below its place unless they were moved too.
 */
export interface Origins {
  readonly set: (value: object, origin: Origin) => void;
  readonly get: (value: object) => Origin | undefined;
  /** The place that a pointer into the document stands for, or the nearest above it. */
  readonly trace: (document: JsonValue, pointer: string) => Origin;
}

export function createOrigins(source: SourceText): Origins {
  const known = new WeakMap<object, Origin>();
  const originOf = (value: JsonValue | undefined): Origin | undefined =>
    typeof value === 'object' && value !== null ? known.get(value) : undefined;
  return {
    set: (value, origin) => void known.set(value, origin),
    get: (value) => known.get(value),
    trace: (document, pointer) => {
      let value: JsonValue | undefined = document;
      let at = originOf(document) ?? { source, pointer: '#' };
      for (const token of parsePointer(pointer)) {
        value = memberOf(value, token);
        at = originOf(value) ?? { source: at.source, pointer: appendPointer(at.pointer, token) };
      }
      return at;
    },
  };
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
