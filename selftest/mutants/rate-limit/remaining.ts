import type { Parts } from '../../service/behaviour.ts';
import { scatter } from '../../subject/scatter.ts';
import { count } from '../../service/limiter.ts';
import { type Mutant, createMutants, needing } from '../../subject/mutant.ts';
import { onEveryRefusal, tellOtherwise } from './quota-header.ts';

const withinLimit = '*/rate-limit.remaining-within-limit';
const counts = '*/rate-limit.remaining-counts';
const exceeded = '*/rate-limit.exceeded';
const monotonic = '*/rate-limit.remaining-monotonic';

/** X-RateLimit-Remaining: not what is left. */
export const rateLimitRemainingMutants: readonly Mutant[] = [
  ...createMutants([monotonic], {
    'rate-limit-remaining-of-day-sticks': [
      'The headers tell the day, of which 42 are left whatever is served.',
      tellOtherwise((_quota, { now }) => ({
        limit: 1_000,
        remaining: 42,
        reset: (Math.floor(now / 86_400_000) + 1) * 86_400,
      })),
      [counts],
    ],
    'rate-limit-remaining-lost': [
      'The process that counts is started again in the middle of a window: all are left again.',
      () => loseCount(24),
    ],
    'rate-limit-remaining-above-limit': [
      'Remaining includes a burst of 30 that Limit does not have.',
      tellOtherwise(({ remaining }) => ({ remaining: remaining + 30 })),
      [withinLimit],
    ],
    'rate-limit-remaining-is-used': [
      'Remaining tells the requests that were made and counts up.',
      tellOtherwise(({ limit, remaining }) => ({ remaining: limit - remaining })),
      [monotonic, counts],
    ],
    'rate-limit-remaining-by-node': [
      'Two nodes in turn count for themselves, one of which has served 20 requests more.',
      {
        bucket: ({ key, ordinal }) => `${key ?? 'anonymous'} on node ${ordinal % 2}`,
        tellQuota: (quota, _status, { ordinal }) => ({
          ...quota,
          remaining: Math.max(0, quota.remaining - 20 * (ordinal % 2)),
        }),
      },
    ],
    'rate-limit-remaining-by-random-node': [
      'Three nodes behind a balancer that picks at random count for themselves.',
      { bucket: ({ key, ordinal }) => `${key ?? 'anonymous'} on node ${scatter(ordinal) % 3}` },
    ],
    'rate-limit-remaining-refunded-twice': [
      'A refused request is taken back by the handler and again by the error middleware: Remaining goes up.',
      refundTwice,
    ],
  }),
  ...needing(
    'more',
    createMutants([counts], {
      'rate-limit-remaining-sticks': [
        'Remaining falls to 35 and stays there, since the replica that counts is full.',
        tellOtherwise(({ remaining }) => ({ remaining: Math.max(35, remaining) })),
        [counts, exceeded],
      ],
    }),
  ),
  ...needing(
    'more',
    createMutants([monotonic], {
      'rate-limit-remaining-of-one-text': [
        'A status in capitals has a count of its own.',
        { bucket: ({ key, target }) => `${key ?? 'anonymous'} ${/=[A-Z]/.test(target)}` },
      ],
    }),
  ),
  ...needing(
    'exhaust',
    createMutants([exceeded], {
      'rate-limit-remaining-mostly-zero': [
        'Remaining is 0 in eight of nine responses, and requests go on being served.',
        tellOtherwise(({ remaining }, { ordinal }) => ({
          remaining: ordinal % 9 === 0 ? remaining : 0,
        })),
        [exceeded, counts, monotonic],
      ],
    }),
  ),
  ...needing(
    'exhaust',
    createMutants(onEveryRefusal('X-RateLimit-Remaining'), {
      'rate-limit-remaining-below-zero': [
        'Over the limit Remaining goes on below 0.',
        countBelowZero,
      ],
    }),
  ),
];

/** From one request with the key on, so many as were counted until then are left again; once a day. */
function loseCount(after: number): Parts {
  let [sent, lost, latest] = [0, 0, 0];
  return {
    tellQuota: (quota, _status, { key, now }) => {
      if (key === undefined) return quota;
      if (now > latest + 3_600_000) [sent, lost] = [0, 0];
      [sent, latest] = [sent + 1, now];
      if (sent === after) lost = quota.limit - quota.remaining - 1;
      return { ...quota, remaining: Math.min(quota.limit, quota.remaining + lost) };
    },
  };
}

function refundTwice(): Parts {
  let refunds = 0;
  return {
    tellQuota: (quota, status, { key }) => {
      if (key !== undefined && status >= 400 && status !== 429) refunds += 2;
      return { ...quota, remaining: Math.min(quota.limit, quota.remaining + refunds) };
    },
  };
}

function countBelowZero(): Parts {
  let excess = 0;
  return {
    count: (call, all) => {
      const quota = count(call, all);
      excess = quota.allowed ? 0 : excess + 1;
      return { ...quota, remaining: quota.remaining - excess };
    },
  };
}
