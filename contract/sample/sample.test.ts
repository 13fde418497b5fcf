import { describe, expect, test } from 'vitest';
import { objectOf, parseJson, wordOf, type JsonObject, type JsonValue } from '../json/value.ts';
import { sampleSchema, type SampleOptions } from './sample.ts';
import { judgePlainly, schemaNode } from '../../test/contract/schema-judges.ts';

const thing = { $ref: '#/components/schemas/Thing' };

type Case = readonly [name: string, schema: JsonValue, others?: JsonObject];

const partsOfFormats = [
  ['email', '@acme\\.com$'],
  ['email', '^j.*@(a|b)\\.test'],
  ['uri', '\\.pdf$'],
  ['uri', '[?&]id='],
  ['uri', '^wss?:'],
  ['date', '^19'],
  ['date', '-01$'],
  ['date-time', '\\.\\d{3}Z$'],
  ['date-time', 'T00:00:00'],
  ['hostname', '^api\\.'],
  ['hostname', '\\.internal$'],
  ['ipv4', '^10\\.'],
  ['ipv6', '^fd'],
  ['duration', '^PT'],
] as const;

const kinds: readonly Case[] = [
  ['any value', true],
  ['no keyword', {}],
  ['an integer in steps', { type: 'integer', minimum: 7, maximum: 15, multipleOf: 5 }],
  ['an integer beyond a double', { type: 'integer', minimum: 9007199254740993n }],
  ['int64 at its end', { type: 'integer', format: 'int64', minimum: 9223372036854775807n }],
  [
    'a number between exclusive bounds',
    { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
  ],
  ['a number between close bounds', { type: 'number', exclusiveMinimum: 1.1, maximum: 1.2 }],
  ['a negative number', { type: 'number', exclusiveMaximum: 0 }],
  ['a number in steps of cents', { type: 'number', minimum: 0.03, multipleOf: 0.01 }],
  ['two steps', { allOf: [{ multipleOf: 4 }, { multipleOf: 6, type: 'integer', minimum: 1 }] }],
  ['a number that is not an integer', { type: 'number', not: { type: 'integer' } }],
  ['a null', { type: 'null' }],
  ['a boolean that is not true', { type: 'boolean', not: { const: true } }],
  ['a text between lengths', { type: 'string', minLength: 30, maxLength: 31 }],
  ['an empty text', { type: 'string', maxLength: 0 }],
  ['a text of characters that take two units', { type: 'string', pattern: '^😀+$', minLength: 3 }],
  ['an enumeration with values of another type', { type: 'string', enum: [1, 'a'] }],
  ['a constant', { const: { a: [1] } }],
  ['a constant in allOf', { allOf: [{ type: 'string' }, { const: 'b' }, { enum: ['a', 'b'] }] }],
  ['base64 of a length', { type: 'string', format: 'byte', minLength: 20, maxLength: 24 }],
  ['content in base64', { type: 'string', contentEncoding: 'base64' }],
  ['a pattern beside a format', { type: 'string', format: 'uri', pattern: '^https://x\\.test/' }],
  ...partsOfFormats.map(([format, pattern]): Case => [
    `the pattern ${pattern} of a part beside the format ${format}`,
    { type: 'string', format, pattern },
  ]),
  ['an email of a length', { type: 'string', format: 'email', minLength: 40, maxLength: 60 }],
  ['a short email', { type: 'string', format: 'email', maxLength: 6 }],
  ['a long URI', { type: 'string', format: 'uri', minLength: 60, maxLength: 62 }],
  ['a short URI', { type: 'string', format: 'uri', maxLength: 10 }],
  ['an array of a length', { type: 'array', items: { type: 'integer' }, minItems: 3, maxItems: 4 }],
  ['unique items', { type: 'array', items: { enum: [1, 2, 3] }, uniqueItems: true, minItems: 3 }],
  [
    'all the values of a long enumeration',
    {
      type: 'array',
      items: { allOf: [{ enum: Array.from({ length: 90 }, (_, at) => at) }, { minimum: 10 }] },
      uniqueItems: true,
      minItems: 80,
    },
  ],
  [
    'unique booleans',
    { type: 'array', items: { type: 'boolean' }, uniqueItems: true, minItems: 2 },
  ],
  [
    'unique objects',
    {
      type: 'array',
      uniqueItems: true,
      minItems: 3,
      items: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
    },
  ],
  ['unique texts', { type: 'array', items: { type: 'string' }, uniqueItems: true, minItems: 4 }],
  [
    'a tuple',
    {
      type: 'array',
      prefixItems: [{ type: 'string' }, { type: 'integer' }],
      items: false,
      minItems: 2,
    },
  ],
  ['a tuple without a type', { prefixItems: [{ const: 1 }, { const: 2 }] }],
  [
    'contains',
    { type: 'array', contains: { const: 5 }, minContains: 2, items: { type: 'integer' } },
  ],
  [
    'two that are contained',
    { allOf: [{ contains: { const: 5 } }, { contains: { const: 6 } }], type: 'array' },
  ],
  [
    'no more than are contained',
    {
      type: 'array',
      contains: { minimum: 5 },
      maxContains: 1,
      minItems: 3,
      items: { type: 'integer' },
    },
  ],
  ['an array without items', { type: 'array', items: false }],
  ['undeclared members', { type: 'object', required: ['id', 'of'] }],
  ['a map', { type: 'object', additionalProperties: { type: 'integer' }, minProperties: 2 }],
  [
    'a map with names',
    {
      type: 'object',
      additionalProperties: { type: 'integer' },
      propertyNames: { pattern: '^x-[a-z]{3}$' },
      minProperties: 3,
    },
  ],
  ['a map of few names', { type: 'object', propertyNames: { enum: ['a', 'b'] }, minProperties: 2 }],
  [
    'a map with patterns',
    {
      type: 'object',
      patternProperties: { '^[A-Z]{2}$': { type: 'boolean' } },
      additionalProperties: false,
      minProperties: 2,
    },
  ],
  [
    'few members',
    { type: 'object', properties: { a: {}, b: {}, c: {} }, maxProperties: 2, required: ['c'] },
  ],
  [
    'dependent members',
    {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'integer' } },
      required: ['a'],
      dependentRequired: { a: ['b'] },
    },
  ],
  [
    'dependent members that are not declared',
    {
      type: 'object',
      properties: { a: { type: 'string' } },
      dependentRequired: { a: ['b'] },
      additionalProperties: false,
    },
  ],
  [
    'dependent schemas',
    {
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
      dependentSchemas: { a: { required: ['c'], properties: { c: { type: 'null' } } } },
    },
  ],
  [
    'a long chain of schemas that members ask for',
    {
      type: 'object',
      required: ['p0'],
      dependentSchemas: Object.fromEntries(
        Array.from({ length: 100 }, (_one, at) => [`p${at}`, { required: [`p${at + 1}`] }]),
      ),
    },
  ],
  [
    'a member that must not be there',
    { type: 'object', properties: { a: { type: 'string' }, b: false } },
  ],
  [
    'not one of two',
    { type: 'object', properties: { a: {}, b: {} }, not: { required: ['a', 'b'] } },
  ],
  [
    'not a member of a value',
    {
      type: 'object',
      properties: { a: { enum: [1, 2] } },
      required: ['a'],
      not: { properties: { a: { const: 1 } } },
    },
  ],
  [
    'closed members across allOf',
    {
      allOf: [{ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }],
      properties: { b: { type: 'integer' } },
      unevaluatedProperties: false,
    },
  ],
  [
    'closed in one part',
    {
      allOf: [
        { properties: { a: {}, b: {} }, additionalProperties: false },
        { properties: { c: {} } },
      ],
      type: 'object',
      required: ['a'],
    },
  ],
  ['exactly one of overlapping numbers', { oneOf: [{ type: 'integer' }, { type: 'number' }] }],
  [
    'exactly one of overlapping objects',
    {
      oneOf: [
        { type: 'object', properties: { a: { type: 'string' } } },
        { type: 'object', properties: { b: { type: 'string' } } },
      ],
    },
  ],
  ['exactly one of steps', { type: 'integer', oneOf: [{ multipleOf: 2 }, { multipleOf: 3 }] }],
  [
    'exactly one required',
    {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
    },
  ],
  [
    'any of',
    {
      type: 'object',
      properties: { a: {}, b: {} },
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
    },
  ],
  [
    'a union in a union',
    {
      oneOf: [
        {
          oneOf: [
            { type: 'string', maxLength: 2 },
            { type: 'string', minLength: 2 },
          ],
        },
        { type: 'string', maxLength: 4 },
      ],
    },
  ],
  [
    'unions beside each other',
    {
      allOf: [
        { oneOf: [{ required: ['a'] }, { required: ['b'] }] },
        { oneOf: [{ required: ['b'] }, { required: ['c'] }] },
      ],
      type: 'object',
      properties: { a: { const: 1 }, b: { const: 2 }, c: { const: 3 } },
    },
  ],
  [
    'a condition',
    parseJson(`{
      "type": "object", "required": ["kind"], "properties": {"kind": {"enum": ["x", "y"]}},
      "if": {"properties": {"kind": {"const": "x"}}},
      "then": {"required": ["a"], "properties": {"a": {"type": "integer"}}},
      "else": {"required": ["b"]}
    }`),
  ],
  [
    'a condition that must not hold',
    parseJson('{"type": "integer", "if": {"minimum": 1}, "then": false}'),
  ],
  ['nullable', { type: ['string', 'null'], minLength: 1 }],
  [
    'itself in an array',
    {
      type: 'object',
      required: ['children'],
      properties: { children: { type: 'array', items: thing } },
    },
  ],
  [
    'itself or null',
    {
      type: 'object',
      required: ['next'],
      properties: { next: { oneOf: [thing, { type: 'null' }] } },
    },
  ],
  [
    'itself or a text',
    {
      type: 'object',
      required: ['next'],
      properties: { next: { anyOf: [thing, { type: 'string' }] } },
    },
  ],
  ['itself if one wishes', { type: 'object', properties: { next: thing } }],
  ['itself by a map', { type: 'object', additionalProperties: thing }],
  [
    'inheritance',
    {
      allOf: [
        { $ref: '#/components/schemas/Base' },
        { properties: { b: { type: 'integer' } }, required: ['b'] },
      ],
    },
    {
      Base: {
        type: 'object',
        required: ['kind'],
        properties: { kind: { type: 'string' } },
        discriminator: { propertyName: 'kind' },
      },
    },
  ],
  [
    'an example that does not fit',
    { type: 'string', maxLength: 3, example: 'too long', default: 'also too long' },
  ],
  [
    'a bad example of an object',
    {
      type: 'object',
      required: ['a'],
      properties: { a: { type: 'integer' } },
      example: { a: 'x' },
    },
  ],
];

