import { expect, test } from 'vitest';
import { loadContract } from '../load.ts';

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
