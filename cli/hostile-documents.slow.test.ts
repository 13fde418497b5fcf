import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  documentOf,
  json,
  members,
  ok,
  referTo,
  schemaDocument,
  times,
} from '../test/contract/compose-document.ts';
import { packageFile } from './package/package-root.ts';

/** A document written to hang, crash or exhaust its reader. */
interface HostileDocument {
  /** What is hostile in it: `references/doubling-allOf`. */
  readonly name: string;
  /** A file of its text. */
  readonly file: 'openapi.json' | 'openapi.yaml';
  readonly text: string;
  /** What a message about it contains; absent: there may be none. */
  readonly printed?: string;
  /** Nothing of it can be used: every command refuses it. Default: false. */
  readonly isRefused?: boolean;
}

type Rest = Partial<HostileDocument>;

const inJson = (name: string, document: object, rest: Rest = {}): HostileDocument => {
  return { name, file: 'openapi.json', text: JSON.stringify(document), ...rest };
};

/** A schema that messages are about. */
const schema = (name: string, written: unknown, schemas: Record<string, unknown> = {}) =>
  inJson(name, schemaDocument(written, schemas), { printed: '/' });

/** A document with a text in place of `@@`, which is too long or too deep to write out. */
const withText = (
  name: string,
  document: object,
  text: string,
  rest: Rest = {},
): HostileDocument => {
  const written = JSON.stringify(document).replaceAll('"@@"', () => text);
  return { name, file: 'openapi.json', text: written, printed: '#', ...rest };
};

const yaml = (name: string, text: string, rest: Rest = {}): HostileDocument => {
  const head = 'openapi: 3.1.0\ninfo: { title: a, version: "1" }\n';
  const good = 'paths: { /good: { get: { responses: { 200: { description: a } } } } }\n';
  return { name, file: 'openapi.yaml', text: head + good + text, ...rest };
};

const text = { type: 'string' };
const last = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } };

/** Schemas of which each is made from a reference to the one before. */
const chainOf = (count: number, make: (before: object) => object): Record<string, object> =>
  members(count, (at) => [`S${at}`, at === 0 ? last : make(referTo(`S${at - 1}`))]);

const doubled = (name: string, make: (before: object) => object, version?: string) =>
  inJson(`references/doubling-${name}`, schemaDocument(referTo('S29'), chainOf(30, make), version));

const nested = (open: string, close: string, count = 10_000, inner = '{}'): string =>
  open.repeat(count) + inner + close.repeat(count);

/** One operation at `/hostile`. */
const operation = (name: string, get: object, rest: Rest = {}): HostileDocument =>
  inJson(name, documentOf({ '/hostile': { get } }), rest);

/** A schema in which most keywords are wrong. */
const wrongSchema = (at: number): readonly [string, object] => [
  `p${at}`,
  { type: 'int', minLength: -1, enum: [], pattern: `(?(${at})a|b)` },
];