const patterns = [
  '^[a-z]{3,5}-\\d+$',
  '^(foo|bar)(baz)?$',
  '[A-Z]{2}',
  '^\\+?[1-9]\\d{1,14}$',
  '^(?=.*\\d)(?=.*[a-z])(?=.*[A-Z]).{8,}$',
  '^(?!admin)\\w{3,}$',
  '^\\p{Lu}\\p{Ll}+$',
  '^[^\\s]+$',
  '^.*$',
  '^$',
  '^(a|b){3}\\1$',
  '^#(?<hex>[0-9a-f]{6})$',
  '^[\\w.-]+@[\\w.-]+\\.\\w{2,}$',
  '^[\\u4e00-\\u9fa5]{2,}$',
  '^\\S+\\s\\S+$',
  '^(\\d{4})-(0[1-9]|1[0-2])$',
  '^[A-Za-z0-9+/]*={0,2}$',
  '^arn:aws:[a-z]+:[^:]*:\\d{12}:.+$',
  '^[^/]{1,10}/[^/]{1,10}$',
  '^a{2,}b{3}$',
  '^\\/[^\\/]*$',
  '^(?:[a-z]+\\.)+[a-z]{2,}$',
  '^[-\\]]+$',
  '\\bfoo\\b',
  '^[a-zA-Z][a-zA-Z0-9_-]{0,62}[a-zA-Z0-9]$',
  '^(([0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])\\.){3}([0-9]|25[0-5])$',
  '^(?!.*--)[a-z-]{4,}$',
  '^[\\x20-\\x7e]{4}$',
  '^x(?<=x)y$',
];

