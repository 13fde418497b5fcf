import { expect, test } from 'vitest';
import { loadSample } from '../../test/contract/sample.ts';
import { isLarge, plainValues } from './plain-value.ts';

const members = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, { type: 'integer' }]));

test.for([
  [false, { type: 'object', properties: members(100), required: Object.keys(members(100)) }],
  [false, { type: 'array', items: { type: 'string' }, minItems: 100 }],
  [true, { type: 'object', properties: members(900), required: Object.keys(members(900)) }],
  [true, { type: 'array', items: { type: 'array', minItems: 60 }, minItems: 60 }],
  [true, { type: 'object', minProperties: 900, propertyNames: { pattern: '^[a-z]{8}$' } }],
] as const)('only of small values random ones are drawn too: %#', async ([isBig, schema]) => {
  const post = {
    requestBody: { content: { 'application/json': { schema } } },
    responses: { 201: { description: 'Made' } },
  };
  const { operations } = await loadSample({ paths: { '/things': { post } } });
  const node = operations[0]?.requestBody?.content[0]?.schema;
  if (node === undefined) throw new Error('no schema');
  expect(isLarge(node)).toBe(isBig);
  expect([...plainValues(node)].length > 1).toBe(!isBig);
});
