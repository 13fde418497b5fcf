import * as codec from '../../contract/json/codec.ts';
import type { Codec, TypeOf } from '../../contract/json/codec.ts';

const { list, number, object, optional, orUndefined } = codec;

/** Instants at which the requests of a caller are kept apart, in a sliding window. */
export const mostInstants = 2048;

/** The limiter: pure functions of a bucket and an instant, milliseconds since 1970 (UTC). */
export interface Limits {
  readonly windows: readonly WindowLimit[];
  /** At a full minute or day, with the first request after the last window, or again each moment. */
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
  /** A key is banned at this many requests after a 429 and before its `Retry-After`. */
  readonly after: number;
  readonly milliseconds: number;
}

/** Null means the beginning of time. */
const windowStart: Codec<number> = {
  read: (value, at) => (value === null ? Number.NEGATIVE_INFINITY : number.read(value, at)),
  render: (value) => (value === Number.NEGATIVE_INFINITY ? null : value),
};

/** Requests that came at an instant. */
const arrival = object({ at: number, count: number });

const windowCount = object({
  start: windowStart,
  used: number,
  /** Oldest first; only where the window slides. */
  arrivals: optional(orUndefined(list(arrival))),
});

/** What is remembered of a caller. */
export const bucket = object({
  /** One for each window of the limits. */
  counts: list(windowCount),
  /** When the `Retry-After` of the last first 429 has passed. */
  retryAt: number,
  hammered: number,
  bannedUntil: number,
});

/** What the rate-limit headers say. */
export const limitReading = object({ limit: number, remaining: number, resetAt: number });

export type WindowCount = TypeOf<typeof windowCount>;
export type Bucket = TypeOf<typeof bucket>;
export type LimitReading = TypeOf<typeof limitReading>;

/** An empty bucket. */
export function emptyBucket(limits: Limits): Bucket {
  const counts = limits.windows.map(() => ({ start: Number.NEGATIVE_INFINITY, used: 0 }));
  return { counts, retryAt: 0, hammered: 0, bannedUntil: 0 };
}

/** The first instant, `now` or later, at which a request is within the limit. */
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

/** The bucket after a 429: going on before `Retry-After` leads to a ban, once. */
export function hammer(limits: Limits, bucket: Bucket, now: number): Bucket {
  if (now < bucket.bannedUntil) return bucket;
  if (now >= bucket.retryAt)
    return { ...bucket, retryAt: admittedAt(limits, bucket, now), hammered: 0 };
  const hammered = bucket.hammered + 1;
  if (limits.ban === undefined || hammered < limits.ban.after) return { ...bucket, hammered };
  return { ...bucket, hammered: 0, retryAt: 0, bannedUntil: now + limits.ban.milliseconds };
}

/** Of the window with the fewest requests left, of equals the longest. Banned: nothing left. */
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

/** Every window as it is counted at an instant. */
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

/** When the window started, or the request came that must leave a sliding one first. */
function freedFrom({ start, used, arrivals = [] }: WindowCount, limit: number): number {
  let left = used - limit;
  for (const { at, count } of arrivals) {
    left -= count;
    if (left < 0) return at;
  }
  return start;
}

/** A sliding window with one request more. */
function addArrival(
  { start, used, arrivals = [] }: WindowCount,
  length: number,
  now: number,
): WindowCount {
  const added = [...arrivals, { at: now, count: 1 }];
  if (arrivals.length < mostInstants) return { start, used: used + 1, arrivals: added };
  const merged = coarsen(added, length);
  return { start: merged[0]?.at ?? start, used: used + 1, arrivals: merged };
}

type Arrivals = NonNullable<WindowCount['arrivals']>;

/** What came within the same slice of the window counts as come at the last of its times. */
function coarsen(arrivals: Arrivals, length: number): Arrivals {
  const slice = (2 * length) / mostInstants;
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

/** The requests of the last window's length before `now`. */
function slide(count: WindowCount | undefined, length: number, now: number): WindowCount {
  const { arrivals = [] } = count ?? {};
  const isLeft = ({ at }: Arrivals[number]): boolean => at > now - length && at <= now;
  const [first, last] = [arrivals[0], arrivals.at(-1)];
  if (count && first && last && isLeft(first) && isLeft(last)) return count;
  const left = arrivals.filter(isLeft);
  const used = left.reduce((sum, one) => sum + one.count, 0);
  return { start: left[0]?.at ?? now, used, arrivals: left };
}
