import * as fc from 'fast-check';
import type { JsonValue, SchemaNode, Shape } from '../contract/index.ts';
import { boundaryValues, canonical } from './boundary.ts';

/** Deepest nesting that is generated; below it optional members and items are left out. */
const deepest = 5;

/**
 * An arbitrary for the values of a schema: edges as often as ordinary values, shrinking towards short and simple
 * ones. Every value fits the schema. Unions are drawn from their alternatives.
 */
export function arbitraryOf(node: SchemaNode, depth = 0): fc.Arbitrary<JsonValue> {
  const edges = boundaryValues(node);
  const ordinary = fromShape(node, depth).filter((value) => node.validate(value).length === 0);
  return edges.length === 0 ? ordinary : fc.oneof(ordinary, fc.constantFrom(...edges));
}

function fromShape(node: SchemaNode, depth: number): fc.Arbitrary<JsonValue> {
  const shape = node.shape();
  if (shape.values) return fc.constantFrom(...shape.values);
  if (shape.alternatives.length > 0) return fc.oneof(...shape.alternatives.map((each) => arbitraryOf(each, depth + 1)));
  const types = shape.types.length === 7 ? (['string'] as const) : shape.types;
  return fc.oneof(...types.map((type) => fromType(type, shape, depth)));
}

function fromType(type: Shape['types'][number], shape: Shape, depth: number): fc.Arbitrary<JsonValue> {
  switch (type) {
    case 'integer':
      return integers(shape);
    case 'number':
      return numbers(shape);
    case 'string':
      return strings(shape);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return arrays(shape, depth);
    case 'object':
      return objects(shape, depth);
  }
}

function integers(shape: Shape): fc.Arbitrary<JsonValue> {
  const bits = shape.format === 'int32' ? 31n : 63n;
  const least = bound(shape.minimum, 1n) ?? -(2n ** bits);
  const most = bound(shape.maximum, -1n) ?? 2n ** bits - 1n;
  const step = shape.multipleOf !== undefined && Number.isInteger(shape.multipleOf) ? BigInt(shape.multipleOf) : 1n;
  return fc.bigInt({ min: ceilDivide(least, step), max: floorDivide(most, step) }).map((value) => canonical(value * step));
}

function bound(limit: Shape['minimum'], inwards: bigint): bigint | undefined {
  if (!limit) return undefined;
  if (typeof limit.value === 'bigint') return limit.exclusive ? limit.value + inwards : limit.value;
  const value = BigInt(inwards > 0n ? Math.ceil(limit.value) : Math.floor(limit.value));
  return limit.exclusive && Number(value) === limit.value ? value + inwards : value;
}

function floorDivide(value: bigint, step: bigint): bigint {
  const quotient = value / step;
  return value % step < 0n ? quotient - 1n : quotient;
}

function ceilDivide(value: bigint, step: bigint): bigint {
  return -floorDivide(-value, step);
}

function numbers(shape: Shape): fc.Arbitrary<JsonValue> {
  const min = Number(shape.minimum?.value ?? -1e9);
  const max = Number(shape.maximum?.value ?? 1e9);
  const step = shape.multipleOf;
  if (step !== undefined) return fc.integer({ min: Math.ceil(min / step), max: Math.floor(max / step) }).map((value) => roundTo(value * step, step));
  return fc.double({ min, max, noNaN: true, minExcluded: shape.minimum?.exclusive ?? false, maxExcluded: shape.maximum?.exclusive ?? false }).map((value) => (value === 0 ? 0 : value));
}

/** Strips the noise of a product of decimals: 3 × 0.1 is 0.3. */
function roundTo(value: number, step: number): number {
  const decimals = /\.(\d+)/.exec(String(step))?.[1]?.length ?? 0;
  return Number(value.toFixed(decimals));
}

const formats: Readonly<Record<string, () => fc.Arbitrary<string>>> = {
  'date': () => dates().map((date) => date.toISOString().slice(0, 10)),
  'date-time': () => dates().map((date) => date.toISOString()),
  'uuid': () => fc.uuid(),
  'email': () => fc.emailAddress(),
  'uri': () => fc.webUrl(),
  'ipv4': () => fc.ipV4(),
  'ipv6': () => fc.ipV6(),
  'hostname': () => fc.domain(),
};

function dates(): fc.Arbitrary<Date> {
  return fc.date({ min: new Date('1970-01-01T00:00:00Z'), max: new Date('2099-12-31T00:00:00Z'), noInvalidDate: true });
}

function strings(shape: Shape): fc.Arbitrary<JsonValue> {
  const format = shape.format === undefined ? undefined : formats[shape.format];
  if (format) return format();
  if (shape.pattern !== undefined) return fc.stringMatching(new RegExp(shape.pattern, 'u'));
  const minLength = shape.minLength ?? 0;
  const maxLength = Math.max(minLength, Math.min(shape.maxLength ?? 60, minLength + 60));
  return fc.oneof(fc.string({ minLength, maxLength }), fc.string({ unit: characters(), minLength, maxLength }));
}

/** Any character of Unicode but surrogates. Not fast-check's own `binary` unit, whose tables take most of a second to build. */
function characters(): fc.Arbitrary<string> {
  return fc.oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff })).map((code) => String.fromCodePoint(code));
}

function arrays(shape: Shape, depth: number): fc.Arbitrary<JsonValue> {
  const minLength = shape.minItems ?? 0;
  const room = depth >= deepest ? minLength : minLength + 4;
  const maxLength = Math.min(shape.maxItems ?? room, Math.max(room, minLength));
  const item = shape.items ? arbitraryOf(shape.items, depth + 1) : fc.string();
  return shape.uniqueItems
    ? fc.uniqueArray(item, { minLength, maxLength, selector: (value) => (typeof value === 'object' ? JSON.stringify(value) : String(value)) })
    : fc.array(item, { minLength, maxLength });
}

function objects(shape: Shape, depth: number): fc.Arbitrary<JsonValue> {
  const members = [...shape.properties].filter(([name, member]) => !member.shape().readOnly && (depth < deepest || shape.required.has(name)));
  const record = Object.fromEntries(members.map(([name, member]) => [name, arbitraryOf(member, depth + 1)]));
  const requiredKeys = members.map(([name]) => name).filter((name) => shape.required.has(name));
  return fc.record(record, { requiredKeys }).map((value) => ({ ...value }));
}
