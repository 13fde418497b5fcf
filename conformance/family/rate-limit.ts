import {
  requirementId,
  type Drafts,
  type RateLimitFacet,
  draftsOf,
} from '../judge/trace/requirement.ts';
import type { RatePlan, RateLimitPolicy } from '../../contract/openapi/rate-limit.ts';
import { largest, smallest } from '../../contract/list/list.ts';
import { headerOf, type Exchange } from '../transport/exchange.ts';
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

/** Judges the rate-limit headers, in each response and across responses, and the limit itself. */
export function* judgeRateLimit(trace: Trace): Generator<Finding> {
  const steps = listSteps(trace);
  yield* judgeSteps(steps, trace.plan);
  const own = steps.filter(hasKey);
  yield* judgeWindows(own);
  yield* judgeBeginnings(own);
  const usage = readUsage(own, trace.exchanges);
  yield* judgeRefusals(own, usage);
  yield* judgeBeyond(own, trace.exchanges, usage);
}

// What one response says of the limit

export interface Step extends RateLimitReading {
  readonly reading: Reading;
  /** No other request was in progress at the same time. */
  readonly isAlone: boolean;
  /** Time of the response by the target's clock, else by the suite's: Unix milliseconds. */
  readonly now: number;
  readonly dated: boolean;
  readonly limited: boolean;
  /**
   * Length in seconds of the window that the plan gives for Limit; undefined if the plan has none.
   */
  readonly planned: number | undefined;
  /** The same, with the shortest window as fallback. */
  readonly seconds: number;
  /** Milliseconds that Retry-After asks for; undefined if it is missing or malformed. */
  readonly wait: number | undefined;
  readonly policy: RateLimitPolicy;
}

export function listSteps({ contract, readings, limited, plan }: Trace): readonly Step[] {
  const policy = contract.rateLimit;
  if (policy === undefined) return [];
  const shortest = smallest(policy.windows.map((window) => window.seconds));
  return [...readings, ...limited]
    .toSorted((a, b) => a.index - b.index)
    .map((reading) => {
      const { endedAt } = reading.exchange;
      const date = readDate(reading.response);
      const quota = readRateLimit(reading.response, policy.headers);
      const fitting = policy.windows.filter(({ name }) => plan?.limits?.get(name) === quota.limit);
      const planned =
        quota.limit !== undefined && fitting.length === 1 ? fitting[0]?.seconds : undefined;
      return {
        reading,
        isAlone: reading.isAlone,
        now: date ?? endedAt,
        dated: date !== undefined,
        limited: reading.status === policy.status,
        planned,
        seconds: planned ?? shortest,
        wait: readRetryAfter(reading.response, policy.headers.retryAfter, endedAt),
        policy,
        ...quota,
      };
    });
}

export function hasKey({ reading }: Step): boolean {
  return reading.hasKey;
}

function isServed({ reading, limited }: Step): boolean {
  return reading.succeeded && !limited;
}

/** Milliseconds until Reset, by the clock of the response; Infinity without Reset. */
function aheadOf({ reset = Infinity, now }: Step): number {
  return reset * 1000 - now;
}

/** Length of the longest window in milliseconds. */
function longestOf({ windows }: RateLimitPolicy): number {
  return largest(windows.map(({ seconds }) => seconds)) * 1000;
}

/**
 * Tolerance in milliseconds between two clocks of a target, and for Reset before `Date`: rounding
 * and slow responses.
 */
const slack = 5000;

/** Judges each response by itself. */
export function* judgeSteps(steps: readonly Step[], plan?: RatePlan): Generator<Finding> {
  for (const step of steps) yield* judgeStep(step, plan);
}

