import { resolvePointer } from '../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { keywords } from '../schema/keywords.ts';
import { pointerOfReference } from '../source/node.ts';
import { Cursor, type Repair } from './cursor.ts';

/** Schemas that judge one value by references and by keywords such as `allOf`. */
export const mostSchemaSteps = 10_000;

/** A step from a schema to one that judges the same value. */
interface Step {
  readonly from: Cursor;
  /** The keyword that leads there. */
  readonly name: string;
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
 * before in its `allOf` twice). One depth-first search, without recursion.
 */
export function boundSteps(repair: Repair, schemas: ReadonlyMap<JsonObject, string>): void {
  /** Steps to judge one value by a schema that leads to others; any other takes one. */
  const costs = new Map<JsonObject, number>();
  const open: Frame[] = [];
  /** Of the schemas of the open frames. */
  const depths = new Map<JsonObject, number>();
  const enter = (object: JsonObject): void => {
    const schema = new Cursor(object, schemas.get(object) ?? '#', repair);
    const steps = listSteps(schema);
    if (steps.length === 0) return;
    depths.set(object, open.length);
    open.push({ schema, steps, next: 0 });
  };
  for (const root of schemas.keys()) {
    if (!costs.has(root)) enter(root);
    for (let frame = open.at(-1); frame !== undefined; frame = open.at(-1)) {
      const step = frame.steps[frame.next];
      frame.next += 1;
      if (step === undefined) {
        costs.set(frame.schema.object, boundCost(frame, costs));
        depths.delete(frame.schema.object);
        open.pop();
      } else if (isJsonObject(step.to) && !costs.has(step.to) && isThere(step)) {
        const start = depths.get(step.to);
        if (start === undefined) enter(step.to);
        else cutCircle(open.slice(start).flatMap(({ steps, next }) => steps[next - 1] ?? []));
      }
    }
  }
}

function isThere({ from, name }: Step): boolean {
  return Object.hasOwn(from.object, name);
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
function boundCost({ schema, steps }: Frame, costs: ReadonlyMap<JsonObject, number>): number {
  const costOf = ({ to }: Step): number => (isJsonObject(to) ? costs.get(to) : undefined) ?? 1;
  const taken = steps.filter(isThere);
  let total = taken.reduce((sum, step) => sum + costOf(step), 1);
  if (total <= mostSchemaSteps) return total;
  const byKeyword = Object.entries(Object.groupBy(taken, ({ name }) => name)).map(
    ([name, of = []]) => ({ name, cost: of.reduce((sum, step) => sum + costOf(step), 0) }),
  );
  for (const { name, cost } of byKeyword.toSorted((left, right) => right.cost - left.cost)) {
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
function listSteps(from: Cursor): readonly Step[] {
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
    const isMap = name === 'dependentSchemas' && isJsonObject(value);
    const branches = isJsonArray(value) ? value : isMap ? Object.values(value) : [value];
    for (const to of branches) steps.push({ from, name, to: to ?? null });
  }
  return steps;
}
