import { requirementId } from '../../../contract/requirement/requirement.ts';
import type { RateLimitPolicy } from '../../../contract/openapi/rate-limit.ts';
import { largest } from '../../../contract/list/list.ts';
import { headerOf } from '../../transport/exchange.ts';
import { readRetryAfter } from '../../transport/pace.ts';
import { excused, failed, passed, type Finding } from '../trace/finding.ts';
import type { Step } from './step.ts';

const day = 86_400_000;

/** Milliseconds by which a wait may be longer than the window: a margin, a whole window more. */
const margin = 120_000;

/**
 * Judges a 429 and what follows it: the first request after the wait is served; another 429 in a
 * later window counts if nobody else can have used up that window.
 */
export function* judgeRetry(
  step: Step,
  later: readonly Step[],
  policy: RateLimitPolicy,
  isOwn: (next: Step, since: Step) => boolean,
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
    const between = later.slice(0, later.indexOf(next));
    yield* judgeReturn(step, [...between, next], policy, isOwn);
  } else if (!isOver(step, next)) {
    const expected = `a served request ${wait / 1000} seconds after the 429, as Retry-After says`;
    yield failed(id, index, expected, again, others);
  } else if (isOwn(next, step)) {
    const returns = requirementId.rateLimit('returns');
    yield failed(returns, index, 'requests available after Reset', again, others);
  }
}

/** The window that a response spoke of was over when another one came. */
function isOver({ reset }: Step, next: Step): boolean {
  return reset === undefined || next.now >= reset * 1000;
}

/**
 * After the window there are requests again, half of them at least, unless the target gives them back
 * one by one, or others with the key may have used them: `later` are the responses until the first
 * that had to be served.
 */
function* judgeReturn(
  step: Step,
  later: readonly Step[],
  policy: RateLimitPolicy,
  isOwn: (next: Step, since: Step) => boolean,
): Generator<Finding> {
  const id = requirementId.rateLimit('returns');
  const next = later.at(-1);
  if (next === undefined || !isOver(step, next)) return;
  const { index } = next.reading.exchange;
  const ahead = (next.reset ?? 0) * 1000 - next.now;
  const isLong = ahead > (policy.windows[0]?.seconds ?? 0) * 500;
  const isSpent = next.remaining === 0 && (next.limit ?? 0) > 1 && isLong;
  const counts = later.flatMap(({ reset, remaining }) =>
    reset !== undefined && reset === next.reset ? (remaining ?? []) : [],
  );
  if (!isSpent || counts.some((count) => count > 0)) {
    const left = largest([next.remaining ?? Infinity, ...counts]);
    if (left >= (next.limit ?? 0) / 2 - 1) return yield passed(id, index);
    const few = `only ${left} of ${next.limit} left after Reset: a window that slides does that, or others used the rest`;
    return yield excused(id, index, few);
  }
  const others = [step.reading.exchange.index];
  const received = `${policy.headers.remaining} 0`;
  if (isOwn(next, step)) {
    const expected = `requests remaining of ${next.limit} in the new window`;
    yield failed(id, index, expected, received, others);
  } else
    yield excused(id, index, `${received} in the new window, which other clients may have used`);
}

/**
 * Judges the first 429 of a run, which no ban explains: its wait ends about when the window does, in
 * whatever unit it is told, and its Reset is still to come.
 */
export function* judgeFirstRefusal(
  steps: readonly Step[],
  policy: RateLimitPolicy,
): Generator<Finding> {
  const step = steps.find(({ limited }) => limited);
  const before = steps[steps.findIndex(({ limited }) => limited) - 1];
  if (step?.reset === undefined || before === undefined) return;
  const { exchange, response } = step.reading;
  const text = headerOf(response, policy.headers.retryAfter) ?? '';
  const wait = readRetryAfter(response, policy.headers.retryAfter, exchange.endedAt);
  if (wait === undefined) return;
  const ahead = Math.max(0, step.reset * 1000 - step.now);
  const { index } = exchange;
  if (!isPlausible(text, wait, ahead, step.now, policy)) {
    const expected = `a wait of about ${Math.ceil(ahead / 1000)} seconds, until ${policy.headers.reset}`;
    yield failed(requirementId.rateLimit('retry-after'), index, expected, text);
  }
  if (step.dated && isPast(step) && isPast(before) && wait > 5000) {
    const expected = `a time in the future: no requests remain, and ${policy.headers.retryAfter} is ${text}`;
    const received = `${step.reset}, ${Math.round((step.now - step.reset * 1000) / 1000)} seconds in the past`;
    yield failed(requirementId.rateLimit('reset-plausible'), index, expected, received);
  }
}

function isPast({ reset = Infinity, now }: Step): boolean {
  return reset * 1000 <= now;
}

/** The unit of Retry-After is open: seconds, milliseconds, or a time. A window is at most so long. */
function isPlausible(
  text: string,
  wait: number,
  ahead: number,
  now: number,
  { windows }: RateLimitPolicy,
): boolean {
  const longest = largest(windows.map(({ seconds }) => seconds)) * 1000;
  if (wait <= longest + margin) return true;
  const isWhole = /^\d+$/.test(text);
  const asTime = [Number(text), Number(text) * 1000];
  return (
    isWhole &&
    (Number(text) <= ahead + margin || asTime.some((time) => Math.abs(time - now) <= 2 * day))
  );
}
