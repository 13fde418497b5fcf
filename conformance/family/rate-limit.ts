import {
  requirementId,
  type Drafts,
  type RateLimitFacet,
  draftsOf,
} from '../judge/trace/requirement.ts';
import type { RatePlan, RateLimitPolicy } from '../../contract/openapi/rate-limit.ts';
import { largest } from '../../contract/list/list.ts';
import { headerOf } from '../transport/exchange.ts';
import { judgeCounts } from './rate-limit/counting.ts';
import { judgeLimit } from './rate-limit/limit.ts';
import {
  hasKey,
  isBeforeEnd,
  isServed,
  listSteps,
  refillWithin,
  type Step,
} from './rate-limit/step.ts';
import { excused, failed, judged, passed, unclear, type Finding } from '../judge/trace/finding.ts';
import { mayBeOfProxy } from '../judge/trace/refusal.ts';
import type { Trace } from '../judge/trace/trace.ts';
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

/** The arithmetic of the rate-limit headers, and the limit itself. */
export function* listRateLimitRequirements(policy: RateLimitPolicy | undefined): Drafts {
  if (!policy) return;
  const draft = draftsOf({ id: '*', pointer: policy.pointer });
  for (const [facet, sentence] of sentences) yield draft({ kind: 'rate-limit', facet }, sentence);
}

/** Judges the arithmetic of the rate-limit headers, and the limit itself. */
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
