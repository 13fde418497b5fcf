import { fullFormats } from 'ajv-formats/dist/formats.js';
import { describe, expect, test } from 'vitest';
import type { SchemaNode, Shape } from './schema-node.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { soundRegistry } from '../../test/contract/registry.ts';

function nodeOf(schema: JsonValue, schemas: JsonObject = {}, openapi = '3.1.0'): SchemaNode {
  return soundRegistry({ openapi, schema, components: { schemas } }, 'pets.yaml').node('#/schema');
}

const shapeOf = (schema: JsonValue, schemas: JsonObject = {}, openapi = '3.1.0'): Shape =>
  nodeOf(schema, schemas, openapi).shape();

function property(shape: Shape, name: string): SchemaNode {
  const node = shape.properties.get(name);
  if (node === undefined) throw new Error(`no property ${name}`);
  return node;
}

const error = {
  type: 'object',
  required: ['status'],
  properties: { status: { type: 'integer' }, code: { type: 'string' } },
};

describe('types', () => {
  test.each<[string, JsonValue, readonly string[]]>([
    ['none said', {}, ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object']],
    ['one', { type: 'string' }, ['string']],
    ['a number may be an integer', { type: 'number' }, ['integer', 'number']],
    [
      'an intersection',
      { type: ['string', 'number'], allOf: [{ type: ['integer', 'null'] }] },
      ['integer'],
    ],
    ['nothing', { allOf: [{ type: 'string' }, { type: 'null' }] }, []],
    ['false', { allOf: [false] }, []],
  ])('%s', (_name, schema, types) => expect(shapeOf(schema).types).toEqual(types));

  test('of OpenAPI 3.0', () => {
    expect(shapeOf({ type: 'string', nullable: true }, {}, '3.0.3').types).toEqual([
      'null',
      'string',
    ]);
  });
});

test('a value made to break a format breaks it, and there is none for an unknown format', () => {
  const known = Object.keys(fullFormats);
  const wrongOf = (format: string): readonly JsonValue[] => {
    const node = nodeOf({ type: 'string', format });
    const wrong =
      node
        .shape()
        .limits()
        .find(({ facet }) => facet === 'format')
        ?.wrong?.() ?? [];
    const values = wrong.map(({ value }) => value);
    expect(values.filter((value) => node.validate(value).length === 0)).toEqual([]);
    return values;
  };
  const unbreakable = known.filter((format) => wrongOf(format).length === 0);
  expect(unbreakable).toEqual(['int32', 'int64', 'float', 'double', 'password', 'binary']);
  expect(wrongOf('enum')).toEqual([]);
});

describe('several schemas', () => {
  test('are merged through references and allOf', () => {
    const shape = shapeOf(
      {
        allOf: [
          { $ref: '#/components/schemas/Error' },
          { properties: { status: { const: 401 }, more: {} }, required: ['more'] },
        ],
      },
      { Error: error },
    );
    expect([...shape.required].toSorted()).toEqual(['more', 'status']);
    expect([...shape.properties.keys()].toSorted()).toEqual(['code', 'more', 'status']);
    expect(shape.types).toEqual(['object']);
  });

  test('of one property become one node', () => {
    const status = property(
      shapeOf(
        {
          allOf: [
            { $ref: '#/components/schemas/Error' },
            { properties: { status: { const: 401 } } },
          ],
        },
        { Error: error },
      ),
      'status',
    );
    expect(status.shape()).toMatchObject({ types: ['integer'], values: [401] });
    expect(status.validate(401)).toEqual([]);
    expect(status.validate(400).map(({ keyword }) => keyword)).toEqual(['const']);
    expect(
      status
        .validate('401')
        .map(({ keyword }) => keyword)
        .toSorted(),
    ).toEqual(['const', 'type']);
  });

  test('with limits have the tightest', () => {
    const shape = shapeOf({
      minimum: 1,
      exclusiveMaximum: 9007199254740993n,
      maximum: 9007199254740993n,
      minLength: 1,
      maxLength: 9,
      minItems: 1,
      maxItems: 9,
      allOf: [
        {
          exclusiveMinimum: 1,
          maximum: 2n ** 60n,
          minLength: 2,
          maxLength: 8,
          minItems: 0,
          maxItems: 10,
        },
      ],
    });
    expect(shape).toMatchObject({
      minimum: { value: 1, exclusive: true },
      maximum: { value: 9007199254740993n, exclusive: true },
      minLength: 2,
      maxLength: 8,
      minItems: 1,
      maxItems: 9,
    });
  });

  test('with enums allow the intersection', () => {
    expect(
      shapeOf({ enum: ['a', 1, { b: [2n ** 60n] }], allOf: [{ enum: [{ b: [2n ** 60n] }, 1] }] })
        .values,
    ).toEqual([1, { b: [2n ** 60n] }]);
    expect(shapeOf({ const: 401 }).values).toEqual([401]);
    expect(shapeOf({ const: null }).values).toEqual([null]);
    expect(shapeOf({}).values).toBeUndefined();
  });

  test('next to a reference count', () => {
    expect(
      shapeOf(
        { $ref: '#/components/schemas/Count', maximum: 5, default: 3 },
        { Count: { type: 'integer', minimum: 1, default: 2 } },
      ),
    ).toMatchObject({
      types: ['integer'],
      minimum: { value: 1 },
      maximum: { value: 5 },
      default: 3,
    });
  });
});

describe('the rest', () => {
  test('additional members', () => {
    expect(shapeOf({}).additional).toBe(true);
    expect(shapeOf({ additionalProperties: true }).additional).toBe(true);
    expect(
      shapeOf({
        allOf: [{ additionalProperties: { type: 'string' } }, { unevaluatedProperties: false }],
      }).additional,
    ).toBe(false);
    const { additional } = shapeOf({ additionalProperties: { type: 'string' } });
    expect(typeof additional === 'object' && additional.pointer).toBe(
      '#/schema/additionalProperties',
    );
  });

  test('items, alternatives, annotations', () => {
    const shape = shapeOf(
      {
        items: { $ref: '#/components/schemas/A' },
        uniqueItems: true,
        oneOf: [{ $ref: '#/components/schemas/A' }, { type: 'null' }],
        examples: [1],
        example: 2,
        readOnly: true,
        format: 'uuid',
        pattern: 'a',
        multipleOf: 2,
      },
      { A: {} },
    );
    expect(shape.items?.pointer).toBe('#/components/schemas/A');
    expect(shape.alternatives.map(({ pointer }) => pointer)).toEqual([
      '#/components/schemas/A',
      '#/schema/oneOf/1',
    ]);
    expect(shape).toMatchObject({
      uniqueItems: true,
      examples: [1, 2],
      readOnly: true,
      writeOnly: false,
      format: 'uuid',
      pattern: 'a',
      multipleOf: 2,
      default: undefined,
    });
  });

  test('names of properties as they are', () => {
    const properties = JSON.parse(
      '{"__proto__":{"type":"null"},"a/b":{"type":"null"},"c%":{"type":"null"}}',
    );
    const shape = shapeOf({ properties });
    expect([...shape.properties.keys()]).toEqual(['__proto__', 'a/b', 'c%']);
    expect([...shape.properties.values()].map((node) => node.shape().types)).toEqual([
      ['null'],
      ['null'],
      ['null'],
    ]);
  });
});

test('a schema that refers to itself has a shape at every depth', () => {
  const tree = shapeOf(
    { $ref: '#/components/schemas/Tree' },
    {
      Tree: {
        type: 'object',
        properties: {
          left: { $ref: '#/components/schemas/Tree' },
          right: { allOf: [{ $ref: '#/components/schemas/Tree' }, { required: ['left'] }] },
        },
      },
    },
  );
  let shape = tree;
  for (let depth = 0; depth < 50; depth += 1)
    shape = property(shape, depth % 2 === 0 ? 'left' : 'right').shape();
  expect([...shape.required]).toEqual(['left']);
  expect(property(tree, 'left').shape()).toBe(tree);
});

test('a schema that is its own allOf has a shape, although it is invalid', () => {
  expect(shapeOf({ type: 'string', allOf: [{ $ref: '#/schema' }] }).types).toEqual(['string']);
});
