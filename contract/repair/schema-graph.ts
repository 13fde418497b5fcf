import { removeMember, setMember } from '../json/edit.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listOf,
  objectOf,
  ownMember,
  wordOf,
} from '../json/value.ts';
import { followReference, pointerOfReference } from '../source/node.ts';
import { Cursor, type Repair } from './cursor.ts';
import { resolvePointer } from '../json/pointer.ts';
import { keywords } from '../schema/keywords.ts';

/** Schemas that judge one value by references and by keywords such as `allOf`. */
export const mostSchemaSteps = 10_000;

/** A step from a schema to one that judges the same value, or a value that it requires within. */
interface Step {
  readonly from: Cursor;
  /** The keyword that leads there. */
  readonly name: string;
  /** The property that is required. */
  readonly member?: string;
  readonly to: JsonValue;
}

interface Frame {
  readonly schema: Cursor;
  readonly steps: readonly Step[];
  next: number;
}

const inPlace = keywords.filter(({ isInPlace }) => isInPlace === true).map(({ name }) => name);

/**
 * Cuts what would judge a value without end: schemas that lead back to themselves (a base that lists
 * its children, say), and schemas that lead to others in too many ways (each of thirty has the one
 * before in its `allOf` twice).
 */
export function boundSteps(repair: Repair, schemas: ReadonlyMap<JsonObject, string>): void {
  /** Steps to judge one value by a schema that leads to others; any other takes one. */
  const costs = new Map<JsonValue, number>();
  searchSchemas(repair, schemas, listSteps, cutCircle, (frame) =>
    costs.set(frame.schema.object, boundCost(frame, costs)),
  );
}

/**
 * No value of finite size fits objects that require each other, as generators write the two sides of a
 * relation. The last of them is read as optional.
 */
export function boundValues(repair: Repair, schemas: ReadonlyMap<JsonObject, string>): void {
  searchSchemas(repair, schemas, listNeeds, (circle) => {
    const { from, member = '' } = circle.findLast((step) => step.member !== undefined) ?? {};
    from?.readAs(
      'impossible-value',
      'required',
      `${member} is required and leads back to this schema, so that no finite value fits`,
      `Take ${member} off the list`,
      { required: listOf(from.object['required']).filter((name) => name !== member) },
    );
  });
}

/** One depth-first search, without recursion. */
function searchSchemas(
  repair: Repair,
  schemas: ReadonlyMap<JsonObject, string>,
  list: (from: Cursor) => readonly Step[],
  cut: (circle: readonly Step[]) => void,
  leave?: (frame: Frame) => void,
): void {
  const known = new Set<JsonObject>();
  const open: Frame[] = [];
  /** Of the schemas of the open frames. */
  const depths = new Map<JsonObject, number>();
  const enter = (object: JsonObject): void => {
    const schema = new Cursor(object, schemas.get(object) ?? '#', repair);
    const steps = list(schema);
    if (steps.length === 0) return;
    depths.set(object, open.length);
    open.push({ schema, steps, next: 0 });
  };
  for (const root of schemas.keys()) {
    if (!known.has(root)) enter(root);
    for (let frame = open.at(-1); frame !== undefined; frame = open.at(-1)) {
      const step = frame.steps[frame.next];
      frame.next += 1;
      if (step === undefined) {
        leave?.(frame);
        known.add(frame.schema.object);
        depths.delete(frame.schema.object);
        open.pop();
      } else if (isJsonObject(step.to) && !known.has(step.to) && isThere(step)) {
        const start = depths.get(step.to);
        if (start === undefined) enter(step.to);
        else cut(open.slice(start).flatMap(({ steps, next }) => steps[next - 1] ?? []));
      }
    }
  }
}

/** Whether no circle through the keyword was cut; each required member is looked at once. */
function isThere({ from, name, member }: Step): boolean {
  return member !== undefined || Object.hasOwn(from.object, name);
}

/** Leaves out a union on the way, or the last reference where there is no union. */
function cutCircle(circle: readonly Step[]): void {
  const union = circle.find(({ name }) => name === 'oneOf' || name === 'anyOf');
  const step = union ?? circle.findLast(({ name }) => name === '$ref') ?? circle.at(-1);
  step?.from.leaveOut(
    'endless-reference',
    step.name,
    'refers to itself without end',
    'Refer from one side only; until then this keyword is ignored.',
  );
}