function* judgeStep(step: Step, plan: RatePlan | undefined): Generator<Finding> {
  const { reading, limit, remaining, reset, wait, now, dated, limited, planned, policy } = step;
  const { index, response, documented, status, exchange, hasKey: isOwn } = reading;
  const { headers } = policy;
  if (limit !== undefined && remaining !== undefined) {
    const id = requirementId.rateLimit('remaining-within-limit');
    const expected = `${headers.remaining} of at most ${limit}`;
    if (remaining <= limit) yield passed(id, index);
    else yield failed(id, index, expected, String(remaining));
  }
  if (reset !== undefined) {
    const all = longestOf(policy);
    // A 429 may announce a wait longer than its window, because requests over the limit can extend
    // it.
    const longest = limited || !isOwn || planned === undefined ? all : planned * 1000;
    const unsure = slack + (exchange.endedAt - exchange.sentAt) + (dated ? 0 : all);
    const ahead = aheadOf(step);
    const id = requirementId.rateLimit('reset-plausible');
    if (ahead >= -unsure && ahead <= longest + unsure) yield passed(id, index);
    else {
      const expected = `a Unix time in seconds, not before ${new Date(now).toISOString()} and at most ${longest / 1000} seconds ahead`;
      const seconds = Math.abs(Math.round(ahead / 1000));
      const received = `${reset}, ${seconds} seconds ${ahead < 0 ? 'in the past' : 'ahead'}`;
      yield failed(id, index, expected, received);
    }
  }
  if (documented === undefined && !mayBeOfProxy(reading)) {
    const missing = [headers.limit, headers.remaining, headers.reset].filter(
      (name) => headerOf(response, name) === undefined,
    );
    const id = requirementId.rateLimit('headers');
    const received = `a ${status} without ${missing.join(', ')}`;
    yield judged(missing.length === 0, id, index, 'the rate-limit headers', received);
  }
  // Limit must be one of the plan's limits; the target may choose the window.
  if (isOwn && plan?.limits !== undefined && limit !== undefined) {
    const limits = [...plan.limits.values()];
    const id = requirementId.rateLimit('plan');
    const expected = `${headers.limit} ${limits.join(' or ')}, as in the plan ${plan.name}`;
    yield judged(limits.includes(limit), id, index, expected, String(limit));
  }
  if (!limited) return;
  const text = headerOf(response, headers.retryAfter);
  const id = requirementId.rateLimit('retry-after');
  // A 429 without Retry-After fails the requirement of the header itself.
  if (!text) yield unclear(id, index, `a ${status} without ${headers.retryAfter}`);
  if (isOwn && text !== undefined && wait === undefined)
    yield failed(id, index, 'seconds or an HTTP-date', text);
  if (remaining !== undefined) yield judgeLeft(step, remaining);
}

/**
 * A 429 contradicts itself if requests are left in the exceeded window: the shortest one, if the
 * wait is no longer than that. Other clients may have used up what an earlier response had left.
 */
function judgeLeft(step: Step, remaining: number): Finding {
  const { reading, reset = 0, wait = Infinity, policy } = step;
  const { status, index } = reading;
  const id = requirementId.rateLimit('exceeded');
  const received = `${status} with ${policy.headers.remaining} ${remaining}`;
  const [shortest, ...longer] = policy.windows;
  const isShortest = aheadOf(step) <= (shortest?.seconds ?? 0) * 1000 + 1000;
  // At midnight the day ends together with the minute, so the day may be the exceeded window.
  const endsTogether = longer.some(({ seconds }) => reset % seconds === 0);
  const isOther = !hasKey(step) || !isShortest || endsTogether || wait > aheadOf(step) + 1000;
  if (remaining > 0 && isOther)
    return excused(id, index, `a ${received}, which may be of another window`);
  return judged(
    remaining === 0,
    id,
    index,
    `no ${status} while ${remaining} requests remain`,
    received,
  );
}

// What a limit may give back

