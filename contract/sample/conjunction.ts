import { appendPointer } from '../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { enumeration } from '../schema/keyword/any/enum.ts';
import { type } from '../schema/keyword/any/type.ts';
import type { SchemaLookup } from '../schema/schema-node.ts';

/** One schema object of several that must all hold for a value. */
export interface Part {
  readonly pointer: string;
  readonly schema: JsonObject;
}

/** Schemas of which some must hold: a keyword, and for each choice the schemas that it adds. */
interface Union {
  readonly pointer: string;
  readonly branches: readonly (readonly string[])[];
}

/** Schemas that must all hold for a value: references followed, `allOf` and choices resolved. */
export interface Conjunction {
  readonly parts: readonly Part[];
  /** True where a schema that judges in place can refuse what all parts allow. */
  readonly isIntricate: boolean;
}

/** Choices looked at for one value, of all combinations of `oneOf`, `anyOf` and `if`. */
const mostChoices = 400;

/** The conjunctions that schemas stand for, one for each combination of their unions. */
export function* listConjunctions(
  pointers: readonly string[],
  lookup: SchemaLookup,
): Generator<Conjunction> {
  let left = mostChoices;
  yield* resolve(pointers, new Set());

  function* resolve(
    chosen: readonly string[],
    resolved: ReadonlySet<string>,
  ): Generator<Conjunction> {
    left -= 1;
    const parts = collectParts(chosen, lookup);
    if (left < 0 || parts === undefined || isContradiction(parts, lookup, 2)) return;
    const unions = parts.flatMap(unionsOf);
    const open = unions.find(({ pointer }) => !resolved.has(pointer));
    if (open === undefined) {
      yield { parts, isIntricate: unions.length > 0 || parts.some(isIntricate) };
      return;
    }
    for (const branch of open.branches)
      yield* resolve([...chosen, ...branch], new Set([...resolved, open.pointer]));
  }
}

/** The schemas with those they refer to and those of `allOf`; undefined if one fits no value. */
export function collectParts(
  pointers: readonly string[],
  lookup: SchemaLookup,
): readonly Part[] | undefined {
  const parts = new Map<string, Part>();
  const pending = [...pointers];
  for (let pointer = pending.shift(); pointer !== undefined; pointer = pending.shift()) {
    if (parts.has(pointer)) continue;
    const schema = findSchema(pointer, lookup);
    if (schema === false) return undefined;
    if (schema === true) continue;
    parts.set(pointer, { pointer, schema });
    pending.push(...targetsOf(schema, lookup));
    pending.push(...listOf(schema.allOf).map((_one, at) => appendPointer(pointer, 'allOf', at)));
  }
  return [...parts.values()];
}

/** True, which says nothing, where the document has none. */
function findSchema(pointer: string, lookup: SchemaLookup): JsonObject | boolean {
  try {
    return lookup.find(pointer);
  } catch {
    return true;
  }
}

function targetsOf({ $ref: reference }: JsonObject, lookup: SchemaLookup): readonly string[] {
  try {
    return typeof reference === 'string' ? [lookup.target(reference)] : [];
  } catch {
    return [];
  }
}

function unionsOf({ pointer, schema }: Part): readonly Union[] {
  const lists = ['oneOf', 'anyOf'].flatMap((name) => {
    const branches = listOf(schema[name]);
    if (branches.length === 0) return [];
    const at = appendPointer(pointer, name);
    return [{ pointer: at, branches: branches.map((_one, index) => [appendPointer(at, index)]) }];
  });
  if (schema.if === undefined) return lists;
  const part = (name: string): readonly string[] =>
    schema[name] === undefined ? [] : [appendPointer(pointer, name)];
  return [
    ...lists,
    {
      pointer: appendPointer(pointer, 'if'),
      branches: [[...part('if'), ...part('then')], part('else')],
    },
  ];
}

