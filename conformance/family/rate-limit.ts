import {
  requirementId,
  type Drafts,
  type RateLimitFacet,
  draftsOf,
} from '../judge/trace/requirement.ts';
import type { RatePlan, RateLimitPolicy } from '../../contract/openapi/rate-limit.ts';
import { largest, smallest } from '../../contract/list/list.ts';
import { headerOf, statusOf, type Exchange, type Outcome } from '../transport/exchange.ts';
import {
  readDate,
  readRateLimit,
  readRetryAfter,
  type RateLimitReading,
} from '../transport/pacing.ts';
import { excused, failed, judged, passed, unclear, type Finding } from '../judge/trace/finding.ts';
import { mayBeOfProxy } from '../judge/trace/refusal.ts';
import type { Reading, Trace } from '../judge/trace/trace.ts';
import { describeResponse } from '../judge/trace/words.ts';

const sentences: readonly (readonly [RateLimitFacet, string])[] = [
  [
    'headers',
    'A response with a status that the operation does not list also has the rate-limit headers.',
  ],
  ['remaining-within-limit', 'Remaining is never greater than Limit.'],
  ['remaining-counts', 'Remaining decreases as requests are made in one window.'],
  ['remaining-monotonic', 'Remaining never increases within one window.'],
  ['reset-plausible', 'Reset is the end of the current window, as a Unix time in seconds.'],
  ['plan', 'Limit is the limit that the plan of the key has for one of the windows.'],
  ['exceeded', 'A request over the limit gets a 429, and no request before it does.'],
  [
    'retry-after',
    'Retry-After of a 429 says when to try again, and a request sent then is served.',
  ],
  ['returns', 'After Reset, the requests of the window are available again.'],
];

export function* listRateLimitRequirements(policy: RateLimitPolicy | undefined): Drafts {
  if (!policy) return;
  const draft = draftsOf({ id: '*', pointer: policy.pointer });
  for (const [facet, sentence] of sentences) yield draft({ kind: 'rate-limit', facet }, sentence);
}

export function* judgeRateLimit(trace: Trace): Generator<Finding> {
  const steps = listSteps(trace);
  yield* judgeHeaders(steps, trace.plan);
  const own = steps.filter(hasKey);
  yield* judgeLimit(own, trace.exchanges);
  yield* judgeServed(own);
  yield* judgeWindows(own);
}

/**
 * Milliseconds by which two clocks of a target may differ, and Reset may be before `Date`: rounding,
 * and slow responses.
 */
const slack = 5000;

/** Judges the rate-limit headers: each response for itself, and those to the key in their order. */
export function* judgeHeaders(
  steps: readonly Step[],
  plan: RatePlan | undefined,
): Generator<Finding> {
  for (const step of steps) {
    yield* judgeWithinLimit(step);
    yield* judgeReset(step);
    yield* judgeUnlisted(step);
    yield* doubtLimited(step);
    if (hasKey(step)) yield* judgePlan(step, plan);
  }
  yield* judgeCounts(steps.filter(hasKey));
}

function* judgeWithinLimit({ limit, remaining, reading, policy }: Step): Generator<Finding> {
  if (limit === undefined || remaining === undefined) return;
  const id = requirementId.rateLimit('remaining-within-limit');
  const expected = `${policy.headers.remaining} of at most ${limit}`;
  yield judged(remaining <= limit, id, reading.index, expected, String(remaining));
}

function* judgeReset(step: Step): Generator<Finding> {
  const { reading, reset, now, dated, limited, planned, policy } = step;
  if (reset === undefined) return;
  const { index, sentAt, endedAt } = reading.exchange;
  const all = largest(policy.windows.map((window) => window.seconds)) * 1000;
  // A 429 may announce a longer wait than its window: requests over the limit can prolong the wait.
  const isUnplanned = limited || !hasKey(step) || planned === undefined;
  const longest = isUnplanned ? all : planned * 1000;
  const unsure = slack + (endedAt - sentAt) + (dated ? 0 : all);
  const ahead = reset * 1000 - now;
  const id = requirementId.rateLimit('reset-plausible');
  if (ahead >= -unsure && ahead <= longest + unsure) yield passed(id, index);
  else {
    const expected = `a Unix time in seconds, not before ${new Date(now).toISOString()} and at most ${longest / 1000} seconds ahead`;
    const seconds = Math.abs(Math.round(ahead / 1000));
    const received = `${reset}, ${seconds} seconds ${ahead < 0 ? 'in the past' : 'ahead'}`;
    yield failed(id, index, expected, received);
  }
}

