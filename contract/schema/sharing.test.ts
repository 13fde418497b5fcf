import { afterEach, beforeEach, expect, type MockInstance, test, vi } from 'vitest';
import type { JsonObject } from '../json/value.ts';
import { loadSchemaEngine } from './engine/engine.ts';
import { createSchemaRegistry } from './registry.ts';

/** Counts what the engine is given to compile. */
let added: MockInstance;

beforeEach(() => {
  added = vi.spyOn(loadSchemaEngine().Ajv.prototype, 'addSchema');
});

afterEach(() => added.mockRestore());

function open(schemas: JsonObject) {
  const told: string[] = [];
  const registry = createSchemaRegistry(
    { openapi: '3.1.0', components: { schemas } },
    'sample',
    (pointer) => told.push(pointer),
  );
  return { told, registry, at: (name: string) => registry.node(`#/components/schemas/${name}`) };
}

function repeat(count: number, schema: JsonObject): JsonObject {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`S${at}`, schema]));
}

test('schemas that say the same are compiled once, and each tells its own place', () => {
  const schemas = repeat(50, { properties: { a: { type: 'integer', minimum: 3 } } });
  const { at } = open(schemas);
  const places = Object.keys(schemas).map((name) => at(name).validate({ a: 1 })[0]?.schemaPointer);
  expect(places).toEqual(
    Object.keys(schemas).map((name) => `#/components/schemas/${name}/properties/a/minimum`),
  );
  expect(added).toHaveBeenCalledTimes(1);
});

test('what refers to others is compiled where it stands', () => {
  const { at } = open({
    ...repeat(3, { properties: { a: { $ref: '#/components/schemas/Small' } } }),
    Small: { type: 'integer', minimum: 3 },
  });
  for (const name of ['S0', 'S1', 'S2'])
    expect(at(name).validate({ a: 1 })[0]?.schemaPointer).toBe(
      '#/components/schemas/Small/minimum',
    );
  expect(added).toHaveBeenCalledTimes(4);
});

test('what a schema has within is checked with it', () => {
  const { registry, at, told } = open({
    Whole: { properties: { a: { type: 'integer', maximum: 7 }, b: { items: { minLength: 4 } } } },
  });
  const { properties } = at('Whole').shape();
  properties.get('b')?.shape();
  registry.checkAll();
  expect(told).toEqual([]);
  expect(added).toHaveBeenCalledTimes(1);
  expect(properties.get('a')?.validate(8)[0]?.schemaPointer).toBe(
    '#/components/schemas/Whole/properties/a/maximum',
  );
});

test('each of several schemas that do not compile is told', () => {
  const { registry, at, told } = open(
    repeat(3, { properties: { a: { required: 'x', allOf: 3 } } }),
  );
  for (const name of ['S0', 'S1', 'S2']) at(name);
  registry.checkAll();
  expect(told).toEqual(['S0', 'S1', 'S2'].map((name) => `#/components/schemas/${name}`));
});
