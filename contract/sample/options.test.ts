import { describe, expect, test } from 'vitest';
import { isJsonArray, type JsonObject, renderJson } from '../json/value.ts';
import { soundRegistry } from '../../test/contract/registry.ts';
import { sampleSchema } from './sample.ts';
import { schemaNode } from '../../test/contract/schema-judges.ts';

const item = {
  type: 'object',
  required: ['id', 'name', 'secret'],
  properties: {
    id: { type: 'integer', readOnly: true },
    name: { type: 'string' },
    secret: { type: 'string', writeOnly: true },
    hint: { type: 'string', writeOnly: true },
    made: { type: 'string', format: 'date-time', readOnly: true },
    tags: {
      type: 'array',
      items: {
        type: 'object',
        properties: { id: { type: 'integer', readOnly: true }, text: { type: 'string' } },
      },
    },
  },
};

describe('a request', () => {
  test('has only the required members, without those that are readOnly', () => {
    const { value, issues } = sampleSchema(schemaNode(item), { direction: 'request' });
    expect(issues).toEqual([]);
    expect(Object.keys(value ?? {})).toEqual(['name', 'secret']);
  });

  test('has all members that are not readOnly, at any depth', () => {
    const { value } = sampleSchema(schemaNode(item), { direction: 'request', members: 'all' });
    expect(value).toMatchObject({ tags: [{ text: expect.any(String) }] });
    expect(renderJson(value)).not.toMatch(/"(id|made)"/);
  });

  test('has no readOnly members of an example', () => {
    const schema = {
      ...item,
      example: { id: 1, name: 'Max', secret: 's', made: '2026-01-01T00:00:00Z' },
    };
    const { value } = sampleSchema(schemaNode(schema), { direction: 'request', members: 'all' });
    expect(value).toEqual({ name: 'Max', secret: 's' });
  });

  test('omits what the chosen branch of a union makes readOnly', () => {
    const union = { oneOf: [{ type: 'string', enum: [] }, { $ref: '#/components/schemas/Item' }] };
    const { value } = sampleSchema(schemaNode(union, { Item: item }), { direction: 'request' });
    expect(Object.keys(value ?? {})).toEqual(['name', 'secret']);
  });
});

describe('a response', () => {
  test('has all members except optional writeOnly ones', () => {
    const { value, issues } = sampleSchema(schemaNode(item), { direction: 'response' });
    expect(issues).toEqual([]);
    expect(Object.keys(value ?? {})).toEqual(['id', 'name', 'secret', 'made', 'tags']);
  });

  test('has requested values if they fit', () => {
    const wanted = new Map([
      ['id', 42],
      ['name', 7],
      ['other', 1],
    ]);
    const { value } = sampleSchema(schemaNode(item), { direction: 'response', wanted });
    expect(value).toMatchObject({ id: 42, name: expect.any(String) });
    expect(value).not.toHaveProperty('other');
  });

  test('has requested values instead of those of an example', () => {
    const schema = { ...item, example: { id: 1, name: 'Max', secret: 's' } };
    const wanted = new Map([['id', 42]]);
    const { value } = sampleSchema(schemaNode(schema), { direction: 'response', wanted });
    expect(value).toEqual({ id: 42, name: 'Max', secret: 's' });
  });
});

test('another seed gives another value, the same seed the same', () => {
  const make = (seed: string) =>
    renderJson(sampleSchema(schemaNode(item), { direction: 'response', seed }).value);
  const texts = ['1', '2', '3', '4', '5'].map(make);
  expect(new Set(texts).size).toBe(5);
  expect(texts).toEqual(['1', '2', '3', '4', '5'].map(make));
});

test('with a seed, ids and dates of an example vary', () => {
  const schema = {
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'string', format: 'uuid', example: '3fa85f64-5717-4562-b3fc-2c963f66afa6' },
    },
  };
  const ids = ['1', '2', '3'].map((seed) =>
    renderJson(sampleSchema(schemaNode(schema), { direction: 'response', seed }).value),
  );
  expect(new Set(ids).size).toBe(3);
});

describe('a discriminator names the branch', () => {
  const pet = { type: 'object', required: ['kind'], properties: { kind: { type: 'string' } } };
  const union = (mapping?: JsonObject): JsonObject => ({
    oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
    discriminator: { propertyName: 'kind', ...(mapping && { mapping }) },
  });
  const others = {
    Cat: {
      ...pet,
      properties: { ...pet.properties, lives: { type: 'integer' } },
      additionalProperties: false,
    },
    Dog: {
      ...pet,
      required: ['kind', 'bark'],
      properties: { ...pet.properties, bark: { type: 'string' } },
      additionalProperties: false,
    },
  };

  test('by its own name', () => {
    const { value, issues } = sampleSchema(schemaNode(union(), others), { direction: 'response' });
    expect({ value, issues }).toMatchObject({ value: { kind: 'Cat' }, issues: [] });
  });

  test('by the mapping', () => {
    const mapping = { tom: '#/components/schemas/Cat', rex: 'Dog' };
    const { value } = sampleSchema(schemaNode(union(mapping), others), { direction: 'response' });
    expect(value).toMatchObject({ kind: 'tom' });
  });

  test('of the schema that inherits', () => {
    const base = {
      ...pet,
      discriminator: { propertyName: 'kind', mapping: { a: '#/components/schemas/Thing' } },
    };
    const { value } = sampleSchema(
      schemaNode(
        { allOf: [{ $ref: '#/components/schemas/Base' }, { type: 'object' }] },
        { Base: base },
      ),
      { direction: 'response' },
    );
    expect(value).toMatchObject({ kind: 'a' });
  });
});

