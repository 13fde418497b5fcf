import type { JsonType } from '../../../contract/schema/keyword/keyword.ts';
import type { JsonValue } from '../../../contract/json/value.ts';
import type { SchemaNode } from '../../../contract/schema/schema-node.ts';

const valuesByFormat: ReadonlyMap<string, string> = new Map([
  ['uuid', '00000000-0000-4000-8000-000000000000'],
  ['email', 'someone@example.org'],
  ['uri', 'https://example.org/'],
]);

const valuesByType: Readonly<Record<JsonType, JsonValue>> = {
  string: '',
  integer: 0,
  number: 0,
  boolean: false,
  null: null,
  array: [],
  object: {},
};

/** The plainest value: default, example, first allowed value, the instant, else a zero. */
export function plainValue(schema: SchemaNode, now: number): JsonValue {
  const { default: byDefault, examples, values, format, minimum, types } = schema.shape();
  const known = byDefault ?? values?.[0] ?? examples[0];
  if (known !== undefined) return known;
  const instant = new Date(now).toISOString();
  if (format === 'date-time') return instant;
  if (format === 'date') return instant.slice(0, 10);
  const [type = 'null'] = types;
  if (type === 'integer' || type === 'number') return minimum?.value ?? 0;
  return valuesByFormat.get(format ?? '') ?? valuesByType[type];
}
