import { removeMember, setMember } from '../json/edit.ts';
import {
  isJsonArray,
  isJsonObject,
  listOf,
  type JsonObject,
  type JsonValue,
} from '../json/value.ts';
import { followReference } from '../source/node.ts';
import { Cursor, type Repair } from './cursor.ts';

/** References and branches within each other that are followed. */
const mostLevels = 20;

/** The properties that a schema knows, with those of its references and the branches of its `allOf`. */
interface Members {
  readonly names: Set<string>;
  /** The properties that each of them allows that forbids all others. */
  readonly closures: ReadonlySet<string>[];
  /** Whether one of them forbids others, or all but some patterns. */
  isClosed: boolean;
}

/**
 * `additionalProperties: false` in or beside a branch of `allOf` forbids the properties of the other
 * branches, so that no object fits. Generators such as NSwag mean `unevaluatedProperties: false`.
 * Read as that only where the schema as written forbids a property that it declares elsewhere.
 */
export function repairInheritance(repair: Repair, schemas: ReadonlyMap<JsonObject, string>): void {
  for (const [schema, pointer] of schemas) {
    const { allOf, unevaluatedProperties: _seesBranches, ...own } = schema;
    if (!isJsonArray(allOf)) continue;
    const branches = allOf.map((branch) => follow(repair, branch));
    const parts = [own, ...branches].map((part) => membersOf(repair, part));
    if (!parts.some((part) => parts.some((other) => other !== part && forbids(part, other))))
      continue;
    const cursor = new Cursor(schema, pointer, repair);
    cursor.readAs(
      'closed-schema',
      'allOf',
      'additionalProperties: false forbids properties of the other schemas',
      'Write unevaluatedProperties: false beside allOf instead',
      {
        allOf: allOf.map((branch, index) => openBranch(repair, branch, cursor.at('allOf', index))),
        ...(schema['additionalProperties'] === false && { additionalProperties: undefined }),
        unevaluatedProperties: false,
      },
    );
  }
}

function forbids({ closures }: Members, { names }: Members): boolean {
  return closures.some((allowed) => !names.isSubsetOf(allowed));
}

function follow({ document }: Repair, value: JsonValue): JsonValue {
  return followReference(document, { pointer: '#', value }).value;
}

function membersOf(repair: Repair, schema: JsonValue, level = 0): Members {
  const found: Members = { names: new Set(), closures: [], isClosed: false };
  if (!isJsonObject(schema) || level > mostLevels) return found;
  const { allOf, properties, patternProperties, $ref: reference } = schema;
  const own = new Set(Object.keys(isJsonObject(properties) ? properties : {}));
  for (const name of own) found.names.add(name);
  for (const branch of listOf(allOf)) {
    const { names, closures, isClosed } = membersOf(repair, follow(repair, branch), level + 1);
    for (const name of names) found.names.add(name);
    found.closures.push(...closures);
    found.isClosed ||= isClosed;
  }
  const target = reference === undefined ? schema : follow(repair, schema);
  if (target !== schema)
    for (const name of membersOf(repair, target, level + 1).names) found.names.add(name);
  const closesOwn = schema['additionalProperties'] === false;
  const closesAll = schema['unevaluatedProperties'] === false;
  if (closesOwn && patternProperties === undefined) found.closures.push(own);
  if (closesAll) found.closures.push(found.names);
  found.isClosed ||= closesOwn || closesAll;
  return found;
}

/** A branch that allows more properties: a copy, because others may refer to what it refers to. */
function openBranch(repair: Repair, branch: JsonValue, pointer: string, level = 0): JsonValue {
  const target = follow(repair, branch);
  if (!isJsonObject(target) || level > mostLevels || !membersOf(repair, target).isClosed)
    return branch;
  const copy: JsonObject = { ...target };
  const branches = listOf(target['allOf']).map((one, index) =>
    openBranch(repair, one, `${pointer}/allOf/${index}`, level + 1),
  );
  if (branches.length > 0) setMember(copy, 'allOf', branches);
  for (const name of ['additionalProperties', 'unevaluatedProperties'])
    if (copy[name] === false) removeMember(copy, name);
  repair.log.keepOrigin(copy, pointer);
  return copy;
}