describe('of a hostile schema', () => {
  test('that doubles at each step, the sample stays small', () => {
    const link = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    const level = (index: number, required: readonly string[]): JsonObject => ({
      type: 'object',
      required,
      properties: { a: link(`S${index - 1}`), b: link(`S${index - 1}`) },
    });
    for (const required of [[], ['a', 'b']]) {
      const levels = Array.from(
        { length: 25 },
        (_one, index) => [`S${index + 1}`, level(index + 1, required)] as const,
      );
      const node = schemaNode(link('S25'), {
        S0: { type: 'string' },
        ...Object.fromEntries(levels),
      });
      const { value } = sampleSchema(node, { direction: 'response' });
      expect(renderJson(value).length).toBeLessThan(200_000);
    }
  });

  test('that requires a million items or characters, the sample is truncated', () => {
    const items = sampleSchema(
      schemaNode({ type: 'array', items: { type: 'integer' }, minItems: 1e6 }),
      { direction: 'response' },
    );
    expect(isJsonArray(items.value)).toBe(true);
    expect(items.issues.map(({ keyword }) => keyword)).toEqual(['minItems']);
    const text = sampleSchema(schemaNode({ type: 'string', minLength: 1e6 }), {
      direction: 'response',
    });
    expect(text.issues).toEqual([]);
    const pattern = sampleSchema(schemaNode({ type: 'string', pattern: '^([a-z]{999}){999}$' }), {
      direction: 'response',
    });
    expect(typeof pattern.value).toBe('string');
  });

  test('that has hundreds of parts with hundreds of members, there is a sample', () => {
    const allOf = Array.from({ length: 600 }, (_part, part) => ({
      properties: Object.fromEntries(
        Array.from({ length: 100 }, (_one, at) => [`p${part}_${at}`, { type: 'string' }]),
      ),
      unevaluatedProperties: { type: ['string', 'integer'] },
    }));
    const node = schemaNode({ type: 'object', allOf, unevaluatedProperties: false });
    const { value, issues } = sampleSchema(node, { direction: 'response' });
    expect(issues).toEqual([]);
    expect(Object.keys(value ?? {}).length).toBeGreaterThan(10);
  });

  test('that requires itself endlessly, there is a value with its issues', () => {
    const node = schemaNode({
      type: 'object',
      required: ['next'],
      properties: { next: { $ref: '#/components/schemas/Thing' } },
    });
    const { value, issues } = sampleSchema(node, { direction: 'response' });
    expect(typeof value).toBe('object');
    expect(issues).not.toEqual([]);
  });

  test('of which a document has many, later samples take fewer steps', () => {
    const few = { type: 'object', required: ['a'], properties: { a: { type: 'boolean' } } };
    const list = { type: 'array', uniqueItems: true, minItems: 120, items: few };
    const plain = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
    const schemas = Object.fromEntries(
      Array.from({ length: 40 }, (_one, at) => [`S${at}`, { ...list, title: `${at}` }]),
    );
    const { registry } = schemaNode(plain, schemas);
    const sample = (name: string) =>
      sampleSchema(registry.node(`#/components/schemas/${name}`), { direction: 'request' });
    const first = sample('S0');
    const all = [first, ...Object.keys(schemas).slice(1).map(sample)];
    expect(first.steps).toBeGreaterThan(9000);
    expect(all.at(-1)?.steps).toBeLessThan(first.steps / 4);
    expect(all.reduce((sum, { steps }) => sum + steps, 0)).toBeLessThan(300_000);
    // A schema keeps its value, and an ordinary one is not affected.
    expect(sample('S0')).toEqual(first);
    expect(sample('Thing').issues).toEqual([]);
  });

  test('that no value fits, there is a value of its type', () => {
    const { value, issues } = sampleSchema(
      schemaNode({ type: 'string', minLength: 5, maxLength: 2 }),
      { direction: 'request' },
    );
    expect(typeof value).toBe('string');
    expect(issues).not.toEqual([]);
  });
});

test('of several schemas at once, a sample fits all', () => {
  const document = {
    openapi: '3.1.0',
    components: {
      schemas: { A: { type: 'object', required: ['a'] }, B: { type: 'object', required: ['b'] } },
    },
  };
  const registry = soundRegistry(document, 'sample');
  const both = registry.intersection(['#/components/schemas/A', '#/components/schemas/B']);
  const { value, issues } = sampleSchema(both, { direction: 'request' });
  expect(issues).toEqual([]);
  expect(Object.keys(value ?? {})).toEqual(['a', 'b']);
});
