import { type JsonValue, isJsonObject } from '../../contract/index.ts';

/**
 * Where the members of a schema stand in the document: JSON pointers by member name, over `$ref`
 * and `allOf`. Open questions point at such a place, while a schema's own pointer is where its
 * `$ref` leads.
 */
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
    places.set(name, [...(places.get(name) ?? []), `${pointer}/properties/${escapePointer(name)}`]);
  }
  for (const index of Array.isArray(allOf) ? allOf.keys() : [])
    collect(document, `${pointer}/allOf/${index}`, places, seen);
}

function valueAt(document: JsonValue, pointer: string): JsonValue | undefined {
  if (!pointer.startsWith('#/')) return undefined;
  let value: JsonValue | undefined = document;
  for (const step of pointer.slice(2).split('/')) value = memberOf(value, unescapePointer(step));
  return value;
}

function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (Array.isArray(value)) {
    const items: readonly JsonValue[] = value;
    return items[Number(name)];
  }
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** RFC 6901 section 3. */
function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function unescapePointer(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}
