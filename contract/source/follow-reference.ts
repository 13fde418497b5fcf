import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { canonicalFragment, resolvePointer } from '../json/pointer.ts';

/** A value with the JSON pointer of where it stands in the document. */
export interface Located {
  readonly pointer: string;
  readonly value: JsonValue;
}

/** Follows `$ref` until a value that is no reference; a broken or circular one stays as it is. */
export function followReference(document: JsonObject, start: Located): Located {
  const seen = new Set<string>();
  let at = start;
  for (;;) {
    const reference = referenceOf(at.value);
    if (reference === undefined) return at;
    const pointer = pointerOfReference(reference);
    const value =
      pointer === undefined || seen.has(pointer) ? undefined : resolvePointer(document, pointer);
    if (pointer === undefined || value === undefined) return start;
    seen.add(pointer);
    at = { pointer, value };
  }
}

/** The text of a reference object's `$ref`. */
export function referenceOf(value: JsonValue): string | undefined {
  const reference = isJsonObject(value) ? value['$ref'] : undefined;
  return typeof reference === 'string' ? reference : undefined;
}

/** The pointer of a local reference, only `%` encoded (RFC 6901 section 6); undefined for none. */
export function pointerOfReference(reference: string): string | undefined {
  if (!reference.startsWith('#')) return undefined;
  try {
    return canonicalFragment(reference);
  } catch {
    return undefined;
  }
}
