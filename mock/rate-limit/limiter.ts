import * as codec from '../../contract/json/codec.ts';
import type { Codec, TypeOf } from '../../contract/json/codec.ts';

const { list, number, object, optional, orUndefined } = codec;

/** Distinct arrival times per caller in a sliding window; more are merged. */
export const maxInstants = 2048;

/**
 * Limits of a caller. The limiter is a set of pure functions of a bucket and a time, in
 * milliseconds since 1970 (UTC).
 */
export interface Limits {
  readonly windows: readonly WindowLimit[];
  /**
   * Windows start at a full minute or day, with the first request after the last window, or slide.
   */
  readonly start: WindowStart;
  /** Undefined: keys are never banned. */
  readonly ban: Ban | undefined;
}

export type WindowStart = 'fixed' | 'from-first-request' | 'sliding';

export interface WindowLimit {
  readonly name: string;
  readonly milliseconds: number;
  readonly limit: number;
}

export interface Ban {
  /** Number of requests after a 429 and before the end of its `Retry-After` that lead to a ban. */
  readonly after: number;
  readonly milliseconds: number;
}

/** Null means the beginning of time. */
const windowStart: Codec<number> = {
  read: (value, at) => (value === null ? Number.NEGATIVE_INFINITY : number.read(value, at)),
  render: (value) => (value === Number.NEGATIVE_INFINITY ? null : value),
};

/** Number of requests that arrived at a time. */
const arrival = object({ at: number, count: number });

const windowCount = object({
  start: windowStart,
  used: number,
  /** Oldest first; only for sliding windows. */
  arrivals: optional(orUndefined(list(arrival))),
});

/** The counters of a caller. */
export const bucket = object({
  /** One per window. */
  counts: list(windowCount),
  /** End of the `Retry-After` of the last 429 that started a wait. */
  retryAt: number,
  hammered: number,
  bannedUntil: number,
});

/** Values of the rate-limit headers. */
export const limitReading = object({ limit: number, remaining: number, resetAt: number });

export type WindowCount = TypeOf<typeof windowCount>;
export type Bucket = TypeOf<typeof bucket>;
export type LimitReading = TypeOf<typeof limitReading>;

export function emptyBucket(limits: Limits): Bucket {
  const counts = limits.windows.map(() => ({ start: Number.NEGATIVE_INFINITY, used: 0 }));
  return { counts, retryAt: 0, hammered: 0, bannedUntil: 0 };
}

/** The earliest time from `now` on at which a request is within the limit. */
export function admittedAt(limits: Limits, bucket: Bucket, now: number): number {
  let at = Math.max(now, bucket.bannedUntil);
  let index = 0;
  for (const { limit, milliseconds } of limits.windows) {
    const count = currentCount(limits, bucket, index, now);
    if (count.used >= limit) at = Math.max(at, freedFrom(count, limit) + milliseconds);
    index += 1;
  }
  return at;
}

/** The bucket after one counted request. */
export function charge(limits: Limits, bucket: Bucket, now: number): Bucket {
  const counts = limits.windows.map(({ milliseconds }, index) => {
    const count = currentCount(limits, bucket, index, now);
    return count.arrivals === undefined
      ? { start: count.start, used: count.used + 1 }
      : addArrival(count, milliseconds, now);
  });
  const { retryAt, hammered, bannedUntil } = bucket;
  return { counts, retryAt, hammered, bannedUntil };
}

/** The bucket after a 429. Continuing before the end of `Retry-After` leads to one ban. */
export function countRefusal(limits: Limits, bucket: Bucket, now: number): Bucket {
  if (now < bucket.bannedUntil) return bucket;
  if (now >= bucket.retryAt)
    return { ...bucket, retryAt: admittedAt(limits, bucket, now), hammered: 0 };
  const hammered = bucket.hammered + 1;
  if (limits.ban === undefined || hammered < limits.ban.after) return { ...bucket, hammered };
  return { ...bucket, hammered: 0, retryAt: 0, bannedUntil: now + limits.ban.milliseconds };
}

/**
 * The window with the fewest requests left; the longest one of equals. Nothing is left during a
 * ban.
 */
export function readBucket(limits: Limits, bucket: Bucket, now: number): LimitReading {
  let reading: LimitReading = { limit: 0, remaining: Number.POSITIVE_INFINITY, resetAt: now };
  let index = 0;
  for (const { limit, milliseconds } of limits.windows) {
    const { start, used } = currentCount(limits, bucket, index, now);
    const remaining = Math.max(0, limit - used);
    const resetAt = start + milliseconds;
    const isTighter =
      remaining < reading.remaining ||
      (remaining === reading.remaining && resetAt > reading.resetAt);
    if (isTighter) reading = { limit, remaining, resetAt };
    index += 1;
  }
  if (now >= bucket.bannedUntil) return reading;
  return { limit: reading.limit, remaining: 0, resetAt: admittedAt(limits, bucket, now) };
}

/** The counts of every window at a time. */
export function readCounts(
  limits: Limits,
  bucket: Bucket,
  now: number,
): readonly (WindowCount & {
  readonly name: string;
  readonly limit: number;
  readonly resetAt: number;
})[] {
  return limits.windows.map(({ name, limit, milliseconds }, index) => {
    const count = currentCount(limits, bucket, index, now);
    return { ...count, name, limit, resetAt: count.start + milliseconds };
  });
}

