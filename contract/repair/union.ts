import { isJsonArray, isJsonObject, type JsonObject, objectOf, renderJson } from '../json/value.ts';
import { keywordOf } from '../schema/keywords.ts';
import { followReference } from '../source/node.ts';
import type { Cursor, UnionBranches } from './cursor.ts';

/** Branches of one union that are compared with each other. */
const mostBranches = 100;

/** Branches and members of branches that are compared in a document. */
const mostComparisons = 100_000;

/**
 * No value that is meant by one of two branches which nothing tells apart fits exactly one of them, as
 * generators write for unions without a discriminator: `oneOf` is read as `anyOf`.
 */
export function repairUnion(cursor: Cursor): void {
  const { oneOf, anyOf, discriminator } = cursor.object;
  if (!isJsonArray(oneOf) || anyOf !== undefined || discriminator !== undefined) return;
  const { document, branches: known } = cursor.repair;
  const branches = oneOf
    .slice(0, mostBranches)
    .map((value) => objectOf(followReference(document, { pointer: '#', value }).value));
  for (const [index, branch] of branches.entries())
    for (const [earlier, other] of branches.slice(0, index).entries()) {
      if (known.comparisons > mostComparisons) return;
      if (!isAlike(other, branch, known)) continue;
      const message = `nothing tells its schemas ${earlier + 1} and ${index + 1} apart, so that what is meant by one fits both`;
      const change = { oneOf: undefined, anyOf: oneOf };
      return cursor.readAs('impossible-value', 'oneOf', message, 'Write anyOf', change);
    }
}

/** Whether two schemas say the same, or both describe objects by members that do not differ. */
function isAlike(one: JsonObject, other: JsonObject, known: UnionBranches): boolean {
  const isSame = (first: JsonObject, second: JsonObject): boolean => {
    known.comparisons += 1;
    return essenceOf(first, known) === essenceOf(second, known);
  };
  if (isSame(one, other)) return true;
  if (!isOpenObject(one) || !isOpenObject(other)) return false;
  const members = objectOf(other['properties']);
  return Object.entries(objectOf(one['properties'])).every(
    ([name, member]) =>
      !Object.hasOwn(members, name) || isSame(objectOf(member), objectOf(members[name])),
  );
}

/** A schema without its annotations, as a text. */
function essenceOf(schema: JsonObject, { essences }: UnionBranches): string {
  const known = essences.get(schema);
  if (known !== undefined) return known;
  const asserting = Object.entries(schema).filter(
    ([name]) => keywordOf(name)?.effect !== 'annotation',
  );
  const essence = renderJson(Object.fromEntries(asserting));
  essences.set(schema, essence);
  return essence;
}

/** Whether all objects fit whose members are described as they are, be they few or none. */
function isOpenObject(schema: JsonObject): boolean {
  return (
    schema['type'] === 'object' &&
    isJsonObject(schema['properties']) &&
    Object.keys(schema).every(
      (name) => ['type', 'properties'].includes(name) || keywordOf(name)?.effect === 'annotation',
    )
  );
}
