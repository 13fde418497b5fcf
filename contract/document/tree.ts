import { canonicalInteger } from '../json/number.ts';
import { type JsonValue, mapMembers } from '../json/value.ts';

/** Nodes a document may have after its aliases are resolved; far beyond any real document. */
const mostNodes = 1_000_000;

/**
 * What the YAML parser gives as canonical JSON values. Throws an Error for what JSON cannot hold
 * (`.nan`, `.inf`) and for a tree that aliases blew up.
 */
export function canonicalTree(root: unknown): JsonValue {
  let nodes = 0;
  const canonical = (value: unknown): JsonValue => {
    nodes += 1;
    if (nodes > mostNodes)
      throw new Error(`the document has more than ${mostNodes} values once aliases are resolved`);
    if (Array.isArray(value)) return value.map(canonical);
    if (typeof value === 'object' && value !== null) return mapMembers(value, canonical);
    return canonicalScalar(value);
  };
  return canonical(root);
}

function canonicalScalar(value: unknown): JsonValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'bigint') return canonicalInteger(value);
  if (typeof value === 'number' && Number.isFinite(value))
    return Number.isInteger(value) ? canonicalInteger(BigInt(value)) : value;
  throw new Error(`${typeof value === 'number' ? value : typeof value} is no JSON value`);
}
