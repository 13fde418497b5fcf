import type { Call } from '../../service/behaviour.ts';
import { scatter } from '../../service/scatter.ts';
import { count } from '../../service/limiter.ts';
import type { Mutant } from '../../subject/mutant.ts';
import { everywhere, onEveryRefusal, tellOtherwise, writeHeader } from './quota-header.ts';

const withinLimit = '*/rate-limit.remaining-within-limit';
const counts = '*/rate-limit.remaining-counts';
const monotonic = '*/rate-limit.remaining-monotonic';

/** Keeps one count for each node, which a request reaches by its number. */
function countByNode(node: (call: Call) => number): Mutant['behaviour'] {
  return () => ({ bucket: (call) => `${call.key ?? 'anonymous'} on node ${node(call)}` });
}

/** X-RateLimit-Remaining: not what is left. */
export const rateLimitRemainingMutants: readonly Mutant[] = [
  {
    id: 'rate-limit-remaining-constant',
    breaks: [counts],
    summary: 'Remaining is read before anything was ever counted and always the same.',
    behaviour: tellOtherwise(({ limit }) => ({ remaining: limit })),
  },
  {
    id: 'rate-limit-remaining-of-each-connection',
    breaks: [counts],
    summary: 'The counter starts anew with each request, so that one is always used.',
    behaviour: tellOtherwise(({ limit }) => ({ remaining: limit - 1 })),
  },
  {
    id: 'rate-limit-remaining-above-limit',
    breaks: [withinLimit],
    summary: 'Remaining includes a burst of 30 that Limit does not have.',
    behaviour: tellOtherwise(({ remaining }) => ({ remaining: remaining + 30 })),
  },
  {
    id: 'rate-limit-remaining-of-day',
    breaks: [withinLimit],
    summary: 'Remaining is that of the day beside the Limit of the minute.',
    behaviour: tellOtherwise(({ limit, remaining }) => ({
      remaining: 1_000 - (limit - remaining),
    })),
  },
  {
    id: 'rate-limit-remaining-before-start',
    breaks: [withinLimit],
    summary: 'The first response of a window tells one more than Limit: the count starts at -1.',
    behaviour: tellOtherwise(({ remaining }) => ({ remaining: remaining + 2 })),
  },
  {
    id: 'rate-limit-remaining-is-used',
    breaks: [monotonic, counts],
    summary: 'Remaining tells the requests that were made and counts up.',
    behaviour: tellOtherwise(({ limit, remaining }) => ({ remaining: limit - remaining })),
  },
  {
    id: 'rate-limit-remaining-by-node',
    breaks: [monotonic],
    summary: 'Two nodes in turn count for themselves, one of which has served 20 requests more.',
    behaviour: () => ({
      bucket: ({ key, ordinal }) => `${key ?? 'anonymous'} on node ${ordinal % 2}`,
      tellQuota: (quota, _status, { ordinal }) => ({
        ...quota,
        remaining: Math.max(0, quota.remaining - 20 * (ordinal % 2)),
      }),
    }),
  },
  {
    id: 'rate-limit-remaining-by-random-node',
    breaks: [monotonic],
    summary: 'Three nodes behind a balancer that picks at random count for themselves.',
    behaviour: countByNode(({ ordinal }) => scatter(ordinal) % 3),
  },
  {
    id: 'rate-limit-remaining-random',
    breaks: [monotonic],
    summary: 'Remaining is read from a count that threads share without a lock, and jumps.',
    behaviour: tellOtherwise((_quota, { ordinal }) => ({ remaining: 5 + (scatter(ordinal) % 50) })),
  },
  {
    id: 'rate-limit-remaining-refunded-twice',
    breaks: [monotonic],
    summary:
      'A refused request is taken back by the handler and again by the error middleware: Remaining goes up.',
    behaviour: refundTwice,
  },
  {
    id: 'rate-limit-remaining-negative',
    breaks: everywhere('X-RateLimit-Remaining'),
    summary: 'Remaining is used less limit, with the wrong sign.',
    behaviour: writeHeader('X-RateLimit-Remaining', ({ remaining }) =>
      remaining === 0 ? '-0' : `-${remaining}`,
    ),
  },
  {
    id: 'rate-limit-remaining-fraction',
    breaks: everywhere('X-RateLimit-Remaining'),
    summary: 'Remaining is the level of a token bucket, with its fraction.',
    behaviour: writeHeader('X-RateLimit-Remaining', ({ remaining }) => `${remaining}.25`),
  },
  {
    id: 'rate-limit-remaining-of-limit',
    breaks: everywhere('X-RateLimit-Remaining'),
    summary: 'Remaining is told as `59/60`.',
    behaviour: writeHeader(
      'X-RateLimit-Remaining',
      ({ remaining, limit }) => `${remaining}/${limit}`,
    ),
  },
  {
    id: 'rate-limit-remaining-below-zero',
    breaks: onEveryRefusal('X-RateLimit-Remaining'),
    needs: 'exhaust',
    summary: 'Over the limit Remaining goes on below 0.',
    behaviour: countBelowZero,
  },
];

function refundTwice(): ReturnType<Mutant['behaviour']> {
  let refunds = 0;
  return {
    tellQuota: (quota, status, { key }) => {
      if (key !== undefined && status >= 400 && status !== 429) refunds += 2;
      return { ...quota, remaining: Math.min(quota.limit, quota.remaining + refunds) };
    },
  };
}

function countBelowZero(): ReturnType<Mutant['behaviour']> {
  let excess = 0;
  return {
    count: (call, all) => {
      const quota = count(call, all);
      excess = quota.allowed ? 0 : excess + 1;
      return { ...quota, remaining: quota.remaining - excess };
    },
  };
}
