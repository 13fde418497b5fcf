import { documentLimits } from '../../limits/index.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../json/value.ts';

/** Counts the references that are followed while one value is judged. */
export interface StepCounter {
  /** Called by compiled code for each reference. Throws a StepsError beyond the limit. */
  readonly count: () => void;
  /** Starts anew, for a value. */
  readonly start: (value: JsonValue) => void;
}

/** A value takes more steps than it may. */
export class StepsError extends Error {
  override readonly name = 'StepsError';
}

/** Steps for each value that a judged value holds: a long list may take many. */
const stepsPerValue = 200;

export function createStepCounter(): StepCounter {
  let steps = 0;
  let most: number = documentLimits.judgementSteps.most;
  let judged: JsonValue = null;
  return {
    count: () => {
      steps += 1;
      if (steps <= most) return;
      most = Math.max(documentLimits.judgementSteps.most, stepsPerValue * countValues(judged));
      if (steps > most) throw new StepsError(`takes more than ${most} steps to be judged`);
    },
    start: (value) => {
      steps = 0;
      most = documentLimits.judgementSteps.most;
      judged = value;
    },
  };
}

/** A value and all that it holds. */
function countValues(root: JsonValue): number {
  const pending: JsonValue[] = [root];
  let count = 0;
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    count += 1;
    if (isJsonArray(value)) for (const item of value) pending.push(item);
    else if (isJsonObject(value))
      for (const member of Object.values(value)) if (member !== undefined) pending.push(member);
  }
  return count;
}
