import { removeMember, setMember } from '../json/edit.ts';
import { resolvePointer } from '../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { pointerOfReference, referenceOf } from '../source/node.ts';
import { Cursor, type Repair } from './cursor.ts';

/**
 * `additionalProperties: false` in or beside a branch of `allOf` forbids the properties of the other
 * branches, so that no object fits. Generators such as NSwag mean `unevaluatedProperties: false`.
 * Read as that only where the schema as written forbids a property that it declares elsewhere.
 */
export function repairInheritance(repair: Repair, schemas: ReadonlyMap<JsonObject, string>): void {
  for (const [schema, pointer] of schemas) {
    const { allOf, unevaluatedProperties: _seesBranches, ...own } = schema;
    if (!isJsonArray(allOf)) continue;
    const parts = [own, ...allOf.map((branch) => follow(repair, branch))];
    const closed = parts.filter((part) => isClosed(repair, part));
    if (closed.length === 0) continue;
    const declared = new Map(parts.map((part) => [part, propertiesOf(repair, part)]));
    const isContradiction = closed.some((part) =>
      [...declared].some(([other, names]) => other !== part && forbids(repair, part, names)),
    );
    if (!isContradiction) continue;
    new Cursor(schema, pointer, repair).readAs(
      'allOf',
      'additionalProperties: false forbids properties of the other schemas',
      'Write unevaluatedProperties: false beside allOf instead',
      {
        allOf: allOf.map((branch, index) =>
          openBranch(repair, branch, `${pointer}/allOf/${index}`),
        ),
        ...(schema['additionalProperties'] === false && { additionalProperties: undefined }),
        unevaluatedProperties: false,
      },
    );
  }
}

function branchesOf({ allOf }: JsonObject): readonly JsonValue[] {
  return isJsonArray(allOf) ? allOf : [];
}

function follow({ document }: Repair, branch: JsonValue): JsonValue {
  const reference = referenceOf(branch);
  const pointer = reference === undefined ? undefined : pointerOfReference(reference);
  return (pointer === undefined ? undefined : resolvePointer(document, pointer)) ?? branch;
}

/** References and branches within each other that are followed; the search has cut circles before. */
const mostLevels = 20;

function propertiesOf(repair: Repair, schema: JsonValue, level = 0): ReadonlySet<string> {
  const names = new Set<string>();
  if (!isJsonObject(schema) || level > mostLevels) return names;
  const { properties, $ref: reference } = schema;
  if (isJsonObject(properties)) for (const name of Object.keys(properties)) names.add(name);
  const branches = branchesOf(schema);
  for (const branch of reference === undefined ? branches : [...branches, follow(repair, schema)])
    if (branch !== schema)
      for (const name of propertiesOf(repair, follow(repair, branch), level + 1)) names.add(name);
  return names;
}

/** Whether a schema, or a branch of its `allOf`, forbids properties that it does not know. */
function isClosed(repair: Repair, schema: JsonValue, level = 0): boolean {
  if (!isJsonObject(schema) || level > mostLevels) return false;
  if (schema['additionalProperties'] === false || schema['unevaluatedProperties'] === false)
    return true;
  return branchesOf(schema).some((branch) => isClosed(repair, follow(repair, branch), level + 1));
}

/** Whether a schema, as written, forbids one of some properties. */
function forbids(
  repair: Repair,
  schema: JsonValue,
  names: ReadonlySet<string>,
  level = 0,
): boolean {
  if (!isJsonObject(schema) || level > mostLevels) return false;
  const { additionalProperties, unevaluatedProperties, properties, patternProperties } = schema;
  if (additionalProperties === false && patternProperties === undefined) {
    const known = isJsonObject(properties) ? properties : {};
    for (const name of names) if (!Object.hasOwn(known, name)) return true;
  }
  if (unevaluatedProperties === false) {
    const known = propertiesOf(repair, schema);
    for (const name of names) if (!known.has(name)) return true;
  }
  return branchesOf(schema).some((branch) =>
    forbids(repair, follow(repair, branch), names, level + 1),
  );
}

/** A branch that allows more properties: a copy, because others may refer to what it refers to. */
function openBranch(repair: Repair, branch: JsonValue, pointer: string, level = 0): JsonValue {
  const target = follow(repair, branch);
  if (!isJsonObject(target) || level > mostLevels || !isClosed(repair, target)) return branch;
  const copy: JsonObject = { ...target };
  const branches = branchesOf(target).map((one, index) =>
    openBranch(repair, one, `${pointer}/allOf/${index}`, level + 1),
  );
  if (branches.length > 0) setMember(copy, 'allOf', branches);
  for (const name of ['additionalProperties', 'unevaluatedProperties'])
    if (copy[name] === false) removeMember(copy, name);
  repair.log.keepOrigin(copy, pointer);
  return copy;
}
