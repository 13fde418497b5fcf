import { obligationId, type RateLimitPolicy } from '../../contract/index.ts';
import type { Check } from '../check.ts';
import { headerOf } from '../exchange.ts';
import { held, violated, type Finding } from '../finding.ts';
import { readDate, readRateLimit, readRetryAfter, type RateLimitReading } from '../pace.ts';
import type { Reading, Trace } from '../trace.ts';

/** Judges the limit itself: 429 once nothing is left and not before, served again when Retry-After has passed, with requests to spend. */
export const limitCheck: Check = {
  id: 'limit',
  *judge(trace) {
    const policy = trace.contract.rateLimit;
    if (!policy) return;
    const steps = listSteps(trace, policy);
    const steady = isSteady(steps);
    for (const [index, step] of steps.entries()) {
      const before = steps[index - 1];
      if (before) yield* judgeBoundary(before, step, steps, steady);
      if (step.limited) yield* judgeRetry(step, steps.slice(index + 1), policy);
    }
  },
};

/** One answer to the key, as a step of its count. */
interface Step extends RateLimitReading {
  readonly reading: Reading;
  readonly limited: boolean;
}

function listSteps(trace: Trace, policy: RateLimitPolicy): readonly Step[] {
  const limited = new Set(trace.limited);
  return [...trace.readings, ...trace.limited]
    .filter(({ exchange }) => exchange.request.credential === 'valid')
    .toSorted((a, b) => a.exchange.index - b.exchange.index)
    .map((reading) => ({ reading, limited: limited.has(reading), ...readRateLimit(reading.answer, policy.headers) }));
}

/** Nobody else uses the key: of many answers one after another in one window, each takes exactly one from Remaining. */
function isSteady(steps: readonly Step[]): boolean {
  const pairs = steps.flatMap((step, index) => {
    const before = steps[index - 1];
    const inOrder = before && step.reading.exchange.group === undefined && before.reading.exchange.group === undefined;
    return inOrder && isSameWindow(before, step) && !step.limited ? [(before.remaining ?? 0) - (step.remaining ?? 0)] : [];
  });
  return pairs.length >= 10 && pairs.every((drop) => drop === 0 || drop === 1);
}

function isSameWindow(a: Step, b: Step): boolean {
  const known = a.limit !== undefined && a.remaining !== undefined && a.reset !== undefined;
  return known && a.limit === b.limit && a.reset === b.reset;
}

function* judgeBoundary(before: Step, step: Step, steps: readonly Step[], steady: boolean): Generator<Finding> {
  const id = obligationId.rateLimit('exceeded');
  const { index, group } = step.reading.exchange;
  const { remaining = 0 } = before;
  if (step.limited && before.limited) return;
  if (step.limited && remaining === 0) yield held(id, index);
  else if (step.limited && steady && remaining >= 1 && isWithin(before, step)) {
    yield violated(id, index, `no ${step.reading.answer.status} while ${remaining} requests are left`, `${step.reading.answer.status}`, [before.reading.exchange.index]);
  } else if (!step.limited && group === undefined && isSameWindow(before, step) && remaining === 0 && !before.limited && !countsLate(steps)) {
    yield violated(id, index, '429: nothing was left', `${step.reading.answer.status}`, [before.reading.exchange.index]);
  }
}

/** The answer came before the window that the earlier one spoke of was over. */
function isWithin(before: Step, step: Step): boolean {
  const date = readDate(step.reading.answer) ?? step.reading.exchange.endedAt;
  return before.reset !== undefined && date < before.reset * 1000 - 1000;
}

/** Remaining tells what was left before the request: then the last one served sees a 0 ahead of it. */
function countsLate(steps: readonly Step[]): boolean {
  return steps.some((step) => !step.limited && step.reading.succeeded && step.remaining !== undefined && step.remaining === step.limit);
}

/** The first request after the wait is served; before it nothing was sent. Another 429 of a later window is somebody else's doing. */
function* judgeRetry(step: Step, later: readonly Step[], policy: RateLimitPolicy): Generator<Finding> {
  const id = obligationId.rateLimit('retry-after');
  const text = headerOf(step.reading.answer, policy.headers.retryAfter);
  if (text === undefined) return;
  const { exchange } = step.reading;
  const wait = readRetryAfter(step.reading.answer, policy.headers.retryAfter, exchange.endedAt);
  if (wait === undefined) {
    yield violated(id, exchange.index, 'seconds or an HTTP-date', text);
    return;
  }
  const next = later.find((each) => each.reading.exchange.sentAt >= exchange.endedAt + wait && each.reading.exchange.group !== (exchange.group ?? ''));
  if (!next) return;
  const { index } = next.reading.exchange;
  if (next.limited) {
    if (isSameWindow(step, next)) yield violated(id, index, `a served request ${wait / 1000} seconds after the 429, as Retry-After says`, `${next.reading.answer.status} again`, [exchange.index]);
    return;
  }
  yield held(id, index);
  yield* judgeReturn(step, next);
}

/** Once the window has ended, there are requests again. */
function* judgeReturn(step: Step, next: Step): Generator<Finding> {
  const id = obligationId.rateLimit('returns');
  const { index } = next.reading.exchange;
  if (next.remaining === undefined || next.limit === undefined || next.limit <= 1) return;
  const date = readDate(next.reading.answer) ?? next.reading.exchange.endedAt;
  if (step.reset === undefined || date < step.reset * 1000) return;
  if (next.remaining > 0) yield held(id, index);
  else yield violated(id, index, 'requests to spend after Reset', `Remaining ${next.remaining}`, [step.reading.exchange.index]);
}
