import {
  around,
  documentOf,
  type HostileDocument,
  inJson,
  json,
  ok,
  type Random,
  referTo,
  schemaDocument,
  times,
} from './hostile-document.ts';

const head = 'openapi: 3.1.0\ninfo: { title: a, version: "1" }\n';
const good = '  /good: { get: { responses: { 200: { description: a } } } }\n';

function yaml(name: string, text: string, more: Partial<HostileDocument> = {}): HostileDocument {
  return { name: `texts/${name}`, files: { 'openapi.yaml': text }, ...more };
}

function body(text: string): string {
  return `${head}paths:\n${good}${text}`;
}

/** Texts that a parser takes too long for, or makes too much of. */
export function listTextDocuments(random: Random): HostileDocument[] {
  const count = around(random, 5_000);
  const large = 'x'.repeat(around(random, 30_000_000));
  const laughs = times(12, (at) =>
    at === 0
      ? 'x0: &a0 [lol, lol]'
      : `x${at}: &a${at} [${times(10, () => `*a${at - 1}`).join(', ')}]`,
  ).join('\n');
  const merges = times(24, (at) =>
    at === 0
      ? 'x-0: &m0 { k: v }'
      : `x-${at}: &m${at} { <<: [*m${at - 1}, *m${at - 1}], k${at}: { <<: *m${at - 1} }, l${at}: *m${at - 1} }`,
  ).join('\n');
  const schema = times(24, (at) =>
    at === 0
      ? 'x-s0: &s0 { type: object, properties: { n: { type: integer } } }'
      : `x-s${at}: &s${at} { type: object, properties: { a: *s${at - 1}, b: *s${at - 1} } }`,
  ).join('\n');
  return [
    yaml('laughs', `${body('')}${laughs}\n`, { told: '#' }),
    yaml('merges', `${body('')}${merges}\n`, { told: '#' }),
    yaml(
      'alias-schemas',
      `${schema}\n${body('  /hostile: { get: { responses: { 200: { description: a, content: { application/json: { schema: *s23 } } } } } }\n')}`,
      { told: '#' },
    ),
    yaml(
      'anchors',
      `${body('')}x-anchors:\n${times(count, (at) => `  - &a${at} { v: ${at} }`).join('\n')}\n`,
    ),
    yaml(
      'anchors-used',
      `${body('')}x-anchors:\n${times(count, (at) => `  - &a${at} { v: ${at} }\n  - *a${at}`).join('\n')}\n`,
    ),
    yaml(
      'anchors-many',
      `${body('')}x-anchors:\n${times(50_000, (at) => `  - &a${at} { v: ${at} }\n  - *a${at}`).join('\n')}\n`,
    ),
    yaml(
      'anchor-chain',
      `${body('')}x-anchors:\n${times(count, (at) => `  k${at}: &a${at} ${at === 0 ? '1' : `[*a${at - 1}]`}`).join('\n')}\n`,
      { told: '#' },
    ),
    yaml(
      'alias-long',
      `${body('')}x-a: &a "${large.slice(0, 1_000_000)}"\nx-b: [${'*a, '.repeat(900)}]\n`,
      { isRefused: true },
    ),
    yaml('anchor-circle', `${body('')}x-anchors: &a { b: *a }\n`, { told: '#' }),
    yaml(
      'anchor-redefined',
      `${body('')}x-anchors:\n${times(count, (at) => `  - &a { v: ${at} }\n  - *a`).join('\n')}\n`,
    ),
    yaml('many-documents', `${body('')}${'---\na: 1\n'.repeat(count)}`, { told: '#' }),
    yaml('many-errors', `${body('')}${'  bad: [\n'.repeat(count)}`, { told: '#' }),
    yaml('many-tabs', `${body('')}${'\tbad: "\n'.repeat(count)}`, { told: '#' }),
    yaml('many-quotes', `${body('')}x-q:\n${`  - "a\nb\n`.repeat(count)}`, { told: '#' }),
    yaml('many-double-keys', `${body('')}x-k:\n${'  same: 1\n'.repeat(count)}`, { told: '#' }),
    yaml('many-tags', `${body('')}x-t:\n${'  - !foo bar\n'.repeat(count)}`),
    yaml('complex-keys', `${body('')}x-t:\n${'  ? [a, b]\n  : 1\n'.repeat(count)}`, { told: '#' }),
    yaml('long-comment', `${body('')}# ${large}\n`),
    yaml('long-scalar', `${body('')}x-s: "${large}"\n`),
    yaml('long-plain', `${body('')}x-s: ${large}\n`),
    yaml('long-block', `${body('')}x-s: |\n${'  a line of text\n'.repeat(1_000_000)}`),
    yaml('long-key', `${body('')}"${'k'.repeat(1_000_000)}": 1\n`),
    yaml('many-lines', `${body('')}x-l:\n${'  - a\n'.repeat(400_000)}`),
    yaml('escapes', `${body('')}x-s: "${'\\u0041'.repeat(1_000_000)}"\n`),
    inJson('texts/json-long', documentOf({}, { 'x-s': large })),
    inJson('texts/json-description', documentOf({}, { info: { title: large, version: large } })),
    inJson(
      'texts/json-path',
      documentOf({ [`/${'a'.repeat(1_000_000)}`]: { get: { responses: ok({}) } } }),
    ),
    inJson(
      'texts/json-braces',
      documentOf({
        [`/${'{'.repeat(50_000)}`]: { get: { responses: ok({}) } },
        [`/${'{a'.repeat(50_000)}`]: { get: { responses: ok({}) } },
      }),
    ),
    inJson(
      'texts/json-name',
      schemaDocument({ type: 'object', required: ['k'.repeat(1_000_000)] }),
    ),
    inJson(
      'texts/json-version',
      { ...documentOf({}), openapi: '3.1.'.repeat(100_000) },
      { told: '/openapi' },
    ),
    inJson(
      'texts/json-server',
      documentOf(
        {},
        {
          servers: [
            { url: '{'.repeat(100_000), variables: { a: { default: '{a}'.repeat(1_000) } } },
          ],
        },
      ),
    ),
    inJson('texts/json-numbers', documentOf({}, { 'x-n': times(400_000, (at) => at / 7) })),
    inJson(
      'texts/json-objects',
      documentOf({}, { 'x-n': times(150_000, (at) => ({ a: { b: at } })) }),
    ),
    inJson(
      'texts/json-strings',
      documentOf({}, { 'x-n': times(300_000, () => 'a "quoted" \\ text') }),
    ),
    {
      name: 'texts/json-broken-late',
      files: {
        'openapi.json': JSON.stringify(
          documentOf({}, { 'x-n': times(200_000, (at) => ({ a: at })) }),
        ).slice(0, -3),
      },
    },
    {
      name: 'texts/json-duplicates',
      files: {
        'openapi.json': JSON.stringify(documentOf({}, { 'x-d': {} })).replace(
          '"x-d":{}',
          () => `"x-d":{${times(20_000, () => '"a":1').join(',')}}`,
        ),
      },
    },
    {
      name: 'texts/spaces',
      files: { 'openapi.yaml': ' '.repeat(10_000_000) },
      isRefused: true,
    },
    {
      name: 'texts/brackets',
      files: { 'openapi.yaml': '{'.repeat(1_000_000) },
      isRefused: true,
    },
    { name: 'texts/zeros', files: { 'openapi.yaml': '\u0000'.repeat(5_000_000) }, isRefused: true },
    { name: 'texts/empty', files: { 'openapi.yaml': '' }, isRefused: true },
    { name: 'texts/prototypes', files: { 'openapi.json': composePrototypeDocument() } },
  ];
}

/** Names that objects have without being asked, and that others take for more than names. */
export const prototypeNames = [
  '__proto__',
  'constructor',
  'prototype',
  'hasOwnProperty',
  'toString',
  'valueOf',
  '__defineGetter__',
  'isPrototypeOf',
  'then',
  'toJSON',
  'length',
] as const;

const named = <Value>(make: (name: string) => Value): Record<string, Value> =>
  Object.fromEntries(prototypeNames.map((name) => [name, make(name)]));

/** A lawful document in which they name everything: collections, items, schemas, operations, tags. */
export function composePrototypeDocument(): string {
  const item = {
    type: 'object',
    required: ['id', ...prototypeNames],
    properties: {
      id: { type: 'integer', readOnly: true },
      ...named(() => ({ type: 'string', minLength: 2 })),
    },
    additionalProperties: false,
  };
  const collection = (name: string): object => ({
    get: {
      operationId: name,
      tags: [name],
      parameters: [{ name, in: 'query', schema: { type: 'string' } }],
      responses: {
        200: {
          description: name,
          headers: named(() => ({ schema: { type: 'integer' } })),
          content: json({ type: 'array', items: referTo(name) }),
        },
      },
    },
    post: {
      operationId: `add_${name}`,
      tags: [name],
      requestBody: { required: true, content: json(referTo(name)) },
      responses: { 201: ok(referTo(name))[200], 400: { description: 'Bad.' } },
    },
  });
  const single = {
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
    get: { responses: { ...ok(item), 404: { description: 'None.' } } },
    delete: { responses: { 204: { description: 'Gone.' }, 404: { description: 'None.' } } },
  };
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: '__proto__', version: 'constructor' },
    tags: prototypeNames.map((name) => ({ name })),
    paths: Object.fromEntries(
      prototypeNames.flatMap((name): [string, object][] => [
        [`/${name}`, collection(name)],
        [`/${name}/{id}`, single],
      ]),
    ),
    components: { schemas: named(() => item) },
  });
}
