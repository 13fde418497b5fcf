import { expect, test } from 'vitest';
import { parseJson } from '../../../contract/json/value.ts';
import { loadSample } from '../../../test/contract/sample.ts';
import { isSame } from './item.ts';

test.each<[boolean, string, string, string]>([
  [true, '{ "format": "date-time" }', '"2030-12-05T08:30:00+02:00"', '"2030-12-05T06:30:00.000Z"'],
  [false, '{ "format": "date-time" }', '"2030-12-05T08:30:00Z"', '"2030-12-05T08:30:01Z"'],
  [false, '{}', '"2030-12-05T08:30:00Z"', '"2030-12-05T08:30:00.000Z"'],
  [true, '{ "format": "decimal" }', '"8."', '"8.00"'],
  [false, '{ "format": "decimal" }', '"8"', '""'],
  [false, '{}', '"007"', '"7"'],
  [true, '{ "format": "uri" }', '"HTTPS://Example.com:443"', '"https://example.com/"'],
  [false, '{ "format": "uri" }', '"https://example.com/a"', '"https://example.com/A"'],
  [false, '{ "format": "uri" }', '"urn:"', '"not a URL"'],
  [false, '{}', '"https://example.com"', '"https://example.com/"'],
  [true, String.raw`{ "pattern": "^-?\\d+\\.[0-9]{2}$" }`, '"-007.50"', '"-7.50"'],
  [true, String.raw`{ "pattern": "^\\d{1,8}([.]\\d{1,2})?$" }`, '"7"', '"7.00"'],
  [false, String.raw`{ "pattern": "^\\d+\\.\\d{2}$" }`, '"7.50"', '"7.05"'],
  [false, String.raw`{ "pattern": "^\\d+\\.\\d+\\.\\d+$" }`, '"1.01.2"', '"1.1.2"'],
  [false, String.raw`{ "pattern": "^\\d{3}$" }`, '"007"', '"7"'],
  [true, '{ "type": "number" }', '9007199254740993', '9007199254740992'],
  [false, '{ "format": "int64" }', '9007199254740993', '9007199254740992'],
  [false, '{ "type": "number" }', '0.1', '0.2'],
  [true, '{ "format": "float" }', '0.1', '0.10000000149011612'],
  [
    true,
    '{ "anyOf": [{ "format": "date-time" }, { "type": "null" }] }',
    '"2030-12-05T08:30:00Z"',
    '"2030-12-05T08:30:00+00:00"',
  ],
  [true, '{ "properties": { "a": { "readOnly": true } } }', '{ "a": 1, "b": 2 }', '{ "b": 2 }'],
  [false, '{ "properties": { "a": { "readOnly": true } } }', '{ "a": 1, "b": 2 }', '{ "b": 3 }'],
  [true, '{ "items": { "format": "decimal" } }', '["1"]', '["1.0"]'],
  [false, '{ "items": { "format": "decimal" } }', '["1"]', '["1.0", "2"]'],
])('%s: by %s, %s is %s', async (expected, schema, one, other) => {
  const contract = await loadSample({
    paths: {
      '/x': {
        get: {
          responses: {
            200: {
              description: 'ok',
              content: { 'application/json': { schema: parseJson(schema) } },
            },
          },
        },
      },
    },
  });
  const node = contract.operations[0]?.responses[0]?.content[0]?.schema;
  expect(isSame(parseJson(one), parseJson(other), node)).toBe(expected);
});
