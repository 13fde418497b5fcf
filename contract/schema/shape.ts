import type { Bound, JsonType, SchemaNode, Shape } from './schema-node.ts';
import {
  compareNumbers,
  isJsonArray,
  isJsonObject,
  jsonEquals,
  type JsonObject,
  type JsonValue,
} from '../json/value.ts';
import { appendPointer } from '../json/pointer.ts';
import type { SchemaFinder } from './finder.ts';

/** The part of a registry that shapes are made with. */
export interface NodeSource {
  node(pointer: string): SchemaNode;
  intersection(pointers: readonly string[]): SchemaNode;
}

/**
 * The shape of a value that fits all of the schemas. References and `allOf` are followed as far as
 * they concern the same value; the nodes of properties, items and alternatives are made, but not
 * their shapes, so that a schema may refer to itself.
 */
export function createShape(
  pointers: readonly string[],
  source: NodeSource,
  finder: SchemaFinder,
): Shape {
  const parts = collectParts(pointers, finder);
  const schemas = parts.map((part) => part.schema);
  return {
    types: mergeTypes(parts),
    format: firstText(schemas, 'format'),
    values: mergeValues(schemas),
    ...mergeNumbers(schemas),
    ...mergeStrings(schemas),
    ...mergeObject(parts, source),
    ...mergeArray(parts, source),
    alternatives: alternativesOf(parts, source),
    ...mergeAnnotations(schemas),
  };
}

interface Part {
  readonly pointer: string;
  readonly schema: JsonObject;
  /** False for the schema `false`, which no value fits. */
  readonly isPossible: boolean;
}

