import {
  around,
  documentOf,
  type HostileDocument,
  type Random,
  schemaDocument,
} from './hostile-document.ts';

const mark = '"@@"';

function written(name: string, document: object, text: string): HostileDocument {
  return {
    name: `numbers/${name}`,
    files: { 'openapi.json': JSON.stringify(document).replaceAll(mark, () => text) },
  };
}

/** Numbers that a parser takes too long for, or cannot hold. */
export function listNumbers(random: Random): HostileDocument[] {
  const digits = '9'.repeat(around(random, 1_000_000));
  const keywords = [
    'minimum',
    'maximum',
    'multipleOf',
    'const',
    'minLength',
    'minItems',
    'default',
  ];
  return [
    ...keywords.map((name) =>
      written(`${name}-digits`, schemaDocument({ type: 'integer', [name]: '@@' }), digits),
    ),
    ...keywords.map((name) =>
      written(`${name}-fraction`, schemaDocument({ type: 'number', [name]: '@@' }), `0.${digits}`),
    ),
    ...keywords.map((name) =>
      written(`${name}-exponent`, schemaDocument({ type: 'number', [name]: '@@' }), '1e999999999'),
    ),
    ...keywords.map((name) =>
      written(`${name}-tiny`, schemaDocument({ type: 'number', [name]: '@@' }), '1e-999999999'),
    ),
    written('integer-exponent', schemaDocument({ type: 'integer', minimum: '@@' }), '1e308'),
    written(
      'both-exponents',
      schemaDocument({ type: 'integer', maximum: '@@', minimum: -1e308, multipleOf: 7 }),
      '1e308',
    ),
    written('enum-digits', schemaDocument({ enum: ['@@', '@@', '@@'] }), digits),
    written(
      'status',
      documentOf({ '/hostile': { get: { responses: { 200: { description: '@@' } } } } }),
      digits,
    ),
    {
      name: 'numbers/yaml-odd',
      files: {
        'openapi.yaml': `openapi: 3.1.0\ninfo: {title: .nan, version: .inf}\npaths:\n  /good: {get: {responses: {200: {description: a}}}}\n  /hostile: {get: {responses: {200: {description: a, content: {application/json: {schema: {type: number, minimum: .nan, maximum: -.inf, multipleOf: 0x${'f'.repeat(1000)}, example: 0o${'7'.repeat(1000)}}}}}}}}\n`,
      },
      told: '#',
    },
    {
      name: 'numbers/yaml-digits',
      files: {
        'openapi.yaml': `openapi: 3.1.0\ninfo: {title: a, version: 1}\npaths:\n  /good: {get: {responses: {200: {description: a}}}}\n  /hostile: {get: {responses: {200: {description: a, content: {application/json: {schema: {type: number, minimum: ${digits}, maximum: 1e${digits}}}}}}}}\n`,
      },
    },
  ];
}
