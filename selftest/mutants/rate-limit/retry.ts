import type { Parts, Quota } from '../../service/behaviour.ts';
import { count, refuseUntil } from '../../service/limiter.ts';
import { type Mutant, createMutants, listMutants, needing } from '../../subject/mutant.ts';
import { leaveOut } from '../../subject/response-change.ts';
import { onEveryRefusal, quotaHeaders } from './quota-header.ts';

const retryAfter = '*/rate-limit.retry-after';
const counts = '*/rate-limit.remaining-counts';
const exceeded = '*/rate-limit.exceeded';
const returns = '*/rate-limit.returns';

/** A Retry-After after which the service still refuses, or that states no time. */
const wrongWait = (write: (quota: Quota, now: number) => string): Parts => ({
  retryAfter: (quota, { now }) => write(quota, now),
});

/** A 429 that lacks some headers. */
const lacking = (names: readonly string[], method = ''): Parts => ({
  render: (response, call) =>
    response.status === 429 && call.method.includes(method)
      ? { ...response, headers: leaveOut(response.headers, ...names) }
      : response,
});

const writeDate = (milliseconds: number): string => new Date(milliseconds).toUTCString();

/** What a 429 says, and what is left when the window is over. */
export const rateLimitRetryMutants: readonly Mutant[] = needing('exhaust', [
  ...createMutants(onEveryRefusal('Retry-After'), {
    'rate-limit-429-without-retry-after': ['A 429 has no Retry-After.', lacking(['Retry-After'])],
    'rate-limit-429-without-retry-after-on-post': [
      'A 429 to POST has no Retry-After.',
      lacking(['Retry-After'], 'POST'),
      ['createPet/response.429.header.Retry-After'],
    ],
  }),
  ...quotaHeaders.flatMap((name) =>
    createMutants(onEveryRefusal(name), {
      [`rate-limit-429-without-${name.replace('X-RateLimit-', '').toLowerCase()}`]: [
        `A 429 has no ${name}.`,
        lacking([name]),
      ],
    }),
  ),
  ...createMutants(onEveryRefusal(...quotaHeaders), {
    'rate-limit-429-without-quota': [
      'The 429 comes from a proxy that knows nothing of the rate-limit headers.',
      lacking(quotaHeaders),
    ],
  }),
  ...listMutants('rate-limit-retry-after-', [retryAfter], wrongWait, {
    'too-short': ['Retry-After is always 5, whatever the window has left.', () => '5'],
    half: [
      'Retry-After is half of what the window has left: the mean wait.',
      (quota) => String(Math.floor(quota.retryAfter / 2)),
    ],
    word: ['Retry-After is a word.', () => 'later'],
    'date-past': [
      'Retry-After is the date at which the window began.',
      (quota) => writeDate((quota.reset - 60) * 1000),
    ],
    'date-other-zone': [
      'Retry-After is the local time of a server ten hours behind, called GMT.',
      (quota) => writeDate((quota.reset - 36_000) * 1000),
    ],
  }),
  ...createMutants([returns], {
    'rate-limit-retry-after-empty': [
      'Retry-After is there but empty.',
      { retryAfter: () => '' },
      [...onEveryRefusal('Retry-After'), retryAfter],
    ],
    'rate-limit-never-returns': [
      'The count has no time to live: once the limit is reached, everything is refused for good.',
      neverReturn,
      [returns, retryAfter],
    ],
    'rate-limit-returns-as-zero': [
      'Requests are served again after Reset, but Remaining stays 0.',
      stayAtZero,
      [returns, counts, exceeded],
    ],
  }),
]);

function neverReturn(): Parts {
  let full = false;
  return {
    count: (call, all) => {
      const quota = count(call, all);
      if (call.key === undefined) return quota;
      full ||= !quota.allowed;
      return full ? refuseUntil(quota.reset * 1000, quota, call) : quota;
    },
  };
}

function stayAtZero(): Parts {
  let full = false;
  return {
    tellQuota: (quota, _status, { key }) => {
      full ||= key !== undefined && !quota.allowed;
      return full ? { ...quota, remaining: 0 } : quota;
    },
  };
}
