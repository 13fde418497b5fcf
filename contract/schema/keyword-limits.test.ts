import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { soundRegistry } from '../../test/contract/registry.ts';
import { keywords } from './keywords.ts';

/** A schema for every keyword that shows in a shape. */
const schemas: Readonly<Record<string, JsonObject>> = {
  type: { type: 'integer' },
  format: { format: 'int32', type: 'integer' },
  enum: { enum: ['a', 'B'] },
  minimum: { minimum: 3 },
  maximum: { maximum: 2n ** 63n },
  multipleOf: { multipleOf: 0.5 },
  minLength: { minLength: 3 },
  maxLength: { maxLength: 3 },
  pattern: { pattern: '^a$' },
  minItems: { minItems: 2 },
  maxItems: { maxItems: 2 },
  uniqueItems: { uniqueItems: true },
  minProperties: { minProperties: 1 },
  maxProperties: { maxProperties: 0 },
  additionalProperties: { additionalProperties: false },
};

test('every keyword of a shape has a schema in this test', () => {
  const names = keywords.flatMap(({ name, limit }) => (limit === undefined ? [] : [name]));
  expect(Object.keys(schemas)).toEqual(names);
});

test.each(Object.entries(schemas))(
  '%s: edge values are valid, wrong values are not',
  (name, schema) => {
    const node = soundRegistry({ openapi: '3.1.0', schema }, 'cases').node('#/schema');
    const limit = keywords.find((keyword) => keyword.name === name)?.limit?.(node.shape());
    const isFit = (value: JsonValue): boolean => node.validate(value).length === 0;
    expect(limit?.edges?.().filter((value) => !isFit(value)) ?? []).toEqual([]);
    expect(limit?.wrong?.().filter(({ value }) => isFit(value)) ?? []).toEqual([]);
  },
);
