import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { SchemaRegistry, type SchemaNode } from './schema-node.ts';

const names = ['a', 'id', 'kind'];
const schemaNames = ['P', 'Q', 'R'];

const leaf = fc.constantFrom<JsonValue>(
  { type: 'string', pattern: '^x' },
  { type: 'integer', minimum: 2 },
  { type: 'string', readOnly: true },
  { enum: ['x', 'y'] },
  ...schemaNames.map((name) => ({ $ref: pointerTo(name) })),
);

const { schema } = fc.letrec<{ schema: JsonValue; object: JsonValue; whole: JsonValue }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    leaf,
    tie('object'),
    tie('whole'),
  ),
  object: fc.record(
    {
      type: fc.constant('object'),
      properties: fc.dictionary(fc.constantFrom(...names), tie('schema'), { maxKeys: 2 }),
      required: fc.subarray(names, { maxLength: 1 }),
      nullable: fc.constant(true),
    },
    { requiredKeys: ['properties'] },
  ),
  whole: fc.oneof(
    fc.record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
  ),
}));

const values = fc.array(
  fc.oneof(
    fc.constantFrom<JsonValue>('x', 'z', 3, null),
    fc.dictionary(fc.constantFrom(...names), fc.constantFrom<JsonValue>('x', 'z', 3, null)),
  ),
  { minLength: 5, maxLength: 5 },
);

function pointerTo(name: string): string {
  return `#/components/schemas/${name}`;
}

/** The schemas of a document, and each pair of them in one: `named` by which they are found again. */
function nodesOf(document: JsonObject): ReadonlyMap<string, () => SchemaNode> {
  const registry = new SchemaRegistry(document, 'test', () => {});
  const nodes = new Map<string, () => SchemaNode>();
  for (const one of schemaNames) {
    nodes.set(one, () => registry.node(pointerTo(one)));
    for (const name of names)
      nodes.set(`${one}.${name}`, () => registry.node(`${pointerTo(one)}/properties/${name}`));
    for (const other of schemaNames)
      nodes.set(`${one} ${other}`, () => registry.intersection([one, other].map(pointerTo)));
  }
  return nodes;
}

/** The issues by direction; undefined if a schema refers to itself without end, which readers repair. */
function judge(find: (() => SchemaNode) | undefined, value: JsonValue): unknown {
  try {
    const found = (['request', 'response'] as const).map((way) => find?.().judge(value, way));
    const isDecided = found.every((each) => each?.undecided === undefined);
    return isDecided ? found.map((each) => each?.issues) : undefined;
  } catch {
    return undefined;
  }
}

test('a schema judges the same, whatever other schemas of the document were compiled before', () => {
  const schemas = fc.record(Object.fromEntries(schemaNames.map((name) => [name, schema])));
  let compared = 0;
  fc.assert(
    fc.property(schemas, fc.constantFrom('3.0.3', '3.1.0'), values, (some, openapi, sent) => {
      const document = { openapi, components: { schemas: some } };
      for (const [name, find] of nodesOf(document))
        for (const value of sent) {
          const [shared, alone] = [find, nodesOf(document).get(name)].map((each) =>
            judge(each, value),
          );
          if (shared === undefined || alone === undefined) continue;
          expect([name, shared]).toEqual([name, alone]);
          compared += 1;
        }
    }),
    { seed: 1, numRuns: 60 },
  );
  expect(compared).toBeGreaterThan(2_000);
});