/** Responses of a status that the operation does not list: they carry the headers as well. */
function* judgeUnlisted({ reading, policy: { headers } }: Step): Generator<Finding> {
  const { documented, response, exchange } = reading;
  if (documented !== undefined || mayBeOfProxy(reading)) return;
  const missing = [headers.limit, headers.remaining, headers.reset].filter(
    (name) => headerOf(response, name) === undefined,
  );
  const id = requirementId.rateLimit('headers');
  const received = `a ${response.status} without ${missing.join(', ')}`;
  yield judged(missing.length === 0, id, exchange.index, 'the rate-limit headers', received);
}

/** A 429 without Retry-After fails the header's own requirement; another window may be used up. */
function* doubtLimited({ reading, limited, remaining = 0, policy }: Step): Generator<Finding> {
  const { headers } = policy;
  const { response, exchange } = reading;
  if (!limited) return;
  const retry = `a ${response.status} without ${headers.retryAfter}`;
  if (!headerOf(response, headers.retryAfter))
    yield unclear(requirementId.rateLimit('retry-after'), exchange.index, retry);
  const early = `a ${response.status} with ${headers.remaining} ${remaining}, which may be of another window`;
  if (remaining > 0) yield excused(requirementId.rateLimit('exceeded'), exchange.index, early);
}

/** Limit is one of the plan's, for whichever window the target speaks of. */
function* judgePlan(
  { reading, limit, policy: { headers } }: Step,
  plan: RatePlan | undefined,
): Generator<Finding> {
  if (plan?.limits === undefined || limit === undefined) return;
  const limits = [...plan.limits.values()];
  const id = requirementId.rateLimit('plan');
  const expected = `${headers.limit} ${limits.join(' or ')}, as in the plan ${plan.name}`;
  yield judged(limits.includes(limit), id, reading.index, expected, String(limit));
}

/**
 * Judges the requests with the key that were served in one and the same window, whatever Remaining
 * says of them: more than the limit is over the limit, whichever requests are counted.
 */
export function* judgeServed(steps: readonly Step[]): Generator<Finding> {
  const announced = steps.filter(({ limit, reset }) => limit !== undefined && reset !== undefined);
  const windows = Map.groupBy(announced, ({ limit, reset }) => `${limit} ${reset}`);
  for (const window of windows.values()) {
    const served = window.filter(isServed);
    const over = served.filter((step) => !step.dated || isBeforeEnd(step))[
      limitOf(window) + Math.ceil(refillWithin(served, steps))
    ];
    const [first] = served;
    if (!over || !first) continue;
    const expected = `${over.policy.status} after ${over.limit} requests in one window`;
    const received = `${served.length} served, this one with ${describeResponse(over.reading.response)}`;
    const { index } = over.reading;
    const others = [first.reading.index];
    yield failed(requirementId.rateLimit('exceeded'), index, expected, received, others);
  }
}

/** The limit of a window; none where Remaining is above it, so that it is no limit at all. */
function limitOf(window: readonly Step[]): number {
  const isKept = window.every(({ remaining = 0, limit = 0 }) => remaining <= limit);
  return isKept ? (window[0]?.limit ?? Infinity) : Infinity;
}

/**
 * Judges the ends of windows. Where more is left than a window that slides could have, and than a
 * refill one by one could give back, a new window has begun since the response before: that window
 * has the length of the plan, and the one before was to end then.
 */
function* judgeWindows(steps: readonly Step[]): Generator<Finding> {
  const latest = new Map<number, Step>();
  for (const [index, step] of steps.entries()) {
    const { limit, planned, reading } = step;
    if (limit === undefined || planned === undefined || !reading.isAlone) continue;
    const before = latest.get(limit);
    latest.set(limit, step);
    if (before && hasBegun(before, step, steps.slice(0, index + 1)))
      yield* judgeBeginning(before, step);
  }
}

