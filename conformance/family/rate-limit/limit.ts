import { largest } from '../../../contract/list/list.ts';
import { requirementId } from '../../judge/trace/requirement.ts';
import { headerOf, statusOf, type Exchange, type Outcome } from '../../transport/exchange.ts';
import { readDate, readRateLimit } from '../../transport/pacing.ts';
import { excused, failed, passed, type Finding } from '../../judge/trace/finding.ts';
import { describeResponse } from '../../judge/trace/words.ts';
import { isServed, isSliding, refillOf, type Step } from './step.ts';

/** Judges the limit itself: 429 once nothing is left and not before, and Retry-After holds. */
export function* judgeLimit(
  steps: readonly Step[],
  exchanges: readonly Exchange[],
): Generator<Finding> {
  const start = exchanges.find(({ intent }) => intent.kind === 'beyond')?.index ?? Infinity;
  const drops = listDrops(steps.filter(({ reading }) => reading.index < start));
  const isMany = drops.length >= 10;
  const steady = isMany && drops.slice(-10).every((drop) => drop === 0 || drop === 1);
  const rate = drops.reduce((sum, drop) => sum + Math.max(0, drop - 1), 0) / secondsOf(steps);
  // What others would use up of a new window until then, at twice the rate that was seen.
  const isOwn = (next: Step, { reset = 0 }: Step): boolean =>
    isMany && 2 * rate * (Math.max(0, next.now / 1000 - reset) + 1) < (next.limit ?? 0) / 2;
  for (const [index, step] of steps.entries()) {
    if (step.limited) {
      yield* judgeEarly(step);
      yield* judgeRetry(step, steps.slice(index + 1), isOwn);
    }
  }
  yield* judgeFirstRefusal(steps);
  for (const round of listRounds(exchanges, steps)) {
    if (steady) yield* judgeBeyond(round, steps);
    else yield* judgeManyBeyond(round);
  }
}

/** What each response took of Remaining, of those that speak of the window of the one before. */
function listDrops(steps: readonly Step[]): readonly number[] {
  return steps.flatMap((step, index) => {
    const before = steps[index - 1];
    const inOrder = before?.reading.isAlone && step.reading.isAlone && !step.limited;
    if (!inOrder || !isSameWindow(before, step)) return [];
    return [(before.remaining ?? 0) - (step.remaining ?? 0)];
  });
}

/** Seconds in which requests came to a target, without the waits. */
function secondsOf(steps: readonly Step[]): number {
  const pauses = steps.map((step, index) => {
    const before = steps[index - 1];
    return before ? step.reading.exchange.endedAt - before.reading.exchange.endedAt : 0;
  });
  const own = pauses.filter((pause) => pause < 5000).reduce((sum, pause) => sum + pause, 0);
  return Math.max(1, own / 1000);
}

function isSameWindow(a: Step, b: Step): boolean {
  const known = a.limit !== undefined && a.remaining !== undefined && a.reset !== undefined;
  return known && a.limit === b.limit && a.reset === b.reset;
}

/**
 * A 429 contradicts itself if it says that requests are left in the window that is at fault: the
 * shortest, and its wait is no longer. Others may have used up what an earlier response had left.
 */
function* judgeEarly(step: Step): Generator<Finding> {
  const { reading, remaining, reset, now, wait = Infinity, policy } = step;
  if (remaining === undefined || reset === undefined) return;
  const id = requirementId.rateLimit('exceeded');
  const { status, index } = reading;
  if (remaining === 0) return yield passed(id, index);
  const ahead = reset * 1000 - now;
  const [shortest, ...longer] = policy.windows;
  const isShortest = ahead <= (shortest?.seconds ?? 0) * 1000 + 1000;
  // At midnight the day ends with the minute, and may be what is used up.
  const endsTogether = longer.some(({ seconds }) => reset % seconds === 0);
  if (!isShortest || endsTogether || wait > ahead + 1000) return;
  const expected = `no ${status} while ${remaining} requests remain`;
  yield failed(id, index, expected, `${status} with ${policy.headers.remaining} ${remaining}`);
}

/** Requests that were sent one after another when nothing was left, with what came before them. */
interface Round {
  readonly beyond: readonly Exchange[];
  readonly earlier: readonly Step[];
  /** The last response before them, which said that nothing was left. */
  readonly before: Step;
}

/** The rounds of a drive: one in each window that was used up. */
function listRounds(exchanges: readonly Exchange[], steps: readonly Step[]): readonly Round[] {
  const all = exchanges.filter(({ intent }) => intent.kind === 'beyond');
  const begins = all.filter(({ index }, place) => index !== (all[place - 1]?.index ?? -2) + 1);
  return begins.flatMap(({ index: start }, place) => {
    const end = begins[place + 1]?.index ?? Infinity;
    const earlier = steps.filter(({ reading }) => reading.index < start);
    const before = earlier.at(-1);
    if (before?.remaining !== 0) return [];
    return [{ beyond: all.filter(({ index }) => index >= start && index < end), earlier, before }];
  });
}

