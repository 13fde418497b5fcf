import { expect, test } from 'vitest';
import { PublicDocument } from './document.ts';
import { SchemaJudge } from './schema-judge.ts';

const judge = (
  dialect: '3.0' | '3.1',
  schema: object,
  value: unknown,
  direction: 'request' | 'response' = 'response',
): string => {
  const schemas = { Thing: schema, Id: { type: 'integer', readOnly: true } };
  const document = new PublicDocument({ components: { schemas } }, dialect);
  return new SchemaJudge(document, direction).judge('#/components/schemas/Thing', value).kind;
};

test('nullable, booleans of exclusive bounds, and references with siblings are read as in OpenAPI 3.0', () => {
  expect(judge('3.0', { type: 'string', nullable: true }, null)).toBe('valid');
  expect(judge('3.0', { type: 'string', nullable: true, enum: ['a'] }, null)).toBe('valid');
  expect(judge('3.0', { type: 'integer', minimum: 0, exclusiveMinimum: true }, 0)).toBe('invalid');
  expect(judge('3.0', { $ref: '#/components/schemas/Id', type: 'string' }, 1)).toBe('valid');
  expect(judge('3.1', { $ref: '#/components/schemas/Id', type: 'string' }, 1)).toBe('invalid');
});

test('requests may lack what is readOnly, and responses may not', () => {
  const schema = {
    required: ['id', 'name', 'own'],
    properties: {
      id: { $ref: '#/components/schemas/Id' },
      name: { type: 'string' },
      own: { type: 'string', writeOnly: true },
    },
  };
  expect(judge('3.0', schema, { name: 'a', own: 'b' }, 'request')).toBe('valid');
  expect(judge('3.0', schema, { name: 'a', own: 'b' })).toBe('invalid');
  expect(judge('3.0', schema, { id: 1, name: 'a' })).toBe('valid');
});

test('properties may have the names of keywords', () => {
  const schema = {
    properties: {
      example: { type: 'integer' },
      nullable: { type: 'integer' },
      id: { type: 'integer' },
    },
  };
  expect(judge('3.0', schema, { example: 'x' })).toBe('invalid');
  expect(judge('3.0', schema, { nullable: 'x' })).toBe('invalid');
  expect(judge('3.0', schema, { id: 'x' })).toBe('invalid');
});

test('meaningless keywords are ignored, and the others apply', () => {
  const schema = { type: 'strange', pattern: '(?i)[', minimum: '3', enum: 'a', required: 'b' };
  expect(judge('3.1', schema, 1)).toBe('valid');
  expect(judge('3.1', { ...schema, maxLength: 1 }, 'ab')).toBe('invalid');
  expect(judge('3.0', { $ref: '#/components/schemas/Nothing' }, 1)).toBe('valid');
});

test('a pattern that takes forever is abandoned, and one of an older dialect is accepted', () => {
  expect(judge('3.1', { pattern: '^(a+)+$' }, `${'a'.repeat(40)}b`)).toBe('unknown');
  expect(judge('3.1', { pattern: String.raw`^[\w-.]+$` }, 'a-b')).toBe('valid');
  expect(judge('3.1', { pattern: String.raw`\A[a-z]+\z` }, 'a')).toBe('valid');
});
