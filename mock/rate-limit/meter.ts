import type { Choices } from '../choice/choices.ts';
import { type BanOptions, type LimitOptions, anonymousPlan, compileLimits } from './plans.ts';
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

/**
 * Creates meters by plan; undefined without a key. `own`: limits that override those of the mock.
 * Throws `PetstoreError` for limits that the document does not have.
 */
export function compileMeters(
  choices: Choices,
  { limits, banAfter, banSeconds }: BanOptions & { readonly limits: LimitOptions },
): (plan: string | undefined, own: LimitOptions) => Meter {
  const status = choices.contract.rateLimit?.status ?? 0;
  const isUncounted = choices.choose('anonymous-callers').id === 'uncounted';
  const { id } = choices.choose('counted-requests');
  const compile = (own: LimitOptions) =>
    compileLimits(choices, [own, limits], { banAfter, banSeconds });
  const usual = compile({});
  return (plan, own) => {
    const isAnonymous = plan === undefined;
    const all = Object.keys(own).length > 0 ? compile(own) : usual;
    const counted = isAnonymous && isUncounted ? 'none' : id;
    return new Meter(all.get(plan ?? anonymousPlan), { status, counted, isAnonymous });
  };
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
    this.bucket = hammer(limits, this.bucket, now);
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
