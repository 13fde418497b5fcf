import { describe, expect, test } from 'vitest';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import type { SchemaNode } from '../schema/schema-node.ts';
import { createDraw, type Draw, rotate } from './random.ts';
import { sampleSchema } from './sample.ts';
import { judgePlainly, schemaNode } from '../../test/contract/schema-judges.ts';

/** Schemas of one batch whose samples and verdicts are tried; more batches by the environment. */
const [sampled, judged] = [20, 100];
const batches = Array.from(
  { length: Number(process.env['SAMPLE_BATCHES'] ?? 5) },
  (_one, at) => at,
);

/** A random schema that a known value fits; a judge must agree. */
interface WitnessSchema {
  readonly schema: JsonObject;
  readonly witness: JsonValue;
}

function drawWitnessSchema(key: string): WitnessSchema {
  const draw = createDraw(key);
  const witness = drawValue(draw, 3);
  return { witness, schema: drawSchema(witness, draw, 3) };
}

const texts = [
  'ab',
  'Zoe',
  '',
  'x-1',
  'red',
  '2026-02-03',
  'a.b@example.org',
  '日本',
  'some words',
];

function drawValue(draw: Draw, depth: number): JsonValue {
  const count = draw(4);
  switch (draw(depth > 0 ? 8 : 5)) {
    case 0:
      return draw(6) === 0 ? null : draw(2) === 0;
    case 1:
      return draw(400) - 200;
    case 2:
      return (draw(4000) - 2000) / 8;
    case 3:
    case 4:
      return texts[draw(texts.length)] ?? '';
    case 5:
      return Array.from({ length: count }, () => drawValue(draw, depth - 1));
    default:
      return Object.fromEntries(
        rotate(['a', 'b', 'cc', 'd1', 'name'], draw)
          .slice(0, count + 1)
          .map((name) => [name, drawValue(draw, depth - 1)]),
      );
  }
}

function drawSchema(value: JsonValue, draw: Draw, depth: number): JsonObject {
  const chance = (of: number): boolean => draw(of) === 0;
  const schema: Record<string, JsonValue> = {
    ...(chance(6) ? {} : { type: drawType(value, draw) }),
    ...drawKeywords(value, draw, depth),
  };
  if (chance(9)) schema['enum'] = [value, drawValue(draw, 1), drawValue(draw, 0)];
  if (chance(14)) schema['const'] = value;
  if (depth <= 0) return schema;
  const inner = (): JsonObject => drawSchema(value, draw, depth - 1);
  const other = (): JsonObject => drawSchema(drawValue(draw, 1), draw, depth - 1);
  if (chance(5)) schema['allOf'] = [inner(), inner()];
  if (chance(5)) schema['anyOf'] = [other(), inner()];
  if (chance(5)) schema['oneOf'] = [other(), inner(), other()];
  if (chance(8)) schema['not'] = other();
  if (chance(10)) Object.assign(schema, { if: inner(), else: other() });
  if (chance(10)) Object.assign(schema, { if: other(), else: inner() });
  return schema;
}

function drawType(value: JsonValue, draw: Draw): JsonValue {
  const name =
    value === null
      ? 'null'
      : isJsonArray(value)
        ? 'array'
        : typeof value === 'number'
          ? Number.isInteger(value) && draw(2) === 0
            ? 'integer'
            : 'number'
          : typeof value;
  const further = ['null', 'string', 'boolean', 'object'][draw(4)] ?? 'null';
  return draw(5) === 0 && further !== name ? [name, further] : name;
}

function drawKeywords(value: JsonValue, draw: Draw, depth: number): JsonObject {
  const all =
    typeof value === 'number'
      ? aroundNumber(value, draw)
      : typeof value === 'string'
        ? aroundText(value, draw)
        : isJsonArray(value)
          ? aroundArray(value, draw, depth)
          : isJsonObject(value)
            ? aroundObject(value, draw, depth)
            : {};
  return Object.fromEntries(Object.entries(all).filter(() => draw(5) < 2));
}

function aroundNumber(value: number, draw: Draw): JsonObject {
  return {
    minimum: value - draw(9),
    maximum: value + draw(9),
    exclusiveMinimum: value - 0.125 - draw(3),
    exclusiveMaximum: value + 0.5 + draw(99),
    multipleOf: Number.isInteger(value) && value !== 0 ? Math.abs(value) : 0.125,
  };
}

function aroundText(value: string, draw: Draw): JsonObject {
  const points = Array.from(value);
  const classes = points.map((one) => {
    if (draw(3) === 0) return `[${/[a-z]/.test(one) ? 'a-z' : `^${one === 'q' ? 'z' : 'q'}`}]`;
    return /\w/.test(one) ? (draw(2) === 0 ? '\\w' : one) : '.';
  });
  const ends = [`^${classes.join('')}$`, classes.slice(0, 2).join(''), '^.*$', '^(?!zz).{0,30}$'];
  return {
    minLength: Math.max(0, points.length - draw(2)),
    maxLength: points.length + draw(3),
    pattern: ends[draw(ends.length)] ?? '',
  };
}

