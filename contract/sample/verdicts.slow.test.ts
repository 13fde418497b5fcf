import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { createDraw } from './random.ts';
import { judgePlainly, schemaNode } from '../../test/contract/sample/judges.ts';
import { drawValue, drawWitnessSchema } from '../../test/contract/sample/witness-schema.ts';

/** Random schemas of one batch; more batches by the environment. */
const size = 100;
const batches = Array.from(
  { length: Number(process.env['ORACLE_BATCHES'] ?? 5) },
  (_one, at) => at,
);

/** Undefined if the code that ajv generates fails itself. */
function judgeByAjv(schema: JsonObject, value: JsonValue): boolean | undefined {
  try {
    return judgePlainly(schema, value).length === 0;
  } catch {
    return undefined;
  }
}

test.each(batches)('agrees with ajv, batch %i', (batch) => {
  const verdicts = new Map<boolean | undefined, number>();
  for (let seed = 0; seed < size; seed += 1) {
    const { schema, witness } = drawWitnessSchema(`verdicts ${batch} ${seed}`);
    const node = schemaNode(schema);
    const draw = createDraw(`values ${batch} ${seed}`);
    for (const value of [witness, ...Array.from({ length: 5 }, () => drawValue(draw, 2))]) {
      const expected = judgeByAjv(schema, value);
      verdicts.set(expected, 1 + (verdicts.get(expected) ?? 0));
      if (expected === undefined) continue;
      const isFit = node.validate(value).length === 0;
      expect({ schema, value, isFit }).toEqual({ schema, value, isFit: expected });
    }
  }
  expect([...verdicts.keys()]).toEqual(expect.arrayContaining([true, false]));
});
