import { obligationId, type RateLimitPolicy } from '../../contract/index.ts';
import type { Check } from '../check.ts';
import { headerOf } from '../exchange.ts';
import { held, violated, type Finding } from '../finding.ts';
import { readDate, readRateLimit, readRetryAfter, type RateLimitReading } from '../pace.ts';
import type { Reading, Trace } from '../trace.ts';
import { describeAnswer } from '../words.ts';

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
      if (before) yield* judgeEarly(before, step, steady);
      if (step.limited) yield* judgeRetry(step, steps.slice(index + 1), policy, steady);
    }
    if (steady) yield* judgeBeyond(trace, steps, policy);
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

/** A 429 while requests are left is one too early; told only where nobody else can have used them up. */
function* judgeEarly(before: Step, step: Step, steady: boolean): Generator<Finding> {
  if (!step.limited || before.limited) return;
  const id = obligationId.rateLimit('exceeded');
  const { index } = step.reading.exchange;
  const { remaining = 0 } = before;
  if (remaining === 0) yield held(id, index);
  else if (steady && isWithin(before, step)) {
    yield violated(id, index, `no ${step.reading.answer.status} while ${remaining} requests are left`, `${step.reading.answer.status}`, [before.reading.exchange.index]);
  }
}

/** Requests that were sent when nothing was left, in a window that goes on, get 429 and nothing else. */
function* judgeBeyond({ exchanges }: Trace, steps: readonly Step[], policy: RateLimitPolicy): Generator<Finding> {
  const beyond = exchanges.filter(({ intent }) => intent.kind === 'beyond');
  const [first] = beyond;
  const before = steps.findLast(({ reading }) => first !== undefined && reading.exchange.index < first.index);
  if (!before || before.remaining !== 0) return;
  const id = obligationId.rateLimit('exceeded');
  let spare = countsLate(steps) ? 1 : 0;
  for (const { outcome, index } of beyond) {
    const status = outcome.kind === 'answered' ? outcome.answer.status : undefined;
    if (status === policy.status) yield held(id, index);
    else if (status !== undefined && status < 300 && spare > 0) spare -= 1;
    else {
      const received = outcome.kind === 'answered' ? describeAnswer(outcome.answer) : outcome.failure.message;
      yield violated(id, index, `${policy.status}: nothing was left`, received, [before.reading.exchange.index]);
    }
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

/** The first request after the wait is served. Another 429 in a later window is somebody else's doing, unless nobody else is there. */
function* judgeRetry(step: Step, later: readonly Step[], policy: RateLimitPolicy, steady: boolean): Generator<Finding> {
  const id = obligationId.rateLimit('retry-after');
  const text = headerOf(step.reading.answer, policy.headers.retryAfter);
  if (text === undefined) return;
  const { exchange } = step.reading;
  const wait = readRetryAfter(step.reading.answer, policy.headers.retryAfter, exchange.endedAt);
  if (wait === undefined) {
    yield violated(id, exchange.index, 'seconds or an HTTP-date', text);
    return;
  }
  const next = later.find(({ reading }) => reading.exchange.sentAt >= exchange.endedAt + wait && (exchange.group === undefined || reading.exchange.group !== exchange.group));
  if (!next) return;
  const { index } = next.reading.exchange;
  if (!next.limited) {
    yield held(id, index);
    yield* judgeReturn(step, next);
  } else if (isOver(step, next)) {
    if (steady) yield violated(obligationId.rateLimit('returns'), index, 'requests to spend after Reset', `${next.reading.answer.status} again`, [exchange.index]);
  } else yield violated(id, index, `a served request ${wait / 1000} seconds after the 429, as Retry-After says`, `${next.reading.answer.status} again`, [exchange.index]);
}

/** The window that an answer spoke of was over when another one came. */
function isOver(step: Step, next: Step): boolean {
  const date = readDate(next.reading.answer) ?? next.reading.exchange.endedAt;
  return step.reset === undefined || date >= step.reset * 1000;
}

/** Once the window has ended, there are requests again. */
function* judgeReturn(step: Step, next: Step): Generator<Finding> {
  const id = obligationId.rateLimit('returns');
  const { index } = next.reading.exchange;
  if (next.remaining === undefined || next.limit === undefined || next.limit <= 1) return;
  if (!isOver(step, next)) return;
  if (next.remaining > 0) yield held(id, index);
  else yield violated(id, index, 'requests to spend after Reset', `Remaining ${next.remaining}`, [step.reading.exchange.index]);
}
