import { requirementId, type RateLimitPolicy } from '../../../contract/index.ts';
import { headerOf, type Outcome } from '../../transport/exchange.ts';
import { passed, failed, type Finding } from '../trace/finding.ts';
import {
  readDate,
  readRateLimit,
  readRetryAfter,
  type RateLimitReading,
} from '../../transport/pace.ts';
import type { Reading, Trace } from '../trace/trace.ts';
import { describeResponse } from '../trace/words.ts';

/** Judges the limit itself: 429 once nothing is left and not before, and Retry-After holds. */
export function* judgeLimit(trace: Trace): Generator<Finding> {
  const policy = trace.contract.rateLimit;
  if (policy === undefined) return;
  const steps = listSteps(trace, policy);
  const steady = isSteady(steps);
  for (const [index, step] of steps.entries()) {
    yield* judgeEarly(step, policy);
    if (step.limited) yield* judgeRetry(step, steps.slice(index + 1), policy, steady);
  }
  if (steady) yield* judgeBeyond(trace, steps, policy);
}

/** One response to the key, as a step of its count. */
interface Step extends RateLimitReading {
  readonly reading: Reading;
  readonly limited: boolean;
}

function listSteps(trace: Trace, policy: RateLimitPolicy): readonly Step[] {
  const limited = new Set(trace.limited);
  return [...trace.readings, ...trace.limited]
    .filter(({ exchange }) => exchange.request.credential === 'valid')
    .toSorted((a, b) => a.exchange.index - b.exchange.index)
    .map((reading) => ({
      reading,
      limited: limited.has(reading),
      ...readRateLimit(reading.response, policy.headers),
    }));
}

/** Nobody else uses the key: of many responses in a window each takes at most 1. */
function isSteady(steps: readonly Step[]): boolean {
  const pairs = steps.flatMap((step, index) => {
    const before = steps[index - 1];
    const inOrder =
      before &&
      step.reading.exchange.group === undefined &&
      before.reading.exchange.group === undefined;
    return inOrder && isSameWindow(before, step) && !step.limited
      ? [(before.remaining ?? 0) - (step.remaining ?? 0)]
      : [];
  });
  return pairs.length >= 10 && pairs.every((drop) => drop === 0 || drop === 1);
}

function isSameWindow(a: Step, b: Step): boolean {
  const known = a.limit !== undefined && a.remaining !== undefined && a.reset !== undefined;
  return known && a.limit === b.limit && a.reset === b.reset;
}

/**
 * A 429 contradicts itself if it says that requests are left in the window that is at fault: the
 * shortest, and its wait is no longer. Others may have used up what an earlier response had left.
 */
function judgeEarly(
  { reading, remaining, reset, limited }: Step,
  policy: RateLimitPolicy,
): readonly Finding[] {
  if (!limited || remaining === undefined || reset === undefined) return [];
  const id = requirementId.rateLimit('exceeded');
  const { index, endedAt } = reading.exchange;
  if (remaining === 0) return [passed(id, index)];
  const ahead = reset * 1000 - (readDate(reading.response) ?? endedAt);
  const wait =
    readRetryAfter(reading.response, policy.headers.retryAfter, endedAt) ??
    Number.POSITIVE_INFINITY;
  const isShortest = ahead <= (policy.windows[0]?.seconds ?? 0) * 1000 + 1000;
  if (!isShortest || wait > ahead + 1000) return [];
  return [
    failed(
      id,
      index,
      `no ${reading.response.status} while ${remaining} requests are left`,
      `${reading.response.status} with ${policy.headers.remaining} ${remaining}`,
    ),
  ];
}

