import { removeMember, setMember } from '../json/edit.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listOf,
  objectOf,
  ownMember,
  renderJson,
  wordOf,
} from '../json/value.ts';
import { schemaDialect } from '../source/dialect.ts';
import { followReference, pointerOfReference } from '../source/node.ts';
import { Cursor, type Repair } from './cursor.ts';
import { resolvePointer } from '../json/pointer.ts';
import { MergedSchema } from '../schema/keyword/merged-schema.ts';
import { keywordOf, keywords } from '../schema/keywords.ts';

/** A step from a schema to one for the same value, or for a value that it requires. */
interface Step {
  readonly from: Cursor;
  /** The keyword of the step. */
  readonly name: string;
  /** The required property. */
  readonly member?: string;
  readonly to: JsonValue;
}

const inPlace = keywords.filter(({ isInPlace }) => isInPlace === true).map(({ name }) => name);

/** Cuts circular schemas, such as a base that lists its children. */
export function cutCircles(repair: Repair, schemas: ReadonlyMap<JsonObject, string>): void {
  searchCircles(repair, schemas, listSteps, cutCircle);
}

/**
 * No finite value fits objects that require each other, as generators write the two sides of a relation.
 * The last of them becomes optional.
 */
export function boundValues(repair: Repair, schemas: ReadonlyMap<JsonObject, string>): void {
  searchCircles(repair, schemas, listNeeds, (circle) => {
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

/** A single depth-first search, without recursion. */
function searchCircles(
  repair: Repair,
  schemas: ReadonlyMap<JsonObject, string>,
  list: (from: Cursor) => readonly Step[],
  cut: (circle: readonly Step[]) => void,
): void {
  const known = new Set<JsonObject>();
  const open: { readonly object: JsonObject; readonly steps: readonly Step[]; next: number }[] = [];
  /** Of the schemas on the current path. */
  const depths = new Map<JsonObject, number>();
  const enter = (object: JsonObject): void => {
    const steps = list(new Cursor(object, schemas.get(object) ?? '#', repair));
    if (steps.length === 0) return;
    depths.set(object, open.length);
    open.push({ object, steps, next: 0 });
  };
  for (const root of schemas.keys()) {
    if (!known.has(root)) enter(root);
    for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
      const step = last.steps[last.next];
      last.next += 1;
      if (step === undefined) {
        known.add(last.object);
        depths.delete(last.object);
        open.pop();
      } else if (isJsonObject(step.to) && !known.has(step.to) && isThere(step)) {
        const start = depths.get(step.to);
        if (start === undefined) enter(step.to);
        else cut(open.slice(start).flatMap(({ steps, next }) => steps[next - 1] ?? []));
      }
    }
  }
}

/** Whether no circle through the keyword was cut; each required member is examined once. */
function isThere({ from, name, member }: Step): boolean {
  return member !== undefined || Object.hasOwn(from.object, name);
}

/** Removes a union on the circle, or the last reference if there is no union. */
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

/** The steps from a schema, in the order of the keyword table. */
function listSteps(from: Cursor): Step[] {
  const { document } = from.repair;
  const { $ref: reference } = from.object;
  const steps: Step[] = [];
  const pointer = typeof reference === 'string' ? pointerOfReference(reference) : undefined;
  const target = pointer === undefined ? undefined : resolvePointer(document, pointer);
  if (target !== undefined) steps.push({ from, name: '$ref', to: target });
  if (target !== undefined && schemaDialect(document) === '3.0') return steps;
  for (const name of inPlace) {
    const value = from.object[name];
    if (value === undefined || name === '$ref') continue;
    const branches = name === 'dependentSchemas' ? Object.values(objectOf(value)) : [value].flat();
    for (const to of branches) if (to !== undefined) steps.push({ from, name, to });
  }
  return steps;
}

/** The steps from a schema to everything that its values must match or contain; unions leave a way out. */
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

/** Most parts of a schema that are read. */
const maxParts = 200;

/** Most branches that are copied, in all schemas of a document and nested within one. */
const maxCopies = 10_000;
const maxLevels = 20;

/** Edits schemas of an `allOf` in copies, because others may refer to their targets. */
class BranchCopies {
  readonly #repair: Repair;
  #count = 0;

  constructor(repair: Repair) {
    this.#repair = repair;
  }

  /** `change` returns the schema itself where there is nothing to change. */
  edit(
    branch: JsonValue,
    at: string,
    change: (one: JsonObject) => JsonObject,
    level = 0,
  ): JsonValue {
    const target = follow(this.#repair, branch);
    if (!isJsonObject(target) || level > maxLevels || this.#count > maxCopies) return branch;
    this.#count += 1;
    const branches = listOf(target['allOf']);
    const edited = branches.map((one, index) =>
      this.edit(one, `${at}/allOf/${index}`, change, level + 1),
    );
    const changed = change(target);
    if (changed === target && edited.every((one, index) => one === branches[index])) return branch;
    const copy: JsonObject = { ...changed };
    if (edited.length > 0) setMember(copy, 'allOf', edited);
    this.#repair.log.keepOrigin(copy, at);
    return copy;
  }
}

/**
 * `additionalProperties: false` in or next to a branch of `allOf` forbids the properties of the other
 * branches, so that no object fits. Generators such as NSwag mean `unevaluatedProperties: false`. Read that
 * way only if the literal schema forbids a property that it declares elsewhere.
 */
export function repairInheritance(repair: Repair, schemas: ReadonlyMap<JsonObject, string>): void {
  const copies = new BranchCopies(repair);
  for (const [schema, pointer] of schemas) {
    if (!isJsonArray(schema['allOf'])) continue;
    const { allOf, unevaluatedProperties: _seesBranches, ...own } = schema;
    const branches = [own, ...allOf].map((branch) => listParts(repair, branch));
    const isClosed = branches.some((branch, index) => {
      const closures = branch.flatMap((part) => allowedBy(repair, part) ?? []);
      const others = closures.length === 0 ? [] : branches.toSpliced(index, 1).flat();
      return closures.some((allowed) => !namesIn(others).isSubsetOf(allowed));
    });
    if (!isClosed) continue;
    const cursor = new Cursor(schema, pointer, repair);
    cursor.readAs(
      'closed-schema',
      'allOf',
      'additionalProperties: false forbids properties of the other schemas',
      'Write unevaluatedProperties: false beside allOf instead',
      {
        allOf: allOf.map((branch, index) =>
          copies.edit(branch, cursor.at('allOf', index), withoutClosing),
        ),
        ...(schema['additionalProperties'] === false && { additionalProperties: undefined }),
        unevaluatedProperties: false,
      },
    );
  }
}

function withoutClosing(schema: JsonObject): JsonObject {
  const closing = ['additionalProperties', 'unevaluatedProperties'].filter(
    (name) => schema[name] === false,
  );
  const open = closing.length === 0 ? schema : { ...schema };
  for (const name of closing) removeMember(open, name);
  return open;
}

/** Members that are compared in a document. */
const maxMembers = 20_000;

/**
 * Schemas of an `allOf` that no value fits together. Of a member that is described again, as to say what
 * an envelope holds, the last description is read; of the whole value, the one that says most.
 */
export function repairContradictions(
  repair: Repair,
  schemas: ReadonlyMap<JsonObject, string>,
): void {
  const copies = new BranchCopies(repair);
  let compared = 0;
  for (const [schema, pointer] of schemas) {
    if (!isJsonArray(schema['allOf'])) continue;
    const cursor = new Cursor(schema, pointer, repair);
    const allOf = keepLargest(cursor, schema['allOf']);
    const branches = [...allOf, { ...schema, allOf: [] }].map((one) => listParts(repair, one));
    /** By the name of a member, the last branch that describes it so far. */
    const known = new Map<string, number>();
    const replaced = new Map<string, number>();
    for (const [index, parts] of branches.entries())
      for (const name of namesIn(parts)) {
        const earlier = branches[known.get(name) ?? -1];
        known.set(name, index);
        if (earlier === undefined || compared > maxMembers) continue;
        compared += 1;
        const described = membersOf(repair, [...earlier, ...parts], name);
        if (isContradiction(described)) replaced.set(name, index);
      }
    if (replaced.size === 0) continue;
    for (const name of replaced.keys())
      cursor.report(
        'impossible-value',
        'allOf',
        `${name} is described twice, and no value fits both descriptions`,
        'Describe it once; the last description is read.',
      );
    const read = allOf.map((branch, index) => {
      const names = [...replaced].flatMap(([name, last]) => (index < last ? name : []));
      return copies.edit(branch, cursor.at('allOf', index), (one) => withoutMembers(one, names));
    });
    cursor.set('allOf', read);
  }

  /** Leaves out schemas that contradict the one that says most; of several, the last. */
  function keepLargest(cursor: Cursor, allOf: readonly JsonValue[]): readonly JsonValue[] {
    const branches = allOf.map((branch) => listParts(repair, branch));
    if (!isContradiction(branches.flat())) {
      const words = assertingWords(cursor.object).filter((name) => name !== 'allOf');
      if (words.join() === 'type' && isContradiction([cursor.object, ...branches.flat()]))
        cursor.leaveOut(
          'impossible-value',
          'type',
          'no value of this type fits the schemas of allOf',
          'Remove it; it is ignored.',
        );
      return allOf;
    }
    const sizes = branches.map((parts) => parts.flatMap(assertingWords).length);
    const largest = branches[sizes.lastIndexOf(Math.max(...sizes))] ?? [];
    cursor.report(
      'impossible-value',
      'allOf',
      'no value fits all of its schemas',
      'Remove those that do not fit; the one that says most is read.',
    );
    cursor.list('allOf')?.filter((_one, index) => {
      const parts = branches[index] ?? [];
      return parts === largest || !isContradiction([...parts, ...largest]);
    });
    return listOf(cursor.object['allOf']);
  }
}

/** Whether no value is of the types of all schemas. */
function isContradiction(schemas: readonly JsonObject[]): boolean {
  return new MergedSchema(schemas.map((schema) => ({ pointer: '', schema }))).types.length === 0;
}

/** The schemas of a member, in those of an object. */
function membersOf(repair: Repair, parts: readonly JsonObject[], name: string) {
  return parts.flatMap(({ properties }) =>
    listParts(repair, ownMember(objectOf(properties), name) ?? null),
  );
}

function withoutMembers(schema: JsonObject, names: readonly string[]): JsonObject {
  const { properties } = schema;
  if (!isJsonObject(properties) || !names.some((name) => Object.hasOwn(properties, name)))
    return schema;
  const kept = { ...properties };
  for (const name of names) removeMember(kept, name);
  return { ...schema, properties: kept };
}

function follow({ document }: Repair, value: JsonValue): JsonValue {
  return followReference(document, { pointer: '#', value }).value;
}

/** The properties of a schema that forbids all others. */
function allowedBy(repair: Repair, schema: JsonObject): ReadonlySet<string> | undefined {
  const { patternProperties, additionalProperties, unevaluatedProperties } = schema;
  if (additionalProperties === false && patternProperties === undefined) return namesIn([schema]);
  return unevaluatedProperties === false ? namesIn(listParts(repair, schema)) : undefined;
}

/** A schema with its references and the parts of its `allOf`, each once. */
function listParts(repair: Repair, schema: JsonValue): readonly JsonObject[] {
  const parts = new Set<JsonObject>();
  const add = (value: JsonValue): void => {
    if (isJsonObject(value) && parts.size < maxParts) parts.add(value);
  };
  add(schema);
  for (const part of parts)
    for (const one of [follow(repair, part), ...listOf(part['allOf'])]) add(one);
  return [...parts];
}

function namesIn(parts: readonly JsonObject[]): ReadonlySet<string> {
  return new Set(parts.flatMap(({ properties }) => Object.keys(objectOf(properties))));
}

/** Most branches of one union that are compared with each other. */
const maxBranches = 100;

/** Most branches and members that are compared in a document. */
const maxComparisons = 100_000;

/**
 * If two branches cannot be distinguished, a value for one also fits the other, so no value fits exactly
 * one. Generators write such unions without a discriminator: `oneOf` is read as `anyOf`.
 */
export function repairUnions(repair: Repair, schemas: ReadonlyMap<JsonObject, string>): void {
  let comparisons = 0;
  const essences = new Map<JsonObject, string>();
  for (const [schema, pointer] of schemas) {
    const { oneOf, anyOf, discriminator } = schema;
    if (!isJsonArray(oneOf) || anyOf !== undefined || discriminator !== undefined) continue;
    if (comparisons > maxComparisons) return;
    const branches = oneOf.slice(0, maxBranches).map((one) => objectOf(follow(repair, one)));
    const pairs = branches.flatMap((branch, index) =>
      branches.slice(0, index).map((other, earlier) => ({ branch, other, index, earlier })),
    );
    const twins = pairs.find(({ branch, other }) => isAlike(other, branch));
    if (twins === undefined) continue;
    const { index, earlier } = twins;
    new Cursor(schema, pointer, repair).readAs(
      'impossible-value',
      'oneOf',
      `its schemas ${earlier + 1} and ${index + 1} cannot be distinguished: a value meant for one also fits the other`,
      'Write anyOf',
      { oneOf: undefined, anyOf: oneOf },
    );
  }

  /** Whether two schemas are equal, or both describe objects without a difference in members. */
  function isAlike(one: JsonObject, other: JsonObject): boolean {
    if (isSame(one, other)) return true;
    if (!isOpenObject(one) || !isOpenObject(other)) return false;
    const members = objectOf(other['properties']);
    return Object.entries(objectOf(one['properties'])).every(
      ([name, member]) =>
        !Object.hasOwn(members, name) || isSame(objectOf(member), objectOf(members[name])),
    );
  }

  function isSame(one: JsonObject, other: JsonObject): boolean {
    comparisons += 1;
    if (comparisons > maxComparisons) return false;
    return essenceOf(one) === essenceOf(other);
  }

  /** A schema without its annotations, as text. */
  function essenceOf(schema: JsonObject): string {
    const known = essences.get(schema);
    if (known !== undefined) return known;
    const asserting = assertingWords(schema).map((name) => [name, schema[name]] as const);
    const essence = renderJson(Object.fromEntries(asserting));
    essences.set(schema, essence);
    return essence;
  }
}

function assertingWords(schema: JsonObject): readonly string[] {
  return Object.keys(schema).filter((name) => keywordOf(name)?.effect !== 'annotation');
}

/** Whether a schema allows objects with any subset of its members. */
function isOpenObject(schema: JsonObject): boolean {
  return (
    (schema['type'] ?? 'object') === 'object' &&
    isJsonObject(schema['properties']) &&
    Object.keys(schema).every(
      (name) => ['type', 'properties'].includes(name) || keywordOf(name)?.effect === 'annotation',
    )
  );
}
