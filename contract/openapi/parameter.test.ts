import { expect, test } from 'vitest';
import { loadSample, refusalOf, sampleText } from '../../test/contract/sample.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';

const responses = { 204: { description: 'Done.' } };

function onPath(path: string, parameters: JsonValue, shared: JsonValue = []): JsonObject {
  return { paths: { [path]: { parameters: shared, get: { responses, parameters } } } };
}

function item(name: string): JsonObject {
  return { get: { responses }, parameters: [{ name, in: 'path', required: true, schema: {} }] };
}

test('parameters of the path item come first, and those of the operation replace them', async () => {
  const shared = [
    { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
    { name: 'q', in: 'query', schema: { type: 'string' } },
  ];
  const own = [
    { name: 'q', in: 'query', schema: { type: 'boolean' } },
    { name: 'q', in: 'header', schema: { type: 'string' } },
  ];
  const { operations } = await loadSample(onPath('/x/{id}', own, shared));
  expect(operations[0]?.id).toBe('GET /x/{id}');
  expect(
    operations[0]?.parameters.map(({ name, in: place, pointer }) => [name, place, pointer]),
  ).toEqual([
    ['id', 'path', '#/paths/~1x~1{id}/parameters/0'],
    ['q', 'query', '#/paths/~1x~1{id}/get/parameters/0'],
    ['q', 'header', '#/paths/~1x~1{id}/get/parameters/1'],
  ]);
});

test('a parameter is read through its references, and may have content', async () => {
  const document = {
    ...onPath('/x', [
      { $ref: '#/components/parameters/A' },
      { name: 'c', in: 'query', content: { 'application/json': { schema: { type: 'object' } } } },
    ]),
    components: {
      parameters: {
        A: { $ref: '#/components/parameters/B' },
        B: {
          name: 'b',
          in: 'query',
          schema: { $ref: '#/components/schemas/S' },
          examples: { one: { $ref: '#/components/examples/One' } },
        },
      },
      schemas: { S: { type: 'integer', examples: [1, 2] } },
      examples: { One: { value: 1 } },
    },
  };
  const [b, c] = (await loadSample(document)).operations[0]?.parameters ?? [];
  expect([b?.pointer, b?.schema.pointer, b?.examples.map(({ value }) => value)]).toEqual([
    '#/components/parameters/B',
    '#/components/schemas/S',
    [1, 2],
  ]);
  expect(c?.schema.pointer).toBe('#/paths/~1x/get/parameters/1/content/application~1json/schema');
});

test('header parameters that OpenAPI ignores, or that clients set themselves, are left out', async () => {
  const headers = [
    'Accept',
    'content-type',
    'Authorization',
    'Content-Length',
    'Host',
    'X-Trace',
  ].map((name) => ({
    name,
    in: 'header',
    schema: { type: 'string' },
  }));
  const { operations } = await loadSample(onPath('/x', headers));
  expect(operations[0]?.parameters.map(({ name }) => name)).toEqual(['X-Trace']);
});

test.each<[string, string, JsonValue, string]>([
  [
    'not described',
    '/x/{id}',
    [],
    '#/paths/~1x~1{id}/get: the path parameter id of /x/{id} is not described',
  ],
  [
    'not in the path',
    '/x',
    [{ name: 'id', in: 'path', required: true, schema: {} }],
    '#/paths/~1x/get/parameters/0: the path parameter id is not in the path /x',
  ],
  [
    'described twice',
    '/x',
    [
      { name: 'a', in: 'query', schema: {} },
      { name: 'a', in: 'query', schema: {} },
    ],
    '#/paths/~1x/get/parameters/1: the query parameter a is described twice',
  ],
  [
    'without a schema',
    '/x',
    [{ name: 'a', in: 'query' }],
    '#/paths/~1x/get/parameters/0: a parameter needs a schema',
  ],
  [
    'nowhere',
    '/x',
    [{ name: 'a', in: 'body', schema: {} }],
    '#/paths/~1x/get/parameters/0: in: body exists only in version 2.0',
  ],
  ['with broken braces', '/x/{id', [], '#/paths/~1x~1{id: /x/{id is not a path'],
])('a parameter %s is an error', async (_name, path, parameters, line) => {
  expect(await refusalOf({ text: sampleText(onPath(path, parameters)) })).toContain(line);
  expect(
    await refusalOf({ text: sampleText(onPath(path, parameters)) }, { validate: false }),
  ).toContain(line);
});

test('paths that differ only in the names of their parameters are an error', async () => {
  const text = sampleText({
    paths: { '/x/{a}': item('a'), '/x/{b}': item('b'), '/x/c': { get: { responses } } },
  });
  expect(await refusalOf({ text })).toEqual([
    '#/paths/~1x~1{b}/get: GET /x/{b} matches the same requests as /x/{a}',
  ]);
});

test('a path parameter must be required', async () => {
  const text = sampleText(onPath('/x/{id}', [{ name: 'id', in: 'path', schema: {} }]));
  expect(await refusalOf({ text }, { validate: false })).toEqual([
    '#/paths/~1x~1{id}/get/parameters/0: the path parameter id must be required',
  ]);
});

test.each([
  [{ in: 'query' }, 'form', true],
  [{ in: 'query', explode: false }, 'form', false],
  [{ in: 'query', style: 'pipeDelimited' }, 'pipeDelimited', false],
  [{ in: 'query', style: 'deepObject', explode: true }, 'deepObject', true],
  [{ in: 'header', explode: true }, 'simple', true],
  [{ in: 'cookie' }, 'form', true],
])('the style of the parameter %j is %s, exploded: %s', async (members, style, explode) => {
  const parameter = { name: 'a', schema: { type: 'array', items: {} }, ...members };
  const { operations } = await loadSample(onPath('/x', [parameter]));
  expect(operations[0]?.parameters[0]).toMatchObject({ style, explode, mediaType: undefined });
});

test('a parameter described by content has a media type', async () => {
  const content = { 'application/json; a=b': { schema: { type: 'object' } } };
  const { operations } = await loadSample(onPath('/x', [{ name: 'c', in: 'query', content }]));
  expect(operations[0]?.parameters[0]?.mediaType).toBe('application/json');
});
