import type { Contract } from '../../contract/contract.ts';
import type { RateLimitHeaderNames } from '../../contract/openapi/rate-limit.ts';
import {
  hasResponded,
  headerOf,
  statusOf,
  type ReceivedResponse,
  type CredentialUse,
  type Exchange,
} from './exchange.ts';
import { UnsendableRequest } from './request-parts.ts';

/**
 * No further request can be sent. `budget`: none is left; `drive`: it is unknown how many requests
 * the rate limit takes; `wait`: longer than the run allows; `gone`: the target went away; `time`:
 * the run's time is over.
 */
export class SessionEnd extends Error {
  override readonly name = 'SessionEnd';
  readonly kind: 'budget' | 'drive' | 'wait' | 'gone' | 'time';
  constructor(kind: SessionEnd['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

/** The reason if every request of the plan was sent. */
export const planDone = 'all requests of the plan were sent';

/**
 * The end of a session whose time is over, or will be over before the next request may be sent.
 * `limit`: milliseconds.
 */
export function endOfTime(limit: number, isWait = false): SessionEnd {
  const seconds = `${limit / 1000} seconds`;
  const what = isWait
    ? `the wait for the next request ends after the ${seconds} of the run`
    : `the run took ${seconds}`;
  return new SessionEnd('time', `time limit: ${what} (--time-limit)`);
}

/** Resolves with undefined if the session ends while requests are sent, or one of them cannot be sent. */
export async function untilEnd<T>(send: () => Promise<T>): Promise<T | undefined> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof SessionEnd || error instanceof UnsendableRequest) return undefined;
    throw error;
  }
}

/** Whether a request was refused for the rate limit, so that its response says nothing else. */
export function isLimited(exchange: Exchange, contract: Contract): boolean {
  return statusOf(exchange) === (contract.rateLimit?.status ?? 429);
}

/**
 * Decides when the target accepts requests again. A 429 delays every request, whatever its key,
 * because the interface asks the client to wait. So does a 503 with Retry-After (RFC 9110 section
 * 10.2.3). A used-up limit delays requests with the key.
 */
export class Pacing {
  readonly #contract: Contract;
  readonly #longestWait: number;
  #refusedUntil = 0;
  /** When the service returns, according to a 503; or 0. */
  back = 0;
  #emptyUntil = 0;
  /** Refusals in a row. */
  #refusals = 0;
  #latest: { readonly response: ReceivedResponse; readonly endedAt: number } | undefined;
  #ended = 0;

  /** `longestWait`: milliseconds. */
  constructor(contract: Contract, longestWait: number) {
    this.#contract = contract;
    this.#longestWait = longestWait;
  }