/** One of each class, at a size that a naive reader does not survive. */
function* listHostileDocuments(): Generator<HostileDocument> {
  const a = referTo('A');
  yield doubled('allOf', (one) => ({ allOf: [one, one] }));
  yield doubled('oneOf', (one) => ({ oneOf: [one, { type: 'object', properties: { a: one } }] }));
  const pair = (one: object) => ({ ...last, required: ['a', 'b'], properties: { a: one, b: one } });
  yield doubled('required', pair, '3.0.3');
  yield schema(
    'references/chain',
    referTo('S9999'),
    chainOf(10_000, (one) => one),
  );
  // Long and sound: it is served without a message.
  yield inJson(
    'references/chain-allOf',
    schemaDocument(
      referTo('S1999'),
      chainOf(2_000, (one) => ({ allOf: [one], properties: { a: {} } })),
    ),
  );
  const circle = members(10_000, (at) => [`S${at}`, referTo(`S${(at + 1) % 10_000}`)]);
  yield schema('references/circle', referTo('S0'), circle);
  yield schema('references/outside', {
    properties: {
      a: { $ref: 'http://127.0.0.1:9/x.json' },
      b: { $ref: 'file:///etc/passwd' },
      c: { $ref: '../../../../../../etc/passwd' },
      d: { $ref: '/dev/zero' },
      e: { $ref: 'a\u0000b' },
      f: { $ref: '#/components/schemas/%ZZ' },
    },
  });

  yield inJson('references/holder', documentOf({ '/hostile': { get: { $ref: '#/paths' } } }), {
    printed: 'leads back to itself',
  });
  const encodings = (at: number) => members(2, (one) => [`${one}`, { $ref: `#/x-e/E${at}` }]);
  const definition = { schema: { type: 'object' }, encoding: encodings(0) };
  const post = {
    requestBody: { content: { 'multipart/form-data': definition } },
    responses: ok(text),
  };
  yield inJson(
    'references/doubling-encoding',
    documentOf(
      { '/hostile': { post } },
      { 'x-e': members(40, (at) => [`E${at}`, { encoding: encodings(at + 1) }]) },
    ),
    { printed: '/encoding/' },
  );

  const isRefused = true;
  const tooDeep = { isRefused, printed: 'levels deep' };
  const deepItems = nested('{"type":"array","items":', '}');
  yield withText('deep/items', schemaDocument('@@'), deepItems, tooDeep);
  const deepExample = schemaDocument({ example: '@@' });
  yield withText('deep/example', deepExample, nested('[', ']'), tooDeep);
  const million = nested('[', ']', 1_000_000, '1');
  yield withText('deep/extension-million', documentOf({}, { 'x-deep': '@@' }), million, tooDeep);
  yield yaml('deep/yaml-flow', `x-deep: ${nested('[', ']', 10_000, '1')}\n`, { isRefused: true });
  const block = times(3_000, (at) => `${' '.repeat(at + 1)}a:`).join('\n');
  yield yaml('deep/yaml-block', `x-deep:\n${block}\n`, { isRefused: true });

  const lists = `bad: "\n${'- '.repeat(200_000)}1\n`;
  yield yaml('deep/yaml-lists-broken', lists, { isRefused: true });
  yield yaml('deep/yaml-brackets-broken', `bad: [*x\n}\nx: ${'['.repeat(1_000_000)}`, {
    isRefused: true,
  });

  yield schema('endless/items', a, { A: { type: 'array', minItems: 50, items: a } });
  yield schema('endless/three', a, {
    A: { ...last, required: ['b', 'c'], properties: { b: referTo('B'), c: referTo('C') } },
    B: { type: 'array', minItems: 2, items: { oneOf: [a, referTo('C')] } },
    C: {
      allOf: [{ type: 'object', required: ['a', 'b'] }, { properties: { a, b: referTo('B') } }],
    },
  });

  const many = times(1_000_000, (at) => `v${at}`);
  yield inJson('wide/enum', schemaDocument({ type: 'string', enum: many }), { isRefused });
  yield inJson('wide/oneOf', schemaDocument({ oneOf: times(5_000, (at) => ({ const: at })) }));
  const definitions = members(10_000, (at) => [
    `d${at}`,
    { properties: { next: referTo(`A/$defs/d${(7 * at + 1) % 10_000}`) } },
  ]);
  const fields = members(10_000, (at) => [`p${at}`, text]);
  yield inJson('wide/properties', schemaDocument({ type: 'object', properties: fields }));
  const parts = { allOf: times(900, (at) => ({ properties: { [`p${at}`]: text } })) };
  const closed = (at: number) => ({
    title: `${at}`,
    allOf: [referTo('All')],
    unevaluatedProperties: false,
  });
  yield inJson(
    'wide/members-of-many-operations',
    documentOf(
      members(300, (at) => [
        `/p${at}`,
        { post: { requestBody: { content: json(closed(at)) }, responses: ok(closed(-at)) } },
      ]),
      { components: { schemas: { All: parts } } },
    ),
  );
  yield inJson(
    'wide/references-to-a-union',
    documentOf(
      members(4_500, (at) => [`/p${at}`, { get: { responses: ok(referTo('Union')) } }]),
      { components: { schemas: { Union: { oneOf: times(1_000, (at) => ({ const: at })) } } } },
    ),
  );
  const parameter = (at: number) => ({ name: `q${at}`, in: 'query', schema: text });
  const inherited = times(100, (at) => ({ type: 'object', properties: { [`p${at}`]: text } }));
  const heir = { allOf: inherited, unevaluatedProperties: false };
  const heirs = members(900, (at) => [`S${at}`, heir]);
  const all = Object.fromEntries(Object.keys(heirs).map((name) => [name, referTo(name)]));
  yield inJson(
    'wide/inheritance',
    schemaDocument({ type: 'object', required: Object.keys(heirs), properties: all }, heirs),
  );
  const parameters = times(5_000, parameter);
  yield operation('wide/parameters', { parameters, responses: ok(text) });
  const inPath = times(2_500, (at) => ({ ...parameter(at), in: 'path', required: true }));
  const longPath = `/${inPath.map(({ name }) => `{${name}}`).join('/')}`;
  const long = { [longPath]: { parameters: inPath, get: { responses: ok(text) } } };
  yield inJson('wide/path', documentOf(long), {
    printed: 'characters, at most 1000 are read',
    isRefused,
  });
  const paths = members(5_000, (at) => [`/a/{p${at}}`, { get: { responses: ok(text) } }]);
  yield inJson('wide/ambiguous-paths', documentOf(paths), { printed: '/paths/' });

  yield inJson(
    'wide/diagnostics',
    schemaDocument({ type: 'object' }, members(50_000, wrongSchema)),
    { printed: 'is not a JSON type' },
  );
  const names = Object.keys(fields);
  yield inJson(
    'wide/required',
    schemaDocument({ type: 'object', required: names, properties: fields }),
  );
  yield inJson('wide/defs', schemaDocument(referTo('A/$defs/d0'), { A: { $defs: definitions } }));
  const dependents = members(500, (at) => [`p${at}`, { required: [`p${(at + 1) % 500}`] }]);
  const dependent = { type: 'object', required: ['p0'], properties: fields };
  yield inJson(
    'wide/dependentSchemas',
    schemaDocument({ ...dependent, dependentSchemas: dependents }),
  );
  const needed = members(5_000, (at) => [`p${at}`, [`p${at + 1}`]]);
  yield inJson(
    'wide/dependentRequired',
    schemaDocument({ ...dependent, dependentRequired: needed }),
  );
  const conditions = times(500, (at) => ({
    if: { properties: { k: { not: { const: at } } } },
    else: { required: [`p${at}`] },
  }));
  yield inJson('wide/conditions', schemaDocument({ ...dependent, allOf: conditions }));
  const unions = times(300, (at) => ({
    anyOf: times(20, (of) => ({ properties: { [`p${at}-${of}`]: text } })),
  }));
  yield inJson(
    'wide/unions-unevaluated',
    schemaDocument({ type: 'object', unevaluatedProperties: false, allOf: unions }),
  );
  const branched = times(30, (at) => ({
    oneOf: times(5, (kind) => ({
      required: [`p${at}`],
      properties: { [`p${at}`]: { const: kind } },
    })),
  }));
  yield inJson('wide/product-of-unions', schemaDocument({ allOf: branched }));
  const patterns = members(1_000, (at) => [`p${at}`, { pattern: `^([a-z]{1,9}-)*${at}(x|y)+$` }]);
  yield inJson(
    'wide/patterns',
    schemaDocument({ type: 'object', required: Object.keys(patterns), properties: patterns }),
  );
  const traps = [
    String.raw`[\s\S]{0,5000}z{5000}`,
    String.raw`^(?=.*a)(?!.*d).{3000}$`,
    String.raw`^(\w+)[a-z]*\1$`,
    '(.*)*(.*)*x{500}y$',
  ];
  const trapped = Object.fromEntries(
    traps.map((pattern) => [pattern, { type: 'string', pattern, minLength: 3_000 }]),
  );
  yield inJson(
    'wide/pattern-traps',
    schemaDocument({ type: 'object', required: traps, properties: trapped }),
  );

  yield schema('limits/minItems', { type: 'array', minItems: 1e9, items: text });
  yield schema('limits/minLength', { type: 'string', minLength: 2 ** 53 - 1 });
  yield schema('limits/minProperties', { type: 'object', minProperties: 1e308 });
  yield schema('limits/pattern', { type: 'string', pattern: '^(((a{1000}){1000}){1000})$' });

  const digits = '9'.repeat(1_000_000);
  const minimum = schemaDocument({ type: 'integer', minimum: '@@' });
  yield withText('numbers/minimum-digits', minimum, digits);
  yield withText('numbers/minimum-exponent', minimum, '1e999999999');

  for (const [name, written] of Object.entries({
    false: false,
    required: { type: 'object', required: ['a'], additionalProperties: false },
    allOf: { allOf: [{ type: 'string' }, { type: 'integer' }] },
  }))
    yield inJson(`unsatisfiable/everywhere-${name}`, everywhere(written), { printed: '~1hostile' });

  const laughs = times(12, (at) => {
    const before = at === 0 ? 'lol' : `*a${at - 1}`;
    return `x${at}: &a${at} [${times(10, () => before).join(', ')}]\n`;
  });
  yield yaml('texts/laughs', laughs.join(''), { isRefused: true });
  yield yaml('texts/anchor-circle', 'x-anchors: &a { b: *a }\n', { printed: '#' });
  yield yaml('texts/many-errors', '  bad: [\n'.repeat(5_000), { isRefused: true });
  yield yaml('texts/many-tags', times(40_000, (at) => `x-${at}: !t${at} 1\n`).join(''), {
    printed: 'Unresolved tag',
  });
  const merged = times(400, (at) => {
    const before = times(20, (one) => `*m${Math.max(0, at - one)}`).join(', ');
    return `x-m${at + 1}: &m${at + 1}\n  <<: [${before}]\n  k${at}: 1\n`;
  });
  const merges = `x-m0: &m0 { a: 1 }\n${merged.join('')}`;
  yield yaml('texts/merges', merges, { isRefused: true });
  const growing = times(3_000, (at) => `x-${at + 1}: &g${at + 1}\n  <<: *g${at}\n  k${at}: 1\n`);
  const chain = `x-0: &g0 { a: 1 }\n${growing.join('')}`;
  yield yaml('texts/merge-chain', chain, { isRefused: true });
  yield yaml('texts/merge-chain-broken', `x-n: !odd 1\n${chain}`, { isRefused: true });
  const quotedLines = `x-long: "${'a \\\n\n'.repeat(1_500_000)}"\n`;
  yield yaml('texts/quoted-lines-broken', quotedLines, { isRefused: true });
  yield yaml('texts/merges-broken', `${merges}x-n: !odd 1\n`, { isRefused: true });
  const broken = `{"openapi":"3.1.0","x":[${'{"a":"b","c":[1]},'.repeat(500_000)}}`;
  yield { name: 'texts/broken', file: 'openapi.json', text: broken, isRefused: true };
  yield yaml('texts/broken-long', `${times(200_000, (at) => `k${at}: 1\n`).join('')}: : [`, {
    isRefused: true,
  });
  yield { name: 'texts/zeros', file: 'openapi.yaml', text: '\0'.repeat(5e6), isRefused: true };

  const older = JSON.parse(
    JSON.stringify(chainOf(30, (one) => ({ allOf: [one, one] }))).replaceAll(
      '#/components/schemas/',
      '#/definitions/',
    ),
  );
  const response = { description: 'a', schema: { $ref: '#/definitions/S29' } };
  yield inJson('swagger/allOf', {
    swagger: '2.0',
    info: { title: 'a', version: '1' },
    definitions: older,
    paths: { '/hostile': { get: { responses: { 200: response } } } },
  });
  yield* listWideDocuments();
  yield* listOddDocuments();
}

