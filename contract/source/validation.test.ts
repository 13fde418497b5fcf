import { expect, test } from 'vitest';
import { fixtureFile, loadSample, refusalOf, sampleText } from '../../test/contract/sample.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';

const responses = { 204: { description: 'Done.' } };
const info = { title: 'Sample', version: '1.0.0' };

function refusals(members: JsonObject): Promise<readonly string[]> {
  return refusalOf({ text: sampleText(members) });
}

test('structural errors are reported once each, together with those only the compiler finds', async () => {
  expect(await refusalOf({ file: fixtureFile('odd/broken-structure.yaml') })).toEqual([
    '#/paths/~1things~1{thingId}/get/responses/2OO: 2OO is not a status',
    '#/paths/~1things~1{thingId}/get/responses/200: description is missing',
    '#/paths/~1things~1{thingId}/post/parameters/0: in must be one of query, header, path, cookie',
    '#/paths/~1things~1{thingId}/post: operationId twice is also that of GET /things/{thingId}',
    '#/paths/~1things~1{thingId}/get: the path parameter thingId of /things/{thingId} is not described',
    '#/paths/~1things~1{thingId}/post/parameters/1: the path parameter other is not in the path /things/{thingId}',
    '#/paths/~1things~1{thingId}/post: the path parameter thingId of /things/{thingId} is not described',
  ]);
});

test('an error in a component is reported once, at its place, however often it is used', async () => {
  const used = { get: { responses: { 200: { $ref: '#/components/responses/Bare' } } } };
  expect(
    await refusals({ paths: { '/a': used, '/b': used }, components: { responses: { Bare: {} } } }),
  ).toEqual(['#/components/responses/Bare: description is missing']);
});

test.each<[string, JsonObject, string]>([
  ['the title', { info: { version: '1' } }, '#/info: title is missing'],
  ['the version', { info: { ...info, version: 1 } }, '#/info/version: must be a string'],
  ['a member', { info: { ...info, colour: 'red' } }, '#/info: colour is not allowed here'],
  ['the paths', { paths: [] }, '#/paths: must be an object'],
  [
    'a scheme',
    { components: { securitySchemes: { key: { type: 'apiKey', in: 'header' } } } },
    '#/components/securitySchemes/key: name must be a string',
  ],
])('%s of 3.1', async (_name, members, line) => {
  expect(await refusals(members)).toEqual([line]);
});

test.each<[string, JsonObject, readonly string[]]>([
  ['the title', { info: { version: '1' } }, ['#/info: title is missing']],
  [
    'the place of a parameter',
    {
      paths: {
        '/x': {
          get: { responses, parameters: [{ name: 'q', in: 'quary', schema: { type: 'string' } }] },
        },
      },
    },
    ['#/paths/~1x/get/parameters/0: in must be one of query, header, path, cookie'],
  ],
  [
    'a response',
    { paths: { '/x': { get: { responses: { 200: {} } } } } },
    ['#/paths/~1x/get/responses/200: description is missing'],
  ],
  [
    'a scheme',
    { components: { securitySchemes: { key: { type: 'apiKey', in: 'header' } } } },
    ['#/components/securitySchemes/key: name must be a string'],
  ],
])('%s of 3.0, without the noise of alternatives', async (_name, members, lines) => {
  expect(await refusals({ openapi: '3.0.3', ...members })).toEqual(lines);
});

test('an invalid schema hides no other error', async () => {
  const list = { type: 'array', items: 5 };
  const get = {
    parameters: [{ name: 'a', in: 'query', schema: 'text' }],
    responses: { 200: { description: 'ok', content: { 'application/json': { schema: list } } } },
  };
  const lines = await refusals({ paths: { '/x': { get } } });
  expect(lines).toContain('#/paths/~1x/get/parameters/0/schema: must be an object');
  expect(lines.map((line) => line.split(': ', 1)[0])).toContain(
    '#/paths/~1x/get/responses/200/content/application~1json/schema/items',
  );
});

test('an unknown security scheme type is reported with the known types', async () => {
  const components = { securitySchemes: { key: { type: 'nope' } } };
  expect(await refusals({ openapi: '3.0.3', components })).toEqual([
    '#/components/securitySchemes/key/type: type must be one of apiKey, http, oauth2, openIdConnect, mutualTLS',
    '#/components/securitySchemes/key: scheme must be an HTTP authentication scheme',
  ]);
});

test('the valid description of a server variable and integers of any size pass', async () => {
  const servers = [
    {
      url: 'https://{host}/v1',
      variables: { host: { default: 'x.example', description: 'The host.' } },
    },
  ];
  const schemas = {
    Big: { type: 'integer', maximum: 9223372036854775807n },
    Odd: { type: 'object', properties: { variables: { default: {}, description: 'd' } } },
  };
  expect(await refusals({ servers, components: { schemas } })).toEqual([]);
});

test.each<[JsonValue, string]>([
  [[{ url: '/v2/' }], '/v2'],
  [[{ url: 'https://x.example' }], ''],
  [
    [
      {
        url: '{scheme}://x.example/{a}/{b}',
        variables: { scheme: { default: 'https' }, a: { default: 'api' }, b: { default: 'v3' } },
      },
    ],
    '/api/v3',
  ],
  [[{ url: 'https://x.example/first/' }, { url: 'https://x.example/second' }], '/first'],
])('the first of the servers %j has the path %j', async (servers, path) => {
  expect((await loadSample({ servers })).basePath).toBe(path);
});
