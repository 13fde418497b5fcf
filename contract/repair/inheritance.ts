import { resolvePointer } from '../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { pointerOfReference, referenceOf } from '../source/follow-reference.ts';
import { Cursor, type Repair } from './cursor.ts';

/**
 * `additionalProperties: false` in or beside a branch of `allOf` forbids the properties of the other
 * branches, so that no object fits. Generators such as NSwag mean `unevaluatedProperties: false`.
 * Read as that only where the schema as written forbids a property that it declares elsewhere.
 */
export function repairInheritance(repair: Repair, schemas: ReadonlyMap<JsonObject, string>): void {
  for (const [schema, pointer] of schemas) {
    const { allOf } = schema;
    if (!isJsonArray(allOf)) continue;
    const parts = [ownPart(schema), ...allOf.map((branch) => follow(repair, branch))];
    const declared = parts.map((part) => propertiesOf(repair, part));
    const isContradiction = parts.some((part, index) =>
      declared.some((names, other) => other !== index && forbids(repair, part, names)),
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
        ...(schema['additionalProperties'] === false ? { additionalProperties: undefined } : {}),
        unevaluatedProperties: false,
      },
    );
  }
}

/** A schema without its branches. */
function ownPart({ allOf: _branches, ...own }: JsonObject): JsonObject {
  return own;
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
  if (!isJsonObject(target) || level > mostLevels) return branch;
  const branches = branchesOf(target);
  const opened = branches.map((one, index) =>
    openBranch(repair, one, `${pointer}/allOf/${index}`, level + 1),
  );
  const isClosed =
    target['additionalProperties'] === false || target['unevaluatedProperties'] === false;
  if (!isClosed && opened.every((one, index) => one === branches[index])) return branch;
  const copy: JsonObject = { ...target, ...(branches.length > 0 && { allOf: opened }) };
  for (const name of ['additionalProperties', 'unevaluatedProperties'])
    if (copy[name] === false) Reflect.deleteProperty(copy, name);
  repair.log.keepOrigin(copy, pointer);
  return copy;
}
