import type { Quota } from '../../service/behaviour.ts';
import type { Mutant } from '../../subject/mutant.ts';
import { everywhere, tellOtherwise, writeHeader } from './quota-header.ts';

const plan = '*/rate-limit.plan';
const withinLimit = '*/rate-limit.remaining-within-limit';

/** Tells another limit; what is left stays below it. */
function tellLimit(limit: (quota: Quota, ordinal: number) => number): Mutant['behaviour'] {
  return tellOtherwise((quota, { ordinal }) => {
    const told = limit(quota, ordinal);
    return { limit: told, remaining: Math.min(quota.remaining, told) };
  });
}

/** Keeps and tells windows that are not those of the plan. */
function keepWindows(minute: number, day: number): Mutant['behaviour'] {
  return () => ({
    windows: () => [
      { seconds: 60, limit: minute },
      { seconds: 86_400, limit: day },
    ],
  });
}

/** X-RateLimit-Limit: not what the plan of the key gives. */
export const rateLimitLimitMutants: readonly Mutant[] = [
  {
    id: 'rate-limit-limit-one-short',
    breaks: [plan],
    summary: 'Limit is told as the highest number of the requests, counted from 0: 59 for 60.',
    behaviour: tellLimit((quota) => quota.limit - 1),
  },
  {
    id: 'rate-limit-limit-of-library',
    breaks: [plan],
    summary: 'The limiter has the 100 requests a minute of its library, whatever the plan is.',
    behaviour: keepWindows(100, 1_000),
  },
  {
    id: 'rate-limit-limit-of-other-plan',
    breaks: [plan],
    summary: 'Every key is served with the 300 requests a minute of Pro.',
    behaviour: keepWindows(300, 10_000),
  },
  {
    id: 'rate-limit-limit-of-other-plans-day',
    breaks: [plan],
    summary: 'Every key is told the 10,000 requests a day of Pro and what is left of them.',
    behaviour: tellOtherwise((quota, { now }) => ({
      limit: 10_000,
      remaining: 10_000 - (quota.limit - quota.remaining),
      reset: (Math.floor(now / 86_400_000) + 1) * 86_400,
    })),
  },
  {
    id: 'rate-limit-limit-per-hour',
    breaks: [plan],
    summary:
      'Limit and Remaining are told for an hour, though the plan has requests a minute and a day.',
    behaviour: tellOtherwise((quota) => ({
      limit: quota.limit * 60,
      remaining: quota.limit * 59 + quota.remaining,
    })),
  },
  {
    id: 'rate-limit-limit-per-second',
    breaks: [plan, withinLimit],
    summary: 'Limit is the mean number of requests a second, 1 for 60 a minute.',
    behaviour: tellOtherwise((quota) => ({ limit: Math.ceil(quota.limit / 60) })),
  },
  {
    id: 'rate-limit-limit-zero',
    breaks: [plan, withinLimit],
    summary:
      'Limit is 0, the number that the configuration has where it leaves the matter to the plan.',
    behaviour: tellOtherwise(() => ({ limit: 0 })),
  },
  {
    id: 'rate-limit-limit-of-every-other-node',
    breaks: [plan],
    summary:
      'One of two nodes still has the limit of an older configuration, 120, so that Limit changes from answer to answer.',
    behaviour: tellLimit((quota, ordinal) => (ordinal % 2 === 0 ? 120 : quota.limit)),
  },
  {
    id: 'rate-limit-limit-is-remaining',
    breaks: [plan],
    summary: 'Limit is filled from the same variable as Remaining and goes down with it.',
    behaviour: tellOtherwise((quota) => ({ limit: quota.remaining })),
  },
  {
    id: 'rate-limit-limit-of-burst',
    breaks: [plan],
    summary:
      'Limit tells the size of the burst that the gateway allows, 90, with what is left of that.',
    behaviour: tellOtherwise((quota) => ({
      limit: quota.limit + 30,
      remaining: quota.remaining + 30,
    })),
  },
  {
    id: 'rate-limit-limit-with-policy',
    breaks: everywhere('X-RateLimit-Limit'),
    summary: 'Limit has its window behind it, as `60;w=60`, and is no integer.',
    behaviour: writeHeader('X-RateLimit-Limit', ({ limit }) => `${limit};w=60`),
  },
  {
    id: 'rate-limit-limit-unlimited',
    breaks: everywhere('X-RateLimit-Limit'),
    summary: 'Limit is -1, as configurations write for no limit.',
    behaviour: writeHeader('X-RateLimit-Limit', () => '-1'),
  },
];
