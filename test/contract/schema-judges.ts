import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { JsonObject, JsonValue } from '../../contract/json/value.ts';
import { SchemaRegistry } from '../../contract/schema/schema-node.ts';
import type { SchemaNode } from '../../contract/schema/schema-node.ts';

/** For tests: the schema `Thing` of a small document whose other schemas it may refer to. */
export function schemaNode(thing: JsonValue | undefined, schemas: JsonObject = {}): SchemaNode {
  const document = { openapi: '3.1.0', components: { schemas: { Thing: thing, ...schemas } } };
  return new SchemaRegistry(document, 'sample', () => {}).node('#/components/schemas/Thing');
}

/** For tests: the errors that plain ajv, an independent judge, finds in a value of `Thing`. */
export function judgePlainly(
  thing: JsonValue | undefined,
  value: JsonValue,
  schemas: JsonObject = {},
): readonly string[] {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true, logger: false });
  for (const [name, format] of Object.entries(fullFormats)) ajv.addFormat(name, format);
  ajv.addSchema(toPlain({ components: { schemas: { Thing: thing, ...schemas } } }), 'document');
  const validate = ajv.compile({ $ref: 'document#/components/schemas/Thing' });
  const plain = toPlain(value);
  return validate(plain)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** With doubles for integers of any size. */
function toPlain(value: JsonValue): Record<string, unknown> {
  return JSON.parse(
    JSON.stringify(value, (_name, member: unknown) =>
      typeof member === 'bigint' ? Number(member) : member,
    ),
  );
}
