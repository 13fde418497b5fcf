import { documentLimits } from '../../limits/index.ts';
import { isJsonObject, type JsonObject } from '../../json/value.ts';
import { removeMember } from '../../json/edit.ts';
import { type Repair, setAside } from '../base/repair.ts';
import type { Place } from '../base/place.ts';
import { listSteps, type Step } from './schema-steps.ts';

interface Frame {
  readonly schema: JsonObject;
  readonly place: Place | undefined;
  readonly steps: readonly Step[];
  next: number;
}

/**
 * Schemas that lead to others in so many ways that judging one value would not end: each of thirty
 * that has the one before in its `allOf` twice, say. The keyword that costs most is left out. None
 * may lead back to itself.
 */
export function repairCostlySchemas(
  repair: Repair,
  schemas: ReadonlyMap<JsonObject, Place | undefined>,
): void {
  /** The steps that judging one value by a schema takes. */
  const costs = new Map<JsonObject, number>();
  for (const [root, place] of schemas) {
    if (costs.has(root)) continue;
    const open: Frame[] = [];
    const enter = (schema: JsonObject, at: Place | undefined): void => {
      costs.set(schema, 1);
      open.push({ schema, place: at, steps: listSteps(repair, schema, at), next: 0 });
    };
    enter(root, place);
    for (let frame = open.at(-1); frame !== undefined; frame = open.at(-1)) {
      const step = frame.steps[frame.next];
      frame.next += 1;
      if (step === undefined) {
        settle(repair, frame, costs);
        open.pop();
      } else if (isJsonObject(step.to) && !costs.has(step.to)) enter(step.to, schemas.get(step.to));
    }
  }
}

/** Counts what a schema costs, those it leads to being counted. */
function settle(
  repair: Repair,
  { schema, place, steps }: Frame,
  costs: Map<JsonObject, number>,
): void {
  const { most } = documentLimits.schemaSteps;
  const byKeyword = new Map<string, number>();
  for (const { name, to } of steps)
    byKeyword.set(name, (byKeyword.get(name) ?? 0) + (isJsonObject(to) ? (costs.get(to) ?? 1) : 1));
  let cost = 1 + [...byKeyword.values()].reduce((sum, one) => sum + one, 0);
  for (const [name, one] of [...byKeyword].toSorted(([, left], [, right]) => right - left)) {
    if (cost <= most) break;
    const reason = `one value would be judged in ${cost} steps, at most ${most} are taken`;
    const remedy = 'Refer to fewer schemas; until then this keyword is left out.';
    repair.report({ parent: place, token: name }, setAside(reason, remedy));
    removeMember(schema, name);
    cost -= one;
  }
  costs.set(schema, cost);
}
