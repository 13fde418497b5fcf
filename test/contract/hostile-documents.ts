/** A document that somebody wrote to hang, to crash or to fill whoever reads it. */
export interface HostileDocument {
  /** What is hostile in it: `references/doubling-allOf`. */
  readonly name: string;
  /** A file of its text. */
  readonly file: 'openapi.json' | 'openapi.yaml';
  readonly text: string;
  /** What a message about it contains; absent: there may be none. */
  readonly told?: string;
  /** Nothing of it can be used: every command refuses it. Default: false. */
  readonly isRefused?: boolean;
}

/** JSON as it is written; what is too large or odd for JSON.stringify is given as text. */
type Written = unknown;

export const json = (schema: Written): object => ({ 'application/json': { schema } });

export const ok = (schema: Written): { readonly 200: object } => ({
  200: { description: 'Fine.', content: json(schema) },
});

export const referTo = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

/** A list of values made from the numbers below a count. */
export function times<Value>(count: number, make: (index: number) => Value): Value[] {
  return Array.from({ length: count }, (_none, index) => make(index));
}

/** An object of members made from the numbers below a count. */
export function members<Value>(
  count: number,
  make: (index: number) => readonly [string, Value],
): Record<string, Value> {
  return Object.fromEntries(times(count, make));
}

/** A document that has a sound operation at `/good`, and more. */
export function documentOf(
  paths: Record<string, Written>,
  rest: Record<string, Written> = {},
): object {
  const schema = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
  const good = { get: { operationId: 'getGood', responses: ok(schema) } };
  const info = { title: 'Hostile', version: '1' };
  return { openapi: '3.1.0', info, paths: { '/good': good, ...paths }, ...rest };
}

/** A schema in the response of `GET /hostile`, and in the body of `POST /hostile`. */
export function schemaDocument(
  schema: Written,
  schemas: Record<string, Written> = {},
  version = '3.1.0',
): object {
  const operations = {
    get: { operationId: 'getHostile', responses: ok(schema) },
    post: {
      operationId: 'addHostile',
      requestBody: { required: true, content: json(schema) },
      responses: ok(schema),
    },
  };
  const document = documentOf({ '/hostile': operations }, { components: { schemas } });
  return { ...document, openapi: version };
}

type Rest = Partial<HostileDocument>;

const inJson = (name: string, document: object, rest: Rest = {}): HostileDocument => {
  return { name, file: 'openapi.json', text: JSON.stringify(document), ...rest };
};

/** A schema that messages are about. */
const schema = (name: string, written: Written, schemas: Record<string, Written> = {}) =>
  inJson(name, schemaDocument(written, schemas), { told: '/' });

/** A document with a text in place of `@@`, as it is too long or too deep to be written out. */
const withText = (name: string, document: object, text: string): HostileDocument => {
  const written = JSON.stringify(document).replaceAll('"@@"', () => text);
  return { name, file: 'openapi.json', text: written, told: '#' };
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
export function* listHostileDocuments(): Generator<HostileDocument> {
  const a = referTo('A');
  yield doubled('allOf', (one) => ({ allOf: [one, one] }));
  yield doubled('oneOf', (one) => ({ oneOf: [one, { type: 'object', properties: { a: one } }] }));
  yield doubled('items', (one) => ({ type: 'array', minItems: 2, items: one }));
  const pair = (one: object) => ({ ...last, required: ['a', 'b'], properties: { a: one, b: one } });
  yield doubled('required', pair, '3.0.3');
  yield doubled('unevaluated', (one) => ({ allOf: [one, one], unevaluatedProperties: false }));
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
    told: 'leads back to itself',
  });
  const encodings = (at: number) => members(2, (one) => [`${one}`, { $ref: `#/x-e/E${at}` }]);
  const form = { schema: { type: 'object' }, encoding: encodings(0) };
  const post = {
    requestBody: { content: { 'multipart/form-data': form } },
    responses: ok(text),
  };
  yield inJson(
    'references/doubling-encoding',
    documentOf(
      { '/hostile': { post } },
      { 'x-e': members(40, (at) => [`E${at}`, { encoding: encodings(at + 1) }]) },
    ),
    { told: '/encoding/' },
  );

  yield withText('deep/items', schemaDocument('@@'), nested('{"type":"array","items":', '}'));
  yield withText('deep/allOf', schemaDocument('@@'), nested('{"allOf":[', ']}'));
  yield withText('deep/example', schemaDocument({ example: '@@' }), nested('[', ']'));
  const million = nested('[', ']', 1_000_000, '1');
  yield withText('deep/extension-million', documentOf({}, { 'x-deep': '@@' }), million);
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
  yield inJson('wide/enum', schemaDocument({ type: 'string', enum: many }));
  yield inJson('wide/oneOf', schemaDocument({ oneOf: times(5_000, (at) => ({ const: at })) }));
  const definitions = members(10_000, (at) => [
    `d${at}`,
    { properties: { next: referTo(`A/$defs/d${(7 * at + 1) % 10_000}`) } },
  ]);
  const fields = members(10_000, (at) => [`p${at}`, text]);
  yield inJson('wide/properties', schemaDocument({ type: 'object', properties: fields }));
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
  const headers = members(5_000, (at) => [`x-${at}`, { required: true, schema: text }]);
  yield operation('wide/headers', { responses: { 200: { description: 'x', headers } } });
  const inPath = times(2_500, (at) => ({ ...parameter(at), in: 'path', required: true }));
  const longPath = `/${inPath.map(({ name }) => `{${name}}`).join('/')}`;
  const long = { [longPath]: { parameters: inPath, get: { responses: ok(text) } } };
  yield inJson('wide/path', documentOf(long), { told: 'characters, at most 1000 are read' });
  const paths = members(5_000, (at) => [`/a/{p${at}}`, { get: { responses: ok(text) } }]);
  yield inJson('wide/ambiguous-paths', documentOf(paths), { told: '/paths/' });

  yield inJson(
    'wide/diagnostics',
    schemaDocument({ type: 'object', properties: members(20_000, wrongSchema) }),
    { told: 'is not a JSON type' },
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
    yield inJson(`unsatisfiable/everywhere-${name}`, everywhere(written), { told: '~1hostile' });

  const laughs = times(12, (at) => {
    const before = at === 0 ? 'lol' : `*a${at - 1}`;
    return `x${at}: &a${at} [${times(10, () => before).join(', ')}]\n`;
  });
  yield yaml('texts/laughs', laughs.join(''), { isRefused: true });
  yield yaml('texts/anchor-circle', 'x-anchors: &a { b: *a }\n', { told: '#' });
  yield yaml('texts/many-errors', '  bad: [\n'.repeat(5_000), { isRefused: true });
  yield yaml('texts/many-tags', times(40_000, (at) => `x-${at}: !t${at} 1\n`).join(''), {
    told: 'Unresolved tag',
  });
  const merged = times(400, (at) => {
    const before = times(20, (one) => `*m${Math.max(0, at - one)}`).join(', ');
    return `x-m${at + 1}: &m${at + 1}\n  <<: [${before}]\n  k${at}: 1\n`;
  });
  const merges = `x-m0: &m0 { a: 1 }\n${merged.join('')}`;
  yield yaml('texts/merges', merges, { isRefused: true });
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
}

/** A schema wherever there may be one. */
function everywhere(written: Written): object {
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