const formats = [
  'date-time',
  'date',
  'time',
  'duration',
  'email',
  'idn-email',
  'hostname',
  'idn-hostname',
  'ipv4',
  'ipv6',
  'uri',
  'uri-reference',
  'iri',
  'iri-reference',
  'uuid',
  'uri-template',
  'json-pointer',
  'relative-json-pointer',
  'regex',
  'byte',
  'binary',
  'password',
  'int32',
  'int64',
  'float',
  'double',
  'unheard-of',
];

const schemas: readonly Case[] = [
  ...kinds,
  ...patterns.map((pattern): Case => [`the pattern ${pattern}`, { type: 'string', pattern }]),
  ...formats.map((format): Case => [`the format ${format}`, { type: 'string', format }]),
  [
    'a pattern of a length',
    { type: 'string', pattern: '^[a-z0-9-]+$', minLength: 36, maxLength: 36 },
  ],
  [
    'a pattern without ends of a length',
    { type: 'string', pattern: '[0-9]', minLength: 12, maxLength: 13 },
  ],
  ['two patterns', { allOf: [{ pattern: '^[a-z]+$' }, { pattern: 'q' }], type: 'string' }],
];

const ways: readonly SampleOptions[] = [
  { direction: 'response' },
  { direction: 'response', members: 'required' },
  { direction: 'request' },
  { direction: 'request', members: 'all', seed: 'b' },
  { direction: 'response', seed: 'a' },
];

