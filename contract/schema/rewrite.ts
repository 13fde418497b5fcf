import type { AnySchemaObject } from 'ajv';
import {
  isJsonArray,
  isJsonObject,
  mapMembers,
  type JsonObject,
  type JsonValue,
} from '../json/value.ts';
import { appendPointer } from '../json/pointer.ts';
import { normalizeSchema, type SchemaDialect } from './dialect.ts';
import type { Keyword } from './keyword/keyword.ts';
import { keywordOf } from './keywords.ts';

/** Where a rewritten schema comes from. */
export interface SchemaOrigin {
  /** JSON pointer into the document. */
  readonly pointer: string;
  /** The keyword that the schema stands under; `$ref` for one that stands under none. */
  readonly applicator: string;
}

export interface SchemaRewriter {
  /** The schema of the document as the engine compiles it. */
  readonly rewrite: (schema: JsonObject | boolean, pointer: string) => AnySchemaObject;
  /** The place of a schema that `rewrite` made, at any depth. */
  readonly origin: (schema: unknown) => SchemaOrigin | undefined;
}

/** The keyword that stands for the schema `false`. */
export const neverKeyword = 'false';

/**
 * Rewrites schemas for the engine: its names of keywords, `{ "false": true }` for `false`, and
 * references by `referenceId`. Annotations and unknown keywords stay behind.
 */
export function createSchemaRewriter(
  dialect: SchemaDialect,
  referenceId: (reference: string) => string,
): SchemaRewriter {
  const origins = new WeakMap<object, SchemaOrigin>();

  function rewrite(schema: JsonValue, pointer: string, applicator: string): AnySchemaObject {
    const members = isJsonObject(schema)
      ? rewriteMembers(normalizeSchema(schema, dialect), pointer)
      : booleanMembers(schema);
    const rewritten: AnySchemaObject = liftProto(Object.fromEntries(members));
    origins.set(rewritten, { pointer, applicator });
    return rewritten;
  }

  function rewriteMembers(schema: JsonObject, pointer: string): Member[] {
    return Object.entries(schema).flatMap(([name, value]) => {
      const keyword = keywordOf(name);
      return value === undefined || keyword === undefined || keyword.effect !== undefined
        ? []
        : [rewriteMember(keyword, value, appendPointer(pointer, name))];
    });
  }

  function rewriteMember(
    { name, engineName, takes }: Keyword,
    value: JsonValue,
    pointer: string,
  ): Member {
    if (name === '$ref' && typeof value === 'string') return [name, referenceId(value)];
    if (takes === 'schema') return [name, rewrite(value, pointer, name)];
    if (takes === 'schemas' && isJsonArray(value))
      return [name, value.map((item, index) => rewrite(item, appendPointer(pointer, index), name))];
    if ((takes === 'schema-map' || takes === 'pattern-map') && isJsonObject(value)) {
      const rewriteOne = (schema: JsonValue | undefined, key: string): AnySchemaObject =>
        rewrite(schema ?? true, appendPointer(pointer, key), name);
      return [name, mapMembers(value, rewriteOne)];
    }
    return [engineName ?? name, value];
  }

  return {
    rewrite: (schema, pointer) => rewrite(schema, pointer, '$ref'),
    origin: (schema) =>
      typeof schema === 'object' && schema !== null ? origins.get(schema) : undefined,
  };
}

type Member = [name: string, value: unknown];

function booleanMembers(schema: JsonValue): Member[] {
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
