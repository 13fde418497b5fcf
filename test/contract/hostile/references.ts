import {
  around,
  condition,
  documentOf,
  type HostileDocument,
  inJson,
  members,
  ok,
  type Random,
  referTo,
  schemaDocument,
  times,
} from './hostile-document.ts';

/** Schemas of which each refers to the one before twice, in every way that there is. */
const doublings: Readonly<Record<string, (one: object) => object>> = {
  properties: (one) => ({ type: 'object', properties: { a: one, b: one } }),
  required: (one) => ({ type: 'object', required: ['a', 'b'], properties: { a: one, b: one } }),
  items: (one) => ({ type: 'array', minItems: 2, items: one }),
  tuple: (one) => ({ type: 'array', minItems: 2, prefixItems: [one, one] }),
  allOf: (one) => ({ allOf: [one, one] }),
  'allOf-apart': (one) => ({ allOf: [{ allOf: [one] }, { allOf: [one] }] }),
  anyOf: (one) => ({ anyOf: [one, one] }),
  oneOf: (one) => ({ oneOf: [one, { type: 'object', properties: { a: one } }] }),
  not: (one) => ({ not: one, properties: { a: one, b: one } }),
  additional: (one) => ({
    type: 'object',
    minProperties: 2,
    additionalProperties: one,
    propertyNames: { minLength: 1 },
  }),
  contains: (one) => ({ type: 'array', contains: one, items: one, minContains: 2 }),
  if: (one) => condition(one, one, one),
  dependent: (one) => ({ type: 'object', dependentSchemas: { a: one, b: one }, required: ['a'] }),
  unevaluated: (one) => ({ allOf: [one, one], unevaluatedProperties: false }),
};

function lastOf(schemas: object): object {
  return referTo(`S${Object.keys(schemas).length - 1}`);
}

