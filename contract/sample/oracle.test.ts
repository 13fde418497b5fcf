import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../json/value.ts';
import type { SchemaNode } from '../schema/schema-node.ts';
import { sampleSchema } from './sample.ts';
import { judgePlainly, schemaNode } from './testing/judges.ts';
import { drawWitnessSchema } from './testing/witness-schema.ts';

/** Schemas tried; more by the environment, which then shows those without a sample. */
const count = Number(process.env['SAMPLE_ORACLE'] ?? 120);

/** By both judges; false too where ajv fails to run what it compiled. */
function fits(schema: JsonObject, node: SchemaNode, value: JsonValue): boolean {
  try {
    return node.validate(value).length === 0 && judgePlainly(schema, value).length === 0;
  } catch {
    return false;
  }
}

test('of random schemas that a value fits, 99 % have a sample', () => {
  let tried = 0;
  const misses: unknown[] = [];
  for (let seed = 0; tried < count; seed += 1) {
    const { schema, witness } = drawWitnessSchema(`oracle ${seed}`);
    const node = schemaNode(schema);
    if (!fits(schema, node, witness)) continue;
    tried += 1;
    const { value, issues } = sampleSchema(node, { direction: 'response' });
    if (issues.length > 0 || !fits(schema, node, value))
      misses.push({
        seed,
        schema,
        witness,
        value,
        issues: issues.map(({ at, schemaPointer }) => `${at} ${schemaPointer}`),
      });
  }
  expect({ tried, misses: misses.length > tried / 100 ? misses : [] }).toEqual({
    tried,
    misses: [],
  });
});