/** A window that ends a fixed time after each response returns requests continuously. */
function isSliding(own: readonly Step[]): boolean {
  const ends = [...new Set(own.flatMap(({ reset }) => reset ?? []))].toSorted((a, b) => a - b);
  const shortest = smallest(
    own.slice(0, 1).flatMap(({ policy }) => policy.windows.map((window) => window.seconds)),
  );
  // Of consecutive fixed windows, at most two can end within the length of one.
  return ends.some((end, place) => (ends[place + 2] ?? Infinity) - end < shortest);
}

/**
 * Upper bound for the requests that a limit returns one by one between sending one request and the
 * response to another.
 */
function refillOf({ limit = 0, seconds, reading }: Step, endedAt: number): number {
  return ((endedAt - reading.exchange.sentAt) / 1000) * (limit / seconds);
}

/** Tolerance in milliseconds for responses of the same second. */
const sameSecond = 2000;

/**
 * Upper bound for the requests that a limit may have returned between the first and the last of
 * some responses. Returning requests moves Reset: the same Reset over two seconds or more of the
 * target's clock means one window. Within less, requests may return one by one, or as many as were
 * sent one window earlier. `own`: the steps of the run with the key.
 */
function refillWithin(steps: readonly Step[], own: readonly Step[]): number {
  const [first, last] = [steps[0], steps.at(-1)];
  if (!first || !last) return 0;
  const isLong = first.dated && last.dated && last.now - first.now >= sameSecond;
  if (isLong && first.reset === last.reset) return 0;
  const [from, to] = [first.reading.exchange.sentAt, last.reading.exchange.endedAt];
  const leaving = (isOnClock(own) ? [] : own).filter(({ reading }) => {
    const since = reading.exchange.sentAt + first.seconds * 1000;
    return since >= from - sameSecond && since <= to + sameSecond;
  });
  return refillOf(first, to) + leaving.length + 1;
}

/** Windows that all end on a clock boundary do not slide, so no request leaves them early. */
function isOnClock(own: readonly Step[]): boolean {
  const ends = new Set(own.flatMap(({ reset }) => reset ?? []));
  const shortest = smallest(own.map(({ seconds }) => seconds));
  return ends.size > 1 && [...ends].every((reset) => reset % shortest === 0);
}

/**
 * Whether a response is clearly within the announced window. Near Reset, the next window may have
 * begun in the same second.
 */
function isBeforeEnd(step: Step): boolean {
  return step.dated && aheadOf(step) > sameSecond;
}

// What the responses of one window say together

interface Count extends Step {
  readonly limit: number;
  readonly remaining: number;
}

/**
 * Judges the responses to the key with the same Limit and Reset: no more are served than Limit, and
 * Remaining falls. For sliding windows, only whether it falls, grouped by Limit alone.
 */
export function* judgeWindows(own: readonly Step[]): Generator<Finding> {
  const whole = own.filter(({ limit, reset }) => limit !== undefined && reset !== undefined);
  const windows = [...Map.groupBy(whole, ({ limit, reset }) => `${limit} ${reset}`).values()];
  for (const window of windows) yield* judgeServed(window, own);
  if (isSliding(own)) {
    for (const alike of Map.groupBy(whole, ({ limit }) => limit).values())
      for (const finding of judgeCounting(listCounts(alike), own))
        if (finding.kind === 'failed') yield finding;
    return;
  }
  for (const window of windows) {
    yield* judgeCounting(listCounts(window), own);
    yield* judgeFalling(listCounts(window), own);
  }
}

/** Whatever Remaining says, serving more than Limit exceeds it, whichever requests are counted. */
function* judgeServed(window: readonly Step[], own: readonly Step[]): Generator<Finding> {
  const served = window.filter(isServed);
  // If Remaining is above Limit, Limit is not reliable.
  if (window.some(({ remaining = 0, limit = 0 }) => remaining > limit)) return;
  const most = (window[0]?.limit ?? 0) + Math.ceil(refillWithin(served, own));
  const over = served.filter((step) => !step.dated || isBeforeEnd(step))[most];
  const [first] = served;
  if (!over || !first) return;
  const expected = `${over.policy.status} after ${over.limit} requests in one window`;
  const received = `${served.length} served, this one with ${describeResponse(over.reading.response)}`;
  const others = [first.reading.index];
  yield failed(requirementId.rateLimit('exceeded'), over.reading.index, expected, received, others);
}