const intricateKeywords = [
  'not',
  'dependentSchemas',
  'dependentRequired',
  'propertyNames',
  'unevaluatedProperties',
  'unevaluatedItems',
  'contains',
  'minProperties',
  'maxProperties',
] as const;

function isIntricate({ schema }: Part): boolean {
  return intricateKeywords.some((name) => schema[name] !== undefined);
}

/** True where what the parts say plainly fits no value, so that nothing need be built. */
function isContradiction(parts: readonly Part[], lookup: SchemaLookup, depth: number): boolean {
  const schemas = parts.map(({ schema }) => schema);
  const types = type.limit(schemas)?.value;
  const values = enumeration.limit(schemas)?.value;
  if (types?.length === 0 || values?.length === 0) return true;
  if (values !== undefined && !values.some((value) => schemas.every((one) => isOfType(value, one))))
    return true;
  if (depth === 0 || types?.includes('object') === false) return false;
  if (types === undefined || types.some((name) => name !== 'object')) {
    if (types === undefined || types.length > 1) return false;
  }
  return [...requiredOf(parts)].some((name) => {
    const pointers = memberPointers(parts, name);
    if (pointers === undefined) return true;
    if (pointers.length < 2) return false;
    const members = collectParts(pointers, lookup);
    return members === undefined || isContradiction(members, lookup, depth - 1);
  });
}

function isOfType(value: JsonValue, schema: JsonObject): boolean {
  if (schema.type === undefined) return true;
  const names = isJsonArray(schema.type) ? schema.type : [schema.type];
  return names.some((name) => typeNameFits(value, name));
}

function typeNameFits(value: JsonValue, name: JsonValue): boolean {
  if (value === null) return name === 'null';
  if (isJsonArray(value)) return name === 'array';
  if (typeof value === 'bigint') return name === 'integer' || name === 'number';
  if (typeof value === 'number')
    return name === 'number' || (name === 'integer' && Number.isInteger(value));
  return name === typeof value;
}

export function requiredOf(parts: readonly Part[]): ReadonlySet<string> {
  return new Set(
    parts.flatMap(({ schema }) =>
      listOf(schema.required).filter((name) => typeof name === 'string'),
    ),
  );
}

/** The schemas of a member by its name; undefined where none may be there. */
export function memberPointers(
  parts: readonly Part[],
  name: string,
): readonly string[] | undefined {
  const found = new Set<string>();
  const isKnown = parts.some((part) => ownPointers(part, name).length > 0);
  for (const part of parts) {
    const own = ownPointers(part, name);
    const { additionalProperties: further, unevaluatedProperties: unevaluated } = part.schema;
    for (const pointer of own) found.add(pointer);
    if (own.length === 0 && further === false) return undefined;
    if (own.length === 0 && isJsonObject(further))
      found.add(appendPointer(part.pointer, 'additionalProperties'));
    const isEvaluated = isKnown || further !== undefined;
    if (!isEvaluated && unevaluated === false) return undefined;
    if (!isEvaluated && isJsonObject(unevaluated))
      found.add(appendPointer(part.pointer, 'unevaluatedProperties'));
  }
  return [...found];
}

/** Of `properties` and `patternProperties`. */
function ownPointers({ pointer, schema }: Part, name: string): readonly string[] {
  const { properties, patternProperties } = schema;
  const named =
    isJsonObject(properties) && Object.hasOwn(properties, name)
      ? [appendPointer(pointer, 'properties', name)]
      : [];
  if (!isJsonObject(patternProperties)) return named;
  const patterned = Object.keys(patternProperties)
    .filter((pattern) => readPattern(pattern)?.test(name) === true)
    .map((pattern) => appendPointer(pointer, 'patternProperties', pattern));
  return [...named, ...patterned];
}

/** The regular expression of a pattern; undefined where it is none. */
export function readPattern(pattern: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags);
    } catch {}
  }
  return undefined;
}

export function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return isJsonArray(value) ? value : [];
}
