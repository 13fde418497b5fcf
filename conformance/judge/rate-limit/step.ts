import { type RateLimitPolicy, largest, smallest } from '../../../contract/index.ts';
import { readDate, readRateLimit, type RateLimitReading } from '../../transport/pace.ts';
import type { Reading, Trace } from '../trace/trace.ts';

/** One response with what it says of the limit. */
export interface Step extends RateLimitReading {
  readonly reading: Reading;
  /** When it was answered by the target's clock, else by the suite's: Unix milliseconds. */
  readonly now: number;
  /** The target told its own time. */
  readonly dated: boolean;
  /** It was turned away for the rate limit. */
  readonly limited: boolean;
}

/** The steps of a run in their order. */
export function listSteps({ readings, limited }: Trace, policy: RateLimitPolicy): readonly Step[] {
  const refused = new Set(limited);
  return [...readings, ...limited]
    .toSorted((a, b) => a.exchange.index - b.exchange.index)
    .map((reading) => {
      const date = readDate(reading.response);
      return {
        reading,
        now: date ?? reading.exchange.endedAt,
        dated: date !== undefined,
        limited: refused.has(reading),
        ...readRateLimit(reading.response, policy.headers),
      };
    });
}

/** Whether a response was to a request with the key. */
export function hasKey({ reading }: Step): boolean {
  return reading.exchange.request.credential === 'valid';
}

/** A window that ends a fixed time after each response gives requests back all the time. */
export function isSliding(steps: readonly Step[], policy: RateLimitPolicy): boolean {
  const ends = steps.flatMap(({ reset }) => reset ?? []);
  const span = largest(ends) - smallest(ends);
  return new Set(ends).size >= 3 && span < shortestOf(policy);
}

/** Seconds of the shortest window. */
function shortestOf({ windows }: RateLimitPolicy): number {
  return smallest(windows.map((window) => window.seconds));
}

/** Requests that a limit may give back one by one in so many seconds. */
export function refillOf(
  seconds: number,
  limit: number | undefined,
  policy: RateLimitPolicy,
): number {
  return (seconds * (limit ?? 0)) / shortestOf(policy);
}

/**
 * Requests that a window may have got back between responses that tell one Reset. What gives them
 * back one by one moves its Reset with each: over two seconds and more by the target's clock, one
 * Reset means one window.
 */
export function refillWithin(steps: readonly Step[], policy: RateLimitPolicy): number {
  const [first, last] = [steps[0], steps.at(-1)];
  if (!first || !last) return 0;
  if (first.dated && last.dated && last.now - first.now >= 2000) return 0;
  const seconds = (last.reading.exchange.endedAt - first.reading.exchange.sentAt) / 1000;
  return refillOf(seconds, first.limit, policy) + 1;
}
