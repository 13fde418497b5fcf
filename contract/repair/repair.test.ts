import { expect, test } from 'vitest';
import { renderDiagnostic } from '../source/diagnostic.ts';
import { loadContract } from '../load.ts';

const head = 'openapi: 3.1.0\ninfo: { title: T, version: "1" }\n';

/** One operation, and the members of its document. */
function withSchema(schema: string, openapi = '3.1.0'): string {
  return `openapi: ${openapi}
info: { title: T, version: "1" }
paths:
  /a: { get: { responses: { 200: { description: ok, content: { application/json: { schema: ${schema} } } } } } }`;
}

async function linesOf(text: string): Promise<readonly string[]> {
  const { diagnostics } = await loadContract({ text, name: 'x.yaml' });
  return diagnostics.map((one) => renderDiagnostic(one).replace('x.yaml:', ''));
}

const schema = '#/paths/~1a/get/responses/200/content/application~1json/schema';

test.each<[string, string, readonly string[]]>([
  ['license', `${head.replace('}', ', license: { name: MIT } }')}paths: {}`, []],
  [
    'bearer',
    `${head}paths: {}\ncomponents: { securitySchemes: { b: { type: http, scheme: Bearer, bearerFormat: JWT } } }`,
    [],
  ],
  ['webhooks', `${head}webhooks: { a: { post: { responses: { 200: { description: ok } } } } }`, []],
  ['components', `${head}components: { schemas: { A: { type: string } } }`, []],
  [
    'version 3.2',
    'openapi: 3.2.0\ninfo: { title: T, version: "1" }\npaths: { /a: { query: { responses: { 200: { description: ok } } } } }',
    [],
  ],
  [
    'a version that is a number',
    'openapi: 3.0\ninfo: { title: T, version: 1 }\npaths: {}',
    [
      '1:1 warning #/openapi: 3 is not a known version. Write openapi: 3.1.1; it is read as that. [unknown-version]',
      '2:19 warning #/info/version: must be a string. Write "1"; it is read as that. [converted-value]',
    ],
  ],
  [
    'info',
    'openapi: 3.1.0\npaths: {}',
    ['1:1 warning #: info is missing. Add info. [missing-member]'],
  ],
  [
    'responses',
    `${head}paths: { /a: { get: { responses: { 4xx: { description: no }, "200 OK": text, odd: {} } } } }`,
    [
      '3:36 warning #/paths/~1a/get/responses/4xx: 4xx is not a status. Write 4XX; it is read as that. [misspelled-name]',
      '3:62 warning #/paths/~1a/get/responses/200 OK: 200 OK is not a status. Write 200; it is read as that. [misspelled-name]',
      '3:78 error #/paths/~1a/get/responses/odd: odd is not a status. Write a status such as 200 or 4XX, or default; until then it is ignored. [invalid-name]',
      '3:23 warning #/paths/~1a/get/responses/200: must be an object. Write {"description":"text"}; it is read as that. [converted-value]',
    ],
  ],
  [
    'path parameters',
    `${head}paths: { "/a/{id}": { get: { parameters: [{ name: x, in: path, required: true, schema: {} }, { name: q, in: query, schema: {} }], responses: { 200: { description: ok } } } } }`,
    [
      '3:43 warning #/paths/~1a~1{id}/get/parameters/0: the path parameter x is not in the path /a/{id}. Remove it; it is ignored. [unused-parameter]',
      '3:23 warning #/paths/~1a~1{id}/get: the path parameter id of /a/{id} is not described. Describe it; until then any string is accepted. [undescribed-parameter]',
    ],
  ],
  [
    'a parameter of version 2.0',
    `${head}paths: { /a: { get: { parameters: [{ name: q, in: query, type: integer }], responses: { 200: { description: ok } } } } }`,
    [
      '3:36 warning #/paths/~1a/get/parameters/0: a parameter needs a schema. Write type in schema; it is read as that. [missing-member]',
    ],
  ],
  [
    'the same requests, and the same id',
    `${head}paths:\n  /a: { get: { operationId: x, responses: { 200: { description: ok } } } }\n  "/{b}": { get: { operationId: x, parameters: [{ name: b, in: path, required: true, schema: {} }], responses: { 200: { description: ok } } } }\n  "/{c}": { get: { responses: { 200: { description: ok } } } }`,
    [
      '5:13 warning #/paths/~1{b}/get: operationId x is also that of GET /a. Give it another id; it is known as GET /{b}. [duplicate-id]',
      '6:13 warning #/paths/~1{c}/get: GET /{c} matches the same requests as /{b}. Give it another path; it serves the requests that fit its path parameters better. [ambiguous-path]',
      '6:13 warning #/paths/~1{c}/get: the path parameter c of /{c} is not described. Describe it; until then any string is accepted. [undescribed-parameter]',
    ],
  ],
  [
    'a reference to nothing',
    withSchema("{ $ref: '#/components/schemas/Nowhere' }"),
    [
      `4:94 error ${schema}/$ref: #/components/schemas/Nowhere does not exist. Correct the reference; until then any value is accepted. [unknown-reference]`,
    ],
  ],
  [
    'a reference to nothing beside other members',
    `${head}paths: {}\ncomponents: { $ref: 5, securitySchemes: { k: { $ref: './none.yaml', type: http, scheme: basic }, l: { $ref: 5, description: L } } }`,
    [
      '4:15 error #/components/$ref: $ref does not exist. Correct the reference; until then only what is beside it is read. [unknown-reference]',
      '4:48 error #/components/securitySchemes/k/$ref: refused: a document given as text has no folder in which to look for ./none.yaml. Correct the reference, or read the document from a file; until then only what is beside it is read. [unknown-reference]',
      '4:103 error #/components/securitySchemes/l/$ref: $ref does not exist. Correct the reference; until then this is ignored. [unknown-reference]',
    ],
  ],
  [
    'a reference out of the folder',
    withSchema('{ $ref: other.yaml }'),
    [
      `4:94 error ${schema}/$ref: refused: a document given as text has no folder in which to look for other.yaml. Correct the reference, or read the document from a file; until then any value is accepted. [unknown-reference]`,
    ],
  ],
  [
    'nullable in 3.1',
    withSchema('{ type: string, nullable: true }'),
    [
      `4:108 warning ${schema}/nullable: nullable exists only in OpenAPI 3.0. Write "type": ["...", "null"]; it is read as that. [other-version]`,
    ],
  ],
  ['nullable in 3.0', withSchema('{ type: string, nullable: true }', '3.0.3'), []],
  [
    'types',
    withSchema('{ type: int, minLength: "2", required: true, enum: ["1", 2], maxLength: -1 }'),
    [
      `4:121 warning ${schema}/required: required must be an array of names. List the names of required members in the schema of the object that has them. [converted-value]`,
      `4:94 warning ${schema}/type: "int" is not a JSON type. Write "integer"; it is read as that. [converted-value]`,
      `4:105 warning ${schema}/minLength: must be a number. Write 2; it is read as that. [converted-value]`,
      `4:137 warning ${schema}/enum: enum has values that are not of type integer. Write the values in their type; they are read as that. [converted-value]`,
      `4:153 error ${schema}/maxLength: maxLength must be an integer from 0 on. Correct it; until then it is left out. [invalid-keyword]`,
    ],
  ],
  [
    'null as the only value, which one of two types allows',
    withSchema(
      '{ allOf: [{ type: object, nullable: true, enum: [null] }, { type: object, enum: [null] }] }',
      '3.0.3',
    ),
    [expect.stringContaining(`${schema}/allOf/1/enum: no value of enum is of type object`)],
  ],
  [
    'a format that the length excludes',
    withSchema(
      '{ allOf: [{ type: string, format: uuid, maxLength: 24 }, { format: date, minLength: 10 }] }',
    ),
    [
      `4:118 warning ${schema}/allOf/0/format: no text of the format uuid fits the pattern and the length limits. Correct one of them; the format is ignored. [impossible-value]`,
    ],
  ],
  [
    'formats beside patterns of other lengths, of the same length, and of a part',
    withSchema(
      String.raw`{ properties: { a: { format: date, pattern: '^\d{8}$' }, b: { format: date, pattern: '^19' }, c: { format: date-time, pattern: '\.\d{3}Z$' }, d: { format: uuid, pattern: '^[0-9A-F-]+$' }, e: { format: date-time, pattern: '^\d{4}-\d\d-\d\d \d\d:\d\d$' }, f: { format: date, pattern: '^(19|20)\d\d(-\d\d){2}$' }, g: { format: email, pattern: '@acme$' }, h: { format: date, pattern: '^\d{8}$|^x' }, i: { format: date, pattern: '^(\d\d)\1.*\$' } } }`,
    ),
    ['a', 'e'].map((name) => expect.stringContaining(`/properties/${name}/format: no text of`)),
  ],
  [
    'lists with items of other types',
    withSchema(
      '{ allOf: [{ type: array, items: { type: string } }, { type: array, items: { type: integer } }] }',
    ),
    [],
  ],
  [
    'a long value that should be in an array',
    `${head}servers: { url: 'https://api.example.com/a/long/address', description: Production }\npaths: {}`,
    [
      '3:1 warning #/servers: must be an array. Write it as an array; it is read as that. [converted-value]',
    ],
  ],
  [
    'schemas of oneOf that cannot be distinguished',
    withSchema(
      '{ oneOf: [{ type: object, required: [a] }, { type: object, properties: { a: { type: integer } } }, { type: object, properties: { b: {} } }] }',
    ),
    [
      `4:94 warning ${schema}/oneOf: its schemas 2 and 3 cannot be distinguished: a value meant for one also fits the other. Write anyOf; it is read as that. [impossible-value]`,
    ],
  ],
  [
    'schemas of oneOf that can be distinguished',
    withSchema(
      '{ properties: { a: { oneOf: [{ type: string, format: date }, { type: string, format: date-time }] }, b: { oneOf: [{ type: object, properties: { kind: { enum: [b] } } }, { type: object, properties: { kind: { enum: [c] } } }] }, c: { oneOf: [{ type: object }, { type: object, additionalProperties: false }] }, d: { oneOf: [{ type: object }, { type: object }], discriminator: { propertyName: kind } } } }',
    ),
    [],
  ],
  [
    'a file that is called an object',
    withSchema('{ type: object, format: binary }'),
    [
      `4:94 warning ${schema}/type: type is object, but the format is binary. Write string; it is read as that. [converted-value]`,
    ],
  ],
  [
    'a large integer for a type',
    withSchema('{ type: 18446744073709551616 }'),
    [
      `4:94 error ${schema}/type: 18446744073709551616 is not a JSON type. Write a JSON type; until then any type is accepted. [invalid-keyword]`,
    ],
  ],
  [
    'patterns',
    withSchema(String.raw`{ anyOf: [{ pattern: '\A[[:alpha:]]++\z' }, { pattern: '(?(1)a|b)' }] }`),
    [
      `4:104 warning ${schema}/anyOf/0/pattern: must be a regular expression of ECMA-262 with the u flag. Write ^[A-Za-z]+$; it is read as that. [translated-pattern]`,
      `4:138 error ${schema}/anyOf/1/pattern: must be a regular expression of ECMA-262 with the u flag. Write it in that dialect; until then it is ignored. [invalid-pattern]`,
    ],
  ],
  [
    'an unknown keyword',
    withSchema('{ type: string, maxLenght: 5 }'),
    [
      `4:108 hint ${schema}/maxLenght: is not a member of a Schema object. Remove it, or start its name with x-; it is ignored. [ignored-member]`,
    ],
  ],
  [
    'a schema that judges a value by itself again',
    `${withSchema("{ $ref: '#/components/schemas/Base' }")}
components:
  schemas:
    Base: { type: object, oneOf: [{ $ref: '#/components/schemas/Child' }] }
    Child: { allOf: [{ $ref: '#/components/schemas/Base' }] }`,
    [
      '7:27 error #/components/schemas/Base/oneOf: refers to itself without end. Refer from one side only; until then this keyword is ignored. [endless-reference]',
    ],
  ],
  [
    'a media type with a character too many',
    `${head}paths: { /a: { get: { responses: { 200: { description: ok, content: { 'application/json:': { schema: {} } } } } } } }`,
    [
      '3:71 warning #/paths/~1a/get/responses/200/content/application~1json:: application/json: is not a media type. Write application/json; it is read as that. [misspelled-name]',
    ],
  ],
  [
    'a required member that is forbidden',
    `${head}paths: {}\ncomponents: { schemas: { A: { type: object, required: [a, b], additionalProperties: false, properties: { a: {} } } } }`,
    [
      '4:45 warning #/components/schemas/A/required: b is required, and forbidden by additionalProperties. Describe b in properties; it is read as that. [impossible-value]',
    ],
  ],
  [
    'objects that require each other',
    `${head}paths: {}\ncomponents:
  schemas:
    User: { type: object, required: [id, file], properties: { id: {}, file: { $ref: '#/components/schemas/File' } } }
    File: { type: object, required: [id, user], properties: { id: {}, user: { allOf: [{ $ref: '#/components/schemas/User' }] } } }
    Node: { type: object, required: [next, all], properties: { next: { anyOf: [{ $ref: '#/components/schemas/Node' }, { type: 'null' }] }, all: { type: array, items: { $ref: '#/components/schemas/Node' } } } }
    Tree: { type: object, required: [top], properties: { top: { anyOf: [{ $ref: '#/components/schemas/Tree' }, { type: string }] } } }`,
    [
      '7:27 warning #/components/schemas/File/required: user is required and leads back to this schema, so that no finite value fits. Take user off the list; it is read as that. [impossible-value]',
    ],
  ],
  [
    'security',
    `${head}security: [{ none: [] }]\npaths: { /a: { get: { responses: { 200: { description: ok } } } } }\ncomponents: { securitySchemes: { key: { type: apikey, name: k, in: Header }, b: { type: bearer } } }`,
    [
      '5:41 warning #/components/securitySchemes/key/type: type must be one of apiKey, http, oauth2, openIdConnect, mutualTLS. Write type: apiKey; it is read as that. [invalid-security-scheme]',
      '5:64 warning #/components/securitySchemes/key/in: in must be one of header, query, cookie. Write in: header; it is read as that. [invalid-security-scheme]',
      '5:83 warning #/components/securitySchemes/b/type: type must be one of apiKey, http, oauth2, openIdConnect, mutualTLS. Write type: http; it is read as that. [invalid-security-scheme]',
      '5:78 warning #/components/securitySchemes/b: scheme must be an HTTP authentication scheme. Write scheme: bearer; it is read as that. [invalid-security-scheme]',
      '3:14 error #/security/0/none: there is no security scheme none. Describe it in components.securitySchemes; until then this requirement is ignored. [unknown-security-scheme]',
    ],
  ],
  [
    'a security scheme whose name starts with x-',
    `${head}security: [{ x-key: [] }]\npaths: {}\ncomponents: { securitySchemes: { x-key: { type: apiKey, name: k, in: header } } }`,
    [],
  ],
  [
    'a version that is not supported',
    'swagger: "1.2"\ninfo: { title: T, version: "1" }\napis: []\npaths: {}',
    [
      '1:1 error #/swagger: "1.2" is not a supported version. Write openapi: 3.1.1; it is read as that. [unsupported-version]',
      '3:1 hint #/apis: is not a member of a Document object. Remove it, or start its name with x-; it is ignored. [ignored-member]',
    ],
  ],
  [
    'a later version',
    'openapi: 4.0.0\ninfo: { title: T, version: "1" }\npaths: {}',
    [
      '1:1 error #/openapi: "4.0.0" is not a supported version. Write openapi: 3.1.1; it is read as that. [unsupported-version]',
    ],
  ],
  [
    'no version',
    'info: { title: T, version: "1" }\npaths: {}',
    [
      '1:1 error #: openapi is missing. Write openapi: 3.1.1; it is read as that. [unsupported-version]',
    ],
  ],
  [
    'a text that ends before its paths',
    head,
    [
      '1:1 error #: paths is missing. Add paths; until then there are no operations. [missing-paths]',
    ],
  ],
  [
    'a text that ends in a name',
    `${head}paths: {}\nserv`,
    [
      '4:1 error #: Implicit map keys need to be followed by map values. Correct or complete the text; what follows is ignored. [cut-text]',
      '4:1 hint #/serv: is not a member of a Document object. Remove it, or start its name with x-; it is ignored. [ignored-member]',
    ],
  ],
  [
    'a text that ends at its paths',
    `${head}paths:`,
    ['3:1 error #/paths: must be an object. Write {}; it is read as that. [wrong-type]'],
  ],
  [
    'a text that ends in a path item',
    `${head}paths:\n  /a:\n    get:\n`,
    ['5:5 error #/paths/~1a/get: is null. Correct it; until then it is ignored. [wrong-type]'],
  ],
  [
    'paths that are an empty array, as some languages write them',
    `${head}paths: []`,
    ['3:1 warning #/paths: must be an object. Write {}; it is read as that. [converted-value]'],
  ],
  [
    'no paths beside components in 3.0',
    `openapi: 3.0.3\ninfo: { title: T, version: "1" }\ncomponents: {}`,
    ['1:1 warning #: paths is missing. Add paths: {}; it is read as that. [missing-member]'],
  ],
  [
    'YAML',
    `${head}paths: {}\npaths: {}\ntags: !odd [{ name: a\t}]`,
    [
      '4:1 error #: Map keys must be unique. Correct the text; everything else is read. [duplicate-key]',
      '5:7 warning #: Unresolved tag: !odd. Correct the text; everything else is read. [unknown-yaml]',
    ],
  ],
  [
    'two documents in one text',
    `${head}paths: {}\n---\n${head}paths: {}`,
    [
      '4:1 error #: another document begins here, and only the first is read. Correct or complete the text; what follows is ignored. [cut-text]',
    ],
  ],
  ['an empty document after the first', `${head}paths: {}\n---\n`, []],
  [
    'members on the line of another',
    `openapi: 3.1.0\ninfo:\n  title: Notes: it's all\n  version: '1'\npaths:\n  /a:\n    get:\n      responses:\n        default: description: Fine\ncomponents: 1`,
    [
      '3:10 warning #: a member cannot begin on the line of another: quote the text. Correct the text; everything else is read. [unknown-yaml]',
      '9:18 warning #: a member cannot begin on the line of another: put it in braces. Correct the text; everything else is read. [unknown-yaml]',
      '10:1 error #/components: must be an object. Correct it; until then it is ignored. [wrong-type]',
    ],
  ],
  [
    'lines of a quoted text',
    "openapi: 3.1.0\ninfo:\n  title: 'two\nlines'\n  version: '1'\npaths: {}",
    [
      '3:1 error #: the quoted text continues on lines that are not indented. Correct the text; everything else is read. [invalid-syntax]',
    ],
  ],
])('%s', async (_name, text, lines) => {
  expect(await linesOf(text)).toEqual(lines);
});

