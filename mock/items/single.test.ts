import { expect, test } from 'vitest';
import { type JsonObject, isJsonObject, renderJson } from '../../contract/json/value.ts';
import { loadSample } from '../../test/contract/sample.ts';
import { type TestClient, createTestClient } from '../../test/mock/test-client.ts';

const text = { type: 'string' };
const settings = {
  type: 'object',
  required: ['theme', 'pageSize'],
  properties: {
    theme: { type: 'string', enum: ['light', 'dark'] },
    pageSize: { type: 'integer', default: 20 },
    owner_id: text,
  },
};
const answer = (schema: JsonObject): JsonObject => ({
  description: 'An answer.',
  content: { 'application/json': { schema } },
});
const requestBody = { content: { 'application/json': { schema: { type: 'object' } } } };
const missing = { 404: { description: 'There is none.' } };

async function open(paths: JsonObject): Promise<TestClient> {
  return createTestClient(await loadSample({ paths }));
}

test('GET of a single item shows what PUT and PATCH set', async () => {
  const client = await open({
    '/settings': {
      get: { responses: { 200: answer(settings) } },
      put: { requestBody, responses: { 200: answer(settings) } },
      patch: { requestBody, responses: { 204: { description: 'Changed.' } } },
    },
  });
  const before = client.send('GET', '/settings').json;
  expect(before).toMatchObject({ theme: 'light' });
  const put = client.send('PUT', '/settings', { json: { theme: 'dark', pageSize: 5 } });
  expect(put.json).toMatchObject({ theme: 'dark', pageSize: 5 });
  expect(client.send('PATCH', '/settings', { json: { pageSize: 7 } }).status).toBe(204);
  expect(client.send('GET', '/settings').json).toMatchObject({ theme: 'dark', pageSize: 7 });
  const control = (await client.mock.control()).sandbox('main');
  control.resetState();
  expect(client.send('GET', '/settings').json).toEqual(before);
});

test('a single item in an envelope keeps what is sent in an envelope', async () => {
  const wrapped = { type: 'object', properties: { settings } };
  const client = await open({
    '/settings': {
      get: { responses: { 200: answer(wrapped) } },
      put: {
        requestBody: { content: { 'application/json': { schema: wrapped } } },
        responses: { 200: answer(wrapped) },
      },
    },
  });
  client.send('PUT', '/settings', { json: { settings: { theme: 'dark', pageSize: 3 } } });
  expect(client.send('GET', '/settings').json).toMatchObject({
    settings: { theme: 'dark', pageSize: 3 },
  });
});

const owner = { type: 'object', properties: { id: text } };
const ofOwner = { parameters: [{ name: 'ownerId', in: 'path', required: true, schema: text }] };

test('each parent has its own, which is removed with it', async () => {
  const client = await open({
    '/owners/{ownerId}': {
      ...ofOwner,
      get: { responses: { 200: answer(owner), ...missing } },
      delete: { responses: { 204: { description: 'Removed.' } } },
    },
    '/owners/{ownerId}/settings': {
      ...ofOwner,
      get: { responses: { 200: answer(settings), ...missing } },
      put: { requestBody, responses: { 200: answer(settings) } },
      delete: { responses: { 204: { description: 'Removed.' } } },
    },
  });
  client.send('PUT', '/owners/ann/settings', { json: { theme: 'dark', pageSize: 5 } });
  const ofBob = client.send('GET', '/owners/bob/settings').json;
  expect(ofBob).toMatchObject({ theme: 'light', owner_id: 'bob' });
  expect(client.send('GET', '/owners/ann/settings').json).toMatchObject({ theme: 'dark' });
  expect(client.send('DELETE', '/owners/ann/settings').status).toBe(204);
  expect(client.send('GET', '/owners/ann/settings').status).toBe(404);
  client.send('PUT', '/owners/ann/settings', { json: { theme: 'dark', pageSize: 6 } });
  expect(client.send('GET', '/owners/ann/settings').json).toMatchObject({ pageSize: 6 });
  expect(client.send('DELETE', '/owners/ann').status).toBe(204);
  expect(client.send('GET', '/owners/ann/settings').status).toBe(404);
});

