import {
  around,
  condition,
  type HostileDocument,
  inJson,
  members,
  type Random,
  referTo,
  schemaDocument,
  times,
} from './hostile-document.ts';

const text = { type: 'string' };

function fields(count: number): Record<string, object> {
  return members(count, (at) => [`p${at}`, text]);
}

/** Schemas of more members than anybody writes. */
export function listWideSchemas(random: Random): HostileDocument[] {
  const size = (count: number): number => around(random, count);
  return [
    inJson('wide/properties', schemaDocument({ type: 'object', properties: fields(size(10_000)) })),
    inJson(
      'wide/properties-required',
      schemaDocument({
        type: 'object',
        required: times(size(10_000), (at) => `p${at}`),
        properties: fields(size(10_000)),
      }),
    ),
    inJson(
      'wide/properties-closed',
      schemaDocument({
        type: 'object',
        required: times(3_000, (at) => `p${at}`),
        properties: fields(size(10_000)),
        additionalProperties: false,
        unevaluatedProperties: false,
      }),
    ),
    inJson(
      'wide/required-alone',
      schemaDocument({ type: 'object', required: times(size(50_000), (at) => `p${at}`) }),
    ),
    inJson(
      'wide/patternProperties',
      schemaDocument({
        type: 'object',
        properties: fields(2_000),
        patternProperties: members(size(1_000), (at) => [`^p${at}`, {}]),
      }),
    ),
    inJson(
      'wide/enum',
      schemaDocument({ type: 'string', enum: times(1_000_000, (at) => `v${at}`) }),
    ),
    inJson('wide/enum-integer', schemaDocument({ enum: times(1_000_000, (at) => at) })),
    inJson(
      'wide/enum-objects',
      schemaDocument({ enum: times(size(20_000), (at) => ({ a: { b: [at] } })) }),
    ),
    inJson('wide/const', schemaDocument({ const: fields(size(50_000)) })),
    inJson(
      'wide/examples',
      schemaDocument({ type: 'integer', examples: times(size(100_000), (at) => `${at}`) }),
    ),
    inJson('wide/oneOf', schemaDocument({ oneOf: times(size(5_000), (at) => ({ const: at })) })),
    inJson(
      'wide/oneOf-objects',
      schemaDocument({
        oneOf: times(size(5_000), (at) => ({
          type: 'object',
          required: ['kind'],
          properties: { kind: { const: `k${at}` }, value: text },
        })),
      }),
    ),
    inJson('wide/oneOf-same', schemaDocument({ oneOf: times(5_000, () => text) }), {
      told: '~1hostile',
    }),
    inJson(
      'wide/anyOf',
      schemaDocument({ anyOf: times(size(5_000), (at) => ({ minLength: at })) }),
    ),
    inJson(
      'wide/allOf',
      schemaDocument({
        allOf: times(size(5_000), (at) => ({
          properties: { [`p${at}`]: text },
          required: [`p${at}`],
        })),
      }),
    ),
    inJson(
      'wide/allOf-1000',
      schemaDocument({
        allOf: times(1_000, (at) => ({ properties: { [`p${at}`]: text }, required: [`p${at}`] })),
      }),
    ),
    inJson(
      'wide/oneOf-1000',
      schemaDocument({
        oneOf: times(1_000, (at) => ({
          type: 'object',
          required: ['kind'],
          properties: { kind: { const: `k${at}` }, value: text },
        })),
      }),
    ),
    inJson(
      'wide/allOf-of-oneOf',
      schemaDocument({
        allOf: times(40, (at) => ({
          oneOf: [{ required: [`a${at}`] }, { required: [`b${at}`] }, { maxProperties: 0 }],
        })),
      }),
    ),
    inJson(
      'wide/if',
      schemaDocument({
        allOf: times(size(1_000), (at) =>
          condition(
            { properties: { a: { const: at } } },
            { required: [`p${at}`] },
            { not: { required: [`p${at}`] } },
          ),
        ),
      }),
    ),
    inJson(
      'wide/discriminator',
      schemaDocument(referTo('Base'), {
        Base: {
          type: 'object',
          required: ['kind'],
          properties: { kind: text },
          oneOf: times(2_000, (at) => referTo(`S${at}`)),
          discriminator: {
            propertyName: 'kind',
            mapping: members(size(20_000), (at) => [
              `k${at}`,
              `#/components/schemas/S${at % 2_000}`,
            ]),
          },
        },
        ...members(2_000, (at) => [
          `S${at}`,
          { type: 'object', properties: { kind: { const: `k${at}` } } },
        ]),
      }),
    ),
    inJson(
      'wide/discriminator-circle',
      schemaDocument(referTo('Base'), {
        Base: {
          type: 'object',
          required: ['kind', 'next'],
          properties: { kind: text, next: referTo('Base') },
          discriminator: {
            propertyName: 'kind',
            mapping: { a: '#/components/schemas/A', Base: 'Base' },
          },
        },
        A: { allOf: [referTo('Base'), { required: ['a'] }] },
      }),
    ),
    inJson(
      'wide/dependentRequired',
      schemaDocument({
        type: 'object',
        required: ['p0'],
        dependentRequired: members(size(5_000), (at) => [`p${at}`, [`p${at + 1}`]]),
      }),
    ),
    inJson(
      'wide/schemas',
      schemaDocument(
        referTo('S0'),
        members(size(20_000), (at) => [`S${at}`, { type: 'object', properties: { a: text } }]),
      ),
    ),
    inJson('wide/unknown-words', schemaDocument(members(size(20_000), (at) => [`word${at}`, at])), {
      told: '~1hostile',
    }),
  ];
}
