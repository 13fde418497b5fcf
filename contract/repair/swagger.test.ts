import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadContract } from '../load.ts';
import { renderDiagnostic } from '../source/diagnostic.ts';

const text = `swagger: '2.0'
info: { title: T, version: '1' }
host: api.example
basePath: /v2
schemes: [https]
consumes: [application/json]
produces: [application/json, application/xml]
securityDefinitions:
  basic: { type: basic }
  oauth: { type: oauth2, flow: accessCode, authorizationUrl: 'https://a.example', tokenUrl: 'https://t.example', scopes: { read: Read } }
parameters:
  Page: { name: page, in: query, type: integer, minimum: 1 }
  New: { name: body, in: body, required: true, schema: { $ref: '#/definitions/Thing' } }
responses:
  Gone: { description: gone, schema: { $ref: '#/definitions/Thing' } }
definitions:
  Thing: { type: object, discriminator: kind, required: [kind], properties: { kind: { type: string }, size: { type: int, x-nullable: true } } }
paths:
  /things:
    get:
      parameters: [{ $ref: '#/parameters/Page' }, { name: ids, in: query, type: array, items: { type: string }, collectionFormat: pipes }]
      responses:
        200: { description: ok, schema: { type: array, items: { $ref: '#/definitions/Thing' } }, examples: { application/json: [{ kind: a }] }, headers: { X-Count: { type: integer } } }
        404: { $ref: '#/responses/Gone' }
    post: { parameters: [{ $ref: '#/parameters/New' }], responses: { 201: { description: ok } } }
  /files:
    post: { consumes: [multipart/form-data], parameters: [{ name: f, in: formData, type: file, required: true }, { name: note, in: formData, type: string }], responses: { 200: { description: ok } } }
`;

test('a document of version 2.0 is read as one of 3.0', async () => {
  const { basePath, document, operations, diagnostics } = await loadContract({
    text,
    name: 'x.yaml',
  });
  expect(basePath).toBe('/v2');
  expect(document['servers']).toEqual([{ url: 'https://api.example/v2' }]);
  const [list, create, upload] = operations;
  expect(list?.parameters.map(({ name, schema }) => [name, schema.schema])).toEqual([
    ['page', { type: 'integer', minimum: 1 }],
    ['ids', { type: 'array', items: { type: 'string' } }],
  ]);
  expect(
    list?.responses[0]?.content.map(({ mediaType, examples }) => [mediaType, examples[0]?.value]),
  ).toEqual([
    ['application/json', [{ kind: 'a' }]],
    ['application/xml', undefined],
  ]);
  expect(list?.responses[0]?.headers[0]?.schema?.schema).toEqual({ type: 'integer' });
  expect(list?.responses[1]?.content[0]?.schema?.pointer).toBe('#/components/schemas/Thing');
  expect(create?.requestBody).toMatchObject({
    required: true,
    pointer: '#/paths/~1things/post/requestBody',
  });
  const thing = create?.requestBody?.content[0]?.schema;
  expect(thing?.validate({ kind: 'a', size: null })).toEqual([]);
  expect(thing?.validate({})).toHaveLength(1);
  expect(upload?.requestBody?.content[0]).toMatchObject({ mediaType: 'multipart/form-data' });
  expect(diagnostics.map(({ line, pointer, message }) => [line, pointer, message])).toContainEqual([
    17,
    '#/definitions/Thing/properties/size/type',
    '"int" is not a JSON type',
  ]);
});

