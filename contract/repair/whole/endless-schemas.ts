import { pointerOfReference } from '../../source/follow-reference.ts';
import { parsePointer } from '../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject } from '../../json/value.ts';
import { removeMember } from '../../json/edit.ts';
import { type Repair, setAside } from '../base/repair.ts';
import { placeOf, type Place } from '../base/place.ts';
import { listSteps, type Step } from './schema-steps.ts';

interface Frame {
  readonly schema: JsonObject;
  readonly steps: readonly Step[];
  next: number;
}

/**
 * Schemas that judge a value by themselves again: a base that is one of its children, say. A union
 * on the way is left out, and where there is none the reference that leads back.
 */
export function repairEndlessSchemas(
  repair: Repair,
  schemas: ReadonlyMap<JsonObject, Place | undefined>,
): void {
  const done = new Set<JsonObject>();
  for (const [schema, place] of schemas) if (!done.has(schema)) search(repair, schema, place, done);
}

function search(
  repair: Repair,
  root: JsonObject,
  rootPlace: Place | undefined,
  done: Set<JsonObject>,
): void {
  const open: Frame[] = [];
  const entered: Step[] = [];
  const enter = (schema: JsonObject, place: Place | undefined): void => {
    open.push({ schema, steps: listSteps(repair, schema, place), next: 0 });
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
      } else cut(repair, [...entered.slice(start), step]);
    }
  }
}

function cut(repair: Repair, circle: readonly Step[]): void {
  const union = circle.find(({ name }) => name === 'oneOf' || name === 'anyOf');
  const step = union ?? circle.findLast(({ name }) => name === '$ref') ?? circle.at(-1);
  if (step === undefined) return;
  const at = { parent: step.place, token: step.name };
  const remedy = 'Refer from one side only; until then this keyword is left out.';
  repair.report(at, setAside('refers to itself without end', remedy));
  removeMember(step.from, step.name);
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