/** The responses with Remaining that were not sent concurrently. */
function listCounts(window: readonly Step[]): readonly Count[] {
  return window.flatMap((step): readonly Count[] => {
    const { limit, remaining, isAlone } = step;
    const isUnsure = limit === undefined || remaining === undefined || !isAlone;
    return isUnsure ? [] : [{ ...step, limit, remaining }];
  });
}

/** Requests by which a count may lag, such as one shared by several servers, or cached. */
const longestStanding = 8;

/**
 * Served requests in a row after which an unchanged Remaining is no longer a lag. Which requests
 * count is an open question, but among so many valid and served ones some must.
 */
const certainStanding = 20;

/** Served requests lower Remaining, once there are more than any refill could explain. */
function* judgeCounting(counts: readonly Count[], own: readonly Step[]): Generator<Finding> {
  const served = counts.filter(isServed);
  const last = served.at(-1);
  if (last === undefined || served.length < 5) return;
  const id = requirementId.rateLimit('remaining-counts');
  const hasDrop = served.some(({ remaining }, at) => remaining < (served[at - 1]?.remaining ?? 0));
  const stretches = hasDrop ? listStretches(counts) : [served];
  const fault = stretches.find(
    (stretch) =>
      // Requests served although nothing is left fail `exceeded`.
      !(hasDrop && (stretch.length < certainStanding || stretch[0]?.remaining === 0)) &&
      refillWithin(stretch, own) < stretch.length - 1,
  );
  const [begun, ended] = [fault?.[0], fault?.at(-1)];
  if (fault !== undefined && begun !== undefined && ended !== undefined) {
    const expected = `${begun.policy.headers.remaining} below ${begun.remaining} after ${fault.length} served requests in one window`;
    const others = [begun.reading.index];
    yield failed(id, ended.reading.index, expected, String(ended.remaining), others);
  } else if (hasDrop) {
    const again = stretches.find(({ length }) => length > longestStanding)?.[longestStanding];
    const reason = `Remaining ${again?.remaining} again, after ${longestStanding} served requests`;
    yield again === undefined
      ? passed(id, last.reading.index)
      : unclear(id, again.reading.index, reason);
  }
}

/** Runs of served requests during which Remaining does not change. */
function listStretches(counts: readonly Count[]): readonly (readonly Count[])[] {
  const stretches: Count[][] = [];
  for (const [at, count] of counts.entries()) {
    if (count.remaining !== counts[at - 1]?.remaining) stretches.push([]);
    if (isServed(count)) stretches.at(-1)?.push(count);
  }
  return stretches;
}

/**
 * One small rise may come from a count shared by several servers. Many rises are a count that goes
 * up, and a large lasting one is a lost count.
 */
