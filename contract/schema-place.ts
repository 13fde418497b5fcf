import { isJsonArray, isJsonObject } from './json.ts';
import { appendPointer } from './pointer.ts';
import type { DocumentNode } from './document-node.ts';
import type { JsonObject, JsonValue } from './json.ts';

/** Keywords whose value is a schema, or an array of schemas. */
const SCHEMAS = new Set([
  'additionalProperties', 'allOf', 'anyOf', 'contains', 'contentSchema', 'else', 'if', 'items', 'not', 'oneOf', 'prefixItems',
  'propertyNames', 'then', 'unevaluatedItems', 'unevaluatedProperties',
]);

/** Keywords whose value maps names to schemas. */
const MAPS = new Set(['$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties']);

/** A schema object as it stands in the document. */
export interface PlacedSchema {
  readonly pointer: string;
  readonly schema: JsonObject;
}

/** The schemas of the operations' parts and of the components, each with those nested in it, once. */
export function listSchemas(root: DocumentNode): readonly PlacedSchema[] {
  const found = new Map<string, JsonObject>();
  collectParts(root.value, '#', found);
  return [...found].map(([pointer, schema]) => ({ pointer, schema }));
}

/** Looks for schemas where OpenAPI has them: members called `schema`, and the map `components/schemas`. */
function collectParts(value: JsonValue, pointer: string, found: Map<string, JsonObject>): void {
  for (const [name, member] of membersOf(value)) {
    const at = appendPointer(pointer, name);
    if (name === 'schema') collectSchema(member, at, found);
    else if (at === '#/components/schemas') for (const [key, schema] of membersOf(member)) collectSchema(schema, appendPointer(at, key), found);
    else if (!name.startsWith('x-') && name !== 'example' && name !== 'value') collectParts(member, at, found);
  }
}

function collectSchema(value: JsonValue, pointer: string, found: Map<string, JsonObject>): void {
  if (!isJsonObject(value)) return;
  found.set(pointer, value);
  for (const [name, member] of Object.entries(value)) {
    const at = appendPointer(pointer, name);
    if (MAPS.has(name)) for (const [key, schema] of membersOf(member ?? null)) collectSchema(schema, appendPointer(at, key), found);
    else if (SCHEMAS.has(name) && isJsonArray(member)) for (const [index, schema] of member.entries()) collectSchema(schema, appendPointer(at, index), found);
    else if (SCHEMAS.has(name)) collectSchema(member ?? null, at, found);
  }
}

function membersOf(value: JsonValue): readonly (readonly [string, JsonValue])[] {
  if (isJsonArray(value)) return value.map((item, index) => [String(index), item]);
  return isJsonObject(value) ? Object.entries(value).map(([name, member]) => [name, member ?? null]) : [];
}
