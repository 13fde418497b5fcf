import { describe, expect, test } from 'vitest';
import { loadContract } from '../../contract/load.ts';
import { renderJson, type JsonObject, type JsonValue } from '../../contract/json/value.ts';
import type { SchemaNode } from '../../contract/schema/schema-node.ts';
import { arbitraryOf } from './arbitrary.ts';
import { createRandom } from './random.ts';
import { maxSampleBody } from './arbitrary.ts';

/** The body schema of a one-operation document. */
async function nodeOf(schema: JsonObject): Promise<SchemaNode> {
  const document = {
    openapi: '3.1.0',
    info: { title: 'One schema', version: '1.0.0' },
    paths: {
      '/things': {
        post: {
          operationId: 'add',
          requestBody: {
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
          },
          responses: { '201': { description: 'Added.' } },
        },
      },
    },
    components: { schemas: { Thing: schema } },
  };
  const contract = await loadContract({ text: renderJson(document) });
  const node = contract.operations[0]?.requestBody?.content[0]?.schema;
  if (node === undefined) throw new Error('The document has no schema.');
  return node;
}

function draw(node: SchemaNode, count = 400): readonly JsonValue[] {
  return createRandom(7).sample(arbitraryOf(node), count, 'test');
}

function misfits(node: SchemaNode, values: readonly JsonValue[]): readonly JsonValue[] {
  return values.filter((value) => node.validate(value).length > 0);
}

const self = { $ref: '#/components/schemas/Thing' };

const schemas: readonly (readonly [name: string, schema: JsonObject])[] = [
  ['an integer of 32 bits', { type: 'integer', format: 'int32' }],
  [
    'an integer between bounds, in steps',
    { type: 'integer', minimum: -7, maximum: 50, multipleOf: 5 },
  ],
  [
    'an integer beyond a double',
    { type: 'integer', minimum: 9007199254740993n, exclusiveMaximum: 9007199254741000n },
  ],
  [
    'a number in steps of cents',
    { type: 'number', exclusiveMinimum: 0, maximum: 10, multipleOf: 0.01 },
  ],
  ['a number at one point', { type: 'number', minimum: 2.5, maximum: 2.5 }],
  ['a text between lengths', { type: 'string', minLength: 3, maxLength: 9 }],
  [
    'a text of a pattern and a length',
    { type: 'string', pattern: '^[a-z]+-[0-9]+$', maxLength: 12 },
  ],
  ...[
    'date',
    'date-time',
    'time',
    'uuid',
    'email',
    'uri',
    'ipv4',
    'ipv6',
    'hostname',
    'duration',
    'json-pointer',
  ].map((format) => [`the format ${format}`, { type: 'string', format }] as const),
  ['an enumeration', { enum: ['a', 1, null, true, { b: [] }] }],
  ['a constant', { const: 'only' }],
  ['several types', { type: ['integer', 'null', 'boolean'] }],
  ['no type at all', {}],
  ['an object without a type', { properties: { a: { type: 'string' } }, required: ['a'] }],
  [
    'unique items',
    {
      type: 'array',
      items: { type: 'integer', minimum: 1, maximum: 6 },
      uniqueItems: true,
      minItems: 2,
      maxItems: 5,
    },
  ],
  [
    'unique items of an enumeration that has just as many',
    { type: 'array', items: { enum: [1, 2, 3, '1', null] }, uniqueItems: true, minItems: 5 },
  ],
  [
    'unique items, of which there are just as many',
    { type: 'array', items: { type: 'boolean' }, uniqueItems: true, minItems: 2, maxItems: 9 },
  ],
  [
    'null, or a list of more different items than there are',
    { type: ['array', 'null'], items: { enum: [1, 2] }, uniqueItems: true, minItems: 3 },
  ],
  [
    'null, or a list that is too large',
    { type: ['array', 'null'], items: { type: 'array', minItems: 1000 }, minItems: 1000 },
  ],
  [
    'nested arrays',
    {
      type: 'array',
      items: { type: 'array', items: { type: 'boolean' }, minItems: 1 },
      maxItems: 3,
    },
  ],
  [
    'an object with further members of a kind',
    {
      type: 'object',
      properties: { a: { type: 'integer' } },
      additionalProperties: { type: 'string', maxLength: 4 },
    },
  ],
  [
    'an object with a least number of members',
    {
      type: 'object',
      minProperties: 2,
      properties: { a: { type: 'integer' }, b: { type: 'boolean' }, c: { type: 'null' } },
    },
  ],
  [
    'a union beside shared members',
    {
      type: 'object',
      required: ['kind'],
      properties: { kind: { enum: ['x', 'y'] } },
      oneOf: [
        { required: ['kind', 'x'], properties: { kind: { const: 'x' }, x: { type: 'integer' } } },
        { required: ['kind', 'y'], properties: { kind: { const: 'y' }, y: { type: 'string' } } },
      ],
    },
  ],
  ['a union of bounds', { type: 'integer', anyOf: [{ minimum: 10 }, { maximum: -10 }] }],
  [
    'an intersection',
    {
      allOf: [
        { type: 'object', required: ['a'], properties: { a: { type: 'integer', minimum: 1 } } },
        { required: ['b'], properties: { a: { maximum: 3 }, b: { type: 'string' } } },
      ],
    },
  ],
  [
    'a value that is not one of some',
    { type: 'integer', minimum: 0, maximum: 5, not: { enum: [0, 5] } },
  ],
  [
    'a schema within itself',
    {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string' }, children: { type: 'array', items: self } },
    },
  ],
  [
    'a chain that a null ends',
    {
      type: 'object',
      required: ['next'],
      properties: { next: { oneOf: [{ type: 'null' }, self] } },
    },
  ],
];