/** When the window started, or when the oldest request of a sliding window arrived. */
function freedFrom({ start, used, arrivals = [] }: WindowCount, limit: number): number {
  let left = used - limit;
  for (const { at, count } of arrivals) {
    left -= count;
    if (left < 0) return at;
  }
  return start;
}

/** Adds a request to a sliding window. */
function addArrival(
  { start, used, arrivals = [] }: WindowCount,
  length: number,
  now: number,
): WindowCount {
  const added = [...arrivals, { at: now, count: 1 }];
  if (arrivals.length < maxInstants) return { start, used: used + 1, arrivals: added };
  const merged = coarsen(added, length);
  return { start: merged[0]?.at ?? start, used: used + 1, arrivals: merged };
}

type Arrivals = NonNullable<WindowCount['arrivals']>;

/** Merges arrivals in the same slice of the window into the latest of them, to bound memory. */
function coarsen(arrivals: Arrivals, length: number): Arrivals {
  const slice = (2 * length) / maxInstants;
  const merged: Arrivals[number][] = [];
  for (const { at, count } of arrivals) {
    const last = merged.at(-1);
    const isSame = last !== undefined && Math.floor(last.at / slice) === Math.floor(at / slice);
    if (isSame) merged.pop();
    merged.push({ at, count: isSame ? last.count + count : count });
  }
  return merged;
}

function currentCount(
  { windows, start }: Limits,
  bucket: Bucket,
  index: number,
  now: number,
): WindowCount {
  const count = bucket.counts[index];
  const length = windows[index]?.milliseconds ?? 1;
  if (start === 'sliding') return slide(count, length, now);
  const isRunning = count !== undefined && now >= count.start && now < count.start + length;
  if (isRunning) return count;
  return { start: start === 'fixed' ? now - (now % length) : now, used: 0 };
}

/** The requests within one window length before `now`. */
function slide(count: WindowCount | undefined, length: number, now: number): WindowCount {
  const { arrivals = [] } = count ?? {};
  const isLeft = ({ at }: Arrivals[number]): boolean => at > now - length && at <= now;
  const [first, last] = [arrivals[0], arrivals.at(-1)];
  if (count && first && last && isLeft(first) && isLeft(last)) return count;
  const left = arrivals.filter(isLeft);
  const used = left.reduce((sum, one) => sum + one.count, 0);
  return { start: left[0]?.at ?? now, used, arrivals: left };
}

/** A caller that is over its limit or banned. */
export interface OverLimit {
  readonly isBanned: boolean;
  /** It has no valid key. */
  readonly isAnonymous: boolean;
  /** Seconds until a request is within the limit again, at least 1. */
  readonly seconds: number;
  /** Status of the refusals. */
  readonly status: number;
}

interface Counting {
  /** Status of a request over the limit. */
  readonly status: number;
  /** The choice for `counted-requests`; `none` for callers that are not counted. */
  readonly counted: string;
  readonly isAnonymous: boolean;
}

/** Counts the requests of one caller. Without limits, it counts nothing. */
export class Meter {
  readonly limits: Limits | undefined;
  readonly #counting: Counting;
  /** The counters, as a restorable value; undefined if nothing is counted. */
  bucket: Bucket | undefined;

  constructor(limits: Limits | undefined, counting: Counting) {
    this.limits = limits;
    this.#counting = counting;
    this.bucket = limits && emptyBucket(limits);
  }

  /**
   * Undefined while within the limit. Requests over the limit are recorded, because continuing
   * leads to a ban.
   */
  check(now: number): OverLimit | undefined {
    const { limits } = this;
    if (limits === undefined || this.bucket === undefined) return undefined;
    if (admittedAt(limits, this.bucket, now) <= now) return undefined;
    this.bucket = countRefusal(limits, this.bucket, now);
    const milliseconds = admittedAt(limits, this.bucket, now) - now;
    return overLimit(milliseconds, now < this.bucket.bannedUntil, this.#counting);
  }

  /** Counts a request with a response of this status. */
  charge(now: number, status: number): void {
    if (this.limits === undefined || this.bucket === undefined) return;
    if (isCounted(this.#counting, status)) this.bucket = charge(this.limits, this.bucket, now);
  }

  /** Rate-limit values as if everything had just been used up; undefined if nothing is counted. */
  pretendSpent(
    now: number,
  ): { readonly overLimit: OverLimit; readonly rate: LimitReading } | undefined {
    const reading = this.read(now);
    return (
      reading && {
        overLimit: overLimit(reading.resetAt - now, false, this.#counting),
        rate: { ...reading, remaining: 0 },
      }
    );
  }

  /** Values of the rate-limit headers; undefined if nothing is counted. */
  read(now: number): LimitReading | undefined {
    const { limits, bucket } = this;
    return limits && bucket && readBucket(limits, bucket, now);
  }
}

function isCounted({ counted, status: overLimit }: Counting, status: number): boolean {
  switch (counted) {
    case 'all':
      return true;
    case 'none':
      return false;
    case 'successful':
      return status < 400;
    default:
      return status !== overLimit;
  }
}

/** `milliseconds`: time until the caller is within the limit again. */
function overLimit(
  milliseconds: number,
  isBanned: boolean,
  { status, isAnonymous }: Counting,
): OverLimit {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
  return { isBanned, isAnonymous, seconds, status };
}
