import { expect, test } from 'vitest';
import { createSchemaRegistry } from './registry.ts';

/** The engine compiles it where a document has an `unevaluated*`, and its code fails at an object. */
const U = { unevaluatedProperties: false };
const S = {
  allOf: [{ patternProperties: { '^cc$': {} }, if: { allOf: [{ additionalProperties: false }] } }],
};

test('a schema whose compiled code fails judges nothing, and that is told once', () => {
  const told: string[] = [];
  const registry = createSchemaRegistry(
    { openapi: '3.1.0', components: { schemas: { S, U } } },
    'pets.yaml',
    (pointer, reason) => told.push(`${pointer} ${reason}`),
  );
  const node = registry.node('#/components/schemas/S');
  expect([{ cc: 1 }, { a: 1 }, 'text'].map((value) => node.validate(value))).toEqual([[], [], []]);
  expect(told).toEqual([expect.stringContaining('#/components/schemas/S cannot be judged by: ')]);
});

test('no value makes validation throw where nobody is told either', () => {
  const registry = createSchemaRegistry(
    { openapi: '3.1.0', components: { schemas: { S, U } } },
    'pets.yaml',
  );
  expect(registry.node('#/components/schemas/S').validate({ a: 1 })).toEqual([]);
});
