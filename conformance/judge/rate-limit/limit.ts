import { requirementId, type RateLimitPolicy } from '../../../contract/index.ts';
import { headerOf, type Exchange, type Outcome } from '../../transport/exchange.ts';
import { readDate, readRetryAfter } from '../../transport/pace.ts';
import { failed, judged, passed, type Finding } from '../trace/finding.ts';
import { describeResponse } from '../trace/words.ts';
import type { Step } from './step.ts';

/** Judges the limit itself: 429 once nothing is left and not before, and Retry-After holds. */
export function* judgeLimit(
  steps: readonly Step[],
  policy: RateLimitPolicy,
  exchanges: readonly Exchange[],
): Generator<Finding> {
  const steady = isSteady(steps);
  for (const [index, step] of steps.entries()) {
    yield* judgeEarly(step, policy);
    if (step.limited) yield* judgeRetry(step, steps.slice(index + 1), policy, steady);
  }
  if (steady) yield* judgeBeyond(exchanges, steps, policy);
}

/** Nobody else uses the key: of many responses in a window each takes at most 1. */
function isSteady(steps: readonly Step[]): boolean {
  const pairs = steps.flatMap((step, index) => {
    const before = steps[index - 1];
    const inOrder = before && isAlone(step) && isAlone(before) && !step.limited;
    if (!inOrder || !isSameWindow(before, step)) return [];
    return [(before.remaining ?? 0) - (step.remaining ?? 0)];
  });
  return pairs.length >= 10 && pairs.every((drop) => drop === 0 || drop === 1);
}

function isAlone({ reading }: Step): boolean {
  return reading.exchange.group === undefined;
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
  { reading, remaining, reset, limited, now }: Step,
  policy: RateLimitPolicy,
): readonly Finding[] {
  if (!limited || remaining === undefined || reset === undefined) return [];
  const id = requirementId.rateLimit('exceeded');
  const { response, exchange } = reading;
  if (remaining === 0) return [passed(id, exchange.index)];
  const ahead = reset * 1000 - now;
  const wait = readRetryAfter(response, policy.headers.retryAfter, exchange.endedAt) ?? Infinity;
  const isShortest = ahead <= (policy.windows[0]?.seconds ?? 0) * 1000 + 1000;
  if (!isShortest || wait > ahead + 1000) return [];
  const expected = `no ${response.status} while ${remaining} requests are left`;
  const received = `${response.status} with ${policy.headers.remaining} ${remaining}`;
  return [failed(id, exchange.index, expected, received)];
}

/** Requests sent when nothing was left, in a window that goes on, get 429 and nothing else. */
function* judgeBeyond(
  exchanges: readonly Exchange[],
  steps: readonly Step[],
  policy: RateLimitPolicy,
): Generator<Finding> {
  const beyond = exchanges.filter(({ intent }) => intent.kind === 'beyond');
  const start = beyond[0]?.index ?? 0;
  const before = steps.findLast(({ reading }) => reading.exchange.index < start);
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
      const others = [before.reading.exchange.index];
      yield failed(id, index, `${policy.status}: nothing was left`, received, others);
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
    ({ limited, reading, remaining, limit }) =>
      !limited && reading.succeeded && remaining !== undefined && remaining === limit,
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
  const { exchange, response } = step.reading;
  const text = headerOf(response, policy.headers.retryAfter);
  if (text === undefined) return;
  const wait = readRetryAfter(response, policy.headers.retryAfter, exchange.endedAt);
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
  const again = `${next.reading.response.status} again`;
  const others = [exchange.index];
  if (!next.limited) {
    yield passed(id, index);
    yield* judgeReturn(step, next, policy);
  } else if (!isOver(step, next)) {
    const expected = `a served request ${wait / 1000} seconds after the 429, as Retry-After says`;
    yield failed(id, index, expected, again, others);
  } else if (steady) {
    const returns = requirementId.rateLimit('returns');
    yield failed(returns, index, 'requests to spend after Reset', again, others);
  }
}

/** The window that a response spoke of was over when another one came. */
function isOver({ reset }: Step, next: Step): boolean {
  return reset === undefined || next.now >= reset * 1000;
}

/** After the window there are requests again, unless the target gives them back one by one. */
function* judgeReturn(step: Step, next: Step, policy: RateLimitPolicy): Generator<Finding> {
  const id = requirementId.rateLimit('returns');
  if (!isOver(step, next)) return;
  const { index } = next.reading.exchange;
  const ahead = (next.reset ?? 0) * 1000 - next.now;
  const isLong = ahead > (policy.windows[0]?.seconds ?? 0) * 500;
  const isSpent = next.remaining === 0 && (next.limit ?? 0) > 1 && isLong;
  const expected = `requests left of ${next.limit} in the new window`;
  const others = [step.reading.exchange.index];
  yield judged(!isSpent, id, index, expected, `${policy.headers.remaining} 0`, others);
}
