import { headerOf, type ReceivedResponse } from './exchange.ts';
import type { RateLimitHeaderNames } from '../../contract/index.ts';

/** What a response says of the caller's limit; undefined where a header is no whole number. */
export interface RateLimitReading {
  readonly limit: number | undefined;
  readonly remaining: number | undefined;
  /** Unix seconds. */
  readonly reset: number | undefined;
}

/** Reads the rate-limit headers of a response. */
export function readRateLimit(
  response: ReceivedResponse,
  names: RateLimitHeaderNames,
): RateLimitReading {
  const whole = (name: string): number | undefined => {
    const text = headerOf(response, name);
    return text !== undefined && /^\d{1,30}$/.test(text) ? Number(text) : undefined;
  };
  const [limit, remaining, reset] = [names.limit, names.remaining, names.reset].map(whole);
  return { limit, remaining, reset };
}

/** The target's own time from `Date` (RFC 9110 section 6.6.1), Unix milliseconds. */
export function readDate(response: ReceivedResponse): number | undefined {
  const text = headerOf(response, 'date');
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

/**
 * Milliseconds that a 429 asks to wait, as delay-seconds or HTTP-date (RFC 9110 section 10.2.3),
 * by the response's own `Date`; undefined if it says nothing readable.
 */
export function readRetryAfter(
  response: ReceivedResponse,
  name: string,
  now: number,
): number | undefined {
  const text = headerOf(response, name);
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : Math.max(0, time - (readDate(response) ?? now));
}

/** Milliseconds until Reset, by the response's own clock; undefined without a readable Reset. */
export function untilReset(
  response: ReceivedResponse,
  names: RateLimitHeaderNames,
  now: number,
): number | undefined {
  const { reset } = readRateLimit(response, names);
  if (reset === undefined) return undefined;
  return Math.max(0, reset * 1000 - (readDate(response) ?? now));
}

/** Milliseconds to wait where a 429 gives no Retry-After: doubles from a second to a minute. */
export function backOff(inARow: number): number {
  return Math.min(60_000, 1000 * 2 ** Math.max(0, inARow - 1));
}
