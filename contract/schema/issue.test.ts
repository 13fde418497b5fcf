import { describe, expect, test } from 'vitest';
import type { Issue } from './schema-node.ts';
import { parseJson, type JsonValue } from '../json/value.ts';
import { soundRegistry } from '../../test/contract/registry.ts';

/** The issues of a value, with pointers relative to the schema. */
function issuesOf(
  schema: JsonValue,
  text: string,
  others: Readonly<Record<string, JsonValue>> = {},
): readonly Issue[] {
  const registry = soundRegistry({ openapi: '3.1.0', schema, ...others }, 'pets.yaml');
  return registry.node('#/schema').validate(parseJson(text));
}

describe('words', () => {
  const longText = `"${'x'.repeat(500)}"`;
  test.each<[string, JsonValue, string, string]>([
    ['type', { type: 'integer' }, '"1"', 'must be an integer, not the string "1"'],
    ['type', { type: 'integer' }, '1.5', 'must be an integer, not 1.5'],
    [
      'type',
      { type: ['string', 'null'] },
      '9007199254740993',
      'must be a string or null, not 9007199254740993',
    ],
    ['type', { type: 'object' }, '[]', 'must be an object, not an array'],
    ['type', { type: 'array' }, '{}', 'must be an array, not an object'],
    ['type', { type: 'boolean' }, 'null', 'must be true or false, not null'],
    ['type', { type: 'null' }, longText, `must be null, not the string "${'x'.repeat(59)}...`],
    [
      'enum',
      { enum: ['available', 'pending', 'sold'] },
      '"gone"',
      'must be one of "available", "pending", "sold"',
    ],
    ['enum', { enum: ['a'] }, '1', 'must be "a"'],
    ['enum', { enum: [] }, '1', 'must be left out: no value is allowed'],
    [
      'enum',
      { enum: Array.from({ length: 40 }, (_, index) => index) },
      '-1',
      'must be one of 40 values: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, ...',
    ],
    ['const', { const: 401 }, '400', 'must be 401'],
    ['const', { const: { a: [2n ** 63n] } }, '400', 'must be {"a":[9223372036854775808]}'],
    ['minimum', { minimum: 1 }, '0', 'must be at least 1'],
    ['maximum', { maximum: 100 }, '101', 'must be at most 100'],
    [
      'maximum',
      { maximum: 2n ** 63n - 1n },
      '9223372036854775808',
      'must be at most 9223372036854775807',
    ],
    ['exclusiveMinimum', { exclusiveMinimum: 0 }, '0', 'must be more than 0'],
    ['exclusiveMaximum', { exclusiveMaximum: 1 }, '1', 'must be less than 1'],
    ['multipleOf', { multipleOf: 0.5 }, '0.3', 'must be a multiple of 0.5'],
    ['minLength', { minLength: 1 }, '""', 'must have at least 1 character'],
    ['maxLength', { maxLength: 2 }, '"abc"', 'must have at most 2 characters'],
    ['pattern', { pattern: '^a' }, '"b"', 'must match the pattern ^a'],
    [
      'format',
      { format: 'int64' },
      '9223372036854775808',
      'must be a 64-bit integer (from -9223372036854775808 to 9223372036854775807)',
    ],
    [
      'format',
      { format: 'int32' },
      '2147483648',
      'must be a 32-bit integer (from -2147483648 to 2147483647)',
    ],
    ['format', { format: 'date' }, '"today"', 'must be a date, such as 2030-12-05'],
    ['format', { format: 'json-pointer' }, '"a"', 'must be in the format "json-pointer"'],
    ['minItems', { minItems: 1 }, '[]', 'must have at least 1 item'],
    ['maxItems', { maxItems: 0 }, '[1]', 'must have at most 0 items'],
    ['uniqueItems', { uniqueItems: true }, '[1,1]', 'must not have two equal items'],
    [
      'contains',
      { contains: { type: 'string' } },
      '[1,2]',
      'must have as many items that fit "contains" as the schema says',
    ],
    ['minProperties', { minProperties: 2 }, '{}', 'must have at least 2 members'],
    ['maxProperties', { maxProperties: 0 }, '{"a":1}', 'must have at most 0 members'],
    ['not', { not: {} }, '1', 'must not fit the schema under "not"'],
    [
      'anyOf',
      { anyOf: [{ type: 'string' }, { required: ['a'] }] },
      '{}',
      'must fit at least one of 2 alternatives (must be a string, not an object; /a is required)',
    ],
    [
      'oneOf',
      { oneOf: [{ type: 'string' }, { type: 'null' }] },
      '1',
      'must fit exactly one of 2 alternatives (must be a string, not 1; must be null, not 1)',
    ],
    [
      'oneOf',
      { oneOf: [{ type: 'string' }, { type: 'integer' }, { minimum: 0 }] },
      '1',
      'must fit exactly one of 3 alternatives, not both 2 and 3',
    ],
  ])('%# %s', (keyword, schema, text, message) => {
    expect(issuesOf(schema, text)).toEqual([
      { at: '', keyword, schemaPointer: `#/schema/${keyword}`, message },
    ]);
  });
});