test('quoted strings with unindented lines are read', async () => {
  const members = Array.from({ length: 200 }, (_, at) => `  m${at}: "one\ntwo ${at}"\n`).join('');
  const { document, diagnostics } = await loadContract({
    text: `${head}paths: {}\nx-texts:\n${members}x-last: read\n`,
  });
  expect(document['x-texts']).toMatchObject({ m0: 'one two 0', m199: 'one two 199' });
  expect(document['x-last']).toBe('read');
  expect(diagnostics).toHaveLength(200);
});

test('components next to a broken reference stay available', async () => {
  const { document, operations } = await loadContract({
    text: `${withSchema("{ $ref: '#/components/schemas/A' }")}\ncomponents: { $ref: 5, schemas: { A: { type: integer } } }`,
  });
  expect(document['components']).toEqual({ schemas: { A: { type: 'integer' } } });
  const [content] = operations[0]?.responses[0]?.content ?? [];
  expect(content?.schema?.shape().types).toEqual(['integer']);
});

test('a reference to its own container is left out', async () => {
  const { document, diagnostics } = await loadContract({
    text: `${head}paths:
  /a: { get: { $ref: '#/paths' } }
  /b: { get: { responses: { 200: { description: ok, content: { $ref: '#/paths' } } } } }
  /c: { get: { responses: { 200: { description: ok, headers: { $ref: '#/x-a' } } } } }
x-a: { One: { content: { application/json: { schema: { properties: { $ref: '#/x-a' } } } } } }
`,
  });
  expect(JSON.stringify(document)).toContain('/a');
  expect(diagnostics.map(({ level, pointer }) => `${level} ${pointer}`)).toEqual([
    'warning #/paths/~1a/get',
    'error #/paths/~1a/get/$ref',
    'error #/paths/~1b/get/responses/200/content/$ref',
    'hint #/paths/~1c/get/responses/200/headers/$ref',
    'error #/x-a/One/content/application~1json/schema/properties/$ref',
  ]);
});