/** Requests sent when nothing was left, in a window that goes on, get 429 and nothing else. */
function* judgeBeyond(
  { beyond, earlier, before }: Round,
  steps: readonly Step[],
): Generator<Finding> {
  const id = requirementId.rateLimit('exceeded');
  const { policy } = before;
  const seconds = ((beyond.at(-1)?.endedAt ?? 0) - before.reading.exchange.endedAt) / 1000;
  const refill = isSliding(earlier.slice(-20)) ? 1 + refillOf(seconds, before) : 0;
  let late = (countsLate(steps) ? 1 : 0) + Math.floor(refill);
  for (const { outcome, index, endedAt } of beyond) {
    if (!isSameTime(outcome, before, endedAt)) return;
    const status = outcome.kind === 'answered' ? outcome.response.status : undefined;
    if (status === policy.status) yield passed(id, index);
    else if (status !== undefined && status < 300 && late > 0) late -= 1;
    else {
      const received =
        outcome.kind === 'answered' ? describeResponse(outcome.response) : outcome.error.message;
      const others = [before.reading.index];
      yield failed(id, index, `${policy.status}: no requests remained`, received, others);
    }
  }
}

/**
 * Others who use the key can only take from what is left: where nothing was, and the window goes on,
 * one more may be counted late, but not so many that no refill explains them.
 */
function* judgeManyBeyond({ beyond, before }: Round): Generator<Finding> {
  const served = beyond.filter((each) => (statusOf(each) ?? 500) < 300 && isToldBy(each, before));
  const last = served.at(-1);
  if (last === undefined) return;
  const seconds = (last.endedAt - before.reading.exchange.endedAt) / 1000;
  if (served.length <= refillOf(seconds, before) + 2) return;
  const id = requirementId.rateLimit('exceeded');
  const received = `${served.length} served when no requests remained`;
  const others = [before.reading.index];
  yield failed(id, last.index, `${before.policy.status}: no requests remained`, received, others);
}

/** A response of the window that had nothing left, which is not over. */
function isToldBy({ outcome, endedAt }: Exchange, before: Step): boolean {
  if (outcome.kind !== 'answered' || !isSameTime(outcome, before, endedAt)) return false;
  const { limit, reset } = readRateLimit(outcome.response, before.policy.headers);
  return limit === before.limit && reset === before.reset;
}

/** The window that had nothing left is not over, by the response's own clock. */
function isSameTime(outcome: Outcome, { reset }: Step, endedAt: number): boolean {
  if (outcome.kind !== 'answered') return true;
  return reset !== undefined && (readDate(outcome.response) ?? endedAt) < reset * 1000;
}

/** Remaining is what was left before the request: the last one served sees a 0 ahead of it. */
function countsLate(steps: readonly Step[]): boolean {
  return steps.some(
    (step) => isServed(step) && step.remaining !== undefined && step.remaining === step.limit,
  );
}

const day = 86_400_000;

/** Milliseconds by which a wait may be longer than the window: a margin, a whole window more. */
const margin = 120_000;

/**
 * Judges a 429 and what follows it: the first request after the wait is served; another 429 in a
 * later window counts if nobody else can have used up that window.
 */
function* judgeRetry(
  step: Step,
  later: readonly Step[],
  isOwn: (next: Step, since: Step) => boolean,
): Generator<Finding> {
  const id = requirementId.rateLimit('retry-after');
  const { wait, policy } = step;
  const { exchange, response } = step.reading;
  const text = headerOf(response, policy.headers.retryAfter);
  if (text === undefined) return;
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
  const { index } = next.reading;
  const again = `${next.reading.response.status} again`;
  const others = [exchange.index];
  if (!next.limited) {
    yield passed(id, index);
    const between = later.slice(0, later.indexOf(next));
    yield* judgeReturn(step, [...between, next], isOwn);
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
  isOwn: (next: Step, since: Step) => boolean,
): Generator<Finding> {
  const id = requirementId.rateLimit('returns');
  const next = later.at(-1);
  if (next === undefined || !isOver(step, next)) return;
  const { policy } = next;
  const { index } = next.reading;
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
  const others = [step.reading.index];
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
function* judgeFirstRefusal(steps: readonly Step[]): Generator<Finding> {
  const step = steps.find(({ limited }) => limited);
  const before = steps[steps.findIndex(({ limited }) => limited) - 1];
  if (step?.reset === undefined || before === undefined) return;
  const { wait, policy, reading } = step;
  const text = headerOf(reading.response, policy.headers.retryAfter) ?? '';
  if (wait === undefined) return;
  const ahead = Math.max(0, step.reset * 1000 - step.now);
  const { index } = reading;
  if (!isPlausible(text, wait, ahead, step)) {
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
function isPlausible(text: string, wait: number, ahead: number, { now, policy }: Step): boolean {
  const longest = largest(policy.windows.map(({ seconds }) => seconds)) * 1000;
  if (wait <= longest + margin) return true;
  const isWhole = /^\d+$/.test(text);
  const asTime = [Number(text), Number(text) * 1000];
  return (
    isWhole &&
    (Number(text) <= ahead + margin || asTime.some((time) => Math.abs(time - now) <= 2 * day))
  );
}