describe('places', () => {
  test.each<[string, JsonValue, string, Partial<Issue>]>([
    [
      'a missing member',
      { required: ['a/b'] },
      '{}',
      { at: '/a~1b', schemaPointer: '#/schema/required', message: 'is required' },
    ],
    [
      'a member that another needs',
      { dependentRequired: { a: ['b'] } },
      '{"a":1}',
      { at: '/b', schemaPointer: '#/schema/dependentRequired', message: 'is required beside "a"' },
    ],
    [
      'a member too many',
      { additionalProperties: false },
      '{"a~b":1}',
      {
        at: '/a~0b',
        keyword: 'additionalProperties',
        schemaPointer: '#/schema/additionalProperties',
        message: 'is not allowed',
      },
    ],
    [
      'a member not evaluated',
      { unevaluatedProperties: false },
      '{"a":1}',
      {
        at: '/a',
        keyword: 'unevaluatedProperties',
        schemaPointer: '#/schema/unevaluatedProperties',
      },
    ],
    [
      'a forbidden member',
      { properties: { a: false } },
      '{"a":1}',
      { at: '/a', keyword: 'properties', schemaPointer: '#/schema/properties/a' },
    ],
    [
      'an item too many',
      { prefixItems: [{}], items: false },
      '[1,2]',
      { at: '/1', keyword: 'items', schemaPointer: '#/schema/items' },
    ],
    [
      'an item not evaluated',
      { prefixItems: [{}], unevaluatedItems: false },
      '[1,2]',
      { at: '/1', keyword: 'unevaluatedItems' },
    ],
    [
      'a name',
      { propertyNames: { maxLength: 1 } },
      '{"a":1,"bc":2}',
      {
        at: '/bc',
        keyword: 'maxLength',
        schemaPointer: '#/schema/propertyNames/maxLength',
        message: 'has a name that must have at most 1 character',
      },
    ],
    [
      'inside',
      { properties: { a: { items: { properties: { 'b/c': { type: 'string' } } } } } },
      '{"a":[{},{"b/c":1}]}',
      { at: '/a/1/b~1c', schemaPointer: '#/schema/properties/a/items/properties/b~1c/type' },
    ],
    [
      'then',
      JSON.parse('{"if":{},"then":{"minimum":1}}'),
      '0',
      { at: '', keyword: 'minimum', schemaPointer: '#/schema/then/minimum' },
    ],
    [
      'dependentSchemas',
      { dependentSchemas: { a: { minProperties: 2 } } },
      '{"a":1}',
      { at: '', schemaPointer: '#/schema/dependentSchemas/a/minProperties' },
    ],
    [
      '__proto__',
      { properties: { ['__proto__']: { type: 'string' } } },
      '{"__proto__":1}',
      { at: '/__proto__', schemaPointer: '#/schema/properties/__proto__/type' },
    ],
  ])('%s', (_name, schema, text, expected) => {
    const issues = issuesOf(parseJson(JSON.stringify(schema)), text);
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatchObject(expected);
  });

  test('a reference names where the keyword is defined', () => {
    const others = {
      components: {
        schemas: {
          Count: { type: 'integer' },
          Alias: { $ref: '#/components/schemas/Count' },
        },
      },
    };
    const schema = { properties: { a: { $ref: '#/components/schemas/Alias' } } };
    expect(issuesOf(schema, '{"a":"1"}', others)).toMatchObject([
      { at: '/a', schemaPointer: '#/components/schemas/Count/type' },
    ]);
  });
});