describe('every drawn value fits', () => {
  test.each(schemas)('%s', async (_name, schema) => {
    const node = await nodeOf(schema);
    expect(misfits(node, draw(node))).toEqual([]);
  });

  test('the bodies of the second document', async () => {
    const contract = await loadContract({
      file: new URL('../../fixtures/documents/books.yaml', import.meta.url).pathname,
    });
    const nodes = contract.operations.flatMap(
      ({ requestBody }) => requestBody?.content[0]?.schema ?? [],
    );
    expect(nodes).toHaveLength(3);
    for (const node of nodes) expect(misfits(node, draw(node, 200))).toEqual([]);
  });
});

describe('edge cases appear', () => {
  const edges: readonly (readonly [
    name: string,
    schema: JsonObject,
    values: readonly JsonValue[],
  ])[] = [
    ['both ends of a range', { type: 'integer', minimum: 3, maximum: 4000 }, [3, 4000]],
    [
      'what a double cannot hold',
      { type: 'integer', format: 'int64' },
      [9007199254740993n, 9223372036854775807n, -9223372036854775808n],
    ],
    [
      'the shortest and the longest text',
      { type: 'string', minLength: 2, maxLength: 80 },
      ['aa', 'a'.repeat(80)],
    ],
    ['every value of an enumeration', { enum: ['a', 'b', 'c', 'd'] }, ['a', 'b', 'c', 'd']],
    ['an empty array', { type: 'array', items: { type: 'string' } }, [[]]],
  ];
  test.each(edges)('%s', async (_name, schema, values) => {
    const drawn = new Set(draw(await nodeOf(schema), 300).map((value) => renderJson(value)));
    for (const value of values) expect(drawn).toContain(renderJson(value));
  });

  test('texts of every kind: long ones, characters beyond 16 bits, controls, spaces at the ends', async () => {
    const texts = draw(await nodeOf({ type: 'string' }), 500).map(String);
    for (const kind of [/^.{1000,}$/su, /[\u{10000}-\u{10ffff}]/u, /\p{Cc}/u, /^\s/u, /\s$/u])
      expect(texts.some((text) => kind.test(text))).toBe(true);
    expect(texts.every((text) => text.isWellFormed())).toBe(true);
  });

  test('optional members are sometimes present and sometimes absent', async () => {
    const drawn = draw(
      await nodeOf({ type: 'object', properties: { a: { type: 'integer' }, b: { type: 'null' } } }),
      100,
    ).map((value) => renderJson(Object.keys(value ?? {}).toSorted()));
    expect(new Set(drawn)).toEqual(new Set(['[]', '["a"]', '["b"]', '["a","b"]']));
  });
});