/** Sound documents, and nearly sound ones, with too many of one thing. */
function* listWideDocuments(): Generator<HostileDocument> {
  const item = { type: 'object', required: ['id'], properties: { id: text, name: text } };
  const one = { get: { responses: ok(referTo('Item')) } };
  const components = { schemas: { Item: item } };
  const wide = (name: string, paths: Record<string, unknown>, rest = {}, written: Rest = {}) =>
    inJson(
      `wide/${name}`,
      documentOf({ '/hostile': one, ...paths }, { components, ...rest }),
      written,
    );
  const get = (rest: object): object => ({ get: { responses: ok(text), ...rest } });

  const costly = members(10_000, (at) => [
    `p${at}`,
    { type: 'string', pattern: `^(([a-z]+)*-?)*${at}(x|xy)*$` },
  ]);
  yield inJson('wide/costly-patterns', schemaDocument({ type: 'object', properties: costly }));
  const crud = (at: number): object => ({
    get: { operationId: `get${at}`, responses: ok({ type: 'array', items: referTo('Item') }) },
    post: {
      operationId: `add${at}`,
      requestBody: { content: json(referTo('Item')) },
      responses: { 201: ok(referTo('Item'))[200] },
    },
  });
  const own = (at: number): object => ({
    parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
    get: {
      operationId: `one${at}`,
      responses: { ...ok(referTo('Item')), 404: { description: 'x' } },
    },
    put: {
      operationId: `set${at}`,
      requestBody: { content: json(referTo('Item')) },
      responses: ok(referTo('Item')),
    },
    delete: { operationId: `remove${at}`, responses: { 204: { description: 'x' } } },
  });
  yield wide(
    'operations',
    members(7_500, (at) => [`/p${at}`, one]),
  );
  yield wide(
    'paths',
    members(50_000, (at) => [`/p${at}`, one]),
    {},
    { printed: 'has more than 5000 operations' },
  );
  yield wide(
    'paths-without-slash',
    members(20_000, (at) => [`p${at}`, one]),
    {},
    { printed: 'is not a path' },
  );
  const inRow = members(5_000, (at) => [
    `P${at}`,
    at === 0
      ? { name: 'q', in: 'query', schema: text }
      : { $ref: `#/components/parameters/P${at - 1}` },
  ]);
  yield wide(
    'references-in-a-row',
    {
      '/r': get({
        parameters: times(5_000, (at) => ({ $ref: `#/components/parameters/P${at}` })),
      }),
    },
    { components: { ...components, parameters: inRow } },
    { printed: 'or to more than 20 others in a row' },
  );
  yield wide('collections', {
    ...members(1_500, (at) => [`/c${at}`, crud(at)]),
    ...members(1_500, (at) => [`/c${at}/{id}`, own(at)]),
  });
  yield wide('nested-collections', {
    ...members(95, (at) => [
      times(at + 1, (level) => `/n${level}/{i${level}}`)
        .join('')
        .replace(/\/[^/]*$/, ''),
      crud(at),
    ]),
  });

  const objects = times(60_000, (at) => ({ a: at, b: [at] }));
  yield inJson('wide/enum-objects', schemaDocument({ enum: objects }));
  const unique = { type: 'array', uniqueItems: true, example: objects.slice(0, 50_000) };
  yield inJson('wide/unique-items', schemaDocument(unique));
  const shown = members(90_000, (at) => [`e${at}`, { value: { id: at } }]);
  const listed = { 'application/json': { schema: referTo('Item'), examples: shown } };
  yield wide('examples', {
    '/e': get({ responses: { 200: { description: 'x', content: listed } } }),
  });
  const long = {
    'application/json': {
      schema: { type: 'array', items: referTo('Item') },
      example: times(90_000, (at) => ({ id: at })),
    },
  };
  yield wide('example', { '/e': get({ responses: { 200: { description: 'x', content: long } } }) });

  const kinds = members(1_000, (at) => [
    `K${at}`,
    { allOf: [referTo('Base')], properties: { [`p${at}`]: text } },
  ]);
  const discriminator = {
    propertyName: 'kind',
    mapping: Object.fromEntries(
      Object.keys(kinds).map((name) => [name, `#/components/schemas/${name}`]),
    ),
  };
  const base = { type: 'object', required: ['kind'], properties: { kind: text }, discriminator };
  const union = { oneOf: Object.keys(kinds).map(referTo), discriminator };
  yield inJson(
    'wide/discriminators',
    schemaDocument(
      { type: 'object', properties: members(80, (at) => [`p${at}`, union]), required: ['p0'] },
      { ...kinds, Base: base },
    ),
  );
  const longPattern = `^(?:${'[a-z0-9_-]{1,20}(?:x|y|z)?'.repeat(30)})`;
  yield inJson(
    'wide/equal-patterns',
    schemaDocument({
      type: 'object',
      properties: members(2000, (at) => [`p${at}`, { ...text, pattern: longPattern }]),
    }),
  );
  yield inJson(
    'wide/patternProperties',
    schemaDocument({
      type: 'object',
      required: times(200, (at) => `p${at}`),
      properties: members(200, (at) => [`p${at}`, text]),
      patternProperties: members(20, (at) => [`${longPattern}${at}$`, text]),
    }),
  );
  const wideUnion = (of: (at: number) => object) => ({ oneOf: times(900, of) });
  yield inJson(
    'wide/oneOf-of-oneOf',
    schemaDocument(
      wideUnion((at) => ({ required: [`p${at}`], ...referTo('B') })),
      {
        B: wideUnion((at) => ({
          type: 'object',
          required: [`k${at}`],
          properties: { [`k${at}`]: { const: at } },
        })),
      },
    ),
  );

  const parameter = (at: number, rest = {}) => ({
    name: `q${at}`,
    in: 'query',
    schema: text,
    ...rest,
  });
  const overlaid = Object.fromEntries(
    ['get', 'put', 'post', 'delete', 'options', 'patch'].map((method) => [
      method,
      {
        parameters: times(2_000, (at) => parameter(at, { schema: { type: 'integer' } })),
        responses: ok(text),
      },
    ]),
  );
  yield wide('parameter-overlays', {
    '/o': { parameters: times(2_000, (at) => parameter(at)), ...overlaid },
  });
  const shared = { parameters: times(500, (at) => parameter(at)) };
  yield wide(
    'shared-parameters',
    members(500, (at) => [`/s${at}`, { $ref: '#/components/pathItems/P' }]),
    { components: { ...components, pathItems: { P: { ...shared, ...one } } } },
  );
  yield wide(
    'tags',
    {},
    { tags: times(100_000, (at) => ({ name: `t${at}`, parent: `t${(at + 1) % 100_000}` })) },
  );
  const securitySchemes = members(2_000, (at) => [
    `s${at}`,
    { type: 'apiKey', in: 'header', name: `X-${at}` },
  ]);
  yield wide(
    'security-alternatives',
    { '/a': get({}) },
    {
      components: { ...components, securitySchemes },
      security: times(2_000, (at) => ({ [`s${at}`]: [] })),
    },
  );
  yield wide(
    'security-schemes',
    members(100, (at) => [`/a${at}`, get({ security: [members(2_000, (of) => [`s${of}`, []])] })]),
    {
      components: { ...components, securitySchemes },
    },
  );
  const servers = times(50_000, (at) => ({
    url: `https://{h}.example.org/v${at}`,
    variables: { h: { default: 'a', enum: ['a', 'b'] } },
  }));
  yield wide('servers', { '/s': { ...one, servers } }, { servers });
  const variables = members(5_000, (at) => [`v${at}`, { default: `{v${at + 1}}` }]);
  yield wide(
    'server-variables',
    {},
    {
      servers: [
        {
          url: `/${Object.keys(variables)
            .map((name) => `{${name}}`)
            .join('')}`,
          variables,
        },
      ],
    },
  );
  const again = { callbacks: { same: { '{$url}': { $ref: '#/components/pathItems/P' } } } };
  yield wide(
    'same-callbacks',
    members(3_000, (at) => [`/c${at}`, get(again)]),
    {
      components: { ...components, pathItems: { P: one } },
    },
  );
  yield wide(
    'webhooks',
    {},
    {
      webhooks: members(10_000, (at) => [
        `w${at}`,
        { post: { requestBody: { content: json(referTo('Item')) }, responses: ok(text) } },
      ]),
    },
  );
  const links = members(20_000, (at) => [
    `l${at}`,
    { operationId: 'getGood', parameters: { id: `$response.body#/p${at}` } },
  ]);
  yield wide('links', { '/l': get({ responses: { 200: { ...ok(item)[200], links } } }) });
  const headers = members(100, (at) => [`X-${at}`, { schema: text }]);
  const statuses = Object.fromEntries(
    times(500, (at) => [
      `${100 + at}`,
      { description: 'x', headers, content: json(referTo('Item')) },
    ]),
  );
  yield wide('responses', { '/r': get({ responses: statuses }) });
  const types = members(20_000, (at) => [`application/x${at}+json`, { schema: referTo('Item') }]);
  yield wide('media-types', {
    '/m': {
      post: {
        requestBody: { content: types },
        responses: { 200: { description: 'x', content: types } },
      },
    },
  });
  const fields = members(5_000, (at) => [`f${at}`, text]);
  const definition = {
    schema: { type: 'object', properties: fields, required: Object.keys(fields) },
    encoding: members(5_000, (at) => [
      `f${at}`,
      { contentType: 'text/plain', headers: { 'X-A': { schema: text } } },
    ]),
  };
  yield wide('encodings', {
    '/f': {
      post: {
        requestBody: { required: true, content: { 'multipart/form-data': definition } },
        responses: ok(text),
      },
    },
  });
  yield wide(
    'same-ids',
    members(7_000, (at) => [`/i${at}`, get({ operationId: 'same' })]),
    {},
    { printed: 'is also that of' },
  );
  yield wide(
    'templates',
    members(5_000, (at) => [`/{a}/x${at % 70}/{b}/y${at}`, one]),
  );
  yield wide(
    'late-templates',
    members(900, (at) => [`/${times(20, (of) => `{p${of}}`).join('/')}/z${at}`, one]),
    {},
    { printed: 'is not described' },
  );
  const braces = times(150, (at) => `{a${at}}-`).join('');
  yield wide('segment', { [`/${braces}`]: one }, {}, { printed: 'is not described' });

  const impossible = (at: number): object => ({
    type: 'object',
    required: ['a', 'b', 'c'],
    properties: {
      a: { type: 'string', pattern: '^[a-z]{40}$', maxLength: 39 - (at % 9) },
      b: { allOf: [{ type: 'string' }, { format: 'date' }, { pattern: `^x${at}` }] },
      c: { type: 'array', minItems: 900, items: text },
    },
  });
  yield wide(
    'impossible',
    members(2_000, (at) => [`/u${at}`, { get: { responses: ok(impossible(at)) } }]),
    {},
    { printed: 'no value was found' },
  );
  const deepItems = (level: number): object =>
    level === 0 ? text : { type: 'array', minItems: 1_000, items: deepItems(level - 1) };
  yield wide(
    'min-items',
    members(100, (at) => [
      `/m${at}`,
      { get: { responses: ok({ title: `t${at}`, ...deepItems(4) }) } },
    ]),
  );
  yield wide(
    'broken-examples',
    members(1_000, (at) => [
      `/b${at}`,
      {
        get: {
          responses: ok({
            type: 'array',
            items: { type: 'integer' },
            example: times(500, (of) => `x${of}`),
          }),
        },
      },
    ]),
    {},
    { printed: 'the example breaks its schema' },
  );
  yield wide(
    'contains',
    members(20, (at) => [
      `/c${at}`,
      {
        get: {
          responses: ok({
            type: 'array',
            uniqueItems: true,
            minContains: 1_000,
            contains: { type: 'integer', minimum: at },
            items: { enum: times(2_000, (of) => of) },
          }),
        },
      },
    ]),
  );
  yield wide(
    'property-names',
    members(50, (at) => [
      `/n${at}`,
      {
        get: {
          responses: ok({
            type: 'object',
            minProperties: 1_000,
            propertyNames: { pattern: `^[a-z]{3}${at}$` },
            additionalProperties: { type: 'array', items: item },
          }),
        },
      },
    ]),
  );
  yield wide('unknown-required', {
    '/q': {
      post: {
        requestBody: {
          required: true,
          content: json({ type: 'object', required: times(90_000, (at) => `r${at}`) }),
        },
        responses: ok(text),
      },
    },
  });
  yield wide('references', {
    '/r': get({
      responses: ok({
        type: 'object',
        properties: members(90_000, (at) => [`p${at}`, referTo('Item')]),
      }),
    }),
  });
  yield wide(
    'dead-references',
    {},
    {
      components: {
        schemas: {
          ...components.schemas,
          ...members(50_000, (at) => [`p${at}`, referTo(`No${at}`)]),
        },
      },
    },
    { printed: 'does not exist' },
  );
  yield wide(
    'anchors',
    {
      '/r': get({
        responses: ok({
          type: 'object',
          properties: members(20_000, (at) => [`p${at}`, { $ref: `#a${at}` }]),
        }),
      }),
    },
    {
      components: {
        schemas: {
          ...components.schemas,
          ...members(20_000, (at) => [`A${at}`, { ...item, $anchor: `a${at}` }]),
        },
      },
    },
  );
  yield wide(
    'members',
    {},
    members(90_000, (at) => [`unknown${at}`, at]),
    { printed: 'is not a member' },
  );
  const plan = (at: number) => ({
    name: `p${at}`,
    limits: members(200, (of) => [`w${of}`, 10 + at]),
  });
  yield wide(
    'plans',
    {},
    {
      'x-rate-limit': {
        status: 429,
        headers: { limit: 'X-L', remaining: 'X-R', reset: 'X-S', retryAfter: 'Retry-After' },
        windows: times(200, (at) => ({ name: `w${at}`, seconds: at + 1 })),
        plans: times(1_000, plan),
      },
    },
  );
  yield wide(
    'versions',
    members(1_000, (at) => [
      `/v${at}`,
      {
        additionalOperations: members(9, (of) => [`M${of}`, { responses: ok(referTo('Item')) }]),
        query: { responses: ok(text) },
      },
    ]),
    { openapi: '3.2.0' },
  );
  const whole = {
    name: 'q',
    in: 'querystring',
    content: {
      'application/x-www-form-urlencoded': { schema: { type: 'object', properties: fields } },
    },
  };
  yield wide(
    'querystring',
    {
      '/q': get({
        parameters: [whole],
        responses: {
          200: {
            description: 'x',
            content: {
              'text/event-stream': { itemSchema: { type: 'object', properties: fields } },
            },
          },
        },
      }),
    },
    { openapi: '3.2.0' },
  );
}