function collectParts(pointers: readonly string[], finder: SchemaFinder): readonly Part[] {
  const parts = new Map<string, Part>();
  const pending = [...pointers];
  for (let pointer = pending.shift(); pointer !== undefined; pointer = pending.shift()) {
    if (parts.has(pointer)) continue;
    const schema = finder.find(pointer);
    const members = isJsonObject(schema) ? schema : {};
    parts.set(pointer, { pointer, schema: members, isPossible: schema !== false });
    pending.push(...branchPointers(pointer, members, finder));
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

const everyType: readonly JsonType[] = [
  'null',
  'boolean',
  'integer',
  'number',
  'string',
  'array',
  'object',
];

function mergeTypes(parts: readonly Part[]): readonly JsonType[] {
  if (parts.some((part) => !part.isPossible)) return [];
  return parts.reduce<readonly JsonType[]>(
    (types, { schema }) => types.filter((type) => allowsType(schema.type, type)),
    everyType,
  );
}

function allowsType(allowed: JsonValue | undefined, type: JsonType): boolean {
  if (allowed === undefined) return true;
  const names = isJsonArray(allowed) ? allowed : [allowed];
  return names.includes(type) || (type === 'integer' && names.includes('number'));
}

function mergeValues(schemas: readonly JsonObject[]): readonly JsonValue[] | undefined {
  const lists = schemas.flatMap((schema) => [
    ...(isJsonArray(schema.enum) ? [schema.enum] : []),
    ...(schema.const === undefined ? [] : [[schema.const]]),
  ]);
  const [first, ...others] = lists;
  return first?.filter((value) =>
    others.every((list) => list.some((other) => jsonEquals(other, value))),
  );
}

function mergeNumbers(
  schemas: readonly JsonObject[],
): Pick<Shape, 'minimum' | 'maximum' | 'multipleOf'> {
  const multiple = schemas
    .map((schema) => schema.multipleOf)
    .find((value) => typeof value === 'number');
  return {
    minimum: tightest(boundsOf(schemas, 'minimum', 'exclusiveMinimum'), 1),
    maximum: tightest(boundsOf(schemas, 'maximum', 'exclusiveMaximum'), -1),
    multipleOf: multiple,
  };
}

function boundsOf(
  schemas: readonly JsonObject[],
  inclusive: string,
  exclusive: string,
): readonly Bound[] {
  return schemas.flatMap((schema) => [
    ...boundOf(schema[inclusive], false),
    ...boundOf(schema[exclusive], true),
  ]);
}

function boundOf(value: JsonValue | undefined, exclusive: boolean): readonly Bound[] {
  return typeof value === 'number' || typeof value === 'bigint' ? [{ value, exclusive }] : [];
}

/** The bound that leaves the fewest values: the greatest for direction 1, the least for -1. */
function tightest(bounds: readonly Bound[], direction: 1 | -1): Bound | undefined {
  const ordered = bounds.toSorted(
    (left, right) =>
      direction * compareNumbers(right.value, left.value) ||
      Number(right.exclusive) - Number(left.exclusive),
  );
  return ordered[0];
}

function mergeStrings(
  schemas: readonly JsonObject[],
): Pick<Shape, 'minLength' | 'maxLength' | 'pattern'> {
  return {
    minLength: greatest(schemas, 'minLength'),
    maxLength: least(schemas, 'maxLength'),
    pattern: firstText(schemas, 'pattern'),
  };
}

function mergeObject(
  parts: readonly Part[],
  source: NodeSource,
): Pick<Shape, 'properties' | 'required' | 'additional'> {
  return {
    properties: mergeProperties(parts, source),
    required: new Set(
      parts.flatMap(({ schema }) =>
        listOf(schema.required).filter((name) => typeof name === 'string'),
      ),
    ),
    additional: mergeAdditional(parts, source),
  };
}

function mergeProperties(
  parts: readonly Part[],
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
  return new Map([...pointers].map(([name, places]) => [name, source.intersection(places)]));
}

function mergeAdditional(parts: readonly Part[], source: NodeSource): SchemaNode | boolean {
  const places = parts.flatMap((part) =>
    ['additionalProperties', 'unevaluatedProperties'].map((name) => ({ name, part })),
  );
  const stated = places.filter(
    ({ name, part }) => part.schema[name] !== undefined && part.schema[name] !== true,
  );
  if (stated.some(({ name, part }) => part.schema[name] === false)) return false;
  if (stated.length === 0) return true;
  return source.intersection(stated.map(({ name, part }) => appendPointer(part.pointer, name)));
}

function mergeArray(
  parts: readonly Part[],
  source: NodeSource,
): Pick<Shape, 'items' | 'minItems' | 'maxItems' | 'uniqueItems'> {
  const schemas = parts.map((part) => part.schema);
  const places = parts
    .filter(({ schema }) => schema.items !== undefined)
    .map(({ pointer }) => appendPointer(pointer, 'items'));
  return {
    items: places.length === 0 ? undefined : source.intersection(places),
    minItems: greatest(schemas, 'minItems'),
    maxItems: least(schemas, 'maxItems'),
    uniqueItems: schemas.some((schema) => schema.uniqueItems === true),
  };
}

/** Of the first union only: further ones stay with the validator. */
function alternativesOf(parts: readonly Part[], source: NodeSource): readonly SchemaNode[] {
  const places = parts.flatMap((part) => ['oneOf', 'anyOf'].map((name) => ({ name, part })));
  const union = places.find(({ name, part }) => isJsonArray(part.schema[name]));
  if (union === undefined) return [];
  return listOf(union.part.schema[union.name]).map((_item, index) =>
    source.node(appendPointer(union.part.pointer, union.name, index)),
  );
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

function greatest(schemas: readonly JsonObject[], name: string): number | undefined {
  return numbersOf(schemas, name).toSorted((left, right) => right - left)[0];
}

function least(schemas: readonly JsonObject[], name: string): number | undefined {
  return numbersOf(schemas, name).toSorted((left, right) => left - right)[0];
}

function numbersOf(schemas: readonly JsonObject[], name: string): readonly number[] {
  return schemas.map((schema) => schema[name]).filter((value) => typeof value === 'number');
}

function firstText(schemas: readonly JsonObject[], name: string): string | undefined {
  return schemas.map((schema) => schema[name]).find((value) => typeof value === 'string');
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return isJsonArray(value) ? value : [];
}
