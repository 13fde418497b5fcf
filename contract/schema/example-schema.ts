import { parsePointer } from '../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { createStringTest } from './keyword/string-format.ts';
import { type SchemaNode, SchemaRegistry } from './schema-node.ts';

/** Most examples of a schema that is derived from examples. */
const maxShown = 3;

/**
 * A schema derived from examples, for the mock to store items: members may be missing, null or additional.
 * `pointer`: of the examples in the document.
 */
export function schemaOfExamples(pointer: string, examples: readonly JsonValue[]): SchemaNode {
  const tokens = parsePointer(pointer);
  const holder = tokens.reduceRight<JsonObject>(
    (value, token) => ({ [token]: value }),
    describeValues(examples),
  );
  const document = { ...holder, openapi: '3.1.0' };
  return new SchemaRegistry(document, 'examples', () => {}).node(pointer);
}

/** A schema that all of the values match. */
function describeValues(values: readonly JsonValue[]): JsonObject {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return {};
  const objects = known.filter(isJsonObject);
  const items = known.filter(isJsonArray).flat();
  const members = objects.flatMap((object) => Object.entries(object));
  const properties = [...Map.groupBy(members, ([name]) => name)].map(([name, found]) => {
    const each = found.map(([, member]) => member).filter((member) => member !== undefined);
    return [name, describeValues(each)] as const;
  });
  return {
    type: [...new Set(known.map(typeName)), 'null'],
    examples: known.slice(0, maxShown),
    ...(objects.length > 0 && { properties: Object.fromEntries(properties) }),
    ...(known.some(isJsonArray) && { items: describeValues(items) }),
    ...(known.every(isDateTime) && { format: 'date-time' }),
  };
}

/** An integer in an example does not exclude fractions. */
function typeName(value: JsonValue): string {
  if (isJsonArray(value)) return 'array';
  return typeof value === 'bigint' ? 'number' : typeof value;
}

function isDateTime(value: JsonValue): boolean {
  return typeof value === 'string' && createStringTest('date-time')?.(value) === true;
}