/** Swagger 2.0, YAML, and values and names that readers trip over. */
function* listOddDocuments(): Generator<HostileDocument> {
  const swagger = (name: string, rest: object, written: Rest = {}) =>
    inJson(
      `swagger/${name}`,
      { swagger: '2.0', info: { title: 'a', version: '1' }, ...rest },
      written,
    );
  const fine = { responses: { 200: { description: 'x', schema: { $ref: '#/definitions/Item' } } } };
  const definitions = { Item: { type: 'object', properties: { id: text } } };
  const types = times(2_000, (at) => `application/x${at}+json`);
  yield swagger('media-types', {
    consumes: types,
    produces: types,
    definitions,
    paths: {
      '/hostile': { get: fine },
      ...members(2_000, (at) => [
        `/p${at}`,
        {
          post: {
            ...fine,
            parameters: [{ name: 'b', in: 'body', schema: { $ref: '#/definitions/Item' } }],
          },
        },
      ]),
    },
  });
  yield swagger(
    'bodies',
    {
      definitions,
      paths: {
        '/hostile': {
          get: fine,
          post: {
            ...fine,
            parameters: times(20_000, (at) => ({
              name: `b${at}`,
              in: 'body',
              schema: { type: 'string' },
            })),
          },
        },
      },
    },
    { printed: 'only one parameter' },
  );
  yield swagger('forms', {
    definitions,
    parameters: members(5_000, (at) => [
      `F${at}`,
      {
        name: `f${at}`,
        in: 'formData',
        type: 'array',
        items: text,
        collectionFormat: 'multi',
        required: true,
      },
    ]),
    paths: {
      '/hostile': {
        get: fine,
        post: { ...fine, parameters: times(5_000, (at) => ({ $ref: `#/parameters/F${at}` })) },
      },
    },
  });
  const deep = times(400, (at) => at).reduce<object>(
    (inner) => ({
      type: 'object',
      properties: {
        a: inner,
        b: { type: 'array', items: { type: 'integer', format: 'int64', 'x-nullable': true } },
      },
    }),
    text,
  );
  const isRefused = true;
  yield swagger(
    'deep',
    { definitions: { Item: deep }, paths: { '/hostile': { get: fine } } },
    { isRefused },
  );

  const a = referTo('A');
  yield schema('cyclic/allOf-items', a, {
    A: { allOf: [{ type: 'array', minItems: 1, items: a }, referTo('B')] },
    B: { allOf: [{ type: 'array', items: { allOf: [referTo('B'), a] } }] },
  });
  const knot = members(300, (at) => [
    `S${at}`,
    {
      type: 'object',
      properties: members(300, (of) => [`p${of}`, referTo(`S${of}`)]),
      required: ['p0', `p${(at + 1) % 300}`],
    },
  ]);
  yield schema('cyclic/knot', referTo('S0'), knot);
  const optional = members(300, (at) => [
    `S${at}`,
    { type: 'object', properties: members(300, (of) => [`p${of}`, referTo(`S${of}`)]) },
  ]);
  yield inJson('cyclic/optional-knot', schemaDocument(referTo('S0'), optional));
  const chain = chainOf(9_000, (before) => ({
    type: 'object',
    required: ['a'],
    properties: { a: before },
  }));
  yield schema('cyclic/chain-properties', referTo('S8999'), chain);
  const nots = times(400, (at) => at).reduce<object>((not) => ({ not }), text);
  yield inJson('deep/not', schemaDocument(nots));
  // An object with a member `then` is one that `await` calls.
  const branches = times(12, (at) => `a${at}`).reduce<object>(
    (inner, name) => ({
      if: { required: [name] },
      '@then': inner,
      else: { anyOf: [inner, { required: [`b${name}`] }] },
    }),
    { type: 'object' },
  );
  yield withText(
    'deep/if',
    schemaDocument('@@'),
    JSON.stringify(branches).replaceAll('@then', 'then'),
    // A value is judged by it in fewer steps than are allowed.
    { printed: '0 errors' },
  );

  const names = [
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'valueOf',
    'then',
    'length',
    'prototype',
    '__defineGetter__',
  ];
  const named = Object.fromEntries(
    names.map((name) => [
      name,
      {
        type: 'object',
        properties: Object.fromEntries(names.map((one) => [one, referTo(name)])),
        required: names.slice(0, 2),
      },
    ]),
  );
  const paths = Object.fromEntries(
    names.flatMap((name) => [
      [
        `/${name}`,
        {
          get: {
            operationId: name,
            parameters: names.map((one) => ({ name: one, in: 'query', schema: text })),
            responses: ok({ type: 'array', items: referTo(name) }),
          },
        },
      ],
      [`/${name}/{${name}}`, { get: { operationId: `one-${name}`, responses: ok(referTo(name)) } }],
    ]),
  );
  const proto = JSON.stringify(
    documentOf(
      { ...paths, '/hostile': { get: { responses: ok(referTo('constructor')) } } },
      { components: { schemas: named } },
    ),
  );
  yield {
    name: 'names/prototype',
    file: 'openapi.json',
    text: proto.replaceAll('"toString":', '"__proto__":'),
    printed: '#',
  };
  const odd = [
    'e\u0301',
    '\u00e9',
    '\ud83d\ude00',
    '\ud800',
    '\u202etxt',
    '\u0000',
    '\ufeff',
    '\u2028',
    'a b',
    '%41',
    '~1',
    '~',
    '/',
    '#',
    '?',
    '',
    ' ',
    '\u{1F468}\u200d\u{1F469}'.replaceAll(/\\u\{([^}]*)\}/g, ''),
  ];
  const oddly = Object.fromEntries(
    odd.map((name) => [
      name,
      {
        type: 'object',
        required: odd,
        properties: Object.fromEntries(odd.map((one) => [one, text])),
      },
    ]),
  );
  yield inJson(
    'names/unicode',
    documentOf(
      {
        ...Object.fromEntries(
          odd.map((name) => [
            `/${name}`,
            {
              get: {
                operationId: name,
                parameters: odd.map((one) => ({ name: one, in: 'header', schema: text })),
                responses: ok(oddly[name]),
              },
            },
          ]),
        ),
        '/hostile': { get: { responses: ok(oddly['~']) } },
      },
      {
        components: {
          schemas: oddly,
          securitySchemes: Object.fromEntries(
            odd.map((name) => [name, { type: 'apiKey', in: 'header', name }]),
          ),
        },
      },
    ),
    { printed: '#' },
  );
  const numbers = [
    '1e308',
    '-1e308',
    '5e-324',
    '9007199254740993',
    '0.1',
    '1e-300',
    `1${'0'.repeat(5_000)}`,
  ];
  yield withText(
    'numbers/limits',
    schemaDocument({ type: 'object', required: times(7, (at) => `p${at}`), properties: '@@' }),
    `{${numbers.map((one, at) => `"p${at}":{"type":"${at % 2 === 0 ? 'number' : 'integer'}","minimum":${one},"multipleOf":${numbers[(at + 3) % 7]?.replace('-', '')},"maxLength":${one},"enum":[${numbers.join(',')}]}`).join(',')}}`,
  );
  const digits = `[${times(2_000, (at) => `${at + 1}${'7'.repeat(3_000)}`).join(',')}]`;
  yield {
    ...withText('numbers/enum-digits', schemaDocument({ enum: '@@' }), digits),
    printed: 'line 1',
    isRefused: true,
  };

  const aliases = times(300, (at) => `x-${at}: [${times(1_000, () => '*i').join(', ')}]\n`).join(
    '',
  );
  yield yaml('texts/aliases', `x-i: &i { a: 1 }\n${aliases}`);
  const indented = times(40_000, (at) => `${' '.repeat(at % 7)}x-${at}: a: b: c`);
  yield yaml('texts/broken-indent', `${indented.join('\n')}\n`, { isRefused: true });
  const fields = times(300, (at) => `k${at}: { type: string }`).join(', ');
  const merges = times(
    1_000,
    (at) => `      S${at}: { type: object, properties: { <<: *f, own${at}: *t } }\n`,
  ).join('');
  yield yaml(
    'texts/merge-keys',
    `x-t: &t { type: string }\nx-f: &f { ${fields} }\ncomponents:\n    schemas:\n${merges}`,
  );
  yield yaml('texts/block-scalar', `x-t: |\n${'  a line of text\n'.repeat(1_000_000)}`);
  yield yaml(
    'texts/quotes',
    `x-t: [${times(50_000, (at) => `"a\\u${String(1000 + (at % 9000))}b", 'c''d'`).join(', ')}]\n`,
  );
  yield yaml('texts/documents', '---\na: 1\n'.repeat(50_000));
  const long = 'x'.repeat(20_000_000);
  const described = {
    ...documentOf({
      '/hostile': { get: { description: long, summary: long, responses: ok(text) } },
    }),
    info: { title: 'x', description: long, version: '1' },
  };
  yield inJson('texts/description', described, { isRefused: true });
}

