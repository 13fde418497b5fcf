import type { RateLimitHeaderNames, RateLimitPolicy } from '../contract/index.ts';
import type { Gaps } from './gaps.ts';
import { renderHttpDate } from './http-date.ts';
import { type Bucket, type Limits, admittedAt, charge, emptyBucket, hammer, readBucket } from './rate-limit.ts';
import { type Refusal, refuse } from './refusal.ts';

/** Opens a meter for limits; without any, one that counts nothing. */
export type OpenMeter = (limits: Limits | undefined) => Meter;

/** Compiles the choices about counting and `Retry-After`. */
export function compileMeters(policy: RateLimitPolicy | undefined, gaps: Gaps): OpenMeter {
  if (policy === undefined) return () => unlimited;
  const { status, headers } = policy;
  const manner: MeterManner = { status, headers, counted: gaps.choose('counted-requests').id, retryAfter: gaps.choose('retry-after-format').id };
  return (limits) => (limits === undefined ? unlimited : createMeter(limits, manner));
}

/** How a meter speaks: the document's header names and the choices about what it leaves open. */
interface MeterManner {
  /** Status of a request over the limit. */
  readonly status: number;
  readonly headers: RateLimitHeaderNames;
  /** Choice about `counted-requests`. */
  readonly counted: string;
  /** Choice about `retry-after-format`. */
  readonly retryAfter: string;
}

/** Counts the requests of one caller. */
export interface Meter {
  /** A refusal if the caller is over the limit or banned. It is remembered, since going on leads to a ban. */
  refuse(now: number): Refusal | undefined;
  /** Counts a request that was answered with this status. */
  charge(now: number, status: number): void;
  /** Rate-limit headers: name, value, name, value. */
  headers(now: number): readonly string[];
  /** Requests left in the current window; undefined where none are counted. */
  remaining(now: number): number | undefined;
}

/** A meter that counts nothing, for documents without a rate limit. */
const unlimited: Meter = { refuse: () => undefined, charge: () => {}, headers: () => [], remaining: () => undefined };

/** A meter with an empty bucket. */
function createMeter(limits: Limits, manner: MeterManner): Meter {
  let bucket: Bucket = emptyBucket(limits);
  return {
    refuse(now) {
      if (admittedAt(limits, bucket, now) <= now) return undefined;
      bucket = hammer(limits, bucket, now);
      return overLimit(limits, bucket, manner, now);
    },
    charge(now, status) {
      if (isCounted(manner, status)) bucket = charge(limits, bucket, now);
    },
    headers(now) {
      const { limit, remaining, resetAt } = readBucket(limits, bucket, now);
      const { headers } = manner;
      return [headers.limit, `${limit}`, headers.remaining, `${remaining}`, headers.reset, `${Math.ceil(resetAt / 1000)}`];
    },
    remaining: (now) => readBucket(limits, bucket, now).remaining,
  };
}

function isCounted({ counted, status: overLimit }: MeterManner, status: number): boolean {
  switch (counted) {
    case 'all': return true;
    case 'successful': return status < 400;
    default: return status !== overLimit;
  }
}

function overLimit(limits: Limits, bucket: Bucket, manner: MeterManner, now: number): Refusal {
  const seconds = Math.max(1, Math.ceil((admittedAt(limits, bucket, now) - now) / 1000));
  const retryAt = Math.ceil(now / 1000 + seconds) * 1000;
  const retryAfter = manner.retryAfter === 'http-date' ? renderHttpDate(retryAt) : `${seconds}`;
  const isBanned = now < bucket.bannedUntil;
  const message = isBanned
    ? `The API key is banned for going on after ${manner.status} answers. Try again in ${seconds} s.`
    : `The rate limit is exceeded. Try again in ${seconds} s.`;
  return refuse(isBanned ? 'banned' : 'rate_limited', message, { status: manner.status, headers: [manner.headers.retryAfter, retryAfter] });
}
