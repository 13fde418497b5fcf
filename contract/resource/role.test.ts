import { expect, test } from 'vitest';
import { loadSample, refusalOf, sampleText } from '../../test/contract/sample.ts';
import type { JsonObject } from '../json/value.ts';

const answer = { 200: { description: 'An answer.' } };
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };

function document(collection: JsonObject, post: JsonObject): JsonObject {
  const paths = {
    '/notes': { ...collection, get: { responses: answer }, post: { responses: answer, ...post } },
    '/notes/{id}': { parameters: [id], get: { responses: answer } },
  };
  return { paths };
}

test('x-resource-role gives an operation another role, or none', async () => {
  const rolesWith = async (post: JsonObject): Promise<readonly string[]> => {
    const { inferredResources } = await loadSample(document({}, post));
    return inferredResources.flatMap(({ operations }) =>
      operations.map(({ operation, role }) => `${role} ${operation.method} ${operation.path}`),
    );
  };
  expect(await rolesWith({})).toContain('create POST /notes');
  expect(await rolesWith({ 'x-resource-role': 'bulk' })).toContain('bulk POST /notes');
  expect((await rolesWith({ 'x-resource-role': 'none' })).join()).not.toContain('POST');
});

test('x-resource: false is no resource, and idProperty names items', async () => {
  expect((await loadSample(document({ 'x-resource': false }, {}))).inferredResources).toEqual([]);
  const named = await loadSample(document({ 'x-resource': { idProperty: 'code' } }, {}));
  expect(named.inferredResources[0]?.idNames[0]).toBe('code');
});

test('a role that there is not is an error', async () => {
  const text = sampleText(document({}, { 'x-resource-role': 'finder' }));
  expect(await refusalOf({ text })).toEqual([
    '#/paths/~1notes/post/x-resource-role: has to be one of list, create, get, replace, update, remove, action, view, bulk, none',
  ]);
});
