import { describe, expect, test } from 'vitest';
import { createRandom } from '../testing/hostile/hostile-document.ts';
import type { JsonValue } from '../json/value.ts';
import { createScales, findAlike } from './large-schema.ts';
import { createSchemaRegistry } from './registry.ts';
import { createSchemaRewriter } from './rewrite.ts';
import { loadSchemaEngine } from './engine/engine.ts';
import { unevaluatedProperties } from './keyword/object/unevaluated-properties.ts';

type Issues = readonly (readonly [string, string, string])[];

/** What a schema finds in a value, with so many schemas in one function, in a fixed order. */
function judge(schema: JsonValue, value: JsonValue, mostInFunction: number): Issues {
  const document = { openapi: '3.1.0', schema, other: { type: 'object', required: ['x'] } };
  const registry = createSchemaRegistry(document, 'test', undefined, mostInFunction);
  return registry
    .node('#/schema')
    .validate(value)
    .map(({ at, schemaPointer, message }) => [at, schemaPointer, message] as const)
    .toSorted((left, right) => (left.join(' ') < right.join(' ') ? -1 : 1));
}

/** A schema of hundreds of members, of which many say the same. */
function drawSchema(draw: (below: number) => number, depth: number): JsonValue {
  const leaves: readonly JsonValue[] = [
    { type: 'string' },
    { type: 'integer', minimum: 2 },
    { enum: ['a', 1, null] },
    { $ref: '#/other' },
    false,
    { type: 'string', minLength: draw(5) },
  ];
  const leaf = (): JsonValue => leaves[draw(leaves.length)] ?? true;
  if (depth === 0) return leaf();
  const inner = (): JsonValue => (draw(4) === 0 ? drawSchema(draw, depth - 1) : leaf());
  const map = (prefix: string, count: number): JsonValue =>
    Object.fromEntries(Array.from({ length: count }, (_none, at) => [`${prefix}${at}`, inner()]));
  const members: readonly (readonly [string, JsonValue])[] = [
    ['properties', map('p', 60)],
    ['patternProperties', map('^p1', 5)],
    ['dependentSchemas', map('p', 5)],
    ['dependentRequired', { p1: ['p2', 'q~/'], p3: ['q'] }],
    ['allOf', Array.from({ length: 5 }, inner)],
    ['anyOf', [...Array.from({ length: 4 }, inner), true]],
    ['oneOf', Array.from({ length: 5 }, inner)],
    ['prefixItems', Array.from({ length: 30 }, inner)],
    ['items', inner()],
    ['additionalProperties', draw(2) === 0],
    ['unevaluatedProperties', false],
    ['required', ['p1', 'p2']],
  ];
  return Object.fromEntries(members.filter(() => draw(3) > 0));
}

function drawValue(draw: (below: number) => number, depth: number): JsonValue {
  const scalars: readonly JsonValue[] = ['', 'a', 'abcdef', 1, 5, null, true, { x: 1 }];
  if (depth === 0) return scalars[draw(scalars.length)] ?? null;
  const inner = (): JsonValue => drawValue(draw, draw(depth));
  if (draw(3) === 0) return Array.from({ length: draw(40) }, inner);
  const names = Array.from({ length: draw(60) }, () => `p${draw(70)}`);
  return Object.fromEntries(names.map((name) => [name, inner()]));
}

test.each([1, 2, 3, 4])(
  'a schema in parts judges as in one, seed %i',
  (seed) => {
    const random = createRandom(seed);
    const draw = (below: number): number => Math.floor(random() * below);
    let found = 0;
    for (let round = 0; round < 3; round += 1) {
      const schema = drawSchema(draw, 2);
      for (let count = 0; count < 3; count += 1) {
        const value = drawValue(draw, 3);
        const whole = judge(schema, value, 100_000);
        found += whole.length;
        expect(judge(schema, value, 1)).toEqual(whole);
        expect(judge(schema, value, 40)).toEqual(whole);
      }
    }
    expect(found).toBeGreaterThan(0);
  },
  60_000,
);

describe('a schema of ten thousand members', () => {
  const properties = Object.fromEntries(
    Array.from({ length: 10_000 }, (_none, at) => [
      `p${at}`,
      { type: 'string', minLength: at % 50 },
    ]),
  );

  test('is rewritten for one function without them', () => {
    const rewriter = createSchemaRewriter('3.1', (reference) => reference);
    const schema = rewriter.rewrite({ type: 'object', properties }, '#');
    expect(new Set(Object.values(schema.properties))).toEqual(new Set([true]));
    const parts = rewriter.parts(schema, 'properties');
    // Ten schemas that most say, and of the others 400 in a part.
    expect(parts).toHaveLength(1 + (40 * 200) / 400);
    for (const part of parts) expect(JSON.stringify(part.rewrite()).length).toBeLessThan(50_000);
  });

  test('is weighed once, and its members of one schema are found', () => {
    const { weigh } = createScales();
    expect(weigh({ properties })).toBe(10_001);
    const members = Object.entries(properties);
    const { alike, others } = findAlike(members, () => true);
    expect(alike.map(({ names }) => names.size)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(others).toHaveLength(8_000);
  });

  test('tells the place of each fault by the member', () => {
    const document = { openapi: '3.1.0', schema: { type: 'object', properties } };
    const { validate } = createSchemaRegistry(document, 'test').node('#/schema');
    expect(validate({ p0: 1, p9999: 'a', p1: 'a' })).toEqual([
      expect.objectContaining({ at: '/p0', schemaPointer: '#/schema/properties/p0/type' }),
      expect.objectContaining({
        at: '/p9999',
        schemaPointer: '#/schema/properties/p9999/minLength',
      }),
    ]);
  });
});

test.each([5, 3_000])('of %i names that are evaluated, none counts as unevaluated', (count) => {
  const names = Array.from({ length: count }, (_none, at) => `p${at}`);
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  const schema = { type: 'object', properties, unevaluatedProperties: false };
  const value = Object.fromEntries(names.map((name) => [name, 'a']));
  expect(judge(schema, value, 400)).toEqual([]);
  const issues = judge(schema, { ...value, constructor: 1, other: 1 }, 400);
  expect(issues.map(([at]) => at)).toEqual(['/constructor', '/other']);
});

test('the code does not spell out many names that are evaluated', () => {
  const codeLength = (count: number): number => {
    let length = 0;
    const engine = loadSchemaEngine();
    const ajv = new engine.Ajv({
      unevaluated: true,
      strict: false,
      code: {
        process: (code) => {
          length += code.length;
          return code;
        },
      },
    });
    ajv.removeKeyword('unevaluatedProperties');
    const repair = unevaluatedProperties.repair?.(engine);
    ajv.addKeyword({
      keyword: 'unevaluatedProperties',
      schemaType: ['boolean', 'object'],
      ...repair,
    });
    const properties = Object.fromEntries(
      Array.from({ length: count }, (_none, at) => [`p${at}`, true]),
    );
    ajv.compile({ properties, unevaluatedProperties: { type: 'string' } });
    return length;
  };
  expect(codeLength(400)).toBe(codeLength(200));
});
