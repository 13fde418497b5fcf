import { expect, test } from 'vitest';
import type { JsonObject } from '../../../contract/json/value.ts';
import { loadSample } from '../../../test/contract/sample.ts';
import { IdMaker } from './ids.ts';

async function compileIds(
  schema: JsonObject,
  example?: string,
  count = 2,
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
  const ids = new IdMaker(schemas, example);
  return Array.from({ length: count }, (_one, index) => ids.make(Number(ids.first) + index));
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
  [
    'UUIDs count, whatever the case of the format',
    { type: 'string', format: 'UUID' },
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
  expect(await compileIds(schema, example)).toEqual(expected);
});

test.each<[string, JsonObject]>([
  ['a prefix and letters', { pattern: '^upl_[a-zA-Z0-9]{16}$' }],
  ['hexadecimal digits', { pattern: '^[0-9a-f]{24}$' }],
  ['upper case and digits', { pattern: '^[A-Z]{2}-\\d{4}$' }],
  ['alternatives', { pattern: '^(?:ord|inv)_[0-9]{8}\\.[xyz]{3}$' }],
  ['a UUID', { pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$' }],
  ['a ULID', { pattern: '^[0-7][0-9A-HJKMNP-TV-Z]{25}$', example: '01G65Z755AFWAKHE12NY0CQ9FH' }],
  ['a check character at the end', { pattern: '^[A-Z0-9]{6}[XY]$' }],
  ['mail addresses', { format: 'email' }],
  ['dates', { format: 'date' }],
  ['IPv4 addresses', { format: 'ipv4' }],
  ['IPv6 addresses', { format: 'ipv6' }],
  ['URIs', { format: 'uri' }],
  ['a length', { minLength: 26, maxLength: 26 }],
])('ids do not run out: %s', async (_name, schema) => {
  const ids = await compileIds({ type: 'string', ...schema }, undefined, 20);
  expect(new Set(ids).size).toBe(20);
  expect(ids).not.toContain(undefined);
});

test('ids run out when the schema allows no more', async () => {
  expect(await compileIds({ type: 'string', pattern: '^[ab]$' }, undefined, 3)).toEqual([
    expect.any(String),
    expect.any(String),
    undefined,
  ]);
});
