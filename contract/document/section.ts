import { parsePointer, renderPointer, resolvePointer } from '../json/pointer.ts';
import type { JsonObject } from '../json/value.ts';

/**
 * The section of the service interface that a place of the document comes from: the nearest
 * `x-source` at or above it; empty for none.
 */
export function sectionOf(document: JsonObject, pointer: string): string {
  const tokens = parsePointer(pointer);
  const sources = [...tokens.keys(), tokens.length].map((length) =>
    resolvePointer(document, renderPointer([...tokens.slice(0, length), 'x-source'])),
  );
  return sources.findLast((source) => typeof source === 'string') ?? '';
}
