import {
  around,
  documentOf,
  type HostileDocument,
  inJson,
  json,
  members,
  ok,
  type Random,
  schemaDocument,
  times,
} from './hostile-document.ts';

function one(name: string, schema: object, told?: string): HostileDocument {
  return inJson(`limits/${name}`, schemaDocument(schema), told === undefined ? {} : { told });
}

/** Limits that no value of a sane size keeps. */
export function listLimits(random: Random): HostileDocument[] {
  const huge = [1e9, 2 ** 31, 2 ** 53 - 1, 1e308][Math.floor(random() * 4)] ?? 1e9;
  const text = { type: 'string' };
  return [
    one('minItems', { type: 'array', minItems: huge, items: text }, '~1hostile'),
    one('minItems-million', { type: 'array', minItems: 1_000_000, items: text }, '~1hostile'),
    one('minItems-tuple', { type: 'array', minItems: huge, prefixItems: [text] }, '~1hostile'),
    one(
      'minItems-nested',
      {
        type: 'array',
        minItems: 1_000,
        items: { type: 'array', minItems: 1_000, items: { type: 'array', minItems: 1_000 } },
      },
      '~1hostile',
    ),
    one(
      'minItems-objects',
      {
        type: 'array',
        minItems: 20_000,
        items: {
          type: 'object',
          required: ['a', 'b', 'c'],
          properties: { a: text, b: text, c: { type: 'array', minItems: 20 } },
        },
      },
      '~1hostile',
    ),
    one('maxItems', { type: 'array', maxItems: huge, items: text }),
    one(
      'uniqueItems',
      {
        type: 'array',
        minItems: around(random, 5_000),
        uniqueItems: true,
        items: { type: 'boolean' },
      },
      '~1hostile',
    ),
    one(
      'uniqueItems-enum',
      { type: 'array', minItems: 4, uniqueItems: true, items: { enum: [1, 2, 3] } },
      '~1hostile',
    ),
    one('uniqueItems-large', {
      type: 'array',
      minItems: 3_000,
      uniqueItems: true,
      items: { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } },
    }),
    one('minContains', { type: 'array', contains: { const: 1 }, minContains: huge }, '~1hostile'),
    one('minLength', { type: 'string', minLength: huge }, '~1hostile'),
    one('minLength-million', { type: 'string', minLength: 50_000_000 }, '~1hostile'),
    one(
      'minLength-many',
      {
        type: 'object',
        required: times(50, (at) => `p${at}`),
        properties: members(50, (at) => [`p${at}`, { type: 'string', minLength: 5_000_000 }]),
      },
      '~1hostile',
    ),
    one(
      'minLength-format',
      { type: 'string', format: 'email', minLength: 10_000_000 },
      '~1hostile',
    ),
    one('minLength-pattern', { type: 'string', pattern: '^[a-z]+$', minLength: huge }, '~1hostile'),
    one('maxLength', { type: 'string', maxLength: huge }),
    one('minProperties', { type: 'object', minProperties: huge }, '~1hostile'),
    one(
      'minProperties-million',
      { type: 'object', minProperties: 1_000_000, additionalProperties: text },
      '~1hostile',
    ),
    one(
      'minProperties-names',
      { type: 'object', minProperties: 10, propertyNames: { enum: ['a', 'b'] } },
      '~1hostile',
    ),
    one('pattern-quantifier', { type: 'string', pattern: '^a{100000000}$' }, '~1hostile'),
    one('pattern-nested', { type: 'string', pattern: '^(((a{1000}){1000}){1000})$' }, '~1hostile'),
    one('pattern-properties', {
      type: 'object',
      minProperties: 3,
      patternProperties: { '^(a{50000}){1000}$': text },
      additionalProperties: false,
    }),
    one('pattern-long', { type: 'string', pattern: `^${'(a|b)?'.repeat(20_000)}$` }),
    one('pattern-groups', {
      type: 'string',
      pattern: `${'('.repeat(20_000)}a${')'.repeat(20_000)}`,
    }),
    one('pattern-length', { type: 'string', pattern: 'a'.repeat(5_000_000) }),
    one('multipleOf-tiny', { type: 'number', multipleOf: 1e-300, minimum: 1 }),
    one('multipleOf-huge', { type: 'integer', multipleOf: 1e300, minimum: 1 }),
    one('multipleOf-prime', {
      allOf: times(40, (at) => ({ type: 'integer', multipleOf: 1_000_003 + at * 2, minimum: 1 })),
    }),
    one(
      'range-empty',
      { type: 'number', exclusiveMinimum: 1, exclusiveMaximum: 1 + Number.EPSILON },
      '~1hostile',
    ),
    parameterLimits(huge),
    headerLimits(huge),
  ];
}

function parameter(name: string, place: string, schema: object): object {
  return { name, in: place, required: true, schema };
}

function parameterLimits(huge: number): HostileDocument {
  return inJson(
    'limits/parameters',
    documentOf({
      '/hostile/{id}': {
        get: {
          parameters: [
            parameter('id', 'path', { type: 'string', minLength: huge }),
            parameter('q', 'query', { type: 'array', minItems: huge, items: { type: 'integer' } }),
            parameter('h', 'header', { type: 'string', minLength: 100_000_000 }),
            parameter('c', 'cookie', { type: 'string', pattern: '^a{90000000}$' }),
          ],
          responses: ok({}),
        },
      },
    }),
    { told: '~1hostile' },
  );
}

function headerLimits(huge: number): HostileDocument {
  return inJson(
    'limits/headers',
    documentOf({
      '/hostile': {
        get: {
          responses: {
            200: {
              description: 'x',
              headers: {
                A: { required: true, schema: { type: 'string', minLength: huge } },
                B: {
                  required: true,
                  schema: { type: 'array', minItems: 10_000_000, items: { type: 'string' } },
                },
                C: { required: true, schema: { type: 'string', minLength: 200_000 } },
              },
              content: json({}),
            },
          },
        },
      },
    }),
    { told: '~1hostile' },
  );
}