/** The cost of a schema, from the costs of those it leads to. The costliest keywords are left out. */
function boundCost({ schema, steps }: Frame, costs: ReadonlyMap<JsonValue, number>): number {
  const byKeyword = new Map<string, number>();
  let total = 1;
  for (const step of steps.filter(isThere)) {
    const cost = costs.get(step.to) ?? 1;
    byKeyword.set(step.name, (byKeyword.get(step.name) ?? 0) + cost);
    total += cost;
  }
  for (const [name, cost] of [...byKeyword].toSorted(([, left], [, right]) => right - left)) {
    if (total <= mostSchemaSteps) break;
    schema.leaveOut(
      'too-large',
      name,
      `takes ${total} steps to judge one value, at most ${mostSchemaSteps} are allowed`,
      'Refer to fewer schemas; until then this keyword is ignored.',
    );
    total -= cost;
  }
  return total;
}

/** The steps from a schema, in the order of the table of keywords. */
function listSteps(from: Cursor): Step[] {
  const { document, dialect } = from.repair;
  const { $ref: reference } = from.object;
  const steps: Step[] = [];
  const pointer = typeof reference === 'string' ? pointerOfReference(reference) : undefined;
  const target = pointer === undefined ? undefined : resolvePointer(document, pointer);
  if (target !== undefined) steps.push({ from, name: '$ref', to: target });
  if (target !== undefined && dialect === '3.0') return steps;
  for (const name of inPlace) {
    const value = from.object[name];
    if (value === undefined || name === '$ref') continue;
    const branches = name === 'dependentSchemas' ? Object.values(objectOf(value)) : [value].flat();
    for (const to of branches) if (to !== undefined) steps.push({ from, name, to });
  }
  return steps;
}

/** The steps from a schema to what each of its values has to fit or hold; unions leave a way out. */
function listNeeds(from: Cursor): readonly Step[] {
  const { properties, required, nullable, type } = from.object;
  if (nullable === true || (type !== undefined && type !== 'object')) return [];
  const steps = listSteps(from).filter(({ name }) => name === '$ref' || name === 'allOf');
  for (const member of listOf(required).map(wordOf)) {
    const to = ownMember(objectOf(properties), member);
    if (to !== undefined) steps.push({ from, name: 'properties', member, to });
  }
  return steps;
}

/** References and branches within each other that are followed. */
const mostLevels = 20;

/** The properties that a schema knows, with those of its references and the branches of its `allOf`. */
interface Members {
  readonly names: Set<string>;
  /** The properties that each of them allows that forbids all others. */
  readonly closures: ReadonlySet<string>[];
}

/**
 * `additionalProperties: false` in or beside a branch of `allOf` forbids the properties of the other
 * branches, so that no object fits. Generators such as NSwag mean `unevaluatedProperties: false`.
 * Read as that only where the schema as written forbids a property that it declares elsewhere.
 */
export function repairInheritance(repair: Repair, schemas: ReadonlyMap<JsonObject, string>): void {
  for (const [schema, pointer] of schemas) {
    if (!isJsonArray(schema['allOf'])) continue;
    const { allOf, unevaluatedProperties: _seesBranches, ...own } = schema;
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
  const { allOf, properties, patternProperties, additionalProperties, unevaluatedProperties } =
    objectOf(level > mostLevels ? null : schema);
  const own = new Set(Object.keys(objectOf(properties)));
  const branches = listOf(allOf).map((one) => membersOf(repair, follow(repair, one), level + 1));
  const target = level > mostLevels ? schema : follow(repair, schema);
  const referred = target === schema ? [] : membersOf(repair, target, level + 1).names;
  const names = new Set([...own, ...branches.flatMap((branch) => [...branch.names]), ...referred]);
  const closures = branches.flatMap((branch) => branch.closures);
  if (additionalProperties === false && patternProperties === undefined) closures.push(own);
  if (unevaluatedProperties === false) closures.push(names);
  return { names, closures };
}

/** A branch that allows more properties: a copy, because others may refer to what it refers to. */
function openBranch(repair: Repair, branch: JsonValue, pointer: string, level = 0): JsonValue {
  const target = follow(repair, branch);
  if (!isJsonObject(target) || level > mostLevels) return branch;
  const branches = listOf(target['allOf']);
  const opened = branches.map((one, index) =>
    openBranch(repair, one, `${pointer}/allOf/${index}`, level + 1),
  );
  const closing = ['additionalProperties', 'unevaluatedProperties'].filter(
    (name) => target[name] === false,
  );
  if (closing.length === 0 && opened.every((one, index) => one === branches[index])) return branch;
  const copy: JsonObject = { ...target };
  if (opened.length > 0) setMember(copy, 'allOf', opened);
  for (const name of closing) removeMember(copy, name);
  repair.log.keepOrigin(copy, pointer);
  return copy;
}