test('parameters and responses in other files are read as version 2.0 too', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'swagger-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const files = {
    'swagger.yaml': `swagger: '2.0'
info: { title: T, version: '1' }
produces: [application/xml]
parameters: { New: { name: body, in: body, schema: { type: object } } }
paths: { /things: { $ref: things.yaml } }`,
    'things.yaml': `post:
  consumes: [text/csv]
  parameters:
    - { $ref: 'swagger.yaml#/parameters/New' }
    - { name: ids, in: query, type: array, items: { type: string }, collectionFormat: pipes }
    - { name: names, in: query, type: array, items: { type: string }, collectionFormat: tsv }
  responses: { 200: { description: ok, schema: { type: string } }, 404: { $ref: 'gone.yaml' } }`,
    'gone.yaml': 'description: gone\nschema: { type: string }\n',
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  const { operations, diagnostics } = await loadContract(join(folder, 'swagger.yaml'));
  expect(diagnostics.map(renderDiagnostic)).toEqual([]);
  const [create] = operations;
  expect(create?.requestBody?.content.map(({ mediaType }) => mediaType)).toEqual(['text/csv']);
  expect(create?.parameters).toMatchObject([
    { name: 'ids', style: 'pipeDelimited' },
    { name: 'names', style: 'tabDelimited', explode: false },
  ]);
  expect(
    create?.responses.flatMap(({ content }) => content.map(({ mediaType }) => mediaType)),
  ).toEqual(['application/xml', 'application/xml']);
});

test('a problem in a body is reported at its parameter, also before others', async () => {
  const { diagnostics } = await loadContract({
    name: 'x.yaml',
    text: `swagger: '2.0'
info: { title: T, version: '1' }
paths:
  /a:
    parameters:
      - { name: b, in: body, schema: { type: int } }
      - { name: q, in: query, type: string }
    post: { responses: { 204: { description: ok } } }
`,
  });
  expect(diagnostics.map(renderDiagnostic)).toEqual([
    'x.yaml:6:40 warning #/paths/~1a/parameters/0/schema/type: "int" is not a JSON type. Write "integer"; it is read as that. [converted-value]',
  ]);
});

test('a problem in an example of a response is reported at that example', async () => {
  const text = `swagger: '2.0'
info: { title: T, version: '1' }
paths:
  /a:
    get:
      responses:
        200:
          description: ok
          schema: { type: object, required: [id] }
          examples:
            application/json: {}
`;
  const { diagnostics } = await loadContract({ name: 'x.yaml', text }, { validate: true });
  expect(diagnostics.map(({ line, pointer, message }) => [line, pointer, message])).toEqual([
    [
      11,
      '#/paths/~1a/get/responses/200/examples/application~1json/id',
      'the example breaks its schema: id is required',
    ],
  ]);
});

