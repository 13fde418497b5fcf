import { addAll } from '../list/list.ts';
import { ContractError } from '../source/contract-error.ts';
import type { SchemaNode, Shape, ShapeLimit } from './schema-node.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { appendPointer } from '../json/pointer.ts';
import type { SchemaFinder } from './finder.ts';
import { maximum, minimum } from './keyword/bound.ts';
import { maxItems, maxLength, minItems, minLength } from './keyword/count.ts';
import { enumeration } from './keyword/enum.ts';
import { format } from './keyword/format.ts';
import type { LimitKeyword } from './keyword/keyword.ts';
import { multipleOf } from './keyword/multiple-of.ts';
import { pattern } from './keyword/pattern.ts';
import { type } from './keyword/type.ts';
import { uniqueItems } from './keyword/unique-items.ts';
import { everyType } from './keyword/value-kind.ts';
import { keywords } from './keywords.ts';

/** The part of a registry that shapes are made with. */
export interface NodeSource {
  node(pointer: string): SchemaNode;
  intersection(pointers: readonly string[]): SchemaNode;
}

/** The shape of what fits all schemas. Nodes in it are made without theirs: a schema may recur. */
export function createShape(
  pointers: readonly string[],
  source: NodeSource,
  finder: SchemaFinder,
): Shape {
  const parts = collectParts(pointers, finder);
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
    properties: mergeProperties(parts, source),
    required: new Set(
      schemas.flatMap((schema) =>
        listOf(schema.required).filter((name) => typeof name === 'string'),
      ),
    ),
    additional: mergeAdditional(parts, source),
    items: mergeItems(parts, source),
    alternatives: alternativesOf(parts, source),
    ...mergeAnnotations(schemas),
  };
}

function listLimits(schemas: readonly JsonObject[]): readonly ShapeLimit[] {
  return keywords.flatMap(({ facet, limit }) => {
    const found = limit?.(schemas);
    return found === undefined ? [] : [{ facet, ...found }];
  });
}

/**
 * What tells the shape of a schema that says nothing but scalars, and refers to nothing: of two such
 * schemas with one text the shapes are one. Undefined for any other.
 */
export function plainText(schema: JsonObject | boolean): string | undefined {
  if (typeof schema === 'boolean' || schema.$ref !== undefined) return undefined;
  const told: unknown[] = [];
  for (const [name, value] of Object.entries(schema)) {
    if (name === 'description' || name === 'title') continue;
    if (name !== 'type' && typeof value === 'object') return undefined;
    told.push(name, typeof value === 'bigint' ? [String(value)] : value);
  }
  return told.length > mostPlain ? undefined : JSON.stringify(told);
}

/** Names and values of a schema that is compared with others. */
const mostPlain = 20;

interface ShapePart {
  readonly pointer: string;
  /** For the schema `false`, which no value fits, one that allows no type. */
  readonly schema: JsonObject;
}

function collectParts(pointers: readonly string[], finder: SchemaFinder): readonly ShapePart[] {
  const parts = new Map<string, ShapePart>();
  const pending = [...pointers];
  for (let pointer = pending.shift(); pointer !== undefined; pointer = pending.shift()) {
    if (parts.has(pointer)) continue;
    const schema = finder.find(pointer);
    const members = isJsonObject(schema) ? schema : schema ? {} : { type: [] };
    parts.set(pointer, { pointer, schema: members });
    addAll(pending, branchPointers(pointer, members, finder));
  }
  return [...parts.values()];
}

function branchPointers(
  pointer: string,
  schema: JsonObject,
  finder: SchemaFinder,
): readonly string[] {
  const reference = typeof schema.$ref === 'string' ? [finder.target(schema.$ref)] : [];
  return [
    ...reference,
    ...listOf(schema.allOf).map((_branch, index) => appendPointer(pointer, 'allOf', index)),
  ];
}

function mergeProperties(
  parts: readonly ShapePart[],
  source: NodeSource,
): ReadonlyMap<string, SchemaNode> {
  const pointers = new Map<string, string[]>();
  for (const { pointer, schema } of parts) {
    for (const name of isJsonObject(schema.properties) ? Object.keys(schema.properties) : []) {
      pointers.set(name, [
        ...(pointers.get(name) ?? []),
        appendPointer(pointer, 'properties', name),
      ]);
    }
  }
  return new Map(
    [...pointers].flatMap(([name, places]) => {
      const node = intersect(source, places);
      return node === undefined ? [] : [[name, node] as const];
    }),
  );
}

function mergeAdditional(parts: readonly ShapePart[], source: NodeSource): SchemaNode | boolean {
  const places = parts.flatMap((part) =>
    ['additionalProperties', 'unevaluatedProperties'].map((name) => ({ name, part })),
  );
  const stated = places.filter(
    ({ name, part }) => part.schema[name] !== undefined && part.schema[name] !== true,
  );
  if (stated.some(({ name, part }) => part.schema[name] === false)) return false;
  if (stated.length === 0) return true;
  return (
    intersect(
      source,
      stated.map(({ name, part }) => appendPointer(part.pointer, name)),
    ) ?? true
  );
}

function mergeItems(parts: readonly ShapePart[], source: NodeSource): SchemaNode | undefined {
  const places = parts
    .filter(({ schema }) => schema.items !== undefined)
    .map(({ pointer }) => appendPointer(pointer, 'items'));
  return intersect(source, places);
}

/** A node of the places that are schemas: what is none says nothing of a value. */
function intersect(source: NodeSource, places: readonly string[]): SchemaNode | undefined {
  const sound = places.filter((place) => isSchema(source, place));
  return sound.length === 0 ? undefined : source.intersection(sound);
}

function isSchema(source: NodeSource, place: string): boolean {
  try {
    source.node(place);
    return true;
  } catch (error) {
    if (error instanceof ContractError) return false;
    throw error;
  }
}

/** Of the first union only: further ones stay with the validator. */
function alternativesOf(parts: readonly ShapePart[], source: NodeSource): readonly SchemaNode[] {
  const places = parts.flatMap((part) => ['oneOf', 'anyOf'].map((name) => ({ name, part })));
  const union = places.find(({ name, part }) => isJsonArray(part.schema[name]));
  if (union === undefined) return [];
  return listOf(union.part.schema[union.name])
    .map((_item, index) => appendPointer(union.part.pointer, union.name, index))
    .filter((place) => isSchema(source, place))
    .map((place) => source.node(place));
}

function mergeAnnotations(
  schemas: readonly JsonObject[],
): Pick<Shape, 'default' | 'examples' | 'readOnly' | 'writeOnly'> {
  return {
    default: schemas.map((schema) => schema.default).find((value) => value !== undefined),
    examples: schemas.flatMap((schema) => [
      ...listOf(schema.examples),
      ...(schema.example === undefined ? [] : [schema.example]),
    ]),
    readOnly: schemas.some((schema) => schema.readOnly === true),
    writeOnly: schemas.some((schema) => schema.writeOnly === true),
  };
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return isJsonArray(value) ? value : [];
}