function* judgeFalling(counts: readonly Count[], own: readonly Step[]): Generator<Finding> {
  const id = requirementId.rateLimit('remaining-monotonic');
  const rises = counts.flatMap((rise, place) => {
    const before = counts[place - 1];
    const by = rise.remaining - (before?.remaining ?? Infinity);
    return before === undefined || by <= 0 ? [] : [{ before, rise, by, next: counts[place + 1] }];
  });
  const [first] = rises;
  if (first === undefined) {
    const last = counts.at(-1);
    if (last !== undefined && counts.length > 1) yield passed(id, last.reading.index);
    return;
  }
  const sum = rises.reduce((all, { by }) => all + by, 0);
  const isFrequent = rises.length * 4 >= counts.length - 1;
  const isMany = rises.length >= 3 && (isFrequent || sum > refillWithin(counts, own) + 1);
  // More came back at once than a lag or refill explains, and the next response confirms it.
  const lost = rises.find(({ before, rise, by, next }) => {
    const most = refillWithin([before, rise], own) + longestStanding;
    const isSure = next !== undefined && isBeforeEnd(rise) && isBeforeEnd(next);
    return isSure && by > most && next.remaining - before.remaining > most;
  });
  const fault = isMany ? first : lost;
  if (fault !== undefined) {
    const { before, rise } = fault;
    const expected = `at most ${before.remaining}, as before in the same window`;
    const others = [before.reading.index];
    yield failed(id, rise.reading.index, expected, String(rise.remaining), others);
    return;
  }
  const { before, rise } = first;
  const seen = `Remaining rose from ${before.remaining} in request ${before.reading.index + 1} to ${rise.remaining} in the same window`;
  const reason = `${seen}; too few increases to prove that the count goes up`;
  yield unclear(id, rise.reading.index, reason);
}

/** The exchange to repeat because Remaining did something too rarely to be judged. */
export function findUnsettled(own: readonly Step[]): number | undefined {
  return [...judgeWindows(own)].flatMap((each) =>
    each.kind === 'unclear' ? each.exchange : [],
  )[0];
}

/**
 * Judges the ends of windows. If more is left than a sliding window or a one-by-one refill could
 * explain, a new window has begun since the previous response: it must have the length of the plan,
 * and the previous one must have been due to end.
 */
function* judgeBeginnings(own: readonly Step[]): Generator<Finding> {
  const latest = new Map<number, Step>();
  for (const [place, step] of own.entries()) {
    const { limit, planned, seconds, reading, now, remaining = 0, reset = 0 } = step;
    if (limit === undefined || planned === undefined || !step.isAlone) continue;
    const before = latest.get(limit);
    latest.set(limit, step);
    if (before?.reset === undefined || before.remaining === undefined) continue;
    if (step.limited || !step.dated || !before.dated || before.reset >= reset) continue;
    const { endedAt: end } = reading.exchange;
    const recent = own
      .slice(0, place + 1)
      .filter(
        (each) =>
          each.reading.succeeded && each.reading.exchange.sentAt > end - (seconds - 2) * 1000,
      );
    if (remaining <= limit - recent.length + 2) continue;
    if (remaining <= before.remaining + refillOf(before, end) + 2) continue;
    const others = [before.reading.index];
    const left = `${remaining} of ${limit} remaining`;
    const early = before.reset * 1000 - now;
    if (early > slack) {
      const id = requirementId.rateLimit('reset-plausible');
      const expected = `no new window before ${before.reset}, the announced end of the previous window`;
      const received = `${left}, ${Math.round(early / 1000)} seconds earlier`;
      yield failed(id, reading.index, expected, received, others);
    }
    const begun = early <= 0 ? Math.max(before.now, before.reset * 1000) : before.now;
    const long = reset * 1000 - begun;
    if (reset * 1000 > now && long < seconds * 1000 - slack) {
      const id = requirementId.rateLimit('plan');
      const expected = `${limit} requests in ${seconds} seconds, as in the plan`;
      const received = `${left} in a new window of at most ${Math.round(long / 1000)} seconds`;
      yield failed(id, reading.index, expected, received, others);
    }
  }
}

// What comes of requests over the limit

/** Use of the key, by this run and others, until the run exceeded the limit. */
interface Usage {
  /** Each of the last requests counted once or not at all: nobody else used the key then. */
  readonly isSteady: boolean;
  /** Requests per second by other users of the key; Infinity if too few responses show it. */
  readonly others: number;
}