test('a required single item returns to its initial value once removed', async () => {
  const client = await open({
    '/limits': {
      get: { responses: { 200: answer(settings) } },
      put: { requestBody, responses: { 204: { description: 'Set.' } } },
      delete: { responses: { 204: { description: 'Reset.' } } },
    },
  });
  const before = client.send('GET', '/limits').json;
  client.send('PUT', '/limits', { json: { theme: 'dark', pageSize: 5 } });
  expect(client.send('GET', '/limits').json).not.toEqual(before);
  expect(client.send('DELETE', '/limits').status).toBe(204);
  expect(client.send('GET', '/limits').json).toEqual(before);
});

test('HEAD returns the headers of GET', async () => {
  const client = await open({
    '/pets': {
      get: { responses: { 200: answer({ type: 'array', items: owner }) } },
      post: { requestBody, responses: { 200: answer(owner) } },
    },
    '/pets/{petId}': {
      parameters: [{ name: 'petId', in: 'path', required: true, schema: text }],
      get: { responses: { 200: answer(owner), ...missing } },
      head: { responses: { 204: { description: 'There is one.' }, ...missing } },
    },
  });
  client.send('POST', '/pets', { json: { id: 'rex' } });
  expect(client.send('HEAD', '/pets/rex').status).toBe(204);
  expect(client.send('HEAD', '/pets/max').status).toBe(404);
});

test('a body that GET documents need not be sent', async () => {
  const body = { ...requestBody, required: true };
  const client = await open({
    '/greeting': { get: { requestBody: body, responses: { 200: answer(settings) } } },
  });
  expect(client.send('GET', '/greeting').status).toBe(200);
});

test('an update accepts members that responses describe further', async () => {
  const domains = (required: readonly string[]): JsonObject => ({
    type: 'array',
    items: { type: 'object', required, properties: { name: text, verified: { type: 'boolean' } } },
  });
  const site = {
    type: 'object',
    required: ['id', 'domains'],
    properties: { id: text, domains: domains(['name', 'verified']) },
  };
  const sent = { type: 'object', properties: { domains: domains(['name']) } };
  const body = { content: { 'application/json': { schema: sent } } };
  const components = { schemas: { Site: site } };
  const $ref = '#/components/schemas/Site';
  const contract = await loadSample({
    components,
    paths: {
      '/sites': {
        get: { responses: { 200: answer({ type: 'array', items: { $ref } }) } },
        post: { requestBody: body, responses: { 201: answer({ $ref }) } },
      },
      '/sites/{siteId}': {
        parameters: [{ name: 'siteId', in: 'path', required: true, schema: text }],
        get: { responses: { 200: answer({ $ref }), ...missing } },
        patch: { requestBody: body, responses: { 200: answer({ $ref }), ...missing } },
      },
    },
  });
  const client = createTestClient(contract);
  const { json } = client.send('POST', '/sites', { json: { domains: [{ name: 'a.example' }] } });
  const id = isJsonObject(json) ? renderJson(json['id'] ?? null).replaceAll('"', '') : '';
  const change = { json: { domains: [{ name: 'b.example' }] } };
  expect(client.send('PATCH', `/sites/${id}`, change).status).toBe(200);
  expect(client.send('GET', `/sites/${id}`).status).toBe(200);
});

test('an id with a percent sign in it is decoded once', async () => {
  const named = { type: 'object', properties: { name: text } };
  const client = await open({
    '/tags': {
      post: { requestBody, responses: { 201: answer(named) } },
      get: { responses: { 200: answer({ type: 'array', items: named }) } },
    },
    '/tags/{name}': {
      parameters: [{ name: 'name', in: 'path', required: true, schema: text }],
      get: { responses: { 200: answer(named), ...missing } },
    },
  });
  const { headers } = client.send('POST', '/tags', { json: { name: 'a%20b' } });
  expect(headers.get('location')).toBe('/tags/a%2520b');
  expect(client.send('GET', '/tags/a%2520b').json).toEqual({ name: 'a%20b' });
  expect(client.send('GET', '/tags/a%20b').status).toBe(404);
});

test('null is shown if it fits and an empty object does not', async () => {
  const schema = {
    type: ['object', 'null'],
    properties: { theme: { type: 'string' } },
    additionalProperties: false,
    minProperties: 2,
  };
  const paths = {
    '/settings': {
      get: { responses: { 200: answer(schema) } },
      post: { requestBody, responses: { 200: answer(schema) } },
    },
  };
  const client = await open(paths);
  expect(client.send('POST', '/settings', { json: {} }).json).toBeNull();
});
