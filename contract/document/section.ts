import { parsePointer } from '../json/pointer.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';

/**
 * The section of the service interface that a place of the document comes from: the nearest
 * `x-source` at or above it; empty for none.
 */
export function sectionOf(document: JsonObject, pointer: string): string {
  let found = '';
  let value: JsonValue | undefined = document;
  for (const token of ['', ...parsePointer(pointer)]) {
    if (token !== '') value = step(value, token);
    const source = step(value, 'x-source');
    if (typeof source === 'string') found = source;
  }
  return found;
}

function step(value: JsonValue | undefined, token: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.hasOwn(value, token)
    ? Object.getOwnPropertyDescriptor(value, token)?.value
    : undefined;
}
