import {
  requirementId,
  type RatePlan,
  type RateLimitPolicy,
  largest,
} from '../../../contract/index.ts';
import { excused, failed, judged, passed, unclear, type Finding } from '../trace/finding.ts';
import { headerOf } from '../../transport/exchange.ts';
import { hasKey, isSliding, refillOf, refillWithin, type Step } from './step.ts';
import { secondsOf } from './window.ts';

/** Milliseconds by which Reset may lie before `Date`: rounding, and slow responses. */
const slack = 5000;

/** Judges the rate-limit headers: each response for itself, and those to the key in their order. */
export function* judgeHeaders(
  steps: readonly Step[],
  policy: RateLimitPolicy,
  plan: RatePlan | undefined,
): Generator<Finding> {
  for (const step of steps) {
    yield* judgeWithinLimit(step, policy);
    yield* judgeReset(step, policy, plan);
    yield* judgeUnlisted(step, policy);
    yield* doubtLimited(step, policy);
    if (hasKey(step)) yield* judgePlan(step, policy, plan);
  }
  const own = steps.filter((step) => hasKey(step) && step.reset !== undefined);
  const counts = own.flatMap((step): readonly Count[] => {
    const { limit, remaining, reading } = step;
    const isUnsure = limit === undefined || remaining === undefined;
    return isUnsure || reading.exchange.group !== undefined ? [] : [{ ...step, limit, remaining }];
  });
  if (isSliding(own, policy)) yield* judgeStanding(counts, policy);
  else
    for (const series of Map.groupBy(counts, ({ limit, reset }) => `${limit} ${reset}`).values()) {
      yield* judgeCounting(series, policy);
      yield* judgeFalling(series, policy);
    }
}

function* judgeWithinLimit(step: Step, { headers }: RateLimitPolicy): Generator<Finding> {
  const { limit, remaining, reading } = step;
  if (limit === undefined || remaining === undefined) return;
  const id = requirementId.rateLimit('remaining-within-limit');
  const expected = `${headers.remaining} of at most ${limit}`;
  yield judged(remaining <= limit, id, reading.exchange.index, expected, String(remaining));
}

function* judgeReset(
  step: Step,
  policy: RateLimitPolicy,
  plan: RatePlan | undefined,
): Generator<Finding> {
  const { reading, reset, now, dated, limited, limit } = step;
  if (reset === undefined) return;
  const { index, sentAt, endedAt } = reading.exchange;
  const all = largest(policy.windows.map((window) => window.seconds)) * 1000;
  // A 429 may be told for longer than its window: requests over the limit can prolong the wait.
  const own = limited || !hasKey(step) ? undefined : secondsOf(limit, policy, plan);
  const longest = own === undefined ? all : own * 1000;
  const unsure = slack + (endedAt - sentAt) + (dated ? 0 : all);
  const ahead = reset * 1000 - now;
  const id = requirementId.rateLimit('reset-plausible');
  if (ahead >= -unsure && ahead <= longest + unsure) yield passed(id, index);
  else {
    const expected = `a Unix time in seconds from ${new Date(now).toISOString()} on, at most ${longest / 1000} seconds ahead`;
    const seconds = Math.abs(Math.round(ahead / 1000));
    const received = `${reset}, ${seconds} seconds ${ahead < 0 ? 'in the past' : 'ahead'}`;
    yield failed(id, index, expected, received);
  }
}

/** Responses of a status that the operation does not list: they carry the headers as well. */
function* judgeUnlisted({ reading }: Step, { headers }: RateLimitPolicy): Generator<Finding> {
  const { documented, response, exchange } = reading;
  if (documented !== undefined) return;
  const missing = [headers.limit, headers.remaining, headers.reset].filter(
    (name) => headerOf(response, name) === undefined,
  );
  const id = requirementId.rateLimit('headers');
  const received = `a ${response.status} without ${missing.join(', ')}`;
  yield judged(missing.length === 0, id, exchange.index, 'the rate-limit headers', received);
}

/** A 429 without Retry-After fails the header's own requirement; another window may be used up. */
function* doubtLimited(step: Step, { headers }: RateLimitPolicy): Generator<Finding> {
  const { reading, limited, remaining = 0 } = step;
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
  { reading, limit }: Step,
  { headers }: RateLimitPolicy,
  plan: RatePlan | undefined,
): Generator<Finding> {
  if (plan?.limits === undefined || limit === undefined) return;
  const limits = [...plan.limits.values()];
  const id = requirementId.rateLimit('plan');
  const expected = `${headers.limit} ${limits.join(' or ')}, as the plan ${plan.name} has it`;
  yield judged(limits.includes(limit), id, reading.exchange.index, expected, String(limit));
}

