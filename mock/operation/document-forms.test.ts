import { expect, test } from 'vitest';
import type { JsonObject } from '../../contract/json/value.ts';
import { loadSample } from '../../test/contract/sample.ts';
import { type TestClient, createTestClient } from '../../test/mock/test-client.ts';

const text = { type: 'string' };
const item = { type: 'object', properties: { id: text, name: text } };
const answer = (schema: JsonObject, more: JsonObject = {}): JsonObject => ({
  description: 'An answer.',
  content: { 'application/json': { schema } },
  ...more,
});

async function open(document: JsonObject): Promise<TestClient> {
  return createTestClient(await loadSample(document));
}

test.each([
  ['uri', 'http://shop.example:8080/pets/'],
  ['uri-reference', '/pets/'],
])('Location has the format %s if the document says so', async (format, start) => {
  const headers = { Location: { schema: { type: 'string', format } } };
  const client = await open({
    paths: {
      '/pets': {
        post: {
          requestBody: { content: { 'application/json': { schema: item } } },
          responses: { 201: answer(item, { headers }) },
        },
      },
      '/pets/{petId}': {
        parameters: [{ name: 'petId', in: 'path', required: true, schema: text }],
        get: { responses: { 200: answer(item) } },
      },
    },
  });
  const host = { headers: { host: 'shop.example:8080' } };
  const made = client.send('POST', '/pets', { json: { name: 'Rex' }, ...host });
  expect(made.headers.get('location')?.startsWith(start)).toBe(true);
});

test("an error in the document's shape is complete, even with nested members", async () => {
  const inner = { type: 'object', required: ['code'], properties: { code: text, message: text } };
  const Problem = {
    type: 'object',
    required: ['success', 'error'],
    properties: { success: { type: 'boolean', example: false }, error: inner },
  };
  const client = await open({
    components: {
      schemas: { Problem },
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
    },
    security: [{ key: [] }],
    paths: {
      '/pets': {
        get: {
          responses: {
            200: answer(item),
            404: answer({ $ref: '#/components/schemas/Problem' }),
          },
        },
      },
    },
  });
  const refused = client.send('GET', '/pets', { key: undefined });
  expect(refused.status).toBe(401);
  expect(refused.json).toMatchObject({ success: false, error: { code: 'unauthorized' } });
});
