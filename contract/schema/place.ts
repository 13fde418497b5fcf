import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { appendPointer, resolvePointer } from '../json/pointer.ts';
import { type DocumentNode, pointerOfReference, referenceOf } from '../source/node.ts';
import { keywordOf, subschemaPointers } from './keywords.ts';

/** A schema object as it stands in the document. */
export interface PlacedSchema {
  readonly pointer: string;
  readonly schema: JsonObject;
}

/** The schemas of operations and components, each with those it holds or refers to, once. */
export function listSchemas(root: DocumentNode): readonly PlacedSchema[] {
  const search: PlaceSearch = { document: root.object, found: new Map() };
  collectParts(root.value, '#', search);
  return [...search.found].map(([pointer, schema]) => ({ pointer, schema }));
}

interface PlaceSearch {
  readonly document: JsonObject;
  readonly found: Map<string, JsonObject>;
}

/** Looks where OpenAPI has schemas: members called `schema` and `itemSchema`, and `components/schemas`. */
function collectParts(value: JsonValue, pointer: string, search: PlaceSearch): void {
  for (const [name, member] of membersOf(value)) {
    const at = appendPointer(pointer, name);
    if (name === 'schema' || name === 'itemSchema') collectSchema(member, at, search);
    else if (at === '#/components/schemas')
      for (const [key, schema] of membersOf(member))
        collectSchema(schema, appendPointer(at, key), search);
    else if (
      (name === 'x-files' || !name.startsWith('x-')) &&
      name !== 'example' &&
      name !== 'value'
    )
      collectParts(member, at, search);
  }
}

/** A schema, then all that it refers to or holds, however long the chain of them is. */
function collectSchema(root: JsonValue, start: string, { document, found }: PlaceSearch): void {
  const pending: { readonly value: JsonValue; readonly pointer: string }[] = [
    { value: root, pointer: start },
  ];
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

/** Where the schemas in a schema stand. */
function listPlaces(schema: JsonObject, pointer: string): readonly string[] {
  return Object.entries(schema).flatMap(([name, member]) => {
    // Not a keyword any more, and still where some documents keep schemas.
    const takes = name === 'definitions' ? 'schema-map' : keywordOf(name)?.takes;
    return takes === undefined
      ? []
      : subschemaPointers(appendPointer(pointer, name), takes, member);
  });
}

function membersOf(value: JsonValue): readonly (readonly [string, JsonValue])[] {
  if (isJsonArray(value)) return value.map((item, index) => [String(index), item]);
  return isJsonObject(value)
    ? Object.entries(value).map(([name, member]) => [name, member ?? null])
    : [];
}
