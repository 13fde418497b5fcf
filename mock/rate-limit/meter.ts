import type { RateLimitHeaderNames, RateLimitPolicy } from '../../contract/index.ts';
import type { Choices } from '../choice/choices.ts';
import { renderHttpDate } from '../http/date.ts';
import {
  type Bucket,
  type Limits,
  type Reading,
  admittedAt,
  charge,
  emptyBucket,
  hammer,
  readBucket,
} from './limiter.ts';
import { type Refusal, refuse } from '../http/refusal.ts';

/** Opens a meter for limits; without any, one that counts nothing. */
export type OpenMeter = (limits: Limits | undefined) => Meter;

/** Compiles the choices about counting and `Retry-After`. */
export function compileMeters(policy: RateLimitPolicy | undefined, choices: Choices): OpenMeter {
  if (policy === undefined) return createUnlimited;
  const { status, headers } = policy;
  const manner: MeterManner = {
    status,
    headers,
    counted: choices.choose('counted-requests').id,
    retryAfter: choices.choose('retry-after-format').id,
  };
  return (limits) => (limits === undefined ? createUnlimited() : createMeter(limits, manner));
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
  /** What is remembered, as a value that can be put back; undefined where nothing is counted. */
  bucket: Bucket | undefined;
  readonly limits: Limits | undefined;
  /**
   * A refusal if the caller is over the limit or banned. It is remembered, since going on leads to
   * a ban.
   */
  refuse(now: number): Refusal | undefined;
  /** Counts a request that was answered with this status. */
  charge(now: number, status: number): void;
  /** Rate-limit headers: name, value, name, value. */
  headers(now: number): readonly string[];
  /**
   * What a caller gets who has just spent everything, without counting anything; undefined where
   * nothing is counted.
   */
  pretendSpent(
    now: number,
  ): { readonly refusal: Refusal; readonly headers: readonly string[] } | undefined;
  /** What the rate-limit headers say; undefined where nothing is counted. */
  read(now: number): Reading | undefined;
}

/** A meter that counts nothing, for documents without a rate limit. */
const createUnlimited = (): Meter => ({
  bucket: undefined,
  limits: undefined,
  refuse: () => undefined,
  charge: () => {},
  headers: () => [],
  pretendSpent: () => undefined,
  read: () => undefined,
});

/** A meter with an empty bucket. */
function createMeter(limits: Limits, manner: MeterManner): Meter {
  let bucket: Bucket = emptyBucket(limits);
  let latest:
    | { readonly bucket: Bucket; readonly now: number; readonly reading: Reading }
    | undefined;
  // Asked for by the headers, then by the journal.
  const read = (now: number): Reading => {
    if (latest?.bucket !== bucket || latest.now !== now)
      latest = { bucket, now, reading: readBucket(limits, bucket, now) };
    return latest.reading;
  };
  return {
    limits,
    get bucket() {
      return bucket;
    },
    set bucket(kept) {
      bucket = kept ?? emptyBucket(limits);
    },
    refuse(now) {
      if (admittedAt(limits, bucket, now) <= now) return undefined;
      bucket = hammer(limits, bucket, now);
      return overLimit(admittedAt(limits, bucket, now), now < bucket.bannedUntil, manner, now);
    },
    charge(now, status) {
      if (isCounted(manner, status)) bucket = charge(limits, bucket, now);
    },
    headers: (now) => renderHeaders(manner, read(now)),
    pretendSpent(now) {
      const reading = read(now);
      return {
        refusal: overLimit(Math.max(now, reading.resetAt), false, manner, now),
        headers: renderHeaders(manner, { ...reading, remaining: 0 }),
      };
    },
    read,
  };
}

function isCounted({ counted, status: overLimit }: MeterManner, status: number): boolean {
  switch (counted) {
    case 'all':
      return true;
    case 'successful':
      return status < 400;
    default:
      return status !== overLimit;
  }
}

function renderHeaders(
  { headers }: MeterManner,
  { limit, remaining, resetAt }: Reading,
): readonly string[] {
  return [
    headers.limit,
    `${limit}`,
    headers.remaining,
    `${remaining}`,
    headers.reset,
    `${Math.ceil(resetAt / 1000)}`,
  ];
}

/** `admitted`: when the caller is within the limit again. */
function overLimit(admitted: number, isBanned: boolean, manner: MeterManner, now: number): Refusal {
  const seconds = Math.max(1, Math.ceil((admitted - now) / 1000));
  const retryAt = Math.ceil(now / 1000 + seconds) * 1000;
  const retryAfter = manner.retryAfter === 'http-date' ? renderHttpDate(retryAt) : `${seconds}`;
  const message = isBanned
    ? `The API key is banned for going on after ${manner.status} answers. Try again in ${seconds} s.`
    : `The rate limit is exceeded. Try again in ${seconds} s.`;
  return refuse(isBanned ? 'banned' : 'rate_limited', message, {
    status: manner.status,
    headers: [manner.headers.retryAfter, retryAfter],
  });
}
