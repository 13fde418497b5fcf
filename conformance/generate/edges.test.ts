import { expect, test } from 'vitest';
import { isJsonArray, type JsonObject, type JsonValue } from '../../contract/json/value.ts';
import type { SchemaNode } from '../../contract/schema/schema-node.ts';
import { loadSample } from '../../test/contract/sample.ts';
import { limitEdges, sentValues } from './edges.ts';

/** The schema of a request body. */
async function loadBody(schema: JsonObject): Promise<SchemaNode> {
  const contract = await loadSample({
    paths: {
      '/people': {
        post: {
          requestBody: { content: { 'application/json': { schema } } },
          responses: { 201: { description: 'Made' } },
        },
      },
    },
  });
  const node = contract.operations[0]?.requestBody?.content[0]?.schema;
  if (node === undefined) throw new Error('There is no schema.');
  return node;
}

/** The first value at a limit of a request body. */
async function firstEdge(schema: JsonObject): Promise<JsonValue | undefined> {
  return limitEdges(await loadBody(schema))[0]?.value;
}

test('a list is sent with an item, then without', async () => {
  const items = { type: 'string', minLength: 2 };
  const [full, ...others] = sentValues(await loadBody({ type: 'array', items }));
  expect(full).toEqual([expect.stringMatching(/../), expect.stringMatching(/../)]);
  expect(isJsonArray(full) && new Set(full).size).toBe(2);
  expect(others).toEqual([[]]);
  const preset = await loadBody({ type: 'array', items: { type: 'integer' }, default: [] });
  expect(sentValues(preset)[0]).toEqual([expect.any(Number)]);
  const short = await loadBody({ type: 'array', items, maxItems: 1 });
  expect(sentValues(short)[0]).toHaveLength(1);
});

test('a list of objects is sent with one only on request, with other members than the defaults', async () => {
  const properties = { product: { type: 'string' }, amount: { type: 'integer', default: 1 } };
  const items = { type: 'object', required: ['product'], properties };
  const member = await loadBody({ type: 'array', items });
  expect(sentValues(member)).toEqual([[]]);
  const [full, ...others] = sentValues(member, true);
  expect(full).toEqual([{ product: expect.any(String), amount: expect.any(Number) }]);
  expect(full).not.toMatchObject([{ amount: 1 }]);
  expect(others).toEqual([[]]);
});

test('an object is sent with other members than its defaults', async () => {
  const properties = {
    isOpen: { type: 'boolean', default: true },
    language: { enum: ['en', 'de'], default: 'en' },
    size: { type: 'integer', minimum: 3, maximum: 3, default: 3 },
    note: { type: 'string' },
  };
  const [value] = sentValues(await loadBody({ type: 'object', properties }));
  expect(value).toMatchObject({ isOpen: false, language: 'de', size: 3 });
});

test.for([30, 78, 142, 254, 300])(
  'an e-mail address of %i characters has valid domain labels',
  async (maxLength) => {
    const edge = await firstEdge({ type: 'string', format: 'email', maxLength });
    const text = typeof edge === 'string' ? edge : '';
    expect(text.length).toBe(maxLength > 254 ? 0 : maxLength);
    const [, domain = 'a'] = text.split('@');
    expect(domain.split('.').filter((label) => !/^[a-z]{1,63}$/.test(label))).toEqual([]);
  },
);

test.for<[JsonObject, number]>([
  [{ type: 'string', minLength: 1, maxLength: 20 }, 7],
  [{ type: 'string', pattern: '^a\\d$' }, 7],
  [{ type: 'integer', maximum: 9 }, 7],
  [{ type: 'boolean' }, 1],
])('the items %j of a full list differ where they can', async ([items, different]) => {
  const edge = await firstEdge({ type: 'array', items, maxItems: 7 });
  expect(new Set(isJsonArray(edge) ? edge : []).size).toBe(different);
});
