import { jsonEquals } from '../json/value.ts';
import type { SchemaNode, Shape } from '../schema/schema-node.ts';

/** Deepest nesting that is compared. */
const deepest = 4;

/** Whether what one schema takes can come back by the other: members of both have the same form. */
export function isAlike(one: SchemaNode, other: SchemaNode, depth = 0): boolean {
  if (one.pointer === other.pointer || depth > deepest) return true;
  const [left, right] = [one.shape(), other.shape()];
  if (left.alternatives.length > 0 || right.alternatives.length > 0) return true;
  if (renderTypes(left) !== renderTypes(right)) return false;
  const isListed = left.values !== undefined;
  if (isListed !== (right.values !== undefined)) return false;
  if (isListed && !jsonEquals([...(left.values ?? [])], [...(right.values ?? [])])) return false;
  const { items: item } = left;
  if (item !== undefined && right.items !== undefined && !isAlike(item, right.items, depth + 1))
    return false;
  return [...left.properties].every(([name, member]) => {
    const same = right.properties.get(name);
    return same === undefined || isAlike(member, same, depth + 1);
  });
}

/** False where a schema excludes null at its top. */
export function takesNull(node: SchemaNode, depth = 0): boolean {
  const { types, alternatives } = node.shape();
  if (!types.includes('null') || depth > deepest) return false;
  return alternatives.length === 0 || alternatives.some((one) => takesNull(one, depth + 1));
}

/** The types but null, in one order. */
function renderTypes({ types }: Shape): string {
  return types
    .filter((type) => type !== 'null')
    .toSorted()
    .join();
}
