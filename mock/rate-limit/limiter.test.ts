import { describe, expect, test } from 'vitest';
import {
  type Bucket,
  type Limits,
  admittedAt,
  charge,
  emptyBucket,
  countRefusal,
  readBucket,
} from './limiter.ts';
import { maxInstants } from './limiter.ts';

const minuteLength = 60_000;
const DAY = 86_400_000;
const noon = Date.UTC(2026, 5, 1, 12);

const limits: Limits = {
  windows: [
    { name: 'minute', milliseconds: minuteLength, limit: 3 },
    { name: 'day', milliseconds: DAY, limit: 5 },
  ],
  start: 'fixed',
  ban: { after: 2, milliseconds: 90_000 },
};

const chargeTimes = (
  times: number,
  now: number,
  from: Bucket = emptyBucket(limits),
  by: Limits = limits,
): Bucket =>
  Array.from({ length: times }).reduce<Bucket>((bucket) => charge(by, bucket, now), from);

describe('the windows', () => {
  test('are full at the start, and the tighter one is reported', () => {
    expect(readBucket(limits, emptyBucket(limits), noon + 1)).toEqual({
      limit: 3,
      remaining: 3,
      resetAt: noon + minuteLength,
    });
  });

  test('admit requests up to the limit, and the next at the full minute', () => {
    expect(admittedAt(limits, chargeTimes(2, noon + 10), noon + 10)).toBe(noon + 10);
    expect(admittedAt(limits, chargeTimes(3, noon + 10), noon + 10)).toBe(noon + minuteLength);
  });

  test('start on the clock, not with the first request', () => {
    const bucket = chargeTimes(3, noon + minuteLength - 1);
    expect(admittedAt(limits, bucket, noon + minuteLength)).toBe(noon + minuteLength);
    expect(readBucket(limits, bucket, noon + minuteLength).remaining).toBe(2);
  });

  test('start with the first request if configured', () => {
    const moving: Limits = { ...limits, start: 'from-first-request' };
    const bucket = chargeTimes(3, noon + minuteLength - 1, emptyBucket(moving), moving);
    expect(admittedAt(moving, bucket, noon + minuteLength)).toBe(noon + 2 * minuteLength - 1);
  });

  test('report the day when it has fewer requests left than the minute', () => {
    const bucket = chargeTimes(3, noon);
    expect(readBucket(limits, bucket, noon + minuteLength)).toEqual({
      limit: 5,
      remaining: 2,
      resetAt: Date.UTC(2026, 5, 2),
    });
  });

  test('report the longer one of two that are used up, since the caller waits for both', () => {
    const bucket = chargeTimes(3, noon + minuteLength, chargeTimes(2, noon));
    expect(readBucket(limits, bucket, noon + minuteLength)).toEqual({
      limit: 5,
      remaining: 0,
      resetAt: Date.UTC(2026, 5, 2),
    });
    expect(admittedAt(limits, bucket, noon + minuteLength)).toBe(Date.UTC(2026, 5, 2));
  });

  test('never report less than 0 remaining', () => {
    expect(readBucket(limits, chargeTimes(9, noon), noon).remaining).toBe(0);
  });

  test('survive a clock that is set back', () => {
    expect(readBucket(limits, chargeTimes(3, noon), noon - DAY)).toMatchObject({ remaining: 3 });
  });
});

describe('a ban', () => {
  const spent = chargeTimes(3, noon);
  const first = countRefusal(limits, spent, noon);

  test('does not follow the first 429', () => {
    expect(first.bannedUntil).toBe(0);
    expect(countRefusal(limits, first, noon + 1).bannedUntil).toBe(0);
  });

  test('follows requests sent before the announced time', () => {
    const banned = countRefusal(limits, countRefusal(limits, first, noon + 1), noon + 2);
    expect(banned.bannedUntil).toBe(noon + 2 + 90_000);
    expect(admittedAt(limits, banned, noon + minuteLength)).toBe(noon + 2 + 90_000);
    expect(admittedAt(limits, banned, noon + 2 + 90_000)).toBe(noon + 2 + 90_000);
  });

  test('leaves 0 remaining and is not extended by further requests', () => {
    const banned = countRefusal(limits, countRefusal(limits, first, noon + 1), noon + 2);
    expect(readBucket(limits, banned, noon + minuteLength)).toMatchObject({
      remaining: 0,
      resetAt: noon + 2 + 90_000,
    });
    expect(countRefusal(limits, banned, noon + 3)).toBe(banned);
  });

  test('does not follow 429s that each came after the announced time', () => {
    const again = chargeTimes(3, noon + minuteLength, countRefusal(limits, first, noon + 1));
    const bucket = countRefusal(limits, again, noon + minuteLength);
    expect(bucket).toMatchObject({ hammered: 0, bannedUntil: 0 });
  });

  test('never follows if the limits have no ban', () => {
    const mild: Limits = { ...limits, ban: undefined };
    const bucket = Array.from({ length: 50 }).reduce<Bucket>(
      (one) => countRefusal(mild, one, noon),
      spent,
    );
    expect(bucket.bannedUntil).toBe(0);
  });
});

describe('a sliding window', () => {
  const most = maxInstants;
  const window = { name: 'minute', milliseconds: minuteLength, limit: 1_000_000 };
  const sliding: Limits = { windows: [window], start: 'sliding', ban: undefined };
  const sendAt = (times: readonly number[]): Bucket =>
    times.reduce((bucket, time) => charge(sliding, bucket, time), emptyBucket(sliding));
  const usedAt = (bucket: Bucket, now: number): number =>
    1_000_000 - readBucket(sliding, bucket, now).remaining;

  test('stores a number of instants exactly, to the millisecond', () => {
    const bucket = sendAt(Array.from({ length: most }, (_, index) => noon + index));
    for (const left of [most, most - 1, 1000, 1, 0])
      expect(usedAt(bucket, noon + minuteLength + most - 1 - left)).toBe(left);
  });

  test('counts more instants approximately, and stays small', () => {
    const sent = Array.from({ length: 30_000 }, (_, index) => noon + 2 * index);
    const bucket = sendAt(sent);
    expect(bucket.counts[0]?.arrivals?.length).toBeLessThanOrEqual(most);
    expect(usedAt(bucket, noon + minuteLength - 2)).toBe(30_000);
    for (const now of [1, 10_000, 33_333, 59_999].map((ago) => noon + minuteLength + ago)) {
      const exact = sent.filter((time) => time > now - minuteLength).length;
      const used = usedAt(bucket, now);
      expect(used).toBeGreaterThanOrEqual(exact);
      expect(used - exact).toBeLessThanOrEqual(30_000 / 1024 + 1);
    }
    expect(usedAt(bucket, noon + 2 * minuteLength)).toBe(0);
  });

  test('admits the next when the excess request has left the window', () => {
    const three: Limits = { ...sliding, windows: [{ ...window, limit: 3 }] };
    const many: Bucket = {
      ...emptyBucket(three),
      counts: [
        {
          start: noon,
          used: 6,
          arrivals: [
            { at: noon, count: 3 },
            { at: noon + 10, count: 2 },
            { at: noon + 20, count: 1 },
          ],
        },
      ],
    };
    expect(admittedAt(three, many, noon + 20)).toBe(noon + 10 + minuteLength);
    expect(admittedAt(three, many, noon + minuteLength)).toBe(noon + 10 + minuteLength);
  });
});
