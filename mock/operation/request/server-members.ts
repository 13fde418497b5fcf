import {
  type Issue,
  type JsonObject,
  type JsonValue,
  type SchemaNode,
  type Shape,
  isJsonArray,
  isJsonObject,
  sampleSchema,
} from '../../../contract/index.ts';

/** Values are looked into so deep. */
const mostDepth = 12;

/**
 * What a value of a request breaks of its schema. Members that are `readOnly` are the server's to
 * set, so that none of them is missing, required or not (OpenAPI 3.1, Schema Object).
 */
export function validateRequestValue(value: JsonValue, schema: SchemaNode): readonly Issue[] {
  const issues = schema.validate(value);
  if (!issues.some(({ keyword }) => keyword === 'required')) return issues;
  const filled = fill(value, schema, 0);
  return filled === value ? issues : schema.validate(filled);
}

/**
 * The value with the required members in it that are the server's to set, wherever one fits; the
 * same value where there are none.
 */
function fill(value: JsonValue, schema: SchemaNode, depth: number): JsonValue {
  if (depth > mostDepth || typeof value !== 'object' || value === null) return value;
  const shape = schema.shape();
  const own = fillBy(value, shape, depth);
  if (shape.alternatives.length === 0 || schema.validate(own).length === 0) return own;
  const others = shape.alternatives.map((alternative) => fill(own, alternative, depth + 1));
  return others.find((other) => schema.validate(other).length === 0) ?? own;
}

function fillBy(value: JsonValue, shape: Shape, depth: number): JsonValue {
  if (isJsonArray(value)) {
    const { items } = shape;
    if (items === undefined) return value;
    const filled = value.map((item) => fill(item, items, depth + 1));
    return filled.every((item, index) => item === value[index]) ? value : filled;
  }
  return isJsonObject(value) ? fillMembers(value, shape, depth) : value;
}

function fillMembers(value: JsonObject, shape: Shape, depth: number): JsonObject {
  const { properties, required, additional } = shape;
  const sent = Object.entries(value).map(([name, member]): readonly [string, JsonValue] => {
    const schema =
      properties.get(name) ?? (typeof additional === 'boolean' ? undefined : additional);
    return [
      name,
      schema === undefined ? (member ?? null) : fill(member ?? null, schema, depth + 1),
    ];
  });
  const missing = [...required].flatMap((name): readonly (readonly [string, JsonValue])[] => {
    const schema = properties.get(name);
    return Object.hasOwn(value, name) || schema?.shape().readOnly !== true
      ? []
      : [[name, sampleSchema(schema, { direction: 'response' }).value]];
  });
  const isSame = missing.length === 0 && sent.every(([name, member]) => member === value[name]);
  return isSame ? value : Object.fromEntries([...sent, ...missing]);
}