  note(exchange: Exchange): void {
    const { outcome, request, endedAt } = exchange;
    this.#ended = endedAt;
    if (outcome.kind !== 'answered') return;
    const { response } = outcome;
    const names = this.#contract.rateLimit?.headers;
    const waitOf = (name = 'retry-after'): number => readRetryAfter(response, name, endedAt) ?? 0;
    const isKeyed = request.credential === 'valid';
    if (isKeyed) this.#latest = { response, endedAt };
    const isRefused = isLimited(exchange, this.#contract);
    this.#refusals = isRefused ? this.#refusals + 1 : 0;
    if (isRefused) {
      const wait = Math.max(waitOf(names?.retryAfter), backOff(this.#refusals));
      this.#refusedUntil = Math.max(this.#refusedUntil, endedAt + wait);
      // Retry-After replaces a wait for Reset.
      if (isKeyed) this.#emptyUntil = 0;
      return;
    }
    if (isKeyed && names !== undefined && readRateLimit(response, names).remaining === 0)
      this.#awaitReset(response, names, endedAt);
    if (response.status === 503) this.back = Math.max(this.back, endedAt + waitOf());
  }

  /** Waits for the next window if this one has too few requests left, and any window has enough. */
  makeRoom(requests: number): void {
    const names = this.#contract.rateLimit?.headers;
    if (this.#latest === undefined || names === undefined) return;
    const { response, endedAt } = this.#latest;
    const { limit = 0, remaining = requests } = readRateLimit(response, names);
    if (remaining < requests && limit >= requests) this.#awaitReset(response, names, endedAt);
  }

  #awaitReset(response: ReceivedResponse, names: RateLimitHeaderNames, now: number): void {
    const wait = untilReset(response, names, now) ?? 0;
    if (wait > 0) this.#emptyUntil = Math.max(this.#emptyUntil, now + wait);
  }

  /**
   * The earliest time (or 0) for the next request, according to a 429 or 503; for requests with the
   * key, also the end of a used-up window.
   * @throws {SessionEnd} `wait`, if that is longer after the latest response than the run allows
   */
  earliest(credential?: CredentialUse): number {
    const empty = credential === 'valid' ? this.#emptyUntil : 0;
    const time = Math.max(this.#refusedUntil, this.back, empty);
    if (time - this.#ended <= this.#longestWait) return time;
    const seconds = Math.ceil((time - this.#ended) / 1000);
    const cause = time === this.back ? 'unavailable (503)' : 'rate limit';
    throw new SessionEnd('wait', `${cause}: the target asks for a wait of ${seconds} seconds`);
  }
}

/** The caller's limit according to a response; undefined for headers that are not numbers. */
export interface RateLimitReading {
  readonly limit: number | undefined;
  readonly remaining: number | undefined;
  /** Unix seconds, possibly with a fraction. */
  readonly reset: number | undefined;
}

const digits = /^\d{1,30}$/;
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
  return {
    limit: read(names.limit, digits),
    remaining: read(names.remaining, digits),
    reset: read(names.reset, decimal),
  };
}

/** The target's own time from `Date` (RFC 9110 section 6.6.1), Unix milliseconds. */
export function readDate(response: ReceivedResponse): number | undefined {
  const text = headerOf(response, 'date');
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

/**
 * Milliseconds that a 429 or 503 asks to wait, as delay-seconds or HTTP-date (RFC 9110 section
 * 10.2.3), by the response's own `Date`; undefined if unreadable. Because its format is open, a
 * fraction of a second is accepted, and a number above 10^9 is a Unix time in seconds.
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
function untilReset(
  response: ReceivedResponse,
  names: RateLimitHeaderNames,
  now: number,
): number | undefined {
  const { reset } = readRateLimit(response, names);
  if (reset === undefined) return undefined;
  return Math.max(0, reset * 1000 - (readDate(response) ?? now));
}

/**
 * Minimum wait in milliseconds after a 429, whatever it says: doubles from a second to a minute.
 */
export function backOff(inARow: number): number {
  return Math.min(60_000, 1000 * 2 ** Math.max(0, inARow - 1));
}

/** Milliseconds before each retry to reach a target that went away: half a minute in total. */
export const outagePauses = [250, 500, 1000, 2000, 4000, 8000, 15_000] as const;

/** Whether a request did not reach the target, so it may be sent again. */
export function isUnreached({ outcome }: Exchange): boolean {
  return (
    outcome.kind === 'no-response' && ['unreachable', 'name', 'tls'].includes(outcome.error.reason)
  );
}

/** Whether the service itself may not have seen a request: it hung, or a gateway answered. */
function isUnserved(exchange: Exchange): boolean {
  if (exchange.outcome.kind === 'no-response') return exchange.outcome.error.reason === 'timeout';
  return [502, 503, 504].includes(statusOf(exchange) ?? 0);
}

/** Consecutive requests without service, after which the target is probed. */
const patience = 3;

/** Whether so many consecutive requests had no service that the target may be down. */
export function isDoubtful(exchanges: readonly Exchange[]): boolean {
  const latest = exchanges.slice(-patience);
  return latest.length === patience && latest.every(isUnserved);
}

/** Whether the target has ever answered. If not, it cannot have gone away. */
export function hasEverResponded(exchanges: readonly Exchange[]): boolean {
  return exchanges.some(hasResponded);
}

/** The end of a session whose target did not recover. */
export function endOfTarget(exchanges: readonly Exchange[]): SessionEnd {
  const last = exchanges.findLastIndex((each) => !isUnreached(each) && !isUnserved(each));
  const seconds = outagePauses.reduce((sum, pause) => sum + pause, 0) / 1000;
  return new SessionEnd(
    'gone',
    `the target became unreachable after ${last + 1} requests and did not recover within ${Math.round(seconds)} seconds`,
  );
}
