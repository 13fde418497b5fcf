import { expect, test } from 'vitest';
import { loadSample } from '../../test/contract/sample.ts';
import type { Contract } from '../contract.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';

const text = { type: 'string' };
const integer = { type: 'integer' };

async function shapeOf(
  errors: Record<string, JsonValue>,
  schemas: JsonObject,
): Promise<Contract['error']> {
  const responses = Object.fromEntries(
    Object.entries(errors).map(([status, schema]) => [
      status,
      { description: 'e', content: { 'application/problem+json': { schema } } },
    ]),
  );
  return (
    await loadSample({
      paths: { '/x': { get: { responses: { 204: { description: 'ok' }, ...responses } } } },
      components: { schemas },
    })
  ).error;
}

async function pointerOf(
  errors: Record<string, JsonValue>,
  schemas: JsonObject,
): Promise<string | undefined> {
  return (await shapeOf(errors, schemas))?.schema.pointer;
}

function ref(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

async function rolesOf(properties: JsonObject): Promise<Record<string, string>> {
  const error = await shapeOf(
    { 400: { $ref: '#/components/schemas/E' } },
    { E: { type: 'object', properties } },
  );
  return Object.fromEntries((error?.members ?? []).map(({ name, role }) => [name, role]));
}

test('a document without JSON errors has no shape', async () => {
  expect(await shapeOf({}, {})).toBeUndefined();
  expect(await shapeOf({ 400: text }, {})).toBeUndefined();
});

test('the shape is the definition that the errors share, also through allOf', async () => {
  const base = { type: 'object', properties: { message: text } };
  expect(
    await pointerOf({ 400: { allOf: [ref('E'), { required: ['message'] }] } }, { E: base }),
  ).toBe('#/components/schemas/E');
  expect(
    await pointerOf(
      { 400: ref('A'), 404: { allOf: [ref('A')] }, default: ref('B') },
      { A: { allOf: [ref('E')] }, B: base, E: base },
    ),
  ).toBe('#/components/schemas/A');
  expect(
    await pointerOf(
      { 400: ref('A'), 404: ref('B') },
      { A: { allOf: [ref('E')] }, B: { allOf: [ref('E')] }, E: base },
    ),
  ).toBe('#/components/schemas/E');
  expect(await pointerOf({ 400: base }, {})).toBe(
    '#/paths/~1x/get/responses/400/content/application~1problem+json/schema',
  );
});

test('the members have their roles by name and type', async () => {
  expect(
    await rolesOf({ type: text, title: text, status: integer, detail: text, instance: text }),
  ).toEqual({
    type: 'code',
    title: 'other',
    status: 'status',
    detail: 'message',
    instance: 'other',
  });
  expect(await rolesOf({ error: text, error_description: text })).toEqual({
    error: 'code',
    error_description: 'message',
  });
  expect(
    await rolesOf({ statusCode: integer, error: text, message: text, description: text }),
  ).toEqual({ statusCode: 'status', error: 'code', message: 'message', description: 'other' });
  expect(await rolesOf({ code: integer, message: integer, status: text })).toEqual({
    code: 'other',
    message: 'other',
    status: 'other',
  });
});

test('the shape applies to all errors if those of more than one status have it', async () => {
  const schemas = { E: { type: 'object', properties: { message: text } }, F: { type: 'string' } };
  const isShared = async (errors: Record<string, JsonValue>): Promise<boolean | undefined> =>
    (await shapeOf(errors, schemas))?.isShared;
  expect(await isShared({ 400: ref('E'), 404: ref('E') })).toBe(true);
  expect(await isShared({ default: ref('E') })).toBe(true);
  expect(await isShared({ 422: ref('E') })).toBe(false);
  expect(await isShared({ 400: ref('E'), 404: ref('F') })).toBe(false);
});
