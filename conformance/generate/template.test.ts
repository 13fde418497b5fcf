import { expect, test } from 'vitest';
import type { JsonObject } from '../../contract/json/value.ts';
import { loadSample } from '../../test/contract/sample.ts';
import { distinctValue, idOfTag, readTemplate, tagBody } from './template.ts';

/** The template of a body with this schema. */
async function templateOf(schema: JsonObject) {
  const content = { 'application/json': { schema } };
  const contract = await loadSample({
    paths: {
      '/users': { post: { requestBody: { content }, responses: { 201: { description: 'Made' } } } },
    },
  });
  const [operation] = contract.operations;
  return operation && readTemplate(contract, operation);
}

test("a body puts the tag into the item's name, wherever the schema has it", async () => {
  const name = { type: 'string', pattern: '^[a-z0-9]+$' };
  const app = {
    type: 'object',
    required: ['metadata'],
    properties: { metadata: { type: 'object', properties: { name, size: { type: 'integer' } } } },
  };
  const $ref = '#/components/schemas/App';
  const content = { 'application/json': { schema: { $ref } } };
  const list = { 'application/json': { schema: { type: 'array', items: { $ref } } } };
  const contract = await loadSample({
    paths: {
      '/apps': {
        get: { responses: { 200: { description: 'All', content: list } } },
        post: {
          requestBody: { content },
          responses: { 201: { description: 'Made', content } },
        },
      },
      '/apps/{name}': {
        parameters: [{ name: 'name', in: 'path', required: true, schema: name }],
        get: { responses: { 200: { description: 'One', content } } },
      },
    },
    components: { schemas: { App: app } },
  });
  const [create] = contract.resources.flatMap((resource) => resource.create ?? []);
  const template = create && readTemplate(contract, create);
  const body = { metadata: { name: 'taken', size: 3 } };
  expect(template && tagBody(template, body, 'Pab1')).toEqual({
    metadata: { name: 'pab1', size: 3 },
  });
});

test('strings that services keep unique differ in every body, except one under test', async () => {
  const text = { type: 'string' };
  const schema = {
    type: 'object',
    required: ['name', 'email', 'sku', 'currency', 'kind'],
    properties: {
      name: text,
      email: { type: 'string', format: 'email' },
      sku: { type: 'string', pattern: '^[A-Z]{2}-[0-9]{6}$', example: 'AB-123456' },
      currency: { type: 'string', pattern: '^[A-Z]{3}$', example: 'EUR' },
      kind: { type: 'string', enum: ['a', 'b'] },
    },
  };
  const template = await templateOf(schema);
  const bodyOf = (tag: string, change = {}) =>
    template && tagBody(template, { ...template.plain(), ...change }, tag);
  const [one, other] = ['Pcabcdaaab', 'Pcabcdaaac'].map((tag) => bodyOf(tag));
  expect(one).toMatchObject({ email: 'pcabcdaaab@example.com', currency: 'EUR', kind: 'a' });
  expect(one?.['sku']).toMatch(/^A[A-Z]-[0-9]{6}$/);
  expect(one?.['sku']).not.toBe(other?.['sku']);
  expect(one?.['email']).not.toBe(other?.['email']);
  expect(bodyOf('Pcabcdaaad', { email: 'not an address' })?.['email']).toBe('not an address');
});

test('a string that may have to be unique has the whole tag if its pattern and length allow it', async () => {
  const schema = {
    type: 'object',
    required: ['slug', 'code'],
    properties: {
      slug: { type: 'string', pattern: '^[a-z0-9-]+$' },
      code: { type: 'string', pattern: '^[A-Z]{4}$' },
    },
  };
  const template = await templateOf(schema);
  const body = template && tagBody(template, template.plain(), 'Pcabcdaaab');
  expect(body?.['slug']).toBe('pcabcdaaab');
  expect(body?.['code']).toMatch(/^[A-Z]BCE$/);
  const { properties } = template?.node.shape() ?? {};
  const long = distinctValue('slug', properties?.get('slug'), 'a'.repeat(50), 'Pcabcdaaab');
  expect(long).toBe(`${'a'.repeat(40)}pcabcdaaab`);
  expect(distinctValue('size', properties?.get('slug'), 'aaaa', 'Pcabcdaaab')).toBe('aaaa');
});

test('short names and small numbers differ in two runs, and in two requests of one', async () => {
  const schema = {
    type: 'object',
    required: ['code'],
    properties: {
      code: { type: 'string', pattern: '^[A-Z]{3}$', example: 'BER' },
      number: { type: 'integer', minimum: 1, maximum: 999 },
    },
  };
  const template = await templateOf(schema);
  const number = template?.node.shape().properties.get('number');
  const tags = ['Pcbbbbaaab', 'Pcbbbbaaac', 'Pcbbccaaab'];
  const codes = tags.map((tag) => template && tagBody(template, { code: 'BER' }, tag)['code']);
  const numbers = tags.map((tag) => number && idOfTag(number, tag));
  for (const found of [codes, numbers]) expect(new Set(found).size).toBe(3);
});

test('a body that is one of several has the form of the first, if a member tells them apart', async () => {
  const text = { type: 'string' };
  const kindOf = (kind: string | undefined, members: JsonObject): JsonObject => ({
    type: 'object',
    required: ['kind', 'name'],
    properties: { kind: { type: 'string', ...(kind && { enum: [kind] }) }, name: text, ...members },
  });
  const unionOf = async (...kinds: readonly (string | undefined)[]) =>
    await templateOf({ oneOf: kinds.map((kind, at) => kindOf(kind, { [`m${at}`]: text })) });
  expect((await unionOf('a', 'b'))?.plain()).toMatchObject({ kind: 'a' });
  expect(await unionOf('a', 'a')).toBeUndefined();
  expect(await unionOf('a', undefined)).toBeUndefined();
});
