import type { Trace } from '../judge/trace/trace.ts';
import { observation, type QuestionKind } from './question.ts';
import { drop, enough, isSameWindow, keySteps, pairsOf, type StepPair } from './quota.ts';

/** `counted-requests`: whether Remaining falls with requests that were refused. */
export const countedRequests: QuestionKind = {
  *observe(_question, trace) {
    const pairs = countedPairs(trace);
    const last = pairs?.refused.at(-1);
    // Where served requests do not count, Remaining shows nothing.
    if (pairs === undefined || last === undefined || pairs.served.some((pair) => drop(pair) <= 0))
      return;
    const counted = pairs.refused.filter((pair) => drop(pair) > 0).length;
    const choices = [
      // Whether those over the limit count too does not show: Remaining is 0 by then.
      ...(counted === pairs.refused.length ? ['all', 'within-limit'] : []),
      ...(counted === 0 ? ['successful'] : []),
    ];
    const evidence = `Remaining decreased with ${counted} of ${pairs.refused.length} rejected requests, and with all ${pairs.served.length} accepted ones`;
    yield observation(last.step.reading, choices, evidence);
  },
};

interface CountedPairs {
  readonly served: readonly StepPair[];
  readonly refused: readonly StepPair[];
}

/** Within one window, by whether the later request was served; enough of each, or none. */
export function countedPairs(trace: Trace): CountedPairs | undefined {
  const pairs = pairsOf(keySteps(trace), trace).filter(
    (pair) => isSameWindow(pair) && !pair.step.limited && !pair.before.limited,
  );
  const served = pairs.filter(({ step }) => step.reading.status < 400);
  const refused = pairs.filter(({ step }) => step.reading.status >= 400);
  return served.length < enough || refused.length < enough ? undefined : { served, refused };
}
