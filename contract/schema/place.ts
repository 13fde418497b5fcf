import { isJsonArray, isJsonObject } from '../json/value.ts';
import { appendPointer } from '../json/pointer.ts';
import { followReference } from '../document/follow-reference.ts';
import type { DocumentNode } from '../document/node.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';

/** Keywords whose value is a schema, or an array of schemas. */
const SCHEMAS = new Set([
  'additionalProperties',
  'allOf',
  'anyOf',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'oneOf',
  'prefixItems',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]);

/** Keywords whose value maps names to schemas. */
const MAPS = new Set([
  '$defs',
  'definitions',
  'dependentSchemas',
  'patternProperties',
  'properties',
]);

/** A schema object as it stands in the document. */
export interface PlacedSchema {
  readonly pointer: string;
  readonly schema: JsonObject;
}

/**
 * The schemas of the operations' parts and of the components, each with those it holds or refers
 * to, once.
 */
export function listSchemas(root: DocumentNode): readonly PlacedSchema[] {
  const search: Search = { document: root.object, found: new Map() };
  collectParts(root.value, '#', search);
  return [...search.found].map(([pointer, schema]) => ({ pointer, schema }));
}

interface Search {
  readonly document: JsonObject;
  readonly found: Map<string, JsonObject>;
}

/**
 * Looks for schemas where OpenAPI has them: members called `schema`, and the map
 * `components/schemas`.
 */
function collectParts(value: JsonValue, pointer: string, search: Search): void {
  for (const [name, member] of membersOf(value)) {
    const at = appendPointer(pointer, name);
    if (name === 'schema') collectSchema(member, at, search);
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

function collectSchema(value: JsonValue, pointer: string, search: Search): void {
  if (!isJsonObject(value) || search.found.has(pointer)) return;
  search.found.set(pointer, value);
  const target = followReference(search.document, { pointer, value });
  collectSchema(target.value, target.pointer, search);
  for (const [name, member] of Object.entries(value)) {
    const at = appendPointer(pointer, name);
    if (MAPS.has(name))
      for (const [key, schema] of membersOf(member ?? null))
        collectSchema(schema, appendPointer(at, key), search);
    else if (SCHEMAS.has(name) && isJsonArray(member))
      for (const [index, schema] of member.entries())
        collectSchema(schema, appendPointer(at, index), search);
    else if (SCHEMAS.has(name)) collectSchema(member ?? null, at, search);
  }
}

function membersOf(value: JsonValue): readonly (readonly [string, JsonValue])[] {
  if (isJsonArray(value)) return value.map((item, index) => [String(index), item]);
  return isJsonObject(value)
    ? Object.entries(value).map(([name, member]) => [name, member ?? null])
    : [];
}
