import { isJsonArray, type JsonObject, type JsonValue } from '../json/value.ts';

/** How the schemas of a document are read: `3.0` has its own dialect, `3.1` is JSON Schema 2020-12. */
export type SchemaDialect = '3.0' | '3.1';

export function schemaDialect(document: JsonObject): SchemaDialect {
  return typeof document.openapi === 'string' && document.openapi.startsWith('3.0') ? '3.0' : '3.1';
}

/**
 * One schema object in 2020-12. In 3.0, siblings of a `$ref` are ignored, `nullable` adds the type null (and
 * stays, because it also counts beside `allOf` and `enum`), and `exclusiveMinimum` and `exclusiveMaximum` are
 * flags.
 */
export function normalizeSchema(schema: JsonObject, dialect: SchemaDialect): JsonObject {
  if (dialect === '3.1') return schema;
  if (schema.$ref !== undefined) return { $ref: schema.$ref };
  const lower = normalizeExclusive(schema, 'minimum', 'exclusiveMinimum');
  return normalizeNullable(normalizeExclusive(lower, 'maximum', 'exclusiveMaximum'));
}

function normalizeExclusive(
  schema: JsonObject,
  inclusive: 'minimum' | 'maximum',
  exclusive: 'exclusiveMinimum' | 'exclusiveMaximum',
): JsonObject {
  if (typeof schema[exclusive] !== 'boolean') return schema;
  const { [inclusive]: limit, [exclusive]: isExclusive, ...rest } = schema;
  return limit === undefined
    ? rest
    : { ...rest, [isExclusive === true ? exclusive : inclusive]: limit };
}

function normalizeNullable(schema: JsonObject): JsonObject {
  const { nullable, type } = schema;
  return nullable === true && type !== undefined ? { ...schema, type: withNull(type) } : schema;
}

function withNull(type: JsonValue): JsonValue {
  const types = isJsonArray(type) ? type : [type];
  return types.includes('null') ? types : [...types, 'null'];
}