test('parameters in: body of version 2.0 are a request body', async () => {
  const schema = '{ type: object, properties: { a: { type: integer } } }';
  const { operations } = await loadContract({
    text: `${head}paths:
  /a: { post: { parameters: [{ name: b, in: body, required: true, schema: ${schema} }], responses: { 204: { description: ok } } } }
  /b: { post: { parameters: [{ name: f, in: formData, type: file }], responses: { 204: { description: ok } } } }
`,
  });
  const bodies = operations.map(({ requestBody }) => requestBody);
  expect(bodies.map((body) => [body?.required, body?.content[0]?.name])).toEqual([
    [true, 'application/json'],
    [false, 'multipart/form-data'],
  ]);
  expect(bodies[0]?.content[0]?.schema?.validate({ a: 'text' })).toHaveLength(1);
});

test('what is repaired is used', async () => {
  const { operations } = await loadContract({
    text: withSchema(
      "{ type: object, required: [a], properties: { a: { type: int, nullable: true }, b: { pattern: '(?i)^x$' } } }",
    ),
  });
  const [content] = operations[0]?.responses[0]?.content ?? [];
  expect(content?.schema?.validate({ a: null, b: 'X' })).toEqual([]);
  expect(content?.schema?.validate({ a: 'text', b: 'y' })).toHaveLength(2);
});

