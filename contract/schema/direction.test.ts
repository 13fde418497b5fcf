import { describe, expect, test, vi } from 'vitest';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { Judging } from './keyword/judging.ts';
import { soundRegistry } from '../../test/contract/registry.ts';

const made = { type: 'string', readOnly: true };
const base = { properties: { id: made, name: { type: 'string' } } };

function missing(schema: JsonValue, value: JsonValue, direction: 'request' | 'response') {
  const components: JsonObject = {
    schemas: { S: schema, Base: base, Strict: { ...base, required: ['id', 'name'] } },
  };
  const registry = soundRegistry({ openapi: '3.1.0', components }, 'test.yaml');
  return registry
    .node('#/components/schemas/S')
    .validate(value, direction)
    .map(({ at, keyword }) => `${at} ${keyword}`);
}

describe('a request may lack what the server sets', () => {
  const strict = { $ref: '#/components/schemas/Strict' };
  test.each<[string, JsonValue]>([
    ['by itself', strict],
    ['by a reference', { allOf: [{ $ref: '#/components/schemas/Base' }], required: ['id'] }],
    ['by another schema', { allOf: [{ $ref: '#/components/schemas/Base' }, { required: ['id'] }] }],
    ['in a branch of oneOf', { oneOf: [strict, { type: 'null' }] }],
    ['in a branch of anyOf', { anyOf: [{ type: 'null' }, strict] }],
    ['by a union beside', { ...base, oneOf: [{ required: ['id'] }, { required: ['other'] }] }],
  ])('%s', (_name, schema) => {
    expect(missing(schema, { name: 'Rex' }, 'request')).toEqual([]);
    expect(missing(schema, { name: 'Rex' }, 'response')).toHaveLength(1);
  });

  test('and nothing else', () => {
    expect(missing(strict, {}, 'request')).toEqual(['/name required']);
    expect(missing({ oneOf: [strict, { type: 'null' }] }, {}, 'request')).toEqual([' oneOf']);
    expect(missing({ items: strict }, [{ name: 'Rex' }, {}], 'request')).toEqual([
      '/1/name required',
    ]);
  });
});

describe('members that may be missing are found in few steps', () => {
  test('a schema that applies to an object in many ways is evaluated once', () => {
    let asked = 0;
    const find = () => {
      asked += 1;
      return { readOnlyNames: new Set(['id']) };
    };
    const object = {};
    const judging = new Judging(object, 'request');
    for (let ways = 0; ways < 1_000; ways += 1) judging.noteReadOnly(object, find);
    expect(judging.mayLack(object, 'name')).toBe(false);
    expect(judging.mayLack(object, 'id')).toBe(true);
    expect(asked).toBe(2);
  });

  test('each schema of a chain is read only a few times', () => {
    const length = 300;
    const chain = Array.from({ length }, (_none, at): [string, JsonValue] => [
      `S${at}`,
      {
        allOf: at === 0 ? [base] : [{ $ref: `#/components/schemas/S${at - 1}` }],
        properties: { [`p${at}`]: { type: 'string' } },
        required: ['id', `p${at}`],
      },
    ]);
    const components = { schemas: Object.fromEntries(chain) };
    const registry = soundRegistry({ openapi: '3.1.0', components }, 'test.yaml');
    const find = vi.spyOn(registry, 'find');
    const issues = registry.node(`#/components/schemas/S${length - 1}`).validate({}, 'request');
    expect(issues).toHaveLength(length);
    expect(find.mock.calls.length).toBeLessThan(10 * length);
  });
});

describe('a discriminator chooses the branch', () => {
  const animal = (more: JsonObject): JsonObject => ({
    type: 'object',
    required: ['kind'],
    properties: { kind: { type: 'string' }, ...more },
  });
  const schemas = {
    Cat: animal({ lives: { type: 'integer' } }),
    Dog: animal({ bark: { type: 'string' } }),
  };
  const union = (more: JsonObject): JsonObject => ({
    oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
    discriminator: { propertyName: 'kind', ...more },
  });
  const issues = (schema: JsonObject, value: JsonValue): readonly string[] => {
    const components: JsonObject = { schemas: { ...schemas, S: schema } };
    const registry = soundRegistry({ openapi: '3.1.0', components }, 'test.yaml');
    const found = registry.node('#/components/schemas/S').validate(value);
    return found.map(({ at, keyword }) => `${at} ${keyword}`);
  };

  test.each([
    ['the name of a schema', {}, 'Cat', 'Dog'],
    ['the mapping', { mapping: { tom: '#/components/schemas/Cat', rex: 'Dog' } }, 'tom', 'rex'],
  ])('by %s, even if several fit', (_name, more, cat, dog) => {
    const schema = union(more);
    expect(issues(schema, { kind: cat, lives: 9 })).toEqual([]);
    expect(issues(schema, { kind: dog, bark: 'loud' })).toEqual([]);
    expect(issues(schema, { kind: cat, lives: 'nine' })).toEqual(['/lives type']);
    expect(issues(schema, {})).toEqual([' oneOf']);
  });

  // OpenAPI 3.1.1, Discriminator Object: a mapping adds names, and replaces only those that it lists.
  test('by the name of a schema that the mapping does not list', () => {
    const schema = union({ mapping: { tom: 'Cat', Dog: 'Cat' } });
    expect(issues(schema, { kind: 'Cat', lives: 'nine' })).toEqual(['/lives type']);
    expect(issues(schema, { kind: 'Dog', lives: 'nine' })).toEqual(['/lives type']);
    expect(issues(schema, { kind: 'Cat', lives: 9 })).toEqual([]);
  });

  test('if it names none, any branch may match', () => {
    expect(issues(union({}), { kind: 'cow' })).toEqual([]);
    expect(issues(union({}), { kind: 1 })).toEqual([' oneOf']);
  });
});