function readUsage(own: readonly Step[], exchanges: readonly Exchange[]): Usage {
  const start = exchanges.find(({ intent }) => intent.kind === 'beyond')?.index ?? Infinity;
  const drops: number[] = [];
  let time = 0;
  for (const [place, step] of own.entries()) {
    const before = own[place - 1];
    const isCount = step.reading.index < start && step.isAlone && !step.limited;
    if (!isCount || !before?.isAlone || !isSameWindow(before, step)) continue;
    drops.push((before.remaining ?? 0) - (step.remaining ?? 0));
    time += step.reading.exchange.endedAt - before.reading.exchange.endedAt;
  }
  const sum = drops.reduce((all, drop) => all + Math.max(0, drop - 1), 0);
  const isMany = drops.length >= 10;
  return {
    isSteady: isMany && drops.slice(-10).every((drop) => drop === 0 || drop === 1),
    others: isMany ? sum / Math.max(1, time / 1000) : Infinity,
  };
}

function isSameWindow(one: Step, other: Step): boolean {
  const isKnown = one.limit !== undefined && one.remaining !== undefined && one.reset !== undefined;
  return isKnown && one.limit === other.limit && one.reset === other.reset;
}

/** Whether the window of one response had ended when another one arrived. */
function isOver({ reset = 0 }: Step, later: Step): boolean {
  return later.now >= reset * 1000;
}

/**
 * Whether other users, at twice their observed rate, could have used up a new window before a
 * response.
 */
function isUsedByOthers(next: Step, { reset = 0 }: Step, { others }: Usage): boolean {
  const seconds = Math.max(0, next.now / 1000 - reset) + 1;
  return 2 * others * seconds >= (next.limit ?? 0) / 2;
}

/**
 * Judges what follows each 429: the first request after the wait is served. Another 429 in a later
 * window is a failure unless other users can have used up that window.
 */
function* judgeRefusals(own: readonly Step[], usage: Usage): Generator<Finding> {
  const id = requirementId.rateLimit('retry-after');
  const first = own.findIndex(({ limited }) => limited);
  for (const [place, step] of own.entries()) {
    const { limited, wait, policy, reading } = step;
    const { exchange, response, index } = reading;
    const text = headerOf(response, policy.headers.retryAfter);
    if (!limited || text === undefined || wait === undefined) continue;
    const before = own[place - 1];
    if (place === first && before !== undefined) yield* judgeWait(step, before, text, wait);
    const at = own.findIndex(
      ({ reading: { exchange: later } }, after) =>
        after > place &&
        later.sentAt >= exchange.endedAt + wait &&
        (exchange.group === undefined || later.group !== exchange.group),
    );
    const next = own[at];
    if (next === undefined) continue;
    const again = `${next.reading.status} again`;
    const isReset = isOver(step, next);
    if (!next.limited) {
      yield passed(id, next.reading.index);
      if (isReset) yield judgeReturn(step, next, own.slice(place + 1, at + 1), usage);
    } else if (!isReset) {
      const expected = `a served request ${wait / 1000} seconds after the 429, as Retry-After says`;
      yield failed(id, next.reading.index, expected, again, [index]);
    } else if (!isUsedByOthers(next, step, usage)) {
      const returns = requirementId.rateLimit('returns');
      const expected = 'requests available after Reset';
      yield failed(returns, next.reading.index, expected, again, [index]);
    }
  }
}

/**
 * After the window, at least half of the requests are available again, unless the target returns
 * them one by one, or other users of the key may have used them. `later`: the responses until the
 * first that had to be served.
 */
function judgeReturn(step: Step, next: Step, later: readonly Step[], usage: Usage): Finding {
  const id = requirementId.rateLimit('returns');
  const { policy, limit = 0, reading } = next;
  const stated = later.filter(({ reset }) => reset !== undefined && reset === next.reset);
  const left = largest([
    next.remaining ?? Infinity,
    ...stated.flatMap(({ remaining }) => remaining ?? []),
  ]);
  if (left >= limit / 2 - 1) return passed(id, reading.index);
  const isLong = (next.reset ?? 0) * 1000 - next.now > (policy.windows[0]?.seconds ?? 0) * 500;
  if (left > 0 || !isLong || isUsedByOthers(next, step, usage)) {
    const few = `only ${left} of ${limit} left after Reset: a window that slides does that, or others used the rest`;
    return excused(id, reading.index, few);
  }
  const expected = `requests remaining of ${limit} in the new window`;
  return failed(id, reading.index, expected, `${policy.headers.remaining} 0`, [step.reading.index]);
}

