import { appendPointer, resolvePointer } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { type DocumentNode, pointerOfReference, referenceOf } from '../source/node.ts';
import type { SchemaPart } from './keyword/keyword.ts';
import { keywordOf, subschemaPointers } from './keywords.ts';

/** The schemas of operations and components, each with those it holds or refers to, once. */
export function listSchemas(root: DocumentNode): readonly SchemaPart[] {
  const found = new Map<string, JsonObject>();
  collectParts(root.value, '#', (schema, pointer) =>
    collectSchema(schema, pointer, root.object, found),
  );
  return [...found].map(([pointer, schema]) => ({ pointer, schema }));
}

/** Looks where OpenAPI has schemas: members called `schema` and `itemSchema`, and `components/schemas`. */
function collectParts(
  value: JsonValue,
  pointer: string,
  collect: (schema: JsonValue, pointer: string) => void,
): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member = null] of Object.entries<JsonValue | undefined>(value)) {
    const at = appendPointer(pointer, name);
    const isExtension = name.startsWith('x-') && name !== 'x-files';
    if (name === 'schema' || name === 'itemSchema' || pointer === '#/components/schemas')
      collect(member, at);
    else if (!isExtension && name !== 'example' && name !== 'value')
      collectParts(member, at, collect);
  }
}

/** A schema, then all that it refers to or holds, however long the chain of them is. */
function collectSchema(
  root: JsonValue,
  start: string,
  document: JsonObject,
  found: Map<string, JsonObject>,
): void {
  const pending = [{ value: root, pointer: start }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, pointer } = next;
    if (!isJsonObject(value) || found.has(pointer)) continue;
    found.set(pointer, value);
    const reference = referenceOf(value);
    const target = reference === undefined ? undefined : pointerOfReference(reference);
    const places = [...(target === undefined ? [] : [target]), ...listPlaces(value, pointer)];
    for (const at of places.toReversed())
      pending.push({ value: resolvePointer(document, at) ?? null, pointer: at });
  }
}

/** Where the schemas in a schema are. */
function listPlaces(schema: JsonObject, pointer: string): readonly string[] {
  return Object.entries(schema).flatMap(([name, member]) => {
    // Not a keyword any more, and still where some documents keep schemas.
    const takes = name === 'definitions' ? 'schema-map' : keywordOf(name)?.takes;
    return takes === undefined
      ? []
      : subschemaPointers(appendPointer(pointer, name), takes, member);
  });
}