function hasBegun(before: Step, step: Step, all: readonly Step[]): boolean {
  const { limit = 0, remaining = 0, seconds } = step;
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

function* judgeBeginning(before: Step, step: Step): Generator<Finding> {
  const { seconds, reading } = step;
  const { index } = reading;
  const others = [before.reading.index];
  const [announced = 0, next = 0] = [before.reset, step.reset];
  const early = announced * 1000 - step.now;
  if (early > slack) {
    const expected = `no new window before ${announced}, the announced end of the previous window`;
    const received = `${step.remaining} of ${step.limit} remaining, ${Math.round(early / 1000)} seconds earlier`;
    yield failed(requirementId.rateLimit('reset-plausible'), index, expected, received, others);
  }
  const begun = announced * 1000 <= step.now ? Math.max(before.now, announced * 1000) : before.now;
  const long = next * 1000 - begun;
  if (next * 1000 > step.now && long < seconds * 1000 - slack) {
    const expected = `${step.limit} requests in ${seconds} seconds, as in the plan`;
    const received = `${step.remaining} of ${step.limit} remaining in a new window of at most ${Math.round(long / 1000)} seconds`;
    yield failed(requirementId.rateLimit('plan'), index, expected, received, others);
  }
}

// What one response says of the limit

export interface Step extends RateLimitReading {
  readonly reading: Reading;
  /** When it was answered by the target's clock, else by the suite's: Unix milliseconds. */
  readonly now: number;
  readonly dated: boolean;
  readonly limited: boolean;
  /** Length of the window that the plan gives Limit for; undefined where it does not say. */
  readonly planned: number | undefined;
  /** The same, or the length of the shortest window. */
  readonly seconds: number;
  /** Milliseconds that Retry-After asks for; undefined where it is not there, or malformed. */
  readonly wait: number | undefined;
  readonly policy: RateLimitPolicy;
}

export function listSteps({ contract, readings, limited, plan }: Trace): readonly Step[] {
  const policy = contract.rateLimit;
  if (policy === undefined) return [];
  const refused = new Set(limited);
  return [...readings, ...limited]
    .toSorted((a, b) => a.index - b.index)
    .map((reading) => {
      const date = readDate(reading.response);
      const quota = readRateLimit(reading.response, policy.headers);
      const planned = planSeconds(quota.limit, policy, plan);
      return {
        reading,
        now: date ?? reading.exchange.endedAt,
        dated: date !== undefined,
        limited: refused.has(reading),
        planned,
        seconds: planned ?? shortestOf(policy),
        wait: readRetryAfter(reading.response, policy.headers.retryAfter, reading.exchange.endedAt),
        policy,
        ...quota,
      };
    });
}

export function hasKey({ reading }: Step): boolean {
  return reading.hasKey;
}

export function isServed({ reading, limited }: Step): boolean {
  return reading.succeeded && !limited;
}

/** Seconds of the window that the plan gives this limit for; undefined where that is not one. */
function planSeconds(
  limit: number | undefined,
  { windows }: RateLimitPolicy,
  plan: RatePlan | undefined,
): number | undefined {
  const fitting = windows.filter(({ name }) => plan?.limits?.get(name) === limit);
  return limit !== undefined && fitting.length === 1 ? fitting[0]?.seconds : undefined;
}

/** A window that ends a fixed time after each response gives requests back all the time. */
function isSliding(steps: readonly Step[]): boolean {
  const ends = [...new Set(steps.flatMap(({ reset }) => reset ?? []))].toSorted((a, b) => a - b);
  const shortest = smallest(steps.slice(0, 1).map(({ policy }) => shortestOf(policy)));
  // Of windows that follow each other no three end within the length of one.
  return ends.some((end, place) => (ends[place + 2] ?? Infinity) - end < shortest);
}

function shortestOf({ windows }: RateLimitPolicy): number {
  return smallest(windows.map((window) => window.seconds));
}

/** Requests that a limit may give back one by one in so many seconds. */
function refillOf(elapsed: number, { limit = 0, seconds }: Step): number {
  return (elapsed * limit) / seconds;
}

/** Milliseconds by which responses of one second and their times may differ. */
const sameSecond = 2000;

/**
 * Requests that a window may have got back between responses that tell one Reset. What gives them
 * back moves its Reset: over two seconds and more by the target's clock, one Reset means one window.
 * Within less it may be one by one, or as many as were sent one window before. `all`: the steps of
 * the run with the key.
 */
function refillWithin(steps: readonly Step[], all: readonly Step[]): number {
  const [first, last] = [steps[0], steps.at(-1)];
  if (!first || !last) return 0;
  if (first.dated && last.dated && last.now - first.now >= sameSecond) return 0;
  const [from, to] = [first.reading.exchange.sentAt, last.reading.exchange.endedAt];
  const leaving = (isOnClock(all) ? [] : all).filter(({ reading }) => {
    const since = reading.exchange.sentAt + first.seconds * 1000;
    return since >= from - sameSecond && since <= to + sameSecond;
  });
  return refillOf((to - from) / 1000, first) + leaving.length + 1;
}

/** Windows that all end with a full one of the clock do not slide: nothing leaves them before. */
function isOnClock(all: readonly Step[]): boolean {
  const ends = new Set(all.flatMap(({ reset }) => reset ?? []));
  const shortest = smallest(all.map(({ seconds }) => seconds));
  return ends.size > 1 && [...ends].every((reset) => reset % shortest === 0);
}

/** Clearly within the announced window: around Reset the next one may have the same second. */
function isBeforeEnd({ dated, now, reset = 0 }: Step): boolean {
  return dated && now < reset * 1000 - sameSecond;
}

// Remaining, from one response to the next

interface Count extends Step {
  readonly limit: number;
  readonly remaining: number;
}

/** Judges what Remaining says from one response to the key to the next, by its Limit and Reset. */
function* judgeCounts(own: readonly Step[]): Generator<Finding> {
  const counts = listCounts(own);
  if (isSliding(counts)) yield* judgeStanding(counts);
  else
    for (const series of listSeries(counts)) {
      yield* judgeCounting(series, own);
      yield* judgeFalling(series, own);
    }
}

/** The responses that tell a whole quota, none beside another. */
function listCounts(own: readonly Step[]): readonly Count[] {
  return own.flatMap((step): readonly Count[] => {
    const { limit, remaining, reset, reading } = step;
    const isUnsure = limit === undefined || remaining === undefined || reset === undefined;
    return isUnsure || !reading.isAlone ? [] : [{ ...step, limit, remaining }];
  });
}

function listSeries(counts: readonly Count[]): readonly (readonly Count[])[] {
  return [...Map.groupBy(counts, ({ limit, reset }) => `${limit} ${reset}`).values()];
}

/** Whatever moves Reset: so many requests in so short a time lower Remaining once at least. */
function* judgeStanding(all: readonly Count[]): Generator<Finding> {
  for (const counts of Map.groupBy(all, ({ limit }) => limit).values()) {
    const served = counts.filter(isServed);
    const [first, last] = [served[0], served.at(-1)];
    if (hasDrop(counts) || !first || !last || served.length < 10) continue;
    const { exchange: begun } = first.reading;
    const { exchange: ended } = last.reading;
    const seconds = (ended.endedAt - begun.sentAt) / 1000;
    if (refillOf(seconds, first) + 1 >= served.length - 1) continue;
    const expected = `${first.policy.headers.remaining} below ${first.remaining} after ${served.length} served requests in ${seconds} seconds`;
    const id = requirementId.rateLimit('remaining-counts');
    yield failed(id, ended.index, expected, String(last.remaining), [begun.index]);
  }
}

function hasDrop(counts: readonly Count[]): boolean {
  return counts.some(
    (count, index) => index > 0 && count.remaining < (counts[index - 1]?.remaining ?? 0),
  );
}

/** Served requests lower Remaining, once there are more of them than any refill could explain. */
function* judgeCounting(series: readonly Count[], own: readonly Step[]): Generator<Finding> {
  const served = series.filter(isServed);
  const [first, last] = [served[0], served.at(-1)];
  if (first === undefined || last === undefined || served.length < 5) return;
  const id = requirementId.rateLimit('remaining-counts');
  const drops = hasDrop(served);
  const stretches = drops ? listStretches(series) : [served];
  const least = drops ? certainStanding : 0;
  const fault = stretches.find(
    (stretch) =>
      stretch.length >= least &&
      // What is served though nothing is left fails `exceeded`.
      !(drops && stretch[0]?.remaining === 0) &&
      refillWithin(stretch, own) < stretch.length - 1,
  );
  const [begun, ended] = [fault?.[0], fault?.at(-1)];
  if (fault !== undefined && begun !== undefined && ended !== undefined) {
    const expected = `${begun.policy.headers.remaining} below ${begun.remaining} after ${fault.length} served requests in one window`;
    const { index } = ended.reading.exchange;
    const others = [begun.reading.index];
    yield failed(id, index, expected, String(ended.remaining), others);
    return;
  }
  if (!drops) return;
  const again = stretches.find(({ length }) => length > longestStanding)?.[longestStanding];
  if (again === undefined) return yield passed(id, last.reading.index);
  const reason = `Remaining ${again.remaining} again, after ${longestStanding} served requests`;
  yield unclear(id, again.reading.index, reason);
}

/** Requests by which a count may lag behind, as one that several servers share, or a cache. */
const longestStanding = 8;

/**
 * Served requests in a row after which an unchanged Remaining is none that lags. Which requests count
 * is open, but some of so many do that keep the contract and were served.
 */
const certainStanding = 20;

function listStretches(series: readonly Count[]): readonly (readonly Count[])[] {
  const stretches: Count[][] = [];
  let remaining: number | undefined;
  for (const count of series) {
    if (count.remaining !== remaining) stretches.push([]);
    remaining = count.remaining;
    if (isServed(count)) stretches.at(-1)?.push(count);
  }
  return stretches;
}

/**
 * One small rise may be a count that several servers share; many are a count that goes up, and a
 * large one that lasts is a count that was lost.
 */
function* judgeFalling(series: readonly Count[], own: readonly Step[]): Generator<Finding> {
  const rises = listRises(series);
  const last = series.at(-1);
  const id = requirementId.rateLimit('remaining-monotonic');
  const [first] = rises;
  if (first === undefined) {
    if (last !== undefined && series.length > 1) yield passed(id, last.reading.index);
    return;
  }
  const sum = rises.reduce((all, { by }) => all + by, 0);
  const isFrequent = rises.length * 4 >= series.length - 1;
  const isMany = rises.length >= 3 && (isFrequent || sum > refillWithin(series, own) + 1);
  const { before, rise } = (isMany ? first : rises.find((each) => isLost(each, own))) ?? {};
  if (rise !== undefined && before !== undefined) {
    const expected = `at most ${before.remaining}, as before in the same window`;
    const earlier = before.reading.index;
    yield failed(id, rise.reading.index, expected, String(rise.remaining), [earlier]);
    return;
  }
  const seen = `Remaining rose from ${first.before.remaining} in request ${first.before.reading.index + 1} to ${first.rise.remaining} in the same window`;
  const reason = `${seen}; too few increases to prove that the count goes up`;
  yield unclear(id, first.rise.reading.index, reason);
}

interface Rise {
  readonly before: Count;
  readonly rise: Count;
  /** The response that follows in the same window; undefined where none does. */
  readonly next: Count | undefined;
  readonly by: number;
}

function listRises(series: readonly Count[]): readonly Rise[] {
  return series.flatMap((rise, place) => {
    const before = series[place - 1];
    const by = before === undefined ? 0 : rise.remaining - before.remaining;
    return before === undefined || by <= 0 ? [] : [{ before, rise, by, next: series[place + 1] }];
  });
}

/** More came back at once than a count lags behind or gives back, and the next response has it, too. */
function isLost({ before, rise, next, by }: Rise, own: readonly Step[]): boolean {
  if (next === undefined || !isBeforeEnd(rise) || !isBeforeEnd(next)) return false;
  const most = refillWithin([before, rise], own) + longestStanding;
  return by > most && next.remaining - before.remaining > most;
}

/**
 * The exchanges whose repetition settles what too few of them leave unclear: those around a rise, or
 * one that was served where Remaining did not move.
 */
export function listUnsettled(own: readonly Step[]): readonly number[] {
  const counts = listCounts(own);
  if (isSliding(counts)) return [];
  for (const series of listSeries(counts)) {
    const [rise] = listRises(series);
    if (
      rise &&
      isUnclear(requirementId.rateLimit('remaining-monotonic'), judgeFalling(series, own))
    )
      return [rise.before.reading.index, rise.rise.reading.index];
    const counting = judgeCounting(series, own);
    const last = series.findLast(isServed)?.reading.index;
    if (last !== undefined && isUnclear(requirementId.rateLimit('remaining-counts'), counting))
      return [last];
  }
  return [];
}

function isUnclear(id: string, findings: Iterable<Finding>): boolean {
  return [...findings].some((each) => each.kind === 'unclear' && each.requirement === id);
}

// The limit itself

/** Judges the limit itself: 429 once nothing is left and not before, and Retry-After holds. */
function* judgeLimit(steps: readonly Step[], exchanges: readonly Exchange[]): Generator<Finding> {
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
