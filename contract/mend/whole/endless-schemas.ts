import { pointerOfReference } from '../../document/follow-reference.ts';
import { parsePointer, resolvePointer } from '../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { keywords } from '../../schema/keywords.ts';
import { removeMember } from '../base/edit.ts';
import { type Mending, setAside } from '../base/mending.ts';
import { placeOf, type Place } from '../base/place.ts';

/** A step from a schema to one that judges the same value. */
interface Step {
  readonly from: JsonObject;
  /** The keyword that leads there. */
  readonly name: string;
  readonly place: Place | undefined;
  readonly to: JsonValue;
}

interface Frame {
  readonly schema: JsonObject;
  readonly steps: readonly Step[];
  next: number;
}

const inPlace = keywords.filter(({ isInPlace }) => isInPlace === true).map(({ name }) => name);

/**
 * Schemas that judge a value by themselves again: a base that is one of its children, say. A union
 * on the way is left out, and where there is none the reference that leads back.
 */
export function mendEndlessSchemas(
  mending: Mending,
  schemas: ReadonlyMap<JsonObject, Place | undefined>,
): void {
  const done = new Set<JsonObject>();
  for (const [schema, place] of schemas)
    if (!done.has(schema)) search(mending, schema, place, done);
}

function search(
  mending: Mending,
  root: JsonObject,
  rootPlace: Place | undefined,
  done: Set<JsonObject>,
): void {
  const open: Frame[] = [];
  const entered: Step[] = [];
  const enter = (schema: JsonObject, place: Place | undefined): void => {
    open.push({ schema, steps: listSteps(mending, schema, place), next: 0 });
  };
  enter(root, rootPlace);
  for (let frame = open.at(-1); frame !== undefined; frame = open.at(-1)) {
    const step = frame.steps[frame.next];
    frame.next += 1;
    if (step === undefined) {
      done.add(frame.schema);
      open.pop();
      entered.pop();
    } else if (isJsonObject(step.to) && !done.has(step.to) && Object.hasOwn(step.from, step.name)) {
      const start = open.findIndex(({ schema }) => schema === step.to);
      if (start < 0) {
        entered.push(step);
        enter(step.to, stepPlace(step));
      } else cut(mending, [...entered.slice(start), step]);
    }
  }
}

function cut(mending: Mending, circle: readonly Step[]): void {
  const union = circle.find(({ name }) => name === 'oneOf' || name === 'anyOf');
  const step = union ?? circle.findLast(({ name }) => name === '$ref') ?? circle.at(-1);
  if (step === undefined) return;
  const at = { parent: step.place, token: step.name };
  const remedy = 'Refer from one side only; until then this keyword is left out.';
  mending.report(at, setAside('refers to itself without end', remedy));
  removeMember(step.from, step.name);
}

function listSteps(
  mending: Mending,
  schema: JsonObject,
  place: Place | undefined,
): readonly Step[] {
  const { $ref: reference } = schema;
  const step = (name: string, to: JsonValue): Step => ({ from: schema, name, place, to });
  if (typeof reference === 'string') {
    const target = targetOf(mending, reference);
    if (target !== undefined)
      return mending.dialect === '3.0'
        ? [step('$ref', target)]
        : [step('$ref', target), ...branches()];
  }
  return branches();

  function branches(): readonly Step[] {
    return inPlace.flatMap((name) => {
      const value = schema[name];
      if (isJsonArray(value)) return value.map((item) => step(name, item));
      if (name === 'dependentSchemas' && isJsonObject(value))
        return Object.values(value).map((item) => step(name, item ?? null));
      return value === undefined || name === '$ref' ? [] : [step(name, value)];
    });
  }
}

function targetOf({ document }: Mending, reference: string): JsonValue | undefined {
  const pointer = pointerOfReference(reference);
  return pointer === undefined ? undefined : resolvePointer(document, pointer);
}

/** Only the places of keywords that are cut must be exact: those of schemas that are referred to. */
function stepPlace({ name, from, place, to }: Step): Place | undefined {
  const { $ref: reference } = from;
  if (name === '$ref' && typeof reference === 'string') {
    const pointer = pointerOfReference(reference) ?? '#';
    return placeOf(parsePointer(pointer));
  }
  const holder = { parent: place, token: name };
  const value = from[name];
  return isJsonArray(value) ? { parent: holder, token: value.indexOf(to) } : holder;
}