test('an example that breaks its schema is left out when it is used', async () => {
  const contract = await loadContract({
    text: withSchema('{ type: integer, examples: [one, 2] }'),
  });
  expect(contract.diagnostics).toEqual([]);
  const [content] = contract.operations[0]?.responses[0]?.content ?? [];
  expect(content?.examples.map(({ value }) => value)).toEqual([2]);
  expect(contract.diagnostics.map(({ level, message }) => `${level}: ${message}`)).toEqual([
    'warning: the example breaks its schema: must be an integer, not the string "one"',
  ]);
});

test('a path in another spelling is merged into the existing one', async () => {
  const operation = '{ responses: { 204: { description: ok } } }';
  const { operations, diagnostics } = await loadContract({
    text: `${head}paths:
  /a/{b}: { parameters: [&b { name: b, in: path, required: true, schema: {} }], get: ${operation} }
  /a/:b: { parameters: [*b], get: ${operation}, delete: ${operation} }
`,
  });
  expect(operations.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /a/{b}',
    'DELETE /a/{b}',
  ]);
  expect(diagnostics.map(({ level, message }) => `${level}: ${message}`)).toEqual([
    'warning: /a/:b is not a path',
    'error: /a/{b} has its own get',
  ]);
});

test.each([
  ['/a/{b:[0-9]+}', 'b', '/a/{b}', ['/a/{b:[0-9]+} is not a path']],
  ['/a/{b:[a-z]{2,3}(/x)?}/c', 'b', '/a/{b}/c', ['/a/{b:[a-z]{2,3}(/x)?}/c is not a path']],
  ['/a/{b:int}', 'b:int', '/a/{b:int}', []],
])('the path %s with the parameter %s is %s', async (path, name, read, messages) => {
  const text = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths: {
      [path]: {
        get: {
          parameters: [{ name, in: 'path', required: true, schema: { type: 'string' } }],
          responses: { 204: { description: 'ok' } },
        },
      },
    },
  });
  const { operations, diagnostics } = await loadContract({ text });
  expect(operations.map((one) => one.path)).toEqual([read]);
  expect(diagnostics.map(({ message }) => message)).toEqual(messages);
});

