import { type JsonValue, isJsonObject } from '../../../contract/json/value.ts';
import { appendPointer, resolvePointer } from '../../../contract/json/pointer.ts';

/** JSON pointers of a schema's members by name, over `$ref` and `allOf`; questions point there. */
export function memberPlaces(
  document: JsonValue,
  pointer: string,
): ReadonlyMap<string, readonly string[]> {
  const places = new Map<string, string[]>();
  collect(document, pointer, places, new Set());
  return places;
}

function collect(
  document: JsonValue,
  pointer: string,
  places: Map<string, string[]>,
  seen: Set<string>,
): void {
  const schema = seen.has(pointer) ? undefined : valueAt(document, pointer);
  seen.add(pointer);
  if (!isJsonObject(schema)) return;
  const { $ref, properties, allOf } = schema;
  if (typeof $ref === 'string') collect(document, $ref, places, seen);
  for (const name of isJsonObject(properties) ? Object.keys(properties) : []) {
    places.set(name, [...(places.get(name) ?? []), appendPointer(pointer, 'properties', name)]);
  }
  for (const index of Array.isArray(allOf) ? allOf.keys() : [])
    collect(document, appendPointer(pointer, 'allOf', index), places, seen);
}

function valueAt(document: JsonValue, pointer: string): JsonValue | undefined {
  return pointer.startsWith('#/') ? resolvePointer(document, pointer) : undefined;
}
