import { requirementId } from '../../contract/requirement/requirement.ts';
import type { RateLimitPolicy, RatePlan } from '../../contract/openapi/rate-limit.ts';
import { judgeHeaders } from './rate-limit/headers.ts';
import { judgeLimit } from './rate-limit/limit.ts';
import { judgeServed } from './rate-limit/served.ts';
import { hasKey, listSteps, planSeconds, type Step } from './rate-limit/step.ts';
import { type Finding, failed } from './trace/finding.ts';
import type { Trace } from './trace/trace.ts';

/** Judges the arithmetic of the rate-limit headers, and the limit itself. */
export function* judgeRateLimit(trace: Trace): Generator<Finding> {
  const policy = trace.contract.rateLimit;
  if (policy === undefined) return;
  const steps = listSteps(trace, policy);
  yield* judgeHeaders(steps, policy, trace.plan);
  const own = steps.filter(hasKey);
  yield* judgeLimit(own, policy, trace.exchanges);
  yield* judgeServed(own, policy);
  yield* judgeWindows(own, policy, trace.plan);
}

/** Milliseconds by which two clocks of a target may differ, and a timestamp may be rounded. */
const slack = 5000;

/**
 * Judges the ends of windows. Where more is left than a window that slides could have, and than a
 * refill one by one could give back, a new window has begun since the response before: that window
 * has the length of the plan, and the one before was to end then.
 */
function* judgeWindows(
  steps: readonly Step[],
  policy: RateLimitPolicy,
  plan: RatePlan | undefined,
): Generator<Finding> {
  const latest = new Map<number, Step>();
  for (const [index, step] of steps.entries()) {
    const { limit } = step;
    const seconds = planSeconds(limit, policy, plan);
    if (limit === undefined || seconds === undefined || step.reading.exchange.group) continue;
    const before = latest.get(limit);
    latest.set(limit, step);
    if (!before || !hasBegun(before, step, steps.slice(0, index + 1), seconds)) continue;
    yield* judgeBeginning(before, step, seconds);
  }
}

function hasBegun(before: Step, step: Step, all: readonly Step[], seconds: number): boolean {
  const { limit = 0, remaining = 0 } = step;
  if (step.limited || !step.dated || !before.dated) return false;
  if ((before.reset ?? Infinity) >= (step.reset ?? 0)) return false;
  const at = step.reading.exchange.endedAt;
  const recent = all.filter(
    ({ reading }) => reading.succeeded && reading.exchange.sentAt > at - (seconds - 2) * 1000,
  );
  const elapsed = (at - before.reading.exchange.sentAt) / 1000;
  const refilled = (before.remaining ?? Infinity) + (elapsed * limit) / seconds;
  return remaining > limit - recent.length + 2 && remaining > refilled + 2;
}

function* judgeBeginning(before: Step, step: Step, seconds: number): Generator<Finding> {
  const { index } = step.reading.exchange;
  const others = [before.reading.exchange.index];
  const [told = 0, next = 0] = [before.reset, step.reset];
  const early = told * 1000 - step.now;
  if (early > slack) {
    const expected = `no new window before ${told}, the announced end of the previous window`;
    const received = `${step.remaining} of ${step.limit} remaining, ${Math.round(early / 1000)} seconds earlier`;
    yield failed(requirementId.rateLimit('reset-plausible'), index, expected, received, others);
  }
  const begun = told * 1000 <= step.now ? Math.max(before.now, told * 1000) : before.now;
  const long = next * 1000 - begun;
  if (next * 1000 > step.now && long < seconds * 1000 - slack) {
    const expected = `${step.limit} requests in ${seconds} seconds, as in the plan`;
    const received = `${step.remaining} of ${step.limit} remaining in a new window of at most ${Math.round(long / 1000)} seconds`;
    yield failed(requirementId.rateLimit('plan'), index, expected, received, others);
  }
}