test('a blocked reference names the flag that would allow it', async () => {
  const schema = (reference: string) => `{ $ref: '${reference}' }`;
  const text = `${head}components: { schemas: { A: ${schema('../a.yaml')}, B: ${schema('https://example.com/b.yaml')} } }
paths: {}
`;
  const { diagnostics } = await loadContract({ text }, { folder: import.meta.dirname });
  expect(diagnostics.map(({ fix }) => fix)).toEqual([
    'Correct the reference, or open the folder with --allow-folder FOLDER; until then any value is accepted.',
    'Allow it with --allow-network, or refer to a copy in the folder; until then any value is accepted.',
  ]);
});

test.each([
  '{ nullable: true, oneOf: [{ type: string, nullable: true }, { type: array }] }',
  "{ nullable: true, allOf: [{ $ref: '#/components/schemas/Base' }] }",
  "{ nullable: true, $ref: '#/components/schemas/Base' }",
  '{ nullable: true, type: string, enum: [a] }',
])('null is valid where the document says nullable: %s', async (schema) => {
  const base = '\ncomponents: { schemas: { Base: { type: object } } }\n';
  const { operations } = await loadContract({ text: withSchema(schema, '3.0.3') + base });
  const node = operations[0]?.responses[0]?.content[0]?.schema;
  expect(node?.validate(null)).toEqual([]);
  expect(node?.validate(1)).not.toEqual([]);
});

test('unevaluatedProperties: false sees sibling branches, additionalProperties: false does not', async () => {
  const branches = 'allOf: [{ properties: { a: {} } }, { properties: { b: {} } }]';
  expect(await linesOf(withSchema(`{ ${branches}, unevaluatedProperties: false }`))).toEqual([]);
  expect(await linesOf(withSchema(`{ ${branches}, additionalProperties: false }`))).toEqual([
    expect.stringContaining('additionalProperties: false forbids properties of the other schemas'),
  ]);
});
