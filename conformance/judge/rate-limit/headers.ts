import { requirementId, type RatePlan, type RateLimitPolicy } from '../../../contract/index.ts';
import { passed, failed, type Finding } from '../trace/finding.ts';
import { headerOf } from '../../transport/exchange.ts';
import { readDate, readRateLimit } from '../../transport/pace.ts';
import type { Reading, Trace } from '../trace/trace.ts';

/** Milliseconds by which Reset may lie before `Date`: rounding, and slow responses. */
const slack = 5000;

/** Judges the rate-limit headers: each response for itself, and those to the key in their order. */
export function* judgeHeaders(trace: Trace): Generator<Finding> {
  const policy = trace.contract.rateLimit;
  if (policy === undefined) return;
  const all = [...trace.readings, ...trace.limited].toSorted(
    (a, b) => a.exchange.index - b.exchange.index,
  );
  for (const reading of all) {
    yield* judgeWithinLimit(reading, policy);
    yield* judgeReset(reading, policy);
    yield* judgeUnlisted(reading, policy);
    yield* judgePlan(reading, policy, trace.plan);
  }
  for (const series of listSeries(all, policy)) {
    yield* judgeCounting(series, policy);
    yield* judgeFalling(series);
  }
}

function* judgeWithinLimit(
  { response, exchange }: Reading,
  policy: RateLimitPolicy,
): Generator<Finding> {
  const { limit, remaining } = readRateLimit(response, policy.headers);
  if (limit === undefined || remaining === undefined) return;
  const id = requirementId.rateLimit('remaining-within-limit');
  if (remaining <= limit) yield passed(id, exchange.index);
  else
    yield failed(
      id,
      exchange.index,
      `${policy.headers.remaining} of at most ${limit}`,
      String(remaining),
    );
}

function* judgeReset({ response, exchange }: Reading, policy: RateLimitPolicy): Generator<Finding> {
  const { reset } = readRateLimit(response, policy.headers);
  if (reset === undefined) return;
  const date = readDate(response);
  const now = date ?? exchange.endedAt;
  const longest = Math.max(...policy.windows.map((window) => window.seconds)) * 1000;
  const unsure = slack + (exchange.endedAt - exchange.sentAt) + (date === undefined ? longest : 0);
  const ahead = reset * 1000 - now;
  const id = requirementId.rateLimit('reset-plausible');
  if (ahead >= -unsure && ahead <= longest + unsure) yield passed(id, exchange.index);
  else {
    const expected = `a Unix time in seconds from ${new Date(now).toISOString()} on, at most ${longest / 1000} seconds ahead`;
    yield failed(
      id,
      exchange.index,
      expected,
      `${reset}, ${Math.abs(Math.round(ahead / 1000))} seconds ${ahead < 0 ? 'in the past' : 'ahead'}`,
    );
  }
}

/** Answers of a status that the operation does not list: every API response carries the headers. */
function* judgeUnlisted(reading: Reading, policy: RateLimitPolicy): Generator<Finding> {
  if (reading.documented !== undefined || reading.response.status >= 500) return;
  const { headers } = policy;
  const missing = [headers.limit, headers.remaining, headers.reset].filter(
    (name) => headerOf(reading.response, name) === undefined,
  );
  const id = requirementId.rateLimit('headers');
  if (missing.length === 0) yield passed(id, reading.exchange.index);
  else
    yield failed(
      id,
      reading.exchange.index,
      'the rate-limit headers',
      `a ${reading.response.status} without ${missing.join(', ')}`,
    );
}

/** Limit is one of the plan's, for whichever window the target speaks of. */
function* judgePlan(
  { response, exchange }: Reading,
  policy: RateLimitPolicy,
  plan: RatePlan | undefined,
): Generator<Finding> {
  const { limit } = readRateLimit(response, policy.headers);
  if (plan?.limits === undefined || limit === undefined || exchange.request.credential !== 'valid')
    return;
  const limits = [...plan.limits.values()];
  const id = requirementId.rateLimit('plan');
  if (limits.includes(limit)) yield passed(id, exchange.index);
  else
    yield failed(
      id,
      exchange.index,
      `${policy.headers.limit} ${limits.join(' or ')}, as the plan ${plan.name} has it`,
      String(limit),
    );
}

interface Count {
  readonly reading: Reading;
  readonly limit: number;
  readonly remaining: number;
}

/** Answers to the key that speak of one and the same window, one after another. */
function listSeries(
  readings: readonly Reading[],
  policy: RateLimitPolicy,
): readonly (readonly Count[])[] {
  const series = new Map<string, Count[]>();
  for (const reading of readings) {
    const { limit, remaining, reset } = readRateLimit(reading.response, policy.headers);
    const counted =
      reading.exchange.request.credential === 'valid' && reading.exchange.group === undefined;
    if (!counted || limit === undefined || remaining === undefined || reset === undefined) continue;
    const key = `${limit} ${reset}`;
    const before = series.get(key) ?? [];
    before.push({ reading, limit, remaining });
    series.set(key, before);
  }
  return isSliding(readings, policy) ? [] : [...series.values()];
}

/** A window that ends a fixed time after each response gives requests back all the time. */
function isSliding(readings: readonly Reading[], policy: RateLimitPolicy): boolean {
  const ends = readings.flatMap((reading) => {
    const { reset } = readRateLimit(reading.response, policy.headers);
    return reset === undefined || reading.exchange.request.credential !== 'valid' ? [] : [reset];
  });
  return (
    new Set(ends).size >= 3 &&
    Math.max(...ends) - Math.min(...ends) <
      Math.min(...policy.windows.map((window) => window.seconds))
  );
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
  const seconds = (last.reading.exchange.endedAt - first.reading.exchange.sentAt) / 1000;
  // What gives requests back one by one moves its Reset with each: over two seconds and more, one
  // Reset means one window.
  const span = (readDate(last.reading.response) ?? 0) - (readDate(first.reading.response) ?? 0);
  const refill =
    span >= 2000
      ? 0
      : (seconds * first.limit) / Math.min(...policy.windows.map((window) => window.seconds)) + 1;
  if (drops) yield passed(id, last.reading.exchange.index);
  else if (refill < served.length - 1) {
    const expected = `${policy.headers.remaining} below ${first.remaining} after ${served.length} served requests in one window`;
    yield failed(id, last.reading.exchange.index, expected, String(last.remaining), [
      first.reading.exchange.index,
    ]);
  }
}

/** One rise can be a response that was overtaken; many are a count that goes up. */
function* judgeFalling(series: readonly Count[]): Generator<Finding> {
  const rises = series.filter(
    (count, index) =>
      index > 0 && count.remaining > (series[index - 1]?.remaining ?? Number.POSITIVE_INFINITY),
  );
  const last = series.at(-1);
  const id = requirementId.rateLimit('remaining-monotonic');
  const [rise] = rises;
  if (rise !== undefined && rises.length >= 3 && rises.length * 4 >= series.length - 1) {
    const before = series[series.indexOf(rise) - 1];
    yield failed(
      id,
      rise.reading.exchange.index,
      `at most ${before?.remaining ?? 0}, as before in the same window`,
      String(rise.remaining),
      before !== undefined ? [before.reading.exchange.index] : [],
    );
  } else if (last !== undefined && series.length > 1) yield passed(id, last.reading.exchange.index);
}
