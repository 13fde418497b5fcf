import type { SchemaNode } from '../schema/schema-node.ts';

/** Unions within unions are followed so deep. */
const mostUnions = 4;

/** The members that objects of a schema may have, those of the alternatives of a union too. */
export function membersOf(node: SchemaNode, depth = 0): ReadonlyMap<string, SchemaNode> {
  const { properties, alternatives } = node.shape();
  if (alternatives.length === 0 || depth > mostUnions) return properties;
  const members = new Map(properties);
  for (const alternative of alternatives)
    for (const [name, member] of membersOf(alternative, depth + 1))
      if (!members.has(name)) members.set(name, member);
  return members;
}

/** What the items of an array of this schema are; undefined where it is no array. */
export function itemsOf(node: SchemaNode, depth = 0): SchemaNode | undefined {
  const { items, types, alternatives } = node.shape();
  if (items !== undefined) return types.includes('array') ? items : undefined;
  if (depth > mostUnions) return undefined;
  return alternatives
    .map((alternative) => itemsOf(alternative, depth + 1))
    .find((found) => found !== undefined);
}
