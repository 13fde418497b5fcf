import { listRequirements, mergedOperations } from './requirements.ts';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { loadContract } from '../../contract/load.ts';
import {
  documentOf,
  json,
  members,
  ok,
  referTo,
  times,
} from '../../test/contract/compose-document.ts';
import { petstore } from '../../test/contract/petstore.ts';

const root = new URL('../../', import.meta.url);

test.for(['openapi.yaml', 'fixtures/documents/books.yaml'])(
  'the requirements of %s keep their ids: requirements may be added, but not removed or redefined',
  async (file) => {
    const requirements = listRequirements(
      await loadContract({ file: new URL(file, root).pathname }),
    );
    const name = file.split('/').at(-1)?.replace('.yaml', '') ?? '';
    const lines = requirements.map(
      ({ id, level, pointer, sentence }) => `${id} | ${level} | ${pointer} | ${sentence}`,
    );
    const recorded = new URL(`fixtures/values/requirements-${name}.txt`, root);
    const known = (await readFile(recorded, 'utf8')).trimEnd().split('\n');
    expect(known.length).toBeGreaterThan(200);
    expect(known.filter((line) => !lines.includes(line))).toEqual([]);
  },
);

test('every requirement has a sentence, a pointer and, for the Petstore, a section of the interface', async () => {
  const requirements = listRequirements(petstore);
  expect(new Set(requirements.map(({ id }) => id)).size).toBe(requirements.length);
  for (const { sentence, pointer, section, id } of requirements) {
    expect(`${id} ${sentence}`).toMatch(/[.?]$/);
    expect(pointer).toMatch(/^#\//);
    expect(section).not.toBe('');
  }
});

test('a null that no response can show is not expected back, except after a patch', async () => {
  const item = '{ type: object, properties: { id: { type: integer }, a: { type: string } } }';
  const sent =
    '{ type: object, properties: { a: { anyOf: [{ type: string }, { type: "null" }] } } }';
  const body = (schema: string) => `content: { application/json: { schema: ${schema} } }`;
  const contract = await loadContract({
    text: `openapi: 3.1.0
info: { title: T, version: "1" }
components: { schemas: { Item: ${item} } }
paths:
  /items:
    get: { responses: { 200: { description: ok, ${body('{ type: array, items: { $ref: "#/components/schemas/Item" } }')} } } }
    post: { operationId: add, requestBody: { ${body(sent)} }, responses: { 201: { description: ok, ${body('{ $ref: "#/components/schemas/Item" }')} } } }
  /items/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { responses: { 200: { description: ok, ${body('{ $ref: "#/components/schemas/Item" }')} } } }
    patch: { operationId: change, requestBody: { ${body(sent)} }, responses: { 200: { description: ok, ${body('{ $ref: "#/components/schemas/Item" }')} } } }`,
  });
  expect(
    listRequirements(contract)
      .map(({ id }) => id)
      .filter((id) => id.includes('.echo.')),
  ).toEqual(['change/state.echo.a']);
});

test('the members of a wide request body have no requirements of their own', async () => {
  const idsOf = async (count: number) => {
    const properties = members(count, (at) => [`p${at}`, { type: 'string' }]);
    const schema = { type: 'object', required: ['p0'], properties };
    const requestBody = { required: true, content: json(schema) };
    const post = {
      operationId: 'add',
      requestBody,
      responses: { ...ok(schema), 400: ok(true)[200] },
    };
    const text = JSON.stringify(documentOf({ '/wide': { post } }));
    const contract = await loadContract({ text });
    return {
      ids: listRequirements(contract).map(({ id }) => id),
      merged: mergedOperations(contract).size,
    };
  };
  const narrow = await idsOf(250);
  expect(narrow.merged).toBe(0);
  expect(narrow.ids).toContain('add/request.body.p249.taken');
  const wide = await idsOf(251);
  expect(wide.merged).toBe(1);
  expect(wide.ids.filter((id) => id.startsWith('add/request.'))).toEqual([
    'add/request.body.required',
    'add/request.body.type',
  ]);
  expect(wide.ids).toContain('add/response.200.body.p250.type');
});

test('of many requirements, single members of bodies have none of their own', async () => {
  const required = times(120, (at) => `p${at}`);
  const properties = members(120, (at) => [`p${at}`, { type: 'string' }]);
  const paths = members(300, (at) => {
    const requestBody = { content: json(referTo('Wide')) };
    return [
      `/p${at}`,
      { get: { responses: ok(referTo('Wide')) }, put: { requestBody, responses: ok(true) } },
    ];
  });
  const schemas = { Wide: { type: 'object', required, properties } };
  const text = JSON.stringify(documentOf(paths, { components: { schemas } }));
  const contract = await loadContract({ text });
  const ids = new Set(listRequirements(contract).map(({ id }) => id));
  expect(mergedOperations(contract).size).toBeGreaterThan(400);
  expect(ids.size).toBeGreaterThanOrEqual(30_000);
  expect(ids.size).toBeLessThan(33_000);
  for (const id of [
    'GET /p0/response.200.body.p0.required',
    'GET /p299/response.200.body',
    'PUT /p0/request.body.p0.taken',
    'PUT /p299/status.200',
  ])
    expect(ids).toContain(id);
  for (const id of ['GET /p299/response.200.body.p0.required', 'PUT /p299/request.body.p0.taken'])
    expect(ids).not.toContain(id);
});

test('members of each alternative of a request body come back', async () => {
  const kinds = ['cat', 'dog'].map((kind) => {
    const properties = {
      kind: { type: 'string', enum: [kind] },
      [`${kind}Name`]: { type: 'string' },
    };
    return { type: 'object', required: ['kind'], properties };
  });
  const text = { type: 'string' };
  const properties = { id: { type: 'integer' }, catName: text, dogName: text };
  const pet = { type: 'object', required: ['id'], properties };
  const contract = await loadContract({
    text: JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Pets', version: '1' },
      paths: {
        '/pets': {
          get: {
            operationId: 'list',
            responses: {
              200: { description: 'All', content: json({ type: 'array', items: pet }) },
            },
          },
          post: {
            operationId: 'add',
            requestBody: { content: json({ oneOf: kinds }) },
            responses: { 201: { description: 'One', content: json(pet) } },
          },
        },
      },
    }),
    name: 'pets.json',
  });
  const ids = listRequirements(contract).map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(['add/state.echo.catName', 'add/state.echo.dogName']));
});
