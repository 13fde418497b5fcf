import type { RateLimitPolicy, RatePlan } from '../../../contract/openapi/rate-limit.ts';
import { smallest } from '../../../contract/list/list.ts';
import {
  readDate,
  readRateLimit,
  readRetryAfter,
  type RateLimitReading,
} from '../../transport/pacing.ts';
import type { Reading, Trace } from '../../judge/trace/trace.ts';

/** One response with what it says of the limit. */
export interface Step extends RateLimitReading {
  readonly reading: Reading;
  /** When it was answered by the target's clock, else by the suite's: Unix milliseconds. */
  readonly now: number;
  /** The response has the target's own time. */
  readonly dated: boolean;
  /** It was turned away for the rate limit. */
  readonly limited: boolean;
  /** Length of the window that the plan gives Limit for; undefined where it does not say. */
  readonly planned: number | undefined;
  /** The same, or the length of the shortest window. */
  readonly seconds: number;
  /** Milliseconds that Retry-After asks for; undefined where it is not there, or malformed. */
  readonly wait: number | undefined;
  readonly policy: RateLimitPolicy;
}

/** The steps of a run in their order; none where the document has no limit. */
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

/** Whether a response was to a request with the key. */
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
export function isSliding(steps: readonly Step[]): boolean {
  const ends = [...new Set(steps.flatMap(({ reset }) => reset ?? []))].toSorted((a, b) => a - b);
  const shortest = smallest(steps.slice(0, 1).map(({ policy }) => shortestOf(policy)));
  // Of windows that follow each other no three end within the length of one.
  return ends.some((end, place) => (ends[place + 2] ?? Infinity) - end < shortest);
}

/** Seconds of the shortest window. */
function shortestOf({ windows }: RateLimitPolicy): number {
  return smallest(windows.map((window) => window.seconds));
}

/** Requests that a limit may give back one by one in so many seconds. */
export function refillOf(elapsed: number, { limit = 0, seconds }: Step): number {
  return (elapsed * limit) / seconds;
}

/** Milliseconds by which responses of one second and their times may differ. */
const slack = 2000;

/**
 * Requests that a window may have got back between responses that tell one Reset. What gives them
 * back moves its Reset: over two seconds and more by the target's clock, one Reset means one window.
 * Within less it may be one by one, or as many as were sent one window before. `all`: the steps of
 * the run with the key.
 */
export function refillWithin(steps: readonly Step[], all: readonly Step[]): number {
  const [first, last] = [steps[0], steps.at(-1)];
  if (!first || !last) return 0;
  if (first.dated && last.dated && last.now - first.now >= slack) return 0;
  const [from, to] = [first.reading.exchange.sentAt, last.reading.exchange.endedAt];
  const leaving = (isOnClock(all) ? [] : all).filter(({ reading }) => {
    const since = reading.exchange.sentAt + first.seconds * 1000;
    return since >= from - slack && since <= to + slack;
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
export function isBeforeEnd({ dated, now, reset = 0 }: Step): boolean {
  return dated && now < reset * 1000 - slack;
}
