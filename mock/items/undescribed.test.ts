import { expect, test } from 'vitest';
import { loadContract } from '../../contract/load.ts';
import { createMock } from '../mock.ts';
import { createTestClient } from '../../test/mock/test-client.ts';

const text = `openapi: 3.0.3
info: { title: T, version: '1' }
paths:
  /jobs:
    get: { responses: { 200: { description: All. } } }
    post:
      requestBody: { content: { application/json: { schema: { type: object } } } }
      responses: { 200: { description: Added. } }
  /jobs/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { responses: { 200: { description: One. }, 404: { description: None. } } }
    delete: { responses: { 204: { description: Gone. } } }
  /files:
    post:
      requestBody:
        content: { multipart/form-data: { schema: { type: string, format: binary } } }
      responses: { 200: { description: Added. } }
  /petlike:
    post: { responses: { 405: { description: Invalid. } } }
`;

test('items are shown if the document describes no bodies', async () => {
  const client = createTestClient(await loadContract({ text }));
  const made = client.send('POST', '/jobs', { json: { name: 'Ann', password: 'x' } });
  expect(made.json).toEqual({ id: 3, name: 'Ann' });
  expect(client.send('GET', '/jobs/3').json).toEqual({ id: 3, name: 'Ann' });
  expect(client.send('GET', '/jobs').json).toEqual([{ id: 1 }, { id: 2 }, { id: 3, name: 'Ann' }]);
  expect(client.send('DELETE', '/jobs/3').text).toBe('');
});

test('a form with a file schema is accepted', async () => {
  const client = createTestClient(await loadContract({ text }));
  const content =
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc\r\n--b--\r\n';
  const headers = { 'content-type': 'multipart/form-data; boundary=b' };
  expect(client.send('POST', '/files', { content, headers }).status).toBe(200);
});

test('a valid request succeeds if the document has only errors', async () => {
  const mock = createMock(await loadContract({ text }));
  const { status } = await mock.fetch('http://localhost/petlike', { method: 'POST' });
  expect(status).toBe(200);
});

const named = 'type: object, properties: { name: { type: string } }';

test.each([
  ['no schema', 'application/json: {}'],
  ['an empty schema', 'application/json: { schema: {} }'],
  ['any media type', '"*/*": {}'],
])('items are shown if all JSON is valid: %s', async (_form, content) => {
  const client = createTestClient(await loadContract({ text: withContent(content) }));
  expect(client.send('POST', '/jobs', { json: { name: 'Ann' } }).json).toMatchObject({
    name: 'Ann',
  });
  expect(client.send('GET', '/jobs').json).toEqual([{ id: 1 }, { id: 2 }, { id: 3, name: 'Ann' }]);
  expect(client.send('GET', '/about').json).toEqual({});
});

test.each([
  ['an object', 'application/json: { schema: { type: object } }', '{}'],
  ['a text', 'application/json: { schema: { type: string, enum: [all] } }', '"all"'],
  ['an example', 'application/json: { schema: {}, example: { total: 0 } }', '{"total":0}'],
  ['another media type', 'text/plain: {}', 'sample'],
])('a list that the document describes as %s is no array', async (_form, content, body) => {
  const client = createTestClient(await loadContract({ text: withContent(content) }));
  expect(client.send('GET', '/jobs').text).toBe(body);
});

function withContent(content: string): string {
  const responses = `responses: { 200: { description: Done., content: { ${content} } } }`;
  return `openapi: 3.0.3
info: { title: T, version: '1' }
paths:
  /about: { get: { ${responses} } }
  /jobs:
    get: { ${responses} }
    post:
      requestBody: { content: { application/json: { schema: { ${named} } } } }
      ${responses}
  /jobs/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { ${responses} }
`;
}
