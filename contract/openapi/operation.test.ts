import { expect, test } from 'vitest';
import { loadSample, refusalOf, sampleText } from '../../test/contract/sample.ts';
import type { Deprecation } from './operation.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';

function deprecated(members: JsonObject): JsonObject {
  const responses = { 204: { description: 'ok' } };
  return {
    paths: {
      '/old': { get: { operationId: 'old', responses, ...members } },
      '/new': { get: { operationId: 'new', responses } },
    },
  };
}

async function deprecationOf(members: JsonObject): Promise<Deprecation | undefined> {
  return (await loadSample(deprecated(members))).operations[0]?.deprecation;
}

test('a deprecation has its dates and successor from the document', async () => {
  expect(await deprecationOf({})).toBeUndefined();
  expect(await deprecationOf({ deprecated: true })).toEqual({
    sunset: undefined,
    since: undefined,
    successor: undefined,
  });
  expect(
    await deprecationOf({
      deprecated: true,
      'x-sunset': '2030-12-05',
      'x-deprecated-since': '2028-02-29',
      'x-successor': 'new',
    }),
  ).toEqual({
    sunset: '2030-12-05',
    since: '2028-02-29',
    successor: 'new',
  });
});

test.each([
  ['x-sunset', '5 December 2030', 'has to be a day, YYYY-MM-DD'],
  ['x-sunset', '2030-02-30', 'has to be a day, YYYY-MM-DD'],
  ['x-deprecated-since', 2030, 'has to be a text'],
  ['x-successor', 'nope', 'has to be the operationId of an operation of this document'],
])('%s as %j is an error', async (name, value, reason) => {
  expect(
    await refusalOf({ text: sampleText(deprecated({ deprecated: true, [name]: value })) }),
  ).toEqual([`#/paths/~1old/get/${name}: ${reason}`]);
});

test('a sunset of an operation that is not deprecated is a warning', async () => {
  const { diagnostics } = await loadSample(deprecated({ 'x-sunset': '2030-12-05' }));
  expect(diagnostics).toMatchObject([
    {
      pointer: '#/paths/~1old/get/x-sunset',
      message: 'is ignored, because the operation is not `deprecated`',
    },
  ]);
});

test('paths that share a path item have their own path parameters', async () => {
  const parameters = ['id', 'key'].map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'integer' },
  }));
  const get = { responses: { 204: { description: 'ok' } } };
  const shared = { $ref: '#/components/pathItems/shared' };
  const members = {
    paths: { '/a/{id}': shared, '/b/{key}': shared, '/c/{other}': shared },
    components: { pathItems: { shared: { parameters, get } } },
  };
  const { operations } = await loadSample(members, { strict: false });
  expect(operations.map((one) => one.parameters.map(({ name }) => name))).toEqual([
    ['id'],
    ['key'],
    ['other'],
  ]);
  expect(operations[1]?.parameters[0]?.schema.shape().types).toEqual(['integer']);
});

test('a parameter that is a key, too, is left out only if each request needs the key', async () => {
  const key = (name: string) => ({
    name,
    in: 'header',
    required: true,
    schema: { type: 'string' },
  });
  const get = (security: JsonValue) => ({
    security,
    parameters: [key('x-KEY'), key('X-Other')],
    responses: { 200: { description: 'OK.' } },
  });
  const { operations } = await loadSample({
    components: { securitySchemes: { k: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
    paths: { '/a': { get: get([{ k: [] }]) }, '/b': { get: get([{ k: [] }, {}]) } },
  });
  expect(operations.map(({ parameters }) => parameters.map(({ name }) => name))).toEqual([
    ['X-Other'],
    ['x-KEY', 'X-Other'],
  ]);
});
