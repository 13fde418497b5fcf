import type { JsonValue } from '../json/value.ts';

/** Nodes a document may have after its aliases are resolved; far beyond any real document. */
const MOST_NODES = 1_000_000;

/**
 * Turns what the YAML parser gives into canonical JSON values: a safe integer is a number, any
 * other a bigint. Throws an Error for what JSON cannot hold (`.nan`, `.inf`) and for a tree that
 * aliases blew up.
 */
export function canonicalTree(root: unknown): JsonValue {
  let nodes = 0;
  const canonical = (value: unknown): JsonValue => {
    nodes += 1;
    if (nodes > MOST_NODES)
      throw new Error(`the document has more than ${MOST_NODES} values once aliases are resolved`);
    if (Array.isArray(value)) return value.map(canonical);
    if (typeof value === 'object' && value !== null) return mapMembers(value, canonical);
    return canonicalScalar(value);
  };
  return canonical(root);
}

/** A copy of an object with each member mapped. `__proto__` stays an ordinary member. */
export function mapMembers<From, To>(
  object: Readonly<Record<string, From>> | object,
  map: (value: From, name: string) => To,
): Record<string, To> {
  const members: [string, From][] = Object.entries(object);
  return Object.fromEntries(members.map(([name, value]) => [name, map(value, name)]));
}

function canonicalScalar(value: unknown): JsonValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (typeof value === 'number' && Number.isFinite(value)) return canonicalNumber(value);
  throw new Error(`${typeof value === 'number' ? value : typeof value} is no JSON value`);
}

function canonicalNumber(value: number): JsonValue {
  if (Object.is(value, -0)) return 0;
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(value) : value;
}
