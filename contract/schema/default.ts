import { ContractError } from '../source/contract-error.ts';
import type { JsonValue } from '../json/value.ts';
import type { SchemaNode } from './schema-node.ts';

/** The default of a schema; undefined where it has none, or one that it does not allow itself. */
export function possibleDefault(node: SchemaNode): JsonValue | undefined {
  const value = node.shape().default;
  return value !== undefined && allows(node, value) ? value : undefined;
}

/** A schema that does not compile is reported elsewhere. */
function allows(node: SchemaNode, value: JsonValue): boolean {
  try {
    return node.validate(value).length === 0;
  } catch (cause) {
    if (cause instanceof ContractError) return false;
    throw cause;
  }
}
