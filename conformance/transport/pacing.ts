import type { Contract } from '../../contract/contract.ts';
import type { RateLimitHeaderNames } from '../../contract/openapi/rate-limit.ts';
import { statusOf, type ReceivedResponse, type CredentialUse, type Exchange } from './exchange.ts';
import { backOff, readRateLimit, readRetryAfter, untilReset } from './pace.ts';

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

/**
 * When the target takes requests again, by the exchanges. A 429 keeps back every request, whatever its
 * key: the interface asks the client to wait. So does a 503 that says in Retry-After when the service
 * is back (RFC 9110 section 10.2.3). Nothing left keeps back those that are counted with it.
 */
export interface Pacing {
  readonly note: (exchange: Exchange) => void;
  /** Waits for the next window where this one has not so many requests left, if any has. */
  readonly makeRoom: (requests: number) => void;
  /**
   * Before which time (or 0) no request may be sent, because a 429 or a 503 said so.
   * @throws {SessionEnd} `wait`, when that is longer after the latest response than the run allows
   */
  readonly allowed: () => number;
  /** As `allowed`; where nothing is left of a window, not before its end either. */
  readonly earliest: (credential: CredentialUse) => number;
  /** When the service is back, as a 503 said; or 0. */
  readonly back: () => number;
}

/** Whether an exchange was turned away for the rate limit and says nothing about anything else. */
export function isLimited(exchange: Exchange, contract: Contract): boolean {
  return statusOf(exchange) === (contract.rateLimit?.status ?? 429);
}

/** Whose count a request goes on: the key's, or that of callers without one. */
function bucketOf(credential: CredentialUse): string {
  return credential === 'valid' ? 'key' : 'others';
}

/** Creates the pacing of one session. `longestWait`: milliseconds. */
export function createPacing(contract: Contract, longestWait: number): Pacing {
  let refusedUntil = 0;
  let unavailableUntil = 0;
  const emptyUntil = new Map<string, number>();
  const refusals = new Map<string, number>();
  const names = contract.rateLimit?.headers;
  let latest: { readonly response: ReceivedResponse; readonly endedAt: number } | undefined;
  let ended = 0;
  const holdBack = (bucket: string, until: number): void =>
    void emptyUntil.set(bucket, Math.max(emptyUntil.get(bucket) ?? 0, until));
  const refuseLong = (time: number): number => {
    if (time - ended <= longestWait) return time;
    const seconds = Math.ceil((time - ended) / 1000);
    const cause = time === unavailableUntil ? 'unavailable (503)' : 'rate limit';
    throw new SessionEnd('wait', `${cause}: the target asks for a wait of ${seconds} seconds`);
  };
  return {
    note: (exchange) => {
      const { outcome, request, endedAt } = exchange;
      ended = endedAt;
      if (outcome.kind !== 'answered') return;
      const { response } = outcome;
      const bucket = bucketOf(request.credential);
      if (bucket === 'key') latest = { response, endedAt };
      const limited = isLimited(exchange, contract);
      const waitOf = (name: string): number => readRetryAfter(response, name, endedAt) ?? 0;
      const inARow = limited ? (refusals.get(bucket) ?? 0) + 1 : 0;
      refusals.set(bucket, inARow);
      if (!limited) {
        const counted = bucket === 'key' ? names : undefined;
        const pause = pauseAfter(response, counted, endedAt);
        if (pause > 0) holdBack(bucket, endedAt + pause);
        if (response.status === 503)
          unavailableUntil = Math.max(unavailableUntil, endedAt + waitOf('retry-after'));
        return;
      }
      const wait = Math.max(waitOf(names?.retryAfter ?? 'retry-after'), backOff(inARow));
      refusedUntil = Math.max(refusedUntil, endedAt + wait);
      // Retry-After takes the place of a wait for Reset.
      emptyUntil.delete(bucket);
    },
    makeRoom: (requests) => {
      if (latest === undefined || names === undefined) return;
      const { limit, remaining } = readRateLimit(latest.response, names);
      if (limit === undefined || remaining === undefined) return;
      if (remaining >= requests || limit < requests) return;
      holdBack('key', latest.endedAt + (untilReset(latest.response, names, latest.endedAt) ?? 0));
    },
    allowed: () => refuseLong(Math.max(refusedUntil, unavailableUntil)),
    earliest: (credential) =>
      refuseLong(
        Math.max(refusedUntil, unavailableUntil, emptyUntil.get(bucketOf(credential)) ?? 0),
      ),
    back: () => unavailableUntil,
  };
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