const day = 86_400_000;

/** Tolerance in milliseconds for a wait beyond the window: a margin, and one more window. */
const margin = 120_000;

/**
 * Judges the first 429 of a run, which cannot be due to a ban: its wait ends about when the window
 * does, in whatever unit, and its Reset is in the future.
 */
function* judgeWait(step: Step, before: Step, text: string, wait: number): Generator<Finding> {
  const { reset, now, policy, dated, reading } = step;
  if (reset === undefined) return;
  const ahead = Math.max(0, aheadOf(step));
  // The unit is an open question: seconds, milliseconds, or a date.
  const whole = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  const isTime = [whole, whole * 1000].some((time) => Math.abs(time - now) <= 2 * day);
  if (wait > longestOf(policy) + margin && !(whole <= ahead + margin) && !isTime) {
    const expected = `a wait of about ${Math.ceil(ahead / 1000)} seconds, until ${policy.headers.reset}`;
    yield failed(requirementId.rateLimit('retry-after'), reading.index, expected, text);
  }
  if (dated && ahead === 0 && aheadOf(before) <= 0 && wait > slack) {
    const expected = `a time in the future: no requests remain, and ${policy.headers.retryAfter} is ${text}`;
    const received = `${reset}, ${Math.round((now - reset * 1000) / 1000)} seconds in the past`;
    yield failed(requirementId.rateLimit('reset-plausible'), reading.index, expected, received);
  }
}

/**
 * Judges requests sent when nothing was left, while the window lasts: each gets a 429. Other users
 * of the key can only use up more, so with them, only more served requests than a lag or refill
 * explains are wrong.
 */
function* judgeBeyond(
  own: readonly Step[],
  exchanges: readonly Exchange[],
  { isSteady }: Usage,
): Generator<Finding> {
  const id = requirementId.rateLimit('exceeded');
  const answered = new Map(own.map((step) => [step.reading.index, step]));
  // If a served response has Remaining equal to Limit, Remaining does not include the request
  // itself, so one more may be served after a 0.
  const late = own.some((step) => isServed(step) && step.remaining === step.limit) ? 1 : 0;
  const isMoving = isSliding(own);
  /** The response before them, and how many requests were served since. */
  let [before, served]: [Step | undefined, number] = [undefined, 0];
  let latest = -Infinity;
  for (const { intent, index, outcome, endedAt } of exchanges) {
    if (intent.kind !== 'beyond') continue;
    if (index !== latest + 1)
      [before, served] = [own.findLast((each) => each.reading.index < index), 0];
    latest = index;
    const step = answered.get(index);
    if (before !== undefined && step !== undefined && isOver(before, step)) before = undefined;
    if (before?.remaining !== 0) continue;
    const { policy } = before;
    const isRefused = step?.reading.status === policy.status;
    if (isRefused && isSteady) yield passed(id, index);
    const isTaken = step !== undefined && step.reading.status < 300;
    if (isRefused || !(isSteady || (isTaken && isSameWindow(before, step)))) continue;
    const refill = refillOf(before, endedAt);
    const most = isSteady ? late + (isMoving ? 1 + refill : 0) : refill + 2;
    if (isTaken && (served += 1) <= most) continue;
    const received =
      outcome.kind === 'answered' ? describeResponse(outcome.response) : outcome.error.message;
    const expected = `${policy.status}: no requests remained`;
    yield failed(id, index, expected, received, [before.reading.index]);
  }
}