test('members of version 2.0 in a version 3 document are read and reported', async () => {
  const { document, operations, diagnostics } = await loadContract({
    name: 'x.yaml',
    text: `openapi: 3.0.3
info: { title: T, version: '1' }
paths:
  /a:
    post:
      parameters:
        - { $ref: '#/components/parameters/B' }
        - { name: q, in: query, type: array, items: { type: string }, collectionFormat: pipes }
      responses: { 200: { description: ok, schema: { type: integer }, examples: { application/json: 1 } } }
components:
  parameters: { B: { name: b, in: body, schema: { type: integer } } }
  securitySchemes: { o: { type: oauth2, flow: application, tokenUrl: 'https://t.example', scopes: {} } }
`,
  });
  expect(diagnostics.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual([
    'missing-member #/paths/~1a/post/parameters/1',
    'invalid-content #/paths/~1a/post/responses/200/schema',
    'other-version #/components/parameters/B',
    'other-version #/components/securitySchemes/o/flow',
  ]);
  const [operation] = operations;
  expect(operation?.requestBody?.content[0]?.schema?.shape().types).toEqual(['integer']);
  expect(operation?.parameters).toMatchObject([{ name: 'q', style: 'pipeDelimited' }]);
  expect(operation?.responses[0]?.content[0]?.examples[0]?.value).toBe(1);
  expect(document['components']).toMatchObject({
    parameters: {},
    securitySchemes: { o: { flows: { clientCredentials: { tokenUrl: 'https://t.example' } } } },
  });
});

test('body parameters are found however operations refer to them', async () => {
  const described = { type: 'object', properties: { a: { type: 'string' } } };
  const other = { type: 'object', properties: { b: { type: 'string' } } };
  const [body, otherBody] = [described, other].map((schema) => ({
    name: 'body',
    in: 'body',
    schema,
  }));
  const responses = { 200: { description: 'ok' } };
  const paths = {
    '/one': { post: { parameters: body, responses } },
    '/list': { post: { parameters: { $ref: '#/x-parts/list' }, responses } },
    '/item': { post: { parameters: { $ref: '#/x-parts/list/0' }, responses } },
    '/shared': { parameters: body, get: { responses }, post: { responses } },
    '/shared-list': { parameters: { $ref: '#/x-parts/list' }, post: { responses } },
    '/operation': { parameters: [otherBody], post: { $ref: '#/x-parts/operation' } },
  };
  const parts = { list: [body], operation: { parameters: [body], responses } };
  const info = { title: 'T', version: '1' };
  for (const version of [{ swagger: '2.0' }, { openapi: '3.0.3' }]) {
    const text = JSON.stringify({ ...version, info, paths, 'x-parts': parts });
    const { operations } = await loadContract({ name: 'x.json', text });
    for (const { method, requestBody, parameters } of operations) {
      const sent = method === 'GET' ? undefined : described;
      expect(requestBody?.content[0]?.schema?.schema).toEqual(sent);
      expect(parameters).toEqual([]);
    }
  }
});

test('a document of version 2.0 may have components too', async () => {
  const { operations, diagnostics } = await loadContract({
    name: 'x.yaml',
    text: `swagger: '2.0'
info: { title: T, version: '1' }
definitions: { Old: { type: integer } }
components: { responses: { Ok: { description: ok, schema: { type: int } } } }
paths:
  /a: { get: { responses: { 200: { $ref: '#/components/responses/Ok' }, 404: { description: no, schema: { $ref: '#/definitions/Old' } } } } }
`,
  });
  expect(operations[0]?.responses.map(({ content }) => content[0]?.schema?.shape().types)).toEqual([
    ['integer'],
    ['integer'],
  ]);
  expect(diagnostics.map(({ line, pointer }) => [line, pointer])).toEqual([
    [4, '#/components/responses/Ok/schema/type'],
  ]);
});

test('problems are described in the terms of version 2.0', async () => {
  const { diagnostics } = await loadContract({
    name: 'x.yaml',
    text: `swagger: '2.0'
info: { title: T, version: '1' }
paths:
  /a:
    post:
      parameters:
        - { name: a, in: cookies, type: string }
        - { name: b, in: body, schema: { type: object } }
        - { name: c, in: formData, type: string }
      responses: { 204: { description: ok } }
securityDefinitions:
  key: { type: apiKey, in: cookie, name: k }
  token: { type: bearer }
`,
  });
  expect(diagnostics.map(({ pointer, message, fix }) => `${pointer}: ${message}. ${fix}`)).toEqual([
    '#/paths/~1a/post/parameters/0: in must be one of query, header, path, formData, body. Write in: query; it is read as that.',
    '#/paths/~1a/post/parameters/2: an operation has no parameter with in: formData beside one with in: body. Describe the whole body in one way; this is ignored.',
    '#/securityDefinitions/token/type: type must be one of basic, apiKey, oauth2. Write type: apiKey; it is read as a bearer token.',
  ]);
});

test('a response that refers to another has the media types of its operation', async () => {
  const { operations } = await loadContract({
    name: 'x.yaml',
    text: `swagger: '2.0'
info: { title: T, version: '1' }
produces: [application/json]
responses:
  Ok: { description: ok, schema: { type: string } }
  Other: { $ref: '#/responses/Ok' }
  Loop: { $ref: '#/responses/Loop' }
paths:
  /a:
    get: { produces: [text/csv], responses: { 200: { $ref: '#/responses/Other' } } }
    put: { responses: { 200: { $ref: '#/responses/Other' } } }
    post: { produces: [text/csv], responses: { 200: { $ref: '#/responses/Loop' } } }
`,
  });
  expect(
    operations.map(({ responses }) =>
      responses.flatMap(({ content }) => content.map(({ name }) => name)),
    ),
  ).toEqual([['text/csv'], ['application/json'], []]);
});
