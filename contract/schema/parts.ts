import { appendPointer } from '../json/pointer.ts';
import { isJsonObject, listOf, type JsonObject } from '../json/value.ts';
import type { SchemaLookup } from './schema-node.ts';

/** One schema object of several that must all hold for a value. */
export interface SchemaPart {
  readonly pointer: string;
  /** For the schema `false`, which no value fits, one that allows no type. */
  readonly schema: JsonObject;
}

/** The schemas at pointers, with those that they refer to and those of their `allOf`, each once. */
export function collectParts(
  pointers: readonly string[],
  lookup: SchemaLookup,
): readonly SchemaPart[] {
  const parts = new Map<string, SchemaPart>();
  const pending = [...pointers];
  for (let pointer = pending.shift(); pointer !== undefined; pointer = pending.shift()) {
    if (parts.has(pointer)) continue;
    const found = lookup.find(pointer);
    const schema = isJsonObject(found) ? found : found ? {} : { type: [] };
    parts.set(pointer, { pointer, schema });
    if (typeof schema.$ref === 'string') pending.push(lookup.target(schema.$ref));
    for (const index of listOf(schema.allOf).keys())
      pending.push(appendPointer(pointer, 'allOf', index));
  }
  return [...parts.values()];
}