function aroundArray(value: readonly JsonValue[], draw: Draw, depth: number): JsonObject {
  const inner = (item: JsonValue): JsonObject => drawSchema(item, draw, depth - 1);
  const [first] = value;
  const same = value.every((item) => typeof item === typeof first);
  return {
    minItems: Math.max(0, value.length - draw(2)),
    maxItems: value.length + draw(2),
    uniqueItems: new Set(value.map((item) => JSON.stringify(item))).size === value.length,
    ...(first === undefined
      ? { items: draw(2) === 0 ? false : drawSchema(drawValue(draw, 1), draw, depth - 1) }
      : {
          contains: inner(first),
          ...(draw(2) === 0
            ? { prefixItems: value.map(inner), items: draw(2) === 0 }
            : {
                items: same
                  ? { type: typeof first === 'object' ? ['object', 'array', 'null'] : typeof first }
                  : { anyOf: value.map(inner) },
              }),
        }),
  };
}

function aroundObject(value: JsonObject, draw: Draw, depth: number): JsonObject {
  const members = Object.entries(value).map(([name, member]) => [name, member ?? null] as const);
  const names = members.map(([name]) => name);
  const some = (): readonly string[] => names.filter(() => draw(2) === 0);
  const schemas = members.map(
    ([name, member]) => [name, drawSchema(member, draw, depth - 1)] as const,
  );
  const properties = Object.fromEntries([
    ...schemas,
    ...(draw(2) === 0 ? [['extra', drawSchema(drawValue(draw, 1), draw, depth - 1)] as const] : []),
  ]);
  return {
    properties,
    required: some(),
    additionalProperties: draw(2) === 0,
    unevaluatedProperties: draw(3) > 0,
    minProperties: Math.max(0, names.length - draw(2)),
    maxProperties: names.length + draw(2),
    propertyNames: { maxLength: 4 + draw(4), pattern: '^[a-z]' },
    patternProperties: { '^zz': false, '^cc$': 'cc' in value ? {} : { type: 'integer' } },
    dependentRequired: { a: some(), extra: some() },
    dependentSchemas: { b: { required: some() } },
  };
}

/** By both judges; false too where ajv fails to run what it compiled. */
function fits(schema: JsonObject, node: SchemaNode, value: JsonValue): boolean {
  try {
    return node.validate(value).length === 0 && judgePlainly(schema, value).length === 0;
  } catch {
    return false;
  }
}

describe('of random schemas that a value fits', () => {
  const misses: unknown[] = [];

  test.each(batches)('samples are made, batch %i', (batch) => {
    let tried = 0;
    for (let seed = 0; tried < sampled; seed += 1) {
      const { schema, witness } = drawWitnessSchema(`oracle ${batch} ${seed}`);
      const node = schemaNode(schema);
      if (!fits(schema, node, witness)) continue;
      tried += 1;
      const { value, issues } = sampleSchema(node, { direction: 'response' });
      if (issues.length > 0 || !fits(schema, node, value)) misses.push({ schema, witness, value });
    }
    expect(tried).toBe(sampled);
  });

  test('99 % have one that fits', () => {
    const isFew = misses.length <= (batches.length * sampled) / 100;
    expect(isFew ? [] : misses.map((miss) => JSON.stringify(miss))).toEqual([]);
  });
});

/** Undefined if the code that ajv generates fails itself. */
function judgeByAjv(schema: JsonObject, value: JsonValue): boolean | undefined {
  try {
    return judgePlainly(schema, value).length === 0;
  } catch {
    return undefined;
  }
}

test.each(batches)('verdicts agree with ajv, batch %i', (batch) => {
  const verdicts = new Map<boolean | undefined, number>();
  for (let seed = 0; seed < judged; seed += 1) {
    const { schema, witness } = drawWitnessSchema(`verdicts ${batch} ${seed}`);
    const node = schemaNode(schema);
    const draw = createDraw(`values ${batch} ${seed}`);
    for (const value of [witness, ...Array.from({ length: 5 }, () => drawValue(draw, 2))]) {
      const expected = judgeByAjv(schema, value);
      verdicts.set(expected, 1 + (verdicts.get(expected) ?? 0));
      if (expected === undefined) continue;
      const isFit = node.validate(value).length === 0;
      expect({ schema, value, isFit }).toEqual({ schema, value, isFit: expected });
    }
  }
  expect([...verdicts.keys()]).toEqual(expect.arrayContaining([true, false]));
});
