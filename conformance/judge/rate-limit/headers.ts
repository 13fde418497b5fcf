import { requirementId, type RatePlan, type RateLimitPolicy } from '../../../contract/index.ts';
import { excused, failed, judged, passed, unclear, type Finding } from '../trace/finding.ts';
import { headerOf } from '../../transport/exchange.ts';
import { readDate } from '../../transport/pace.ts';
import { hasKey, type Step } from './step.ts';

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
    yield* judgeReset(step, policy);
    yield* judgeUnlisted(step, policy);
    yield* doubtLimited(step, policy);
    if (hasKey(step)) yield* judgePlan(step, policy, plan);
  }
  for (const series of listSeries(steps, policy)) {
    yield* judgeCounting(series, policy);
    yield* judgeFalling(series);
  }
}

function* judgeWithinLimit(step: Step, { headers }: RateLimitPolicy): Generator<Finding> {
  const { limit, remaining, reading } = step;
  if (limit === undefined || remaining === undefined) return;
  const id = requirementId.rateLimit('remaining-within-limit');
  const expected = `${headers.remaining} of at most ${limit}`;
  yield judged(remaining <= limit, id, reading.exchange.index, expected, String(remaining));
}

function* judgeReset({ reading, reset, now }: Step, policy: RateLimitPolicy): Generator<Finding> {
  if (reset === undefined) return;
  const { index, sentAt, endedAt } = reading.exchange;
  const date = readDate(reading.response);
  const longest = Math.max(...policy.windows.map((window) => window.seconds)) * 1000;
  const unsure = slack + (endedAt - sentAt) + (date === undefined ? longest : 0);
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

/** Responses to the key that speak of one and the same window, one after another. */
function listSeries(
  steps: readonly Step[],
  policy: RateLimitPolicy,
): readonly (readonly Count[])[] {
  const own = steps.filter((step) => hasKey(step) && step.reset !== undefined);
  if (isSliding(own, policy)) return [];
  const counts = own.flatMap((step): readonly Count[] => {
    const { limit, remaining, reading } = step;
    const isUnsure = limit === undefined || remaining === undefined;
    return isUnsure || reading.exchange.group !== undefined ? [] : [{ ...step, limit, remaining }];
  });
  return [...Map.groupBy(counts, ({ limit, reset }) => `${limit} ${reset}`).values()];
}

/** A window that ends a fixed time after each response gives requests back all the time. */
function isSliding(steps: readonly Step[], policy: RateLimitPolicy): boolean {
  const ends = steps.map(({ reset }) => reset ?? 0);
  const span = Math.max(...ends) - Math.min(...ends);
  return new Set(ends).size >= 3 && span < shortestOf(policy);
}

/** Seconds of the shortest window. */
function shortestOf({ windows }: RateLimitPolicy): number {
  return Math.min(...windows.map((window) => window.seconds));
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
  const { exchange: begun, response: firstResponse } = first.reading;
  const { exchange: ended, response: lastResponse } = last.reading;
  const seconds = (ended.endedAt - begun.sentAt) / 1000;
  // What gives requests back one by one moves its Reset with each: over two seconds and more, one
  // Reset means one window.
  const span = (readDate(lastResponse) ?? 0) - (readDate(firstResponse) ?? 0);
  const refill = span >= 2000 ? 0 : (seconds * first.limit) / shortestOf(policy) + 1;
  const standing = findStanding(series);
  if (drops && standing === undefined) yield passed(id, ended.index);
  else if (drops && standing !== undefined) {
    const reason = `Remaining ${standing.remaining} again, after ${longestStanding} served requests`;
    yield unclear(id, standing.reading.exchange.index, reason);
  } else if (refill < served.length - 1) {
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
function* judgeFalling(series: readonly Count[]): Generator<Finding> {
  const rises = series.filter(
    (count, index) => index > 0 && count.remaining > (series[index - 1]?.remaining ?? Infinity),
  );
  const last = series.at(-1);
  const id = requirementId.rateLimit('remaining-monotonic');
  const [rise] = rises;
  const before = rise && series[series.indexOf(rise) - 1];
  if (rise !== undefined && before !== undefined) {
    const { index } = rise.reading.exchange;
    const earlier = before.reading.exchange.index;
    const expected = `at most ${before.remaining}, as before in the same window`;
    const seen = `Remaining rose from ${before.remaining} in exchange ${earlier} to ${rise.remaining} in the same window`;
    if (rises.length >= 3 && rises.length * 4 >= series.length - 1)
      yield failed(id, index, expected, String(rise.remaining), [earlier]);
    else yield unclear(id, index, `${seen}; too few rises to prove a count that goes up`);
  } else if (last !== undefined && series.length > 1) yield passed(id, last.reading.exchange.index);
}