/** A schema wherever there may be one. */
function everywhere(written: unknown): object {
  const parameter = (place: string) => ({
    name: place === 'path' ? 'id' : `in-${place}`,
    in: place,
    required: true,
    schema: written,
  });
  const response = {
    description: 'x',
    headers: { 'x-hostile': { required: true, schema: written } },
    content: { ...json(written), 'text/plain': { schema: written } },
  };
  const requestBody = {
    required: true,
    content: { ...json(written), 'multipart/form-data': { schema: written } },
  };
  const item = {
    parameters: ['path', 'query', 'header', 'cookie'].map(parameter),
    get: { responses: { 200: response, default: response } },
    put: { requestBody, responses: { 200: response } },
  };
  const hook = { post: { requestBody, responses: ok(written) } };
  return documentOf({ '/hostile/{id}': item }, { webhooks: { hook } });
}

/** Prints the status of a mock's response to `GET /hostile` for the document in a file. */
const answer = `
  const { loadContract } = await import(process.argv[1] + '/contract/index.ts');
  const { createMock } = await import(process.argv[1] + '/mock/index.ts');
  const mock = await createMock(await loadContract(process.argv[2]));
  const { status } = await mock.fetch(new Request('http://localhost/hostile'));
  console.log(status);
  await mock.close();
`;