describe('a list of issues', () => {
  // Were those before each put together again, this would take a thousand times as long.
  test('may be long, for a schema behind a reference', { timeout: 60_000 }, () => {
    const text = JSON.stringify(Array.from({ length: 100_000 }, () => ''));
    const others = {
      components: { schemas: { Pet: { type: 'object', properties: { a: { $ref: '#/schema' } } } } },
    };
    const schema = { items: { $ref: '#/components/schemas/Pet' } };
    expect(issuesOf(schema, text, others)).toHaveLength(100_000);
  });

  test('has every issue', () => {
    const schema = {
      required: ['a', 'b'],
      properties: { c: { type: 'integer' }, d: { items: { type: 'string' } } },
    };
    expect(issuesOf(schema, '{"c":"","d":[1,"",2]}').map(({ at }) => at)).toEqual([
      '/a',
      '/b',
      '/c',
      '/d/0',
      '/d/2',
    ]);
  });

  test('has each issue once, even if several schemas report it', () => {
    const schema = {
      allOf: [{ $ref: '#/schema/$defs/A' }, { $ref: '#/schema/$defs/A' }, { type: 'object' }],
      $defs: { A: { type: 'object', required: ['a'] } },
    };
    expect(issuesOf(schema, '[]').map(({ schemaPointer }) => schemaPointer)).toEqual([
      '#/schema/$defs/A/type',
    ]);
    expect(issuesOf(schema, '{}').map(({ at }) => at)).toEqual(['/a']);
  });

  test('never names a single branch of a union', () => {
    const schema = {
      required: ['z'],
      anyOf: [
        { $ref: '#/schema/$defs/A' },
        { oneOf: [{ $ref: '#/schema/$defs/A' }, { type: 'null' }] },
      ],
      minProperties: 1,
      $defs: { A: { required: ['a'] } },
    };
    expect(
      issuesOf(schema, '{}')
        .map(({ keyword }) => keyword)
        .toSorted(),
    ).toEqual(['anyOf', 'minProperties', 'required']);
    expect(issuesOf(schema, '{"a":1,"z":1}')).toEqual([]);
  });

  test('omits items that "contains" skipped', () => {
    expect(
      issuesOf({ contains: { const: 1 }, minContains: 2, items: { type: 'integer' } }, '[1,"a"]')
        .map(({ keyword }) => keyword)
        .toSorted(),
    ).toEqual(['contains', 'type']);
  });

  test('names each invalid property name once', () => {
    const schema = {
      propertyNames: { anyOf: [{ maxLength: 1 }, { const: 'ok' }], pattern: '^[^!]*$' },
    };
    expect(
      issuesOf(schema, '{"ok":1,"bad":2,"!":3,"also":4}').map(
        ({ at, keyword }) => `${at} ${keyword}`,
      ),
    ).toEqual(['/bad anyOf', '/! pattern', '/also anyOf']);
  });

  test('is linear in the number of issues', () => {
    const members = Object.fromEntries(
      Array.from({ length: 30_000 }, (_, index) => [`name-${index}`, 0]),
    );
    const issues = issuesOf(
      { propertyNames: { maxLength: 2 }, additionalProperties: { type: 'string' } },
      JSON.stringify(members),
    );
    expect(issues).toHaveLength(60_000);
  });
});