describe('a sample fits, also by an independent judge', () => {
  test.each(schemas.map(([name, schema, others = {}]) => ({ name, schema, others })))(
    '$name',
    ({ schema, others }) => {
      const node = schemaNode(schema, others);
      for (const way of ways) {
        const { value, issues } = sampleSchema(node, way);
        expect({ way, value, issues }).toEqual({ way, value, issues: [] });
        expect({ value, faults: judgePlainly(schema, value, others) }).toEqual({
          value,
          faults: [],
        });
        expect(sampleSchema(node, way).value).toEqual(value);
      }
    },
  );
});

test.each(['string', 'integer'])(
  'nothing is changed before it was created: dates as %s',
  (type) => {
    const names = ['createdAt', 'start_date', 'updated_at', 'lastLoginAt', 'expiresAt', 'Created'];
    const format = { string: 'date-time', integer: 'int64' }[type];
    const properties = Object.fromEntries(names.map((name) => [name, { type, format }]));
    const years = ['1', '2', '3'].map((seed) => {
      const node = schemaNode({ type: 'object', required: names, properties });
      const { value } = sampleSchema(node, { direction: 'response', seed });
      return Object.values(objectOf(value)).map((date) =>
        new Date(typeof date === 'number' ? date * 1000 : wordOf(date)).getUTCFullYear(),
      );
    });
    const inOrder = [2025, 2025, 2026, 2026, 2027, 2025];
    expect(years).toEqual([inOrder, inOrder, inOrder]);
  },
);

test('a member that no value fits leaves steps for the others', () => {
  const members = Object.fromEntries(Array.from('abcdef', (name) => [name, { type: 'string' }]));
  const branch = { type: 'object', properties: members };
  const node = schemaNode({
    type: 'object',
    required: ['event', 'id', 'at'],
    properties: {
      event: { oneOf: Array.from({ length: 25 }, () => branch) },
      id: { type: 'integer' },
      at: { type: 'object', required: ['day'], properties: { day: { type: 'string' } } },
    },
  });
  const { value, issues } = sampleSchema(node, { direction: 'response' });
  expect(value).toMatchObject({ id: 1, at: { day: expect.any(String) } });
  expect(issues.map(({ at }) => at)).toEqual(['/event']);
});

test.each([
  ['positive, of 16 bits', { type: 'integer', minimum: -32768, maximum: 32767 }, 1, 32767],
  ['positive, of a number', { type: 'number', minimum: -100, maximum: 100 }, 1, 100],
  ['negative, where none is positive', { type: 'integer', minimum: -9, maximum: -3 }, -9, -3],
  ['a multiple', { type: 'integer', minimum: -50, maximum: 50, multipleOf: 10 }, 10, 50],
  ['from its minimum on', { type: 'integer', minimum: 5, maximum: 8 }, 5, 8],
])('a sample of a range is %s', (_name, schema, least, most) => {
  for (const way of [{}, { seed: 'a' }, { seed: 'b' }, { seed: 'c' }]) {
    const { value } = sampleSchema(schemaNode(schema), { direction: 'response', ...way });
    expect(value).toBeGreaterThanOrEqual(least);
    expect(value).toBeLessThanOrEqual(most);
  }
});
