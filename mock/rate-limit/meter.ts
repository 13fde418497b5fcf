import type { Choices } from '../choice/choices.ts';
import {
  type Bucket,
  type Limits,
  type LimitReading,
  admittedAt,
  charge,
  emptyBucket,
  hammer,
  readBucket,
} from './limiter.ts';

/** Opens a meter for limits, of a key or of callers without one; without limits it counts nothing. */
export type OpenMeter = (limits: Limits | undefined, isAnonymous?: boolean) => Meter;

/** A caller that is over its limit or banned. */
export interface OverLimit {
  readonly isBanned: boolean;
  /** It has no valid key. */
  readonly isAnonymous: boolean;
  /** Until a request is within the limit again, at least 1. */
  readonly seconds: number;
  /** Of its responses. */
  readonly status: number;
}

/** Compiles the choice about what is counted. */
export function compileMeters(choices: Choices): OpenMeter {
  const policy = choices.contract.rateLimit;
  if (policy === undefined) return createUnlimited;
  const isUncounted = choices.choose('anonymous-callers').id === 'uncounted';
  const { id: counted } = choices.choose('counted-requests');
  return (limits, isAnonymous = false) =>
    limits === undefined
      ? createUnlimited()
      : createMeter(limits, {
          status: policy.status,
          counted: isAnonymous && isUncounted ? 'none' : counted,
          isAnonymous,
        });
}

interface Counting {
  /** Status of a request over the limit. */
  readonly status: number;
  /** Choice about `counted-requests`; `none` for callers that are not counted. */
  readonly counted: string;
  readonly isAnonymous: boolean;
}

/** Counts the requests of one caller. */
export interface Meter {
  /** What is remembered, as a value that can be put back; undefined where nothing is counted. */
  bucket: Bucket | undefined;
  readonly limits: Limits | undefined;
  /** Undefined while within the limit. An excess is remembered: going on leads to a ban. */
  check(now: number): OverLimit | undefined;
  /** Counts a request that was answered with this status. */
  charge(now: number, status: number): void;
  /** As for a caller who has just spent everything, uncounted; undefined where nothing counts. */
  pretendSpent(
    now: number,
  ): { readonly overLimit: OverLimit; readonly rate: LimitReading } | undefined;
  /** What the rate-limit headers say; undefined where nothing is counted. */
  read(now: number): LimitReading | undefined;
}

/** A meter that counts nothing, for documents without a rate limit. */
const createUnlimited = (): Meter => ({
  bucket: undefined,
  limits: undefined,
  check: () => undefined,
  charge: () => {},
  pretendSpent: () => undefined,
  read: () => undefined,
});

/** A meter with an empty bucket. */
function createMeter(limits: Limits, counting: Counting): Meter {
  let bucket: Bucket = emptyBucket(limits);
  let latest:
    | { readonly bucket: Bucket; readonly now: number; readonly reading: LimitReading }
    | undefined;
  // Asked for by the headers, then by the journal.
  const read = (now: number): LimitReading => {
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
    check(now) {
      if (admittedAt(limits, bucket, now) <= now) return undefined;
      bucket = hammer(limits, bucket, now);
      const milliseconds = admittedAt(limits, bucket, now) - now;
      return overLimit(milliseconds, now < bucket.bannedUntil, counting);
    },
    charge(now, status) {
      if (isCounted(counting, status)) bucket = charge(limits, bucket, now);
    },
    pretendSpent(now) {
      const reading = read(now);
      return {
        overLimit: overLimit(reading.resetAt - now, false, counting),
        rate: { ...reading, remaining: 0 },
      };
    },
    read,
  };
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

/** `milliseconds`: until the caller is within the limit again. */
function overLimit(
  milliseconds: number,
  isBanned: boolean,
  { status, isAnonymous }: Counting,
): OverLimit {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
  return { isBanned, isAnonymous, seconds, status };
}
