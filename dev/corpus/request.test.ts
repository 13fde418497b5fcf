import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Client, idInBody } from './client.ts';
import { readDocument } from './document.ts';
import { type BuiltRequest, buildRequest } from './request.ts';

/** The requests for a document of OpenAPI 3.1 in YAML, and a file `paths.yaml` beside it. */
async function buildRequests(text: string, paths = ''): Promise<readonly BuiltRequest[]> {
  const folder = await mkdtemp(join(tmpdir(), 'corpus-'));
  try {
    const file = join(folder, 'root.yaml');
    await writeFile(file, `openapi: 3.1.0\n${text}`);
    await writeFile(join(folder, 'paths.yaml'), paths);
    const client = new Client(await readDocument(file), 'http://127.0.0.1');
    return client.operations.map((operation) => buildRequest(client, operation));
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('references from another file to the root are followed', async () => {
  const text = `paths: { /a: { $ref: paths.yaml#/a } }
components: { schemas: { Kind: { type: string, enum: [first] } } }`;
  const path = `a:
  get:
    parameters:
      - { name: kind, in: header, required: true, schema: { $ref: root.yaml#/components/schemas/Kind } }
    responses: { 200: { description: Fine } }`;
  const [request] = await buildRequests(text, path);
  expect(request?.headers['kind']).toBe('first');
  expect(request?.doubts).toEqual([]);
});

test('a request that cannot be sent as intended is uncertain', async () => {
  const [unknown, empty] = await buildRequests(`paths:
  /a:
    post:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/A' } } } }
      responses: { 200: { description: Fine } }
  /b:
    get:
      parameters: [{ name: file, in: query, required: true, schema: { type: object } }]
      responses: { 200: { description: Fine } }`);
  expect(unknown?.doubts).toEqual(['body']);
  expect(empty?.doubts).toEqual(['query file']);
});

test('a header whose name cannot be sent makes a request uncertain', async () => {
  const [request] = await buildRequests(`paths:
  /a:
    get:
      security: [{ two: [] }]
      responses: { 200: { description: Fine } }
components: { securitySchemes: { two: { type: apiKey, in: header, name: x-team / x-secret } } }`);
  expect(request?.doubts).toEqual(['header x-team / x-secret']);
  expect(request?.headers).toEqual({ accept: '*/*' });
});

test.each([
  [{ data: { items: [{ id: 7 }], total: 1 } }, 7],
  [{ items: [{ kind: 'Profile', metadata: { name: 'one' } }] }, 'one'],
  [{ author: { name: 'Ann' }, identifier: 'x1' }, 'x1'],
  [{ data: { items: [] } }, undefined],
])('the id of an item in %j', (body, id) => {
  expect(idInBody(body, '/profiles', 'profile')).toBe(id);
});

test('a range of media types is sent as one of them', async () => {
  const [request] = await buildRequests(`paths:
  /a:
    post:
      requestBody: { content: { 'image/*': {} } }
      responses: { 200: { description: Fine } }`);
  expect(request?.headers['content-type']).toBe('image/octet-stream');
});
