import { expect, test } from 'vitest';
import { loadContract } from '../load.ts';
import { fixtureFile, loadSample, refusalOf, sampleText } from '../../test/contract/sample.ts';
import type { JsonObject } from '../json/value.ts';

function answering(responses: JsonObject, members: JsonObject = {}): JsonObject {
  return { paths: { '/x': { get: { responses } } }, ...members };
}

const error = {
  description: 'An error.',
  content: {
    'application/json': { schema: { type: 'object', properties: { message: { type: 'string' } } } },
  },
};

test('headers are read through their references, Content-Type left out', async () => {
  const headers = {
    'X-Count': { $ref: '#/components/headers/Count' },
    'Content-Type': { schema: { type: 'string' } },
  };
  const document = answering(
    { 200: { description: 'ok', headers } },
    { components: { headers: { Count: { required: true, schema: { type: 'integer' } } } } },
  );
  const [response] = (await loadSample(document)).operations[0]?.responses ?? [];
  expect(response?.headers).toMatchObject([
    {
      name: 'X-Count',
      required: true,
      pointer: '#/components/headers/Count',
      schema: { pointer: '#/components/headers/Count/schema' },
    },
  ]);
});

test('media types are lower case without parameters, and ranges of statuses are kept', async () => {
  const document = answering({
    default: error,
    '5XX': error,
    200: { description: 'ok', content: { 'Text/Plain; charset=UTF-8': {} } },
  });
  const responses = (await loadSample(document)).operations[0]?.responses ?? [];
  expect(responses.map(({ status, content }) => [status, content[0]?.mediaType])).toEqual([
    ['200', 'text/plain'],
    ['default', 'application/json'],
    ['5XX', 'application/json'],
  ]);
});

test('examples come from the media type, then from the schema, without duplicates', async () => {
  const schema = { type: 'integer', examples: [1, 2] };
  const content = {
    'application/json': {
      schema,
      examples: {
        one: { value: 1 },
        far: { externalValue: 'http://nowhere.example/' },
        shared: { $ref: '#/components/examples/Shared' },
      },
    },
  };
  const document = answering(
    { 200: { description: 'ok', content } },
    { components: { examples: { Shared: { value: 3 } } } },
  );
  const [type] = (await loadSample(document)).operations[0]?.responses[0]?.content ?? [];
  expect(
    type?.examples.map(({ name, value, pointer }) => [
      name,
      value,
      pointer.replace('#/paths/~1x/get/responses/200/content/application~1json', ''),
    ]),
  ).toEqual([
    ['one', 1, '/examples/one/value'],
    ['shared', 3, '#/components/examples/Shared/value'],
    ['schema example 2', 2, '/schema/examples/1'],
  ]);
});

test('an example that breaks its schema is an error, wherever it is', async () => {
  expect(
    (await refusalOf({ file: fixtureFile('odd/broken-examples.yaml') })).map(
      (line) => line.split(': ', 1)[0],
    ),
  ).toEqual([
    '#/paths/~1things~1{thingId}/get/parameters/0/example',
    '#/paths/~1things~1{thingId}/get/responses/200/headers/Size/example',
    '#/paths/~1things~1{thingId}/get/responses/200/content/application~1json/examples/broken/value/name',
    '#/paths/~1things~1{thingId}/get/responses/200/content/application~1json/examples/broken/value/id',
    '#/components/schemas/Thing/examples/0/id',
  ]);
});

test('so is one of a nested schema, and a default that breaks its schema', async () => {
  const properties = {
    deep: { type: 'array', items: { allOf: [{ type: 'integer', examples: ['a'] }] } },
  };
  const text = sampleText({ components: { schemas: { Outer: { type: 'object', properties } } } });
  expect(await refusalOf({ text })).toEqual([
    '#/components/schemas/Outer/properties/deep/items/allOf/0/examples/0: the example breaks its schema: must be an integer, not the string "a"',
  ]);
  const outer = { components: { schemas: { Outer: { type: 'integer', default: 'a' } } } };
  expect(await refusalOf({ text: sampleText(outer) })).toEqual([
    expect.stringContaining('#/components/schemas/Outer/default: '),
  ]);
});

test('so is one in a schema reached only through a reference', async () => {
  const text = sampleText({
    components: { schemas: { Here: { $ref: '#/x-files/there' } } },
    'x-files': { there: { type: 'integer', example: 'a' } },
  });
  expect(await refusalOf({ text })).toEqual([
    '#/x-files/there/example: the example breaks its schema: must be an integer, not the string "a"',
  ]);
});

test('a schema that does not compile is an error at its keyword', async () => {
  const lines = await refusalOf({ file: fixtureFile('odd/broken-schemas.yaml') });
  const schema = '#/paths/~1things/post/requestBody/content/application~1json/schema/properties';
  expect(lines.map((line) => line.split(': ', 1)[0])).toEqual(
    expect.arrayContaining([`${schema}/code/pattern`, `${schema}/kind/type`]),
  );
  expect(lines).toHaveLength(2);
});

test('a 429 without Retry-After is a warning', async () => {
  const { diagnostics } = await loadContract({ file: fixtureFile('odd/no-retry-after.yaml') });
  expect(diagnostics).toMatchObject([
    {
      file: 'no-retry-after.yaml',
      pointer: '#/paths/~1ping/get/responses/429',
      message:
        'a 429 without a Retry-After header does not say when to try again (RFC 6585 section 4)',
    },
  ]);
  const headers = { 'retry-after': { schema: { type: 'string' } } };
  expect(
    (await loadSample(answering({ 429: { description: 'Wait.', headers } }))).diagnostics,
  ).toEqual([]);
});

test('path items are read through their references', async () => {
  const document = {
    paths: { '/x': { $ref: '#/components/pathItems/X' } },
    components: {
      pathItems: { X: { get: { operationId: 'x', responses: { 204: { description: 'ok' } } } } },
    },
  };
  expect((await loadSample(document)).operations).toMatchObject([
    { id: 'x', path: '/x', pointer: '#/components/pathItems/X/get' },
  ]);
});
