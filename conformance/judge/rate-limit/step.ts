import type { RateLimitPolicy } from '../../../contract/index.ts';
import { readDate, readRateLimit, type RateLimitReading } from '../../transport/pace.ts';
import type { Reading, Trace } from '../trace/trace.ts';

/** One response with what it says of the limit. */
export interface Step extends RateLimitReading {
  readonly reading: Reading;
  /** When it was answered by the target's clock, else by the suite's: Unix milliseconds. */
  readonly now: number;
  /** It was turned away for the rate limit. */
  readonly limited: boolean;
}

/** The steps of a run in their order. */
export function listSteps({ readings, limited }: Trace, policy: RateLimitPolicy): readonly Step[] {
  const refused = new Set(limited);
  return [...readings, ...limited]
    .toSorted((a, b) => a.exchange.index - b.exchange.index)
    .map((reading) => ({
      reading,
      now: readDate(reading.response) ?? reading.exchange.endedAt,
      limited: refused.has(reading),
      ...readRateLimit(reading.response, policy.headers),
    }));
}

/** Whether a response was to a request with the key. */
export function hasKey({ reading }: Step): boolean {
  return reading.exchange.request.credential === 'valid';
}
