import type { Parts, Quota } from '../../service/behaviour.ts';
import { type Mutant, listMutants } from '../../subject/mutant.ts';
import { everywhere, tellOtherwise, writeHeader } from './quota-header.ts';

const day = 86_400;

/** A Reset that is a whole number, but not the Unix time at which the limit resets. */
const wrongTime = (tell: (reset: number, seconds: number) => number): Parts =>
  tellOtherwise(({ reset }, { now }) => ({ reset: Math.round(tell(reset, now / 1000)) }));

/** A Reset that is no whole number at all. */
const wrongForm = (write: (quota: Quota) => string): Parts =>
  writeHeader('X-RateLimit-Reset', write);

/** X-RateLimit-Reset: not the Unix time in seconds at which the limit resets. */
export const rateLimitResetMutants: readonly Mutant[] = [
  ...listMutants('rate-limit-reset-', ['*/rate-limit.reset-plausible'], wrongTime, {
    milliseconds: [
      'Reset is in milliseconds, as the clock of the language has it.',
      (reset) => reset * 1000,
    ],
    'from-now': [
      'Reset is the number of seconds until then.',
      (reset, now) => Math.max(1, reset - now),
    ],
    'local-time': [
      'Reset is made from the local time of a server ten hours behind UTC.',
      (reset) => reset - 36_000,
    ],
    'day-after-tomorrow': [
      'Reset is the end of a window of two days more.',
      (reset) => reset + 2 * day,
    ],
    'billing-period': [
      'Reset is the end of the billing period, a month from now.',
      (reset) => reset + 30 * day,
    ],
  }),
  ...listMutants('rate-limit-reset-', everywhere('X-RateLimit-Reset'), wrongForm, {
    date: ['Reset is a date of RFC 3339.', ({ reset }) => new Date(reset * 1000).toISOString()],
    'http-date': ['Reset is an HTTP-date.', ({ reset }) => new Date(reset * 1000).toUTCString()],
    empty: ['Reset is empty: the key of the cache was not found.', () => ''],
  }),
];
