import type { SchemaNode } from '../../contract/schema/schema-node.ts';

/** Whether a schema has an integer that may be beyond 2^53, where a double is not exact. */
export function hasExactIntegers(node: SchemaNode): boolean {
  return findNode(node, isExactInteger) !== undefined;
}

/** A member somewhere in a schema whose texts the document lists. */
export function listedMember(node: SchemaNode): SchemaNode | undefined {
  return findNode(
    node,
    (each) => each.shape().values?.every((value) => typeof value === 'string') ?? false,
  );
}

function isExactInteger(node: SchemaNode): boolean {
  const { types, format, maximum } = node.shape();
  return (
    types.length === 1 &&
    types[0] === 'integer' &&
    format !== 'int32' &&
    (maximum === undefined || maximum.value > Number.MAX_SAFE_INTEGER)
  );
}

/** The first wanted node among a schema, its members and items; recursion ends at a repetition. */
function findNode(
  node: SchemaNode,
  isWanted: (node: SchemaNode) => boolean,
  seen: ReadonlySet<string> = new Set(),
): SchemaNode | undefined {
  if (seen.has(node.pointer)) return undefined;
  if (isWanted(node)) return node;
  const { properties, items, alternatives } = node.shape();
  const within = new Set([...seen, node.pointer]);
  for (const each of [...properties.values(), ...(items ? [items] : []), ...alternatives]) {
    const found = findNode(each, isWanted, within);
    if (found !== undefined) return found;
  }
  return undefined;
}