/** Runs a command on a document. It ends on its own, in 300 MB of heap. */
function run(
  command: readonly string[],
  { file, text }: HostileDocument,
): Promise<{ code: unknown; output: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, file), text);
  const argv = ['--max-old-space-size=300', packageFile('cli/petstore.ts'), ...command, file];
  return new Promise((resolve) => {
    execFile(process.execPath, argv, { cwd: folder, maxBuffer: 2 ** 26 }, (error, ...output) => {
      resolve({ code: error === null ? 0 : error.code, output: output.join('') });
    });
  });
}

test.each(['wide/inheritance', 'wide/parameters', 'wide/costly-patterns'])(
  'the mock answers for %s in 300 MB of heap',
  { timeout: 120_000 },
  async (name) => {
    const document = [...listHostileDocuments()].find((one) => one.name === name);
    const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'openapi.json');
    writeFileSync(file, document?.text ?? '');
    const argv = ['--max-old-space-size=300', '--input-type=module', '-e', answer];
    const output = await new Promise<string>((resolve) => {
      execFile(process.execPath, [...argv, packageFile('.'), file], (_error, ...texts) =>
        resolve(texts.join('')),
      );
    });
    expect(output).toMatch(/^200\n/);
  },
);

test.each(['texts/broken-indent', 'wide/members-of-many-operations'])(
  'conform ends for %s in 300 MB of heap',
  { timeout: 120_000 },
  async (name) => {
    const document = [...listHostileDocuments()].find((one) => one.name === name);
    if (document === undefined) throw new Error(`there is no document ${name}`);
    const { output } = await run(['conform', '--requests', '20', '--contract'], document);
    expect(output).toMatch(/nested more than|requests of 20/);
  },
);

test.each([...listHostileDocuments()])(
  '$name is reported without a stack trace',
  { timeout: 120_000 },
  async (document) => {
    const { code, output } = await run(['lint'], document);
    expect(document.isRefused === true ? [2] : [0, 1]).toContain(code);
    expect(output).not.toMatch(/^\s+at .*[(:]|heap|RangeError/m);
    expect(output).toContain(document.printed ?? '');
  },
);
