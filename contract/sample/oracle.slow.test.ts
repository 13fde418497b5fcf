import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../json/value.ts';
import type { SchemaNode } from '../schema/schema-node.ts';
import { sampleSchema } from './sample.ts';
import { judgePlainly, schemaNode } from '../../test/contract/sample/judges.ts';
import { drawWitnessSchema } from '../../test/contract/sample/witness-schema.ts';

/** Schemas of one batch, and batches; more by the environment. */
const size = 20;
const batches = Array.from(
  { length: Number(process.env['SAMPLE_BATCHES'] ?? 5) },
  (_one, at) => at,
);

/** By both judges; false too where ajv fails to run what it compiled. */
function fits(schema: JsonObject, node: SchemaNode, value: JsonValue): boolean {
  try {
    return node.validate(value).length === 0 && judgePlainly(schema, value).length === 0;
  } catch {
    return false;
  }
}

describe('of random schemas that a value fits', () => {
  const misses: unknown[] = [];

  test.each(batches)('samples are made, batch %i', (batch) => {
    let tried = 0;
    for (let seed = 0; tried < size; seed += 1) {
      const { schema, witness } = drawWitnessSchema(`oracle ${batch} ${seed}`);
      const node = schemaNode(schema);
      if (!fits(schema, node, witness)) continue;
      tried += 1;
      const { value, issues } = sampleSchema(node, { direction: 'response' });
      if (issues.length > 0 || !fits(schema, node, value)) misses.push({ schema, witness, value });
    }
    expect(tried).toBe(size);
  });

  test('99 % have one that fits', () => {
    const isFew = misses.length <= (batches.length * size) / 100;
    expect(isFew ? [] : misses.map((miss) => JSON.stringify(miss))).toEqual([]);
  });
});
