import type { AnySchemaObject } from 'ajv';
import {
  isJsonArray,
  isJsonObject,
  mapMembers,
  type JsonObject,
  type JsonValue,
} from '../json/value.ts';
import { appendPointer } from '../json/pointer.ts';
import { normalizeSchema, type SchemaDialect } from '../source/dialect.ts';
import type { Keyword } from './keyword/keyword.ts';
import { keywordOf } from './keywords.ts';
import { type AlikeMembers, createScales, findAlike, type Member } from './large-schema.ts';

/** Where a rewritten schema comes from. */
export interface SchemaOrigin {
  /** JSON pointer into the document. */
  readonly pointer: string;
  /** The keyword that the schema stands under; `$ref` for one that stands under none. */
  readonly applicator: string;
  /** The schema stands for those of many members: that of one is under its name at the pointer. */
  readonly isOfMembers?: boolean;
}

/** What of a large schema is compiled by itself, and rewritten no sooner. */
export interface SchemaPart {
  readonly rewrite: () => AnySchemaObject;
  /** The members that it judges an object by: one without them fits. Undefined: it may judge any value. */
  readonly names?: ReadonlySet<string>;
}

export interface SchemaRewriter {
  /** The schema of the document as the engine compiles it. */
  readonly rewrite: (schema: JsonObject | boolean, pointer: string) => AnySchemaObject;
  /** The place of a schema that `rewrite` or a part made, at any depth. */
  readonly origin: (schema: unknown) => SchemaOrigin | undefined;
  /** What a keyword of such a schema says in parts, beside what it says itself. */
  readonly parts: (schema: AnySchemaObject, keyword: string) => readonly SchemaPart[];
  /** The members that a schema under `alikeKeyword` is of. */
  readonly namesOf: (schema: object) => ReadonlySet<string>;
}

/** The keyword that stands for the schema `false`. */
export const neverKeyword = 'false';

/** The keyword of a schema that is a part. */
export const partKeyword = 'part';

/** The keyword whose schemas each judge the members of many names. */
export const alikeKeyword = 'alike';

/** Keywords of which each schema judges apart from the others. */
export const splitKeywords: readonly string[] = [
  'allOf',
  'dependentSchemas',
  'patternProperties',
  'prefixItems',
  'properties',
];

/** Those of which each schema judges only objects that have its member. */
const namedKeywords: ReadonlySet<string> = new Set(['dependentSchemas', 'properties']);

/**
 * Schemas that are compiled into one function; of what is larger, parts are compiled by themselves.
 * To make the code of ten thousand at once takes hundreds of megabytes.
 */
const mostInFunction = 400;

/** Schemas that are worth a function of their own. */
const leastPart = 3;

/**
 * Rewrites schemas for the engine: its names of keywords, `{ "false": true }` for `false`, and
 * references by `referenceId`. Annotations and unknown keywords stay behind. `most`: schemas that are
 * compiled into one function.
 */