/** Requests sent when nothing was left, in a window that goes on, get 429 and nothing else. */
function* judgeBeyond(
  { exchanges }: Trace,
  steps: readonly Step[],
  policy: RateLimitPolicy,
): Generator<Finding> {
  const beyond = exchanges.filter(({ intent }) => intent.kind === 'beyond');
  const [first] = beyond;
  const before = steps.findLast(
    ({ reading }) => first !== undefined && reading.exchange.index < first.index,
  );
  if (before === undefined || before.remaining !== 0) return;
  const id = requirementId.rateLimit('exceeded');
  let late = countsLate(steps) ? 1 : 0;
  for (const { outcome, index, endedAt } of beyond) {
    if (!isSameTime(outcome, before, endedAt)) return;
    const status = outcome.kind === 'answered' ? outcome.response.status : undefined;
    if (status === policy.status) yield passed(id, index);
    else if (status !== undefined && status < 300 && late > 0) late -= 1;
    else {
      const received =
        outcome.kind === 'answered' ? describeResponse(outcome.response) : outcome.error.message;
      yield failed(id, index, `${policy.status}: nothing was left`, received, [
        before.reading.exchange.index,
      ]);
    }
  }
}

/** The window that had nothing left is not over, by the response's own clock. */
function isSameTime(outcome: Outcome, { reset }: Step, endedAt: number): boolean {
  if (outcome.kind !== 'answered') return true;
  return reset !== undefined && (readDate(outcome.response) ?? endedAt) < reset * 1000;
}

/** Remaining tells what was left before the request: the last one served sees a 0 ahead of it. */
function countsLate(steps: readonly Step[]): boolean {
  return steps.some(
    (step) =>
      !step.limited &&
      step.reading.succeeded &&
      step.remaining !== undefined &&
      step.remaining === step.limit,
  );
}

/** The first request after the wait is served; another 429 in a later window counts if `steady`. */
function* judgeRetry(
  step: Step,
  later: readonly Step[],
  policy: RateLimitPolicy,
  steady: boolean,
): Generator<Finding> {
  const id = requirementId.rateLimit('retry-after');
  const text = headerOf(step.reading.response, policy.headers.retryAfter);
  if (text === undefined) return;
  const { exchange } = step.reading;
  const wait = readRetryAfter(step.reading.response, policy.headers.retryAfter, exchange.endedAt);
  if (wait === undefined) {
    yield failed(id, exchange.index, 'seconds or an HTTP-date', text);
    return;
  }
  const next = later.find(
    ({ reading }) =>
      reading.exchange.sentAt >= exchange.endedAt + wait &&
      (exchange.group === undefined || reading.exchange.group !== exchange.group),
  );
  if (next === undefined) return;
  const { index } = next.reading.exchange;
  if (!next.limited) {
    yield passed(id, index);
    yield* judgeReturn(step, next, policy);
  } else if (isOver(step, next)) {
    if (steady)
      yield failed(
        requirementId.rateLimit('returns'),
        index,
        'requests to spend after Reset',
        `${next.reading.response.status} again`,
        [exchange.index],
      );
  } else
    yield failed(
      id,
      index,
      `a served request ${wait / 1000} seconds after the 429, as Retry-After says`,
      `${next.reading.response.status} again`,
      [exchange.index],
    );
}

/** The window that a response spoke of was over when another one came. */
function isOver(step: Step, next: Step): boolean {
  const date = readDate(next.reading.response) ?? next.reading.exchange.endedAt;
  return step.reset === undefined || date >= step.reset * 1000;
}

/** After the window there are requests again, unless the target gives them back one by one. */
function* judgeReturn(step: Step, next: Step, policy: RateLimitPolicy): Generator<Finding> {
  const id = requirementId.rateLimit('returns');
  const { index, endedAt } = next.reading.exchange;
  if (!isOver(step, next)) return;
  const ahead = (next.reset ?? 0) * 1000 - (readDate(next.reading.response) ?? endedAt);
  const isLong = ahead > (policy.windows[0]?.seconds ?? 0) * 500;
  if (next.remaining === 0 && (next.limit ?? 0) > 1 && isLong) {
    yield failed(
      id,
      index,
      `requests left of ${next.limit} in the new window`,
      `${policy.headers.remaining} 0`,
      [step.reading.exchange.index],
    );
  } else yield passed(id, index);
}
