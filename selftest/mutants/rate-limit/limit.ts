import type { Parts, Quota } from '../../service/behaviour.ts';
import { minuteAndDay } from '../../service/credentials.ts';
import { type Mutant, createMutants } from '../../subject/mutant.ts';
import { everywhere, tellOtherwise, writeHeader } from './quota-header.ts';

const plan = '*/rate-limit.plan';
/** Tells another limit; what is left stays below it. */
function tellLimit(limit: (quota: Quota, ordinal: number) => number): Parts {
  return tellOtherwise((quota, { ordinal }) => {
    const told = limit(quota, ordinal);
    return { limit: told, remaining: Math.min(quota.remaining, told) };
  });
}

/** X-RateLimit-Limit: not what the plan of the key gives. */
export const rateLimitLimitMutants: readonly Mutant[] = createMutants([plan], {
  'rate-limit-limit-of-library': [
    'The limiter has the 100 requests a minute of its library, whatever the plan is.',
    { windows: () => minuteAndDay(100, 1_000) },
  ],
  'rate-limit-limit-of-other-plan': [
    'Every key is served with the 300 requests a minute of Pro.',
    { windows: () => minuteAndDay(300, 10_000) },
  ],
  'rate-limit-limit-per-hour': [
    'Limit and Remaining are told for an hour, though the plan has requests a minute and a day.',
    tellOtherwise((quota) => ({
      limit: quota.limit * 60,
      remaining: quota.limit * 59 + quota.remaining,
    })),
  ],
  'rate-limit-limit-zero': [
    'Limit is 0, the number that the configuration has where it leaves the matter to the plan.',
    tellOtherwise(() => ({ limit: 0 })),
    [plan, '*/rate-limit.remaining-within-limit'],
  ],
  'rate-limit-limit-of-every-other-node': [
    'One of two nodes still has the limit of an older configuration, 120, so that Limit changes from answer to answer.',
    tellLimit((quota, ordinal) => (ordinal % 2 === 0 ? 120 : quota.limit)),
  ],
  'rate-limit-limit-is-remaining': [
    'Limit is filled from the same variable as Remaining and goes down with it.',
    tellOtherwise((quota) => ({ limit: quota.remaining })),
  ],
  'rate-limit-limit-with-policy': [
    'Limit has its window behind it, as `60;w=60`, and is no integer.',
    writeHeader('X-RateLimit-Limit', ({ limit }) => `${limit};w=60`),
    everywhere('X-RateLimit-Limit'),
  ],
});
