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

/**
 * No request can be sent any more. `budget`: none is left; `drive`: nobody knows how many the drive
 * to the limit takes; `wait`: longer than the run allows;
 * `gone`: the target went away; `time`: the run has taken as long as it may.
 */
export class SessionEnd extends Error {
  override readonly name = 'SessionEnd';
  readonly kind: 'budget' | 'drive' | 'wait' | 'gone' | 'time';
  constructor(kind: SessionEnd['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

/** The end of a session whose plan is done: every request that it may send was sent. */
export const planDone = 'all requests of the plan were sent';

/** The end of a session whose time is over. `limit`: milliseconds. */
export function endOfTime(limit: number): SessionEnd {
  return new SessionEnd('time', `time limit: the run took ${limit / 1000} seconds (--time-limit)`);
}

/** The end of a session whose next request would have to wait until its time is over. */
export function endBeforeWait(limit: number): SessionEnd {
  return new SessionEnd(
    'time',
    `time limit: the wait for the next request ends after the ${limit / 1000} seconds of the run (--time-limit)`,
  );
}

/** What some requests come to; undefined where a limit of the budget or of the target ends them. */
export async function untilEnd<T>(send: () => Promise<T>): Promise<T | undefined> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof SessionEnd) return undefined;
    throw error;
  }
}

/** Whether an exchange was turned away for the rate limit and says nothing about anything else. */
export function isLimited(exchange: Exchange, contract: Contract): boolean {
  return statusOf(exchange) === (contract.rateLimit?.status ?? 429);
}

/** Whose count a request goes on: the key's, or that of callers without one. */
function bucketOf(credential: CredentialUse): string {
  return credential === 'valid' ? 'key' : 'others';
}

/**
 * When the target takes requests again, by the exchanges. A 429 keeps back every request, whatever its
 * key: the interface asks the client to wait. So does a 503 that says in Retry-After when the service
 * is back (RFC 9110 section 10.2.3). Nothing left keeps back those that are counted with it.
 */
export class Pacing {
  readonly #contract: Contract;
  readonly #longestWait: number;
  readonly #names: RateLimitHeaderNames | undefined;
  readonly #emptyUntil = new Map<string, number>();
  readonly #refusals = new Map<string, number>();
  #refusedUntil = 0;
  #latest: { readonly response: ReceivedResponse; readonly endedAt: number } | undefined;
  #ended = 0;
  /** When the service is back, as a 503 said; or 0. */
  back = 0;

  /** `longestWait`: milliseconds. */
  constructor(contract: Contract, longestWait: number) {
    this.#contract = contract;
    this.#longestWait = longestWait;
    this.#names = contract.rateLimit?.headers;
  }

  note(exchange: Exchange): void {
    const { outcome, request, endedAt } = exchange;
    this.#ended = endedAt;
    if (outcome.kind !== 'answered') return;
    const { response } = outcome;
    const bucket = bucketOf(request.credential);
    if (bucket === 'key') this.#latest = { response, endedAt };
    const limited = isLimited(exchange, this.#contract);
    const waitOf = (name: string): number => readRetryAfter(response, name, endedAt) ?? 0;
    const inARow = limited ? (this.#refusals.get(bucket) ?? 0) + 1 : 0;
    this.#refusals.set(bucket, inARow);
    if (!limited) {
      const counted = bucket === 'key' ? this.#names : undefined;
      const pause = pauseAfter(response, counted, endedAt);
      if (pause > 0) this.#holdBack(bucket, endedAt + pause);
      if (response.status === 503) this.back = Math.max(this.back, endedAt + waitOf('retry-after'));
      return;
    }
    const wait = Math.max(waitOf(this.#names?.retryAfter ?? 'retry-after'), backOff(inARow));
    this.#refusedUntil = Math.max(this.#refusedUntil, endedAt + wait);
    // Retry-After takes the place of a wait for Reset.
    this.#emptyUntil.delete(bucket);
  }

  /** Waits for the next window where this one has not so many requests left, if any has. */
  makeRoom(requests: number): void {
    if (this.#latest === undefined || this.#names === undefined) return;
    const { response, endedAt } = this.#latest;
    const { limit, remaining } = readRateLimit(response, this.#names);
    if (limit === undefined || remaining === undefined) return;
    if (remaining >= requests || limit < requests) return;
    this.#holdBack('key', endedAt + (untilReset(response, this.#names, endedAt) ?? 0));
  }

  /**
   * Before which time (or 0) no request may be sent, because a 429 or a 503 said so.
   * @throws {SessionEnd} `wait`, when that is longer after the latest response than the run allows
   */
  allowed(): number {
    return this.#refuseLong(Math.max(this.#refusedUntil, this.back));
  }

  /** As `allowed`; where nothing is left of a window, not before its end either. */
  earliest(credential: CredentialUse): number {
    const empty = this.#emptyUntil.get(bucketOf(credential)) ?? 0;
    return this.#refuseLong(Math.max(this.#refusedUntil, this.back, empty));
  }

  #holdBack(bucket: string, until: number): void {
    this.#emptyUntil.set(bucket, Math.max(this.#emptyUntil.get(bucket) ?? 0, until));
  }

  #refuseLong(time: number): number {
    if (time - this.#ended <= this.#longestWait) return time;
    const seconds = Math.ceil((time - this.#ended) / 1000);
    const cause = time === this.back ? 'unavailable (503)' : 'rate limit';
    throw new SessionEnd('wait', `${cause}: the target asks for a wait of ${seconds} seconds`);
  }
}

/** Milliseconds to wait after a response that was not refused. Without the key, nobody waits for Reset. */
function pauseAfter(
  response: ReceivedResponse,
  names: RateLimitHeaderNames | undefined,
  now: number,
): number {
  if (names === undefined || readRateLimit(response, names).remaining !== 0) return 0;
  return untilReset(response, names, now) ?? 0;
}

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

/** Milliseconds before each further try to reach a target that went away: half a minute in all. */
export const outagePauses = [250, 500, 1000, 2000, 4000, 8000, 15_000] as const;

/** Whether a request reached nobody, and so says nothing about itself: it may be sent again. */
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

/** Requests without service, one after another, after which the target is asked how it is. */
const patience = 3;

/** Whether so many requests in a row had no service that the target may be down as a whole. */
export function isDoubtful(exchanges: readonly Exchange[]): boolean {
  const latest = exchanges.slice(-patience);
  return latest.length === patience && latest.every(isUnserved);
}

/** Whether the target ever answered. Before that, nobody can say that it went away. */
export function wasThere(exchanges: readonly Exchange[]): boolean {
  return exchanges.some(hasResponded);
}

/** The end of a session whose target does not come back. */
export function endOfTarget(exchanges: readonly Exchange[]): SessionEnd {
  const last = exchanges.findLastIndex((each) => !isUnreached(each) && !isUnserved(each));
  const seconds = outagePauses.reduce((sum, pause) => sum + pause, 0) / 1000;
  return new SessionEnd(
    'gone',
    `the target became unreachable after ${last + 1} requests and did not recover within ${Math.round(seconds)} seconds`,
  );
}
