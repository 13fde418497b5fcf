import { requirementId } from '../../../contract/requirement/requirement.ts';
import type { RateLimitPolicy } from '../../../contract/openapi/rate-limit.ts';
import { failed, type Finding } from '../trace/finding.ts';
import { describeResponse } from '../trace/words.ts';
import { isBeforeEnd, refillWithin, type Step } from './step.ts';

/**
 * Judges the requests with the key that were served in one and the same window, whatever Remaining
 * says of them: more than the limit is over the limit, whichever requests are counted.
 */
export function* judgeServed(steps: readonly Step[], policy: RateLimitPolicy): Generator<Finding> {
  const told = steps.filter(({ limit, reset }) => limit !== undefined && reset !== undefined);
  const windows = Map.groupBy(told, ({ limit, reset }) => `${limit} ${reset}`);
  for (const window of windows.values()) {
    const served = window.filter(({ reading, limited }) => !limited && reading.succeeded);
    const over = served.filter((step) => !step.dated || isBeforeEnd(step))[
      limitOf(window) + Math.ceil(refillWithin(served, steps))
    ];
    const [first] = served;
    if (!over || !first) continue;
    const expected = `${policy.status} after ${over.limit} requests in one window`;
    const received = `${served.length} served, this one with ${describeResponse(over.reading.response)}`;
    const { index } = over.reading.exchange;
    const others = [first.reading.exchange.index];
    yield failed(requirementId.rateLimit('exceeded'), index, expected, received, others);
  }
}

/** The limit of a window; none where Remaining is above it, so that it is no limit at all. */
function limitOf(window: readonly Step[]): number {
  const isKept = window.every(({ remaining = 0, limit = 0 }) => remaining <= limit);
  return isKept ? (window[0]?.limit ?? Infinity) : Infinity;
}
