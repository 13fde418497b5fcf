import { expect, test } from 'vitest';
import { createSchemaRegistry } from './registry.ts';

/** The engine compiles it, and its code fails at an object. */
const S = {
  allOf: [{ patternProperties: { '^cc$': {} }, if: { allOf: [{ additionalProperties: false }] } }],
};

test('a schema whose compiled code fails judges nothing, and that is told once', () => {
  const told: string[] = [];
  const registry = createSchemaRegistry(
    { openapi: '3.1.0', components: { schemas: { S } } },
    'pets.yaml',
    (pointer, reason) => told.push(`${pointer} ${reason}`),
  );
  const node = registry.node('#/components/schemas/S');
  expect([{ cc: 1 }, { a: 1 }, 'text'].map((value) => node.validate(value))).toEqual([[], [], []]);
  expect(told).toEqual([expect.stringContaining('#/components/schemas/S cannot be judged by: ')]);
});

test('no value makes validation throw where nobody is told either', () => {
  const registry = createSchemaRegistry(
    { openapi: '3.1.0', components: { schemas: { S } } },
    'pets.yaml',
  );
  expect(registry.node('#/components/schemas/S').validate({ a: 1 })).toEqual([]);
});
