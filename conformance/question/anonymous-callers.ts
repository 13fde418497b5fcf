import { countedPairs } from './counted-requests.ts';
import { everyChoice, observation, type QuestionKind } from './question.ts';
import { drop, isSameWindow, pairsOf, quotaSteps } from './quota.ts';

/** `anonymous-callers`: whether Remaining falls with requests without a key. */
export const anonymousCallers: QuestionKind = {
  *observe(question, trace) {
    const steps = quotaSteps(trace).filter(
      ({ reading }) => reading.exchange.request.credential === 'missing',
    );
    const pairs = pairsOf(steps, trace).filter(isSameWindow);
    const last = steps.at(-1)?.reading;
    if (last === undefined || pairs.length < 2) return;
    const counted = pairs.filter((pair) => drop(pair) > 0).length;
    const areRefusalsCounted =
      countedPairs(trace)?.refused.every((pair) => drop(pair) > 0) === true;
    const evidence = `Remaining decreased with ${counted} of ${pairs.length} requests without a key`;
    if (counted === pairs.length) yield observation(last, ['by-address', 'together'], evidence);
    else if (pairs.every((pair) => drop(pair) === 0)) {
      // Else they may be left out as other refused requests are.
      const choices = areRefusalsCounted ? ['uncounted'] : everyChoice(question);
      yield observation(last, choices, evidence);
    }
  },
};
