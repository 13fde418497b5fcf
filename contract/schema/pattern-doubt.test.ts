import { expect, test } from 'vitest';
import type { JsonObject } from '../json/value.ts';
import { soundRegistry } from '../../test/contract/registry.ts';

/** Too long to be matched within the step limit. */
const doubtful = 'a'.repeat(5000);
const pattern = String.raw`^(\w+)[a-z]*\1$`;

function validate(schema: JsonObject, value: JsonObject): readonly string[] {
  const registry = soundRegistry(
    { openapi: '3.1.0', components: { schemas: { One: schema } } },
    'test.yaml',
  );
  const { issues, undecided } = registry.node('#/components/schemas/One').judge(value);
  const found = issues.map(({ at, keyword }) => `${at} ${keyword}`);
  return undecided === undefined ? found : [...found, `undecided: ${undecided.kind}`];
}

const undecidedByPattern = 'undecided: pattern';

test.each<[string, JsonObject]>([
  ['pattern', { pattern }],
  ['not', { not: { pattern } }],
  ['oneOf', { oneOf: [{ pattern }, { type: 'string' }] }],
  ['anyOf', { anyOf: [{ pattern }, { maxLength: 1 }] }],
])(
  '%s never refuses a text that its pattern cannot judge, and still refuses others',
  (_name, name) => {
    const schema = {
      type: 'object',
      required: ['id'],
      properties: { name, id: { type: 'integer' } },
    };
    expect(validate(schema, { id: 1, name: doubtful })).toEqual([undecidedByPattern]);
    expect(validate(schema, { id: 'x', name: doubtful })).toEqual(['/id type', undecidedByPattern]);
    expect(validate(schema, { name: doubtful })).toEqual(['/id required', undecidedByPattern]);
  },
);

test('a branch that a value breaks in another way is decided without the pattern', () => {
  const branch = { properties: { name: { pattern }, id: { type: 'integer' } } };
  const value = { id: 'x', name: doubtful };
  expect(validate({ not: branch }, value)).toEqual([]);
  expect(validate({ anyOf: [branch] }, value)).toEqual([' anyOf']);
  expect(validate({ oneOf: [branch, { required: ['id'] }] }, value)).toEqual([]);
});

test('a text that can be judged is', () => {
  const schema = { properties: { name: { pattern }, other: { not: { pattern } } } };
  expect(validate(schema, { name: 'aa', other: 'ab' })).toEqual([]);
  expect(validate(schema, { name: 'ab', other: 'aa' })).toEqual(['/name pattern', '/other not']);
});

test('names that a pattern cannot judge are never refused', () => {
  const schema = {
    patternProperties: { [pattern]: { type: 'integer' } },
    additionalProperties: false,
  };
  expect(validate(schema, { [doubtful]: 'x' })).toEqual([undecidedByPattern]);
  expect(validate(schema, { aa: 'x', '-': 1 })).toEqual(['/- additionalProperties', '/aa type']);
});
