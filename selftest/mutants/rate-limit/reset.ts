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
    nanoseconds: ['Reset is in nanoseconds and has nineteen digits.', (reset) => reset * 1e9],
    'from-now': [
      'Reset is the number of seconds until then.',
      (reset, now) => Math.max(1, reset - now),
    ],
    minutes: ['Reset counts minutes since 1970.', (reset) => reset / 60],
    zero: ['Reset is 0: the field was never filled.', () => 0],
    'last-window': [
      'Reset is the start of the window before this one: the index is one off, twice.',
      (reset) => reset - 120,
    ],
    'local-time': [
      'Reset is made from the local time of a server ten hours behind UTC.',
      (reset) => reset - 36_000,
    ],
    'other-epoch': [
      'Reset counts seconds since 2001, the epoch of another library.',
      (reset) => reset - 978_307_200,
    ],
    'day-after-tomorrow': [
      'Reset is the end of a window of two days more.',
      (reset) => reset + 2 * day,
    ],
    'billing-period': [
      'Reset is the end of the billing period, a month from now.',
      (reset) => reset + 30 * day,
    ],
    'next-year': [
      'Reset is the end of the contract, a year from now.',
      (reset) => reset + 365 * day,
    ],
  }),
  ...listMutants('rate-limit-reset-', everywhere('X-RateLimit-Reset'), wrongForm, {
    date: ['Reset is a date of RFC 3339.', ({ reset }) => new Date(reset * 1000).toISOString()],
    'http-date': ['Reset is an HTTP-date.', ({ reset }) => new Date(reset * 1000).toUTCString()],
    empty: ['Reset is empty: the key of the cache was not found.', () => ''],
  }),
];
