import type { SchemaLookup, SchemaNode, Shape, ShapeLimit } from './schema-node.ts';
import { isJsonArray, isJsonObject, listOf, type JsonObject } from '../json/value.ts';
import { appendPointer } from '../json/pointer.ts';
import { maximum, minimum } from './keyword/bound.ts';
import { maxItems, maxLength, minItems, minLength } from './keyword/count.ts';
import { enumeration } from './keyword/enum.ts';
import { format } from './keyword/format.ts';
import type { LimitKeyword } from './keyword/keyword.ts';
import { multipleOf } from './keyword/multiple-of.ts';
import { pattern } from './keyword/pattern.ts';
import { namesOf } from './keyword/required.ts';
import { type } from './keyword/type.ts';
import { uniqueItems } from './keyword/unique-items.ts';
import { everyType } from './keyword/value-kind.ts';
import { keywords } from './keywords.ts';
import { collectParts, type SchemaPart } from './parts.ts';

/** The shape of what fits all schemas. Nodes in it are made without theirs: a schema may recur. */
export function createShape(pointers: readonly string[], lookup: SchemaLookup): Shape {
  const parts = collectParts(pointers, lookup);
  const schemas = parts.map((part) => part.schema);
  const valueOf = <Value>({ limit }: LimitKeyword<Value>): Value | undefined =>
    limit(schemas)?.value;
  return {
    limits: () => listLimits(schemas),
    types: valueOf(type) ?? everyType,
    format: valueOf(format),
    values: valueOf(enumeration),
    minimum: valueOf(minimum),
    maximum: valueOf(maximum),
    multipleOf: valueOf(multipleOf),
    minLength: valueOf(minLength),
    maxLength: valueOf(maxLength),
    pattern: valueOf(pattern),
    minItems: valueOf(minItems),
    maxItems: valueOf(maxItems),
    uniqueItems: valueOf(uniqueItems) ?? false,
    properties: mergeProperties(parts, lookup),
    required: new Set(schemas.flatMap((schema) => namesOf(schema.required))),
    additional: mergeAdditional(parts, lookup),
    items: mergeItems(parts, lookup),
    alternatives: alternativesOf(parts, lookup),
    default: schemas.map((schema) => schema.default).find((value) => value !== undefined),
    examples: schemas.flatMap(({ examples, example }) => [
      ...listOf(examples),
      ...(example === undefined ? [] : [example]),
    ]),
    readOnly: schemas.some((schema) => schema.readOnly === true),
    writeOnly: schemas.some((schema) => schema.writeOnly === true),
  };
}

function listLimits(schemas: readonly JsonObject[]): readonly ShapeLimit[] {
  return keywords.flatMap(({ facet, limit }) => {
    const found = limit?.(schemas);
    return found === undefined ? [] : [{ facet, ...found }];
  });
}

function mergeProperties(
  parts: readonly SchemaPart[],
  lookup: SchemaLookup,
): ReadonlyMap<string, SchemaNode> {
  const places = parts.flatMap(({ pointer, schema: { properties } }) =>
    Object.keys(isJsonObject(properties) ? properties : {}).map((name) => ({ name, pointer })),
  );
  const merged = new Map<string, SchemaNode>();
  for (const [name, found] of Map.groupBy(places, (place) => place.name)) {
    const pointers = found.map(({ pointer }) => appendPointer(pointer, 'properties', name));
    merged.set(name, lookup.intersection(pointers));
  }
  return merged;
}

function mergeAdditional(parts: readonly SchemaPart[], lookup: SchemaLookup): SchemaNode | boolean {
  const places: string[] = [];
  for (const { pointer, schema } of parts)
    for (const name of ['additionalProperties', 'unevaluatedProperties']) {
      if (schema[name] === false) return false;
      if (isJsonObject(schema[name])) places.push(appendPointer(pointer, name));
    }
  return places.length === 0 || lookup.intersection(places);
}

function mergeItems(parts: readonly SchemaPart[], lookup: SchemaLookup): SchemaNode | undefined {
  const places = parts
    .filter(({ schema }) => schema.items !== undefined)
    .map(({ pointer }) => appendPointer(pointer, 'items'));
  return places.length === 0 ? undefined : lookup.intersection(places);
}

/** Of the first union only: further ones are left to the validator. */
function alternativesOf(parts: readonly SchemaPart[], lookup: SchemaLookup): readonly SchemaNode[] {
  for (const { pointer, schema } of parts)
    for (const name of ['oneOf', 'anyOf'])
      if (isJsonArray(schema[name]))
        return schema[name].map((_item, index) => lookup.node(appendPointer(pointer, name, index)));
  return [];
}
