import {
  around,
  documentOf,
  type HostileDocument,
  inJson,
  type Random,
  referTo,
  schemaDocument,
  times,
} from './hostile-document.ts';

const mark = '"@@"';

/** A document with a text in the place of the mark, as too deep a value cannot be written out. */
function withText(name: string, document: object, text: string): HostileDocument {
  return {
    name,
    files: { 'openapi.json': JSON.stringify(document).replaceAll(mark, () => text) },
    told: '/',
  };
}

/** Values that are nested deeper than a stack, and schemas that never end. */
export function listDeepDocuments(random: Random): HostileDocument[] {
  const depth = around(random, 10_000);
  const nested = (open: string, close: string, inner = '{}', count = depth): string =>
    open.repeat(count) + inner + close.repeat(count);
  const schemaWith = (name: string, open: string, close: string, inner = '{}'): HostileDocument =>
    withText(`deep/${name}`, schemaDocument('@@'), nested(open, close, inner));
  const self = { $ref: '#/components/schemas/A' };
  return [
    schemaWith('properties', '{"type":"object","required":["a"],"properties":{"a":', '}}'),
    schemaWith('items', '{"type":"array","minItems":1,"items":', '}'),
    schemaWith('allOf', '{"allOf":[', ']}'),
    schemaWith('anyOf', '{"anyOf":[{"type":"null"},', ']}'),
    schemaWith('oneOf', '{"oneOf":[', ']}'),
    schemaWith('not', '{"not":', '}'),
    schemaWith('if', '{"if":', ',"then":{},"else":{}}'),
    schemaWith('const', '{"const":[', ']}', '1'),
    withText('deep/example', schemaDocument({ example: '@@' }), nested('[', ']', '1')),
    withText('deep/default', schemaDocument({ default: '@@' }), nested('{"a":', '}', '1')),
    withText('deep/extension', documentOf({}, { 'x-deep': '@@' }), nested('[', ']', '1')),
    withText(
      'deep/extension-million',
      documentOf({}, { 'x-deep': '@@' }),
      nested('[', ']', '1', 1_000_000),
    ),
    withText('deep/info', documentOf({}, { info: '@@' }), nested('{"title":', '}', '1')),
    withText('deep/paths', documentOf({ '/hostile': '@@' }), nested('[', ']', '1')),
    inJson('deep/properties-200', schemaDocument(nestedSchema(200))),
    inJson('deep/properties-1000', schemaDocument(nestedSchema(1_000))),
    {
      name: 'deep/yaml-flow',
      files: {
        'openapi.yaml': `openapi: 3.1.0\ninfo: {title: a, version: "1"}\npaths: {/good: {get: {responses: {200: {description: a}}}}}\nx-deep: ${nested('[', ']', '1')}\n`,
      },
      told: '#',
    },
    {
      name: 'deep/yaml-flow-maps',
      files: {
        'openapi.yaml': `openapi: 3.1.0\ninfo: {title: a, version: "1"}\npaths: {/good: {get: {responses: {200: {description: a}}}}}\nx-deep: ${nested('{a: ', '}', '1')}\n`,
      },
      told: '#',
    },
    {
      name: 'deep/yaml-block',
      files: {
        'openapi.yaml': `openapi: 3.1.0\ninfo: {title: a, version: "1"}\npaths: {/good: {get: {responses: {200: {description: a}}}}}\nx-deep:\n${times(3_000, (at) => `${' '.repeat(at + 1)}a:`).join('\n')}\n`,
      },
      told: '#',
    },
    {
      name: 'deep/yaml-list',
      files: {
        'openapi.yaml': `openapi: 3.1.0\ninfo: {title: a, version: "1"}\npaths: {/good: {get: {responses: {200: {description: a}}}}}\nx-deep:\n  ${'- '.repeat(depth)}1\n`,
      },
      told: '#',
    },
    {
      name: 'deep/yaml-flow-open',
      files: { 'openapi.yaml': `openapi: 3.1.0\npaths: {}\nx-deep: ${'['.repeat(100_000)}` },
      told: '#',
      isRefused: true,
    },
    {
      name: 'deep/json-open',
      files: { 'openapi.json': '{"openapi":'.repeat(100_000) },
      isRefused: true,
    },
    { name: 'deep/json-list', files: { 'openapi.json': '['.repeat(1_000_000) }, isRefused: true },
    inJson(
      'endless/required',
      schemaDocument(self, { A: { type: 'object', required: ['a'], properties: { a: self } } }),
      { told: '/' },
    ),
    inJson(
      'endless/items',
      schemaDocument(self, { A: { type: 'array', minItems: 1, items: self } }),
      { told: '/' },
    ),
    inJson(
      'endless/items-wide',
      schemaDocument(self, { A: { type: 'array', minItems: 50, items: self } }),
      { told: '/' },
    ),
    inJson(
      'endless/three',
      schemaDocument(referTo('A'), {
        A: {
          type: 'object',
          required: ['b', 'c'],
          properties: { b: referTo('B'), c: referTo('C') },
        },
        B: { type: 'array', minItems: 2, items: { oneOf: [referTo('A'), referTo('C')] } },
        C: {
          allOf: [
            { type: 'object', required: ['a', 'b'] },
            { properties: { a: referTo('A'), b: referTo('B') } },
          ],
        },
      }),
      { told: '/' },
    ),
    inJson(
      'endless/trees',
      schemaDocument(referTo('A'), {
        A: {
          type: 'object',
          required: ['l', 'r'],
          properties: {
            l: { anyOf: [self, { type: 'null' }] },
            r: { anyOf: [self, { type: 'null' }] },
          },
        },
      }),
    ),
    inJson(
      'endless/optional',
      schemaDocument(self, {
        A: { type: 'object', properties: Object.fromEntries(times(30, (at) => [`p${at}`, self])) },
      }),
    ),
    inJson(
      'endless/additional',
      schemaDocument(self, { A: { type: 'object', minProperties: 3, additionalProperties: self } }),
      { told: '/' },
    ),
    inJson(
      'endless/patterns',
      schemaDocument(self, {
        A: { type: 'object', required: ['ab'], patternProperties: { '^a': self, b$: self } },
      }),
      { told: '/' },
    ),
  ];
}

function nestedSchema(depth: number): object {
  return times(depth, (at) => at).reduce<object>(
    (inner) => ({ type: 'object', required: ['a'], properties: { a: inner } }),
    { type: 'integer' },
  );
}