interface Count extends Step {
  readonly limit: number;
  readonly remaining: number;
}

/** Whatever moves Reset: so many requests in so short a time lower Remaining once at least. */
function* judgeStanding(all: readonly Count[], policy: RateLimitPolicy): Generator<Finding> {
  for (const counts of Map.groupBy(all, ({ limit }) => limit).values()) {
    const hasDrop = counts.some(
      (count, index) => index > 0 && count.remaining < (counts[index - 1]?.remaining ?? 0),
    );
    const served = counts.filter(({ reading }) => reading.succeeded);
    const [first, last] = [served[0], served.at(-1)];
    if (hasDrop || !first || !last || served.length < 10) continue;
    const { exchange: begun } = first.reading;
    const { exchange: ended } = last.reading;
    const seconds = (ended.endedAt - begun.sentAt) / 1000;
    if (refillOf(seconds, first.limit, policy) + 1 >= served.length - 1) continue;
    const expected = `${policy.headers.remaining} below ${first.remaining} after ${served.length} served requests in ${seconds} seconds`;
    const id = requirementId.rateLimit('remaining-counts');
    yield failed(id, ended.index, expected, String(last.remaining), [begun.index]);
  }
}

/** Served requests lower Remaining, once there are more of them than any refill could explain. */
function* judgeCounting(series: readonly Count[], policy: RateLimitPolicy): Generator<Finding> {
  const served = series.filter(({ reading }) => reading.succeeded);
  const [first] = served;
  const last = served.at(-1);
  if (first === undefined || last === undefined || served.length < 5) return;
  const id = requirementId.rateLimit('remaining-counts');
  const drops = served.some(
    (count, index) => index > 0 && count.remaining < (served[index - 1]?.remaining ?? 0),
  );
  const { exchange: begun } = first.reading;
  const { exchange: ended } = last.reading;
  const standing = findStanding(series);
  if (drops && standing === undefined) yield passed(id, ended.index);
  else if (drops && standing !== undefined) {
    const reason = `Remaining ${standing.remaining} again, after ${longestStanding} served requests`;
    yield unclear(id, standing.reading.exchange.index, reason);
  } else if (refillWithin(served, policy) < served.length - 1) {
    const expected = `${policy.headers.remaining} below ${first.remaining} after ${served.length} served requests in one window`;
    yield failed(id, ended.index, expected, String(last.remaining), [begun.index]);
  }
}

/** Served requests in a row that no target leaves uncounted by chance. */
const longestStanding = 8;

/** The response that shows the same Remaining as so many before it, with the key served each time. */
function findStanding(series: readonly Count[]): Count | undefined {
  let standing = 0;
  return series.find((count, index) => {
    const isSame = count.remaining === series[index - 1]?.remaining;
    standing = isSame && count.reading.succeeded ? standing + 1 : 0;
    return standing >= longestStanding;
  });
}

/** One rise may be a count that several servers share; many are a count that goes up. */
function* judgeFalling(series: readonly Count[], policy: RateLimitPolicy): Generator<Finding> {
  const risen = (count: Count, index: number): number =>
    count.remaining - (series[index - 1]?.remaining ?? Infinity);
  const rises = series.filter((count, index) => risen(count, index) > 0);
  const sum = series.reduce((all, count, index) => all + Math.max(0, risen(count, index)), 0);
  const last = series.at(-1);
  const id = requirementId.rateLimit('remaining-monotonic');
  const [rise] = rises;
  const before = rise && series[series.indexOf(rise) - 1];
  if (rise !== undefined && before !== undefined) {
    const { index } = rise.reading.exchange;
    const earlier = before.reading.exchange.index;
    const isBeyondRefill = sum > refillWithin(series, policy) + 1;
    const isFrequent = rises.length * 4 >= series.length - 1;
    const expected = `at most ${before.remaining}, as before in the same window`;
    const seen = `Remaining rose from ${before.remaining} in request ${earlier + 1} to ${rise.remaining} in the same window`;
    if (rises.length >= 3 && (isFrequent || isBeyondRefill))
      yield failed(id, index, expected, String(rise.remaining), [earlier]);
    else yield unclear(id, index, `${seen}; too few rises to prove a count that goes up`);
  } else if (last !== undefined && series.length > 1) yield passed(id, last.reading.exchange.index);
}
