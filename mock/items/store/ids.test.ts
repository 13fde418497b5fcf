import { expect, test } from 'vitest';
import type { JsonObject } from '../../../contract/json/value.ts';
import { loadSample } from '../../../test/contract/sample.ts';
import { compileIdMaker } from './ids.ts';

async function idsOf(
  schema: JsonObject,
  example?: string,
): Promise<readonly (string | undefined)[]> {
  const { operations } = await loadSample({
    paths: {
      '/things/{id}': {
        get: {
          parameters: [{ name: 'id', in: 'path', required: true, schema }],
          responses: { 200: { description: 'A thing.' } },
        },
      },
    },
  });
  const schemas = operations.flatMap(({ parameters }) => parameters.map((one) => one.schema));
  const { first, make } = compileIdMaker({ schemas, example });
  return [Number(first), Number(first) + 1].map((count) => make(count));
}

test.each<[string, JsonObject, string | undefined, readonly string[]]>([
  ['integers count', { type: 'integer' }, undefined, ['1', '2']],
  ['integers start at their minimum', { type: 'integer', minimum: 100 }, undefined, ['100', '101']],
  [
    'UUIDs count',
    { type: 'string', format: 'uuid' },
    undefined,
    ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'],
  ],
  ['examples get another number', { type: 'string' }, 'trip_008', ['trip_001', 'trip_002']],
  [
    'addresses stay addresses',
    { type: 'string', format: 'ipv4' },
    '45.55.96.253',
    ['45.55.96.1', '45.55.96.2'],
  ],
  ['patterns are kept', { type: 'string', pattern: '^[a-z]{3}$' }, undefined, ['aab', 'aac']],
  [
    'listed values are taken in turn',
    { type: 'string', enum: ['red', 'blue'] },
    undefined,
    ['red', 'blue'],
  ],
])('%s', async (_name, schema, example, expected) => {
  expect(await idsOf(schema, example)).toEqual(expected);
});