test('a schema that no value fits is reported, without an endless search', async () => {
  const node = await nodeOf({ type: 'integer', minimum: 1, maximum: 3, not: { type: 'integer' } });
  expect(() => draw(node, 1)).toThrow('no valid value could be generated for');
});

test.each<readonly [string, JsonObject]>([
  ['an enumeration', { enum: [1, 2, 3] }],
  ['an enumeration that names one value twice', { enum: [1, 2, 3, 1] }],
  ['integers', { type: 'integer', minimum: 1, maximum: 3 }],
  ['a union', { oneOf: [{ const: 1 }, { enum: [2, 3] }] }],
])('a list of more unique items than exist is reported: %s', async (_name, items) => {
  const schema = (minItems: number): JsonObject => ({
    type: 'array',
    items,
    minItems,
    uniqueItems: true,
  });
  const [sound, empty] = [await nodeOf(schema(3)), await nodeOf(schema(4))];
  expect(misfits(sound, draw(sound, 50))).toEqual([]);
  expect(() => draw(empty, 1)).toThrow(/^no valid value could be generated/);
});

test('a list of many different items is drawn', async () => {
  const items = { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } };
  for (const each of [items, { enum: Array.from({ length: 400 }, (_, at) => at) }]) {
    const node = await nodeOf({ type: 'array', uniqueItems: true, minItems: 400, items: each });
    expect(misfits(node, draw(node, 5))).toEqual([]);
  }
});

describe('a body has at most maxSampleBody characters at its smallest', () => {
  const most = maxSampleBody;
  const perValue = 16;

  test.each<readonly [string, (size: number) => JsonObject]>([
    [
      'lists within lists',
      (size) => ({
        type: 'array',
        minItems: 1000,
        items: { type: 'array', minItems: Math.floor((size - perValue) / 16_000) - 1 },
      }),
    ],
    [
      'texts of an object',
      (size) => ({
        type: 'object',
        required: ['a', 'b', 'c', 'd'],
        properties: Object.fromEntries(
          ['a', 'b', 'c', 'd'].map((name) => [
            name,
            { type: 'string', minLength: size / 4 - 2 * perValue, maxLength: size },
          ]),
        ),
      }),
    ],
    [
      'a union',
      (size) => ({
        oneOf: [
          {
            type: 'array',
            minItems: 1000,
            items: { type: 'string', minLength: Math.floor(size / 1000) - 2 * perValue },
          },
        ],
      }),
    ],
  ])('%s', async (_name, schema) => {
    const [sound, large] = [await nodeOf(schema(most)), await nodeOf(schema(most * 2))];
    expect(misfits(sound, draw(sound, 1))).toEqual([]);
    expect(() => draw(large, 1)).toThrow('no valid value could be generated for');
  });
});

test('an optional member that is too large is omitted, and the others are drawn', async () => {
  const text = { type: 'string', minLength: 4000 };
  const node = await nodeOf({
    type: 'object',
    properties: { a: { type: 'string' }, large: { type: 'array', minItems: 1000, items: text } },
  });
  const values = draw(node, 20);
  expect(misfits(node, values)).toEqual([]);
  expect(values.some((value) => Object.hasOwn(Object(value), 'a'))).toBe(true);
  expect(values.filter((value) => Object.hasOwn(Object(value), 'large'))).toEqual([]);
});

test('the same seed draws the same values', async () => {
  const node = await nodeOf({
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'integer' } },
  });
  expect(draw(node, 50)).toEqual(draw(node, 50));
});
