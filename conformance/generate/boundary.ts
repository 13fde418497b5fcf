import type { JsonValue, SchemaNode, Shape } from '../../contract/index.ts';

const int64Least = -(2n ** 63n);
const int64Most = 2n ** 63n - 1n;
const beyondDouble = 2n ** 53n + 1n;

/**
 * The lawful values at the edges of a schema, the most telling first: every enumerated one, both
 * ends of a range, shortest and longest.
 */
export function boundaryValues(node: SchemaNode): readonly JsonValue[] {
  const shape = node.shape();
  const candidates = [
    ...(shape.values ?? []),
    ...shape.types.flatMap((type) => edges(type, shape)),
    ...shape.examples,
  ];
  const distinct = new Map(
    candidates.map((value) => [
      typeof value === 'object' ? JSON.stringify(value) : `${typeof value} ${String(value)}`,
      value,
    ]),
  );
  return [...distinct.values()].filter((value) => node.validate(value).length === 0);
}

function edges(type: Shape['types'][number], shape: Shape): readonly JsonValue[] {
  switch (type) {
    case 'integer':
      return integerEdges(shape);
    case 'number':
      return [...ends(shape), 0, 0.5, -1.25];
    case 'string':
      return stringEdges(shape);
    case 'boolean':
      return [true, false];
    case 'null':
      return [null];
    case 'array':
      return shape.minItems ? [] : [[]];
    case 'object':
      return [];
  }
}

function ends({ minimum, maximum }: Shape): readonly JsonValue[] {
  return [minimum, maximum].flatMap((bound) =>
    bound && !bound.exclusive ? [canonical(BigInt(Math.trunc(Number(bound.value))))] : [],
  );
}

function integerEdges(shape: Shape): readonly JsonValue[] {
  const bounded = ends(shape);
  if (shape.format === 'int32') return [...bounded, 0, 2 ** 31 - 1, -(2 ** 31)];
  return [...bounded, 0, canonical(beyondDouble), canonical(int64Most), canonical(int64Least)];
}

function stringEdges({ minLength, maxLength }: Shape): readonly JsonValue[] {
  const shortest = minLength === undefined ? [] : ['a'.repeat(minLength)];
  return maxLength === undefined || maxLength > 10_000
    ? shortest
    : [...shortest, 'a'.repeat(maxLength)];
}

/** An integer as this project holds it: a number where a double is exact, else a bigint. */
export function canonical(value: bigint): number | bigint {
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)
    ? Number(value)
    : value;
}
