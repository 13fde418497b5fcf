import { parsePointer, renderPointer, resolvePointer } from '../json/pointer.ts';
import type { JsonObject } from '../json/value.ts';

/** The section of the interface: the nearest `x-source` at or above a place; empty for none. */
export function sectionOf(document: JsonObject, pointer: string): string {
  const tokens = parsePointer(pointer);
  const sources = [...tokens.keys(), tokens.length].map((length) =>
    resolvePointer(document, renderPointer([...tokens.slice(0, length), 'x-source'])),
  );
  return sources.findLast((source) => typeof source === 'string') ?? '';
}