export function listReferenceDocuments(random: Random): HostileDocument[] {
  const depth = around(random, 30);
  const last = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } };
  const doubled = ['3.1.0', '3.0.3'].flatMap((version) =>
    Object.entries(doublings).map(([name, double]) =>
      inJson(
        `references/doubling-${name}-${version}`,
        schemaDocument(
          referTo(`S${depth}`),
          members(depth + 1, (at) => [`S${at}`, at === 0 ? last : double(referTo(`S${at - 1}`))]),
          version,
        ),
      ),
    ),
  );
  const length = around(random, 10_000);
  const chain = members(length, (at) => [`S${at}`, at === 0 ? last : referTo(`S${at - 1}`)]);
  const allOfChain = members(around(random, 2_000), (at) => [
    `S${at}`,
    at === 0 ? last : { allOf: [referTo(`S${at - 1}`)], properties: { [`p${at}`]: {} } },
  ]);
  const properties = members(around(random, 2_000), (at) => [
    `S${at}`,
    at === 0
      ? last
      : { type: 'object', required: ['next'], properties: { next: referTo(`S${at - 1}`) } },
  ]);
  const cyclic = members(length, (at) => [`S${at}`, referTo(`S${(at + 1) % length}`)]);
  const bases = { A: { allOf: [referTo('B')] }, B: { anyOf: [referTo('A'), referTo('C')] } };
  return [
    ...doubled,
    inJson('references/chain', schemaDocument(lastOf(chain), chain)),
    inJson('references/chain-allOf', schemaDocument(lastOf(allOfChain), allOfChain)),
    inJson('references/chain-properties', schemaDocument(lastOf(properties), properties)),
    inJson('references/circle', schemaDocument(referTo('S0'), cyclic), { told: '~1hostile' }),
    inJson(
      'references/circle-in-place',
      schemaDocument(referTo('A'), { ...bases, C: { not: referTo('A') } }),
      { told: '/components/schemas/' },
    ),
    inJson(
      'references/clique',
      schemaDocument(
        referTo('S0'),
        members(around(random, 120), (at) => [
          `S${at}`,
          { type: 'object', properties: members(120, (to) => [`p${to}`, referTo(`S${to % 90}`)]) },
        ]),
      ),
    ),
    inJson(
      'references/clique-oneOf',
      schemaDocument(
        referTo('S0'),
        members(60, (at) => [
          `S${at}`,
          {
            type: 'object',
            required: ['p'],
            properties: { p: { oneOf: times(60, (to) => referTo(`S${to}`)) } },
          },
        ]),
      ),
    ),
    inJson(
      'references/anchors',
      schemaDocument(
        { $ref: '#a0' },
        members(around(random, 5_000), (at) => [
          `S${at}`,
          { $anchor: `a${at}`, type: 'object', properties: { n: { $ref: `#a${at + 1}` } } },
        ]),
      ),
    ),
    inJson(
      'references/dynamic',
      schemaDocument(
        { $dynamicRef: '#node' },
        members(around(random, 500), (at) => [
          `S${at}`,
          {
            $id: `https://example.com/${at}`,
            $dynamicAnchor: 'node',
            type: 'object',
            properties: { child: { $dynamicRef: '#node' } },
          },
        ]),
      ),
    ),
    inJson(
      'references/to-no-schema',
      schemaDocument({
        type: 'object',
        properties: {
          a: { $ref: '#/info/title' },
          b: { $ref: '#/paths' },
          c: { $ref: '#/info/version/0' },
          d: { $ref: '#' },
          e: { $ref: '' },
          f: { $ref: 7 },
          g: { $ref: '#/components/schemas/%ZZ' },
          h: { $ref: '#/~2' },
        },
      }),
      { told: '~1hostile' },
    ),
    inJson(
      'references/outside',
      schemaDocument({
        type: 'object',
        properties: {
          a: { $ref: 'http://127.0.0.1:9/x.json' },
          b: { $ref: 'file:///etc/passwd' },
          c: { $ref: '../../../../../../etc/passwd' },
          d: { $ref: '/etc/hostname#/a' },
          e: { $ref: '/dev/zero' },
          f: { $ref: '.' },
          g: { $ref: 'openapi.json/x' },
          h: { $ref: 'a\u0000b' },
        },
      }),
      { told: '~1hostile' },
    ),
    inJson(
      'references/to-operations',
      documentOf(
        members(300, (at) => [`/p${at}`, { $ref: `#/paths/~1p${(at + 1) % 300}` }]),
        {},
      ),
      { told: '/paths/' },
    ),
    inJson(
      'references/inlined-doubling',
      documentOf(
        {},
        {
          'x-a': members(24, (at) => [
            `S${at}`,
            at === 0
              ? { description: 'x' }
              : {
                  description: { $ref: `#/x-a/S${at - 1}` },
                  externalDocs: { $ref: `#/x-a/S${at - 1}` },
                },
          ]),
          info: { $ref: '#/x-a/S23' },
        },
      ),
    ),
    inJson(
      'references/parameters-chain',
      documentOf(
        {
          '/hostile': {
            get: { parameters: [{ $ref: '#/components/parameters/P0' }], responses: ok({}) },
          },
        },
        {
          components: {
            parameters: members(around(random, 3_000), (at) => [
              `P${at}`,
              { $ref: `#/components/parameters/P${at + 1}` },
            ]),
          },
        },
      ),
      { told: '/parameters/' },
    ),
    twoFiles(around(random, 2_000)),
    manyFiles(around(random, 300)),
  ];
}

const other = (file: string) => (at: number) =>
  [
    `S${at}`,
    { type: 'object', properties: { n: { $ref: `${file}#/components/schemas/S${at}` } } },
  ] as const;

/** Two files of which each refers to the other, thousands of times. */
function twoFiles(count: number): HostileDocument {
  const one = schemaDocument(
    { $ref: 'b.json#/components/schemas/S0' },
    members(count, other('b.json')),
  );
  return {
    name: 'references/two-files',
    files: {
      'openapi.json': JSON.stringify(one),
      'b.json': JSON.stringify({ components: { schemas: members(count, other('openapi.json')) } }),
    },
  };
}

/** Files of which each refers to all. */
function manyFiles(count: number): HostileDocument {
  const files = members(count, (at) => [
    `f${at}.json`,
    JSON.stringify({
      type: 'object',
      properties: members(40, (to) => [`p${to}`, { $ref: `f${(at * 7 + to) % count}.json` }]),
    }),
  ]);
  return {
    name: 'references/many-files',
    files: { 'openapi.json': JSON.stringify(schemaDocument({ $ref: 'f0.json' })), ...files },
  };
}
