/**
 * The limiter: pure functions of a bucket and an instant. Instants are milliseconds since 1970 (UTC), so
 * windows of a minute or a day start on the clock.
 */
export interface Limits {
  readonly windows: readonly WindowLimit[];
  /** Where a window starts: at a full minute or day, or with the first request after the last window. */
  readonly start: 'fixed' | 'from-first-request';
  /** Undefined: keys are never banned. */
  readonly ban: Ban | undefined;
}

export interface WindowLimit {
  readonly name: string;
  readonly milliseconds: number;
  readonly limit: number;
}

export interface Ban {
  /** A key is banned at this many requests that came after a 429 and before its `Retry-After` had passed. */
  readonly after: number;
  readonly milliseconds: number;
}

/** What is remembered of a caller. */
export interface Bucket {
  /** One for each window of the limits. */
  readonly counts: readonly Count[];
  /** When the `Retry-After` of the last first 429 has passed. */
  readonly retryAt: number;
  readonly hammered: number;
  readonly bannedUntil: number;
}

export interface Count {
  readonly start: number;
  readonly used: number;
}

/** What the rate-limit headers say. */
export interface Reading {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: number;
}

/** An empty bucket. */
export function emptyBucket(limits: Limits): Bucket {
  const counts = limits.windows.map(() => ({ start: Number.NEGATIVE_INFINITY, used: 0 }));
  return { counts, retryAt: 0, hammered: 0, bannedUntil: 0 };
}

/** The first instant, `now` or later, at which a request is within the limit. */
export function admittedAt(limits: Limits, bucket: Bucket, now: number): number {
  let at = Math.max(now, bucket.bannedUntil);
  for (const [index, window] of limits.windows.entries()) {
    const { start, used } = currentCount(limits, bucket, index, now);
    if (used >= window.limit) at = Math.max(at, start + window.milliseconds);
  }
  return at;
}

/** The bucket after one counted request. */
export function charge(limits: Limits, bucket: Bucket, now: number): Bucket {
  const counts = limits.windows.map((_, index) => {
    const { start, used } = currentCount(limits, bucket, index, now);
    return { start, used: used + 1 };
  });
  return { ...bucket, counts };
}

/** The bucket after a 429: going on before `Retry-After` has passed leads to a ban, and a ban is not made longer. */
export function hammer(limits: Limits, bucket: Bucket, now: number): Bucket {
  if (now < bucket.bannedUntil) return bucket;
  if (now >= bucket.retryAt) return { ...bucket, retryAt: admittedAt(limits, bucket, now), hammered: 0 };
  const hammered = bucket.hammered + 1;
  if (limits.ban === undefined || hammered < limits.ban.after) return { ...bucket, hammered };
  return { ...bucket, hammered: 0, retryAt: 0, bannedUntil: now + limits.ban.milliseconds };
}

/** Of all windows the one with the fewest requests left, of equals the one that lasts longest. Nothing is left while banned. */
export function readBucket(limits: Limits, bucket: Bucket, now: number): Reading {
  let reading: Reading = { limit: 0, remaining: Number.POSITIVE_INFINITY, resetAt: now };
  for (const [index, { limit, milliseconds }] of limits.windows.entries()) {
    const { start, used } = currentCount(limits, bucket, index, now);
    const remaining = Math.max(0, limit - used);
    const resetAt = start + milliseconds;
    const isTighter = remaining < reading.remaining || (remaining === reading.remaining && resetAt > reading.resetAt);
    if (isTighter) reading = { limit, remaining, resetAt };
  }
  if (now >= bucket.bannedUntil) return reading;
  return { limit: reading.limit, remaining: 0, resetAt: admittedAt(limits, bucket, now) };
}

function currentCount(limits: Limits, bucket: Bucket, index: number, now: number): Count {
  const count = bucket.counts[index];
  const length = limits.windows[index]?.milliseconds ?? 1;
  const isRunning = count !== undefined && now >= count.start && now < count.start + length;
  if (isRunning) return count;
  return { start: limits.start === 'fixed' ? now - (now % length) : now, used: 0 };
}