export function createSchemaRewriter(
  dialect: SchemaDialect,
  referenceId: (reference: string) => string,
  most = mostInFunction,
): SchemaRewriter {
  const origins = new WeakMap<object, SchemaOrigin>();
  const partsOf = new WeakMap<object, Parts>();
  const namesOf = new WeakMap<object, ReadonlySet<string>>();
  const scales = createScales();

  function rewrite(schema: JsonValue, origin: SchemaOrigin): AnySchemaObject {
    if (!isJsonObject(schema)) return keep(booleanEntries(schema), origin, []);
    const isLarge = scales.weigh(schema) > most;
    const rewritten = Object.entries(normalizeSchema(schema, dialect)).flatMap(([name, value]) => {
      const keyword = keywordOf(name);
      if (value === undefined || keyword === undefined || keyword.effect !== undefined) return [];
      const inside = { pointer: appendPointer(origin.pointer, name), applicator: name };
      return isLarge && scales.weighMember(keyword, value) > most / 4
        ? rewriteLarge(keyword, value, inside, origin)
        : { name, entry: rewriteMember(keyword, value, inside, rewrite), parts: [] };
    });
    return keep(
      rewritten.map(({ entry }) => entry),
      origin,
      rewritten,
    );
  }

  function rewriteLarge(
    keyword: Keyword,
    value: JsonValue,
    inside: SchemaOrigin,
    origin: SchemaOrigin,
  ): Rewritten {
    const { name } = keyword;
    if (!splitKeywords.includes(name))
      return { name, entry: rewriteMember(keyword, value, inside, rewriteApart), parts: [] };
    const members = scales.listMembers(keyword, value);
    const { alike, others } =
      name === 'properties' ? findAlike(members, isPlain) : { alike: [], others: members };
    const parts = groupMembers(others, scales.weigh, most).map((group): SchemaPart => {
      const rewriteGroup = (): AnySchemaObject => {
        const schemas = group.map(([key, schema]): Entry => [
          key,
          rewrite(schema, { ...inside, pointer: appendPointer(inside.pointer, key) }),
        ]);
        const entry = isJsonArray(value) ? listAt(schemas) : Object.fromEntries(schemas);
        return keep([[name, entry]], origin, []);
      };
      return namedKeywords.has(name)
        ? { rewrite: rewriteGroup, names: new Set(group.map(([key]) => key)) }
        : { rewrite: rewriteGroup };
    });
    if (alike.length > 0)
      parts.unshift({
        rewrite: () => keep([[alikeKeyword, rewriteAlike(alike, inside)]], origin, []),
      });
    return { name, entry: rewriteMember(keyword, value, inside, () => true), parts };
  }

  function rewriteAlike(
    alike: readonly AlikeMembers[],
    inside: SchemaOrigin,
  ): readonly AnySchemaObject[] {
    return alike.map(({ schema, names }) => {
      const rewritten = rewrite(schema, { ...inside, isOfMembers: true });
      namesOf.set(rewritten, names);
      return rewritten;
    });
  }

  function isPlain(schema: JsonValue): boolean {
    return scales.weigh(schema) === 1;
  }

  function rewriteApart(schema: JsonValue, origin: SchemaOrigin): AnySchemaObject {
    if (scales.weigh(schema) < leastPart) return rewrite(schema, origin);
    const parts = [{ rewrite: () => rewrite(schema, origin) }];
    return keep([[partKeyword, true]], origin, [{ name: partKeyword, parts }]);
  }

  function rewriteMember(
    { name, engineName, takes }: Keyword,
    value: JsonValue,
    inside: SchemaOrigin,
    rewriteSchema: (schema: JsonValue, origin: SchemaOrigin) => AnySchemaObject | true,
  ): Entry {
    const rewriteAt = (schema: JsonValue, key: string | number): AnySchemaObject | true =>
      rewriteSchema(schema, { ...inside, pointer: appendPointer(inside.pointer, key) });
    if (name === '$ref' && typeof value === 'string') return [name, referenceId(value)];
    if (takes === 'schema') return [name, rewriteSchema(value, inside)];
    if (takes === 'schemas' && isJsonArray(value)) return [name, value.map(rewriteAt)];
    if ((takes === 'schema-map' || takes === 'pattern-map') && isJsonObject(value))
      return [name, mapMembers(value, (schema, key) => rewriteAt(schema ?? true, key))];
    return [engineName ?? name, value];
  }

  function keep(
    entries: readonly Entry[],
    origin: SchemaOrigin,
    split: readonly Omit<Rewritten, 'entry'>[],
  ): AnySchemaObject {
    const schema = liftProto(Object.fromEntries(entries));
    origins.set(schema, origin);
    const own = split.filter(({ parts }) => parts.length > 0);
    if (own.length > 0) partsOf.set(schema, new Map(own.map(({ name, parts }) => [name, parts])));
    return schema;
  }

  return {
    rewrite: (schema, pointer) => rewrite(schema, { pointer, applicator: '$ref' }),
    origin: (schema) =>
      typeof schema === 'object' && schema !== null ? origins.get(schema) : undefined,
    parts: (schema, keyword) => partsOf.get(schema)?.get(keyword) ?? [],
    namesOf: (schema) => namesOf.get(schema) ?? new Set(),
  };
}

type Entry = [name: string, value: unknown];

/** The parts of a schema by its keywords. */
type Parts = ReadonlyMap<string, readonly SchemaPart[]>;

/** A member of a schema, and what it says beside in parts. */
interface Rewritten {
  readonly name: string;
  readonly entry: Entry;
  readonly parts: readonly SchemaPart[];
}

/** Members in their order, as many together as one function takes. */
function groupMembers(
  members: readonly Member[],
  weigh: (schema: JsonValue) => number,
  most: number,
): readonly (readonly Member[])[] {
  const groups: Member[][] = [];
  let room = 0;
  for (const member of members) {
    const weight = weigh(member[1]);
    const group = weight <= room ? groups.at(-1) : undefined;
    if (group === undefined) groups.push([member]);
    else group.push(member);
    room = (group === undefined ? most : room) - weight;
  }
  return groups;
}

/** Items at their places in a list that has no others. */
function listAt(items: readonly Entry[]): unknown[] {
  const list: unknown[] = [];
  for (const [index, item] of items) list[Number(index)] = item;
  return list;
}

function booleanEntries(schema: JsonValue): Entry[] {
  return schema === false ? [[neverKeyword, true]] : [];
}

/** ajv leaves out a property named `__proto__`, but not a pattern that fits this name alone. */
function liftProto(schema: AnySchemaObject): AnySchemaObject {
  const properties: unknown = schema.properties;
  if (!isObject(properties) || !Object.hasOwn(properties, '__proto__')) return schema;
  const { ['__proto__']: proto, ...rest } = properties;
  return {
    ...schema,
    properties: rest,
    patternProperties: { ...schema.patternProperties, '^(?:__proto__)$': proto },
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
