import { headerOf, type ReceivedResponse } from './exchange.ts';
import type { RateLimitHeaderNames } from '../../contract/openapi/rate-limit.ts';

/** What a response says of the caller's limit; undefined where a header cannot be read as that. */
export interface RateLimitReading {
  readonly limit: number | undefined;
  readonly remaining: number | undefined;
  /** Unix seconds, with a fraction where the response has one. */
  readonly reset: number | undefined;
}

/** Digits, with a fraction or without. */
const decimal = /^\d{1,30}(\.\d{1,30})?$/;

/** Reads the rate-limit headers of a response. */
export function readRateLimit(
  response: ReceivedResponse,
  names: RateLimitHeaderNames,
): RateLimitReading {
  const read = (name: string, form: RegExp): number | undefined => {
    const text = headerOf(response, name);
    return text !== undefined && form.test(text) ? Number(text) : undefined;
  };
  const [limit, remaining] = [names.limit, names.remaining].map((name) => read(name, /^\d{1,30}$/));
  return { limit, remaining, reset: read(names.reset, decimal) };
}

/** The target's own time from `Date` (RFC 9110 section 6.6.1), Unix milliseconds. */
export function readDate(response: ReceivedResponse): number | undefined {
  const text = headerOf(response, 'date');
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

/**
 * Milliseconds that a 429 or a 503 asks to wait, as delay-seconds or HTTP-date (RFC 9110 section 10.2.3),
 * by the response's own `Date`; undefined if it says nothing readable. As its form is open, a
 * fraction of a second counts too, and a number beyond 10^9 is a Unix time in seconds.
 */
export function readRetryAfter(
  response: ReceivedResponse,
  name: string,
  now: number,
): number | undefined {
  const text = headerOf(response, name);
  if (text === undefined) return undefined;
  const number = decimal.test(text) ? Number(text) : undefined;
  if (number !== undefined && number < 1e9) return Math.ceil(number * 1000);
  const time = number === undefined ? Date.parse(text) : number * 1000;
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

/** Milliseconds to wait at least after a 429, whatever it says: doubles from a second to a minute. */
export function backOff(inARow: number): number {
  return Math.min(60_000, 1000 * 2 ** Math.max(0, inARow - 1));
}
