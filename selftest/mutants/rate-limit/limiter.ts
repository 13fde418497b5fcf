import type { Call, Parts, Quota } from '../../service/behaviour.ts';
import { count, refuseUntil } from '../../service/limiter.ts';
import { type Mutant, createMutants, needing } from '../../subject/mutant.ts';
import { tellOtherwise } from './quota-header.ts';

const counts = '*/rate-limit.remaining-counts';
const exceeded = '*/rate-limit.exceeded';
const monotonic = '*/rate-limit.remaining-monotonic';
const plan = '*/rate-limit.plan';
const plausible = '*/rate-limit.reset-plausible';
const retryAfter = '*/rate-limit.retry-after';
const returns = '*/rate-limit.returns';

/** Counts requests apart by something else than the key alone. */
const countBy = (part: (call: Call) => string): Parts => ({
  bucket: (call) => `${call.key ?? 'anonymous'} ${part(call)}`,
});

/** Serves every request of a key, and tells another quota. */
function serveAll(tell: (quota: Quota, call: Call) => Partial<Quota>): Parts {
  return {
    count: (call, all) => {
      const quota = count(call, all);
      return call.key === undefined ? quota : { ...quota, allowed: true, ...tell(quota, call) };
    },
  };
}

/** Has requests for every span of so many seconds. */
const windowOf = (seconds: number, limit = 60): Parts => ({
  windows: (key) => [key === undefined ? { seconds: 60, limit: 1_000 } : { seconds, limit }],
});

const inSeconds = ({ now }: Call): number => Math.floor(now / 1000);

const year = 31_536_000;

/** Limiters that only a drive to the limit shows, and that it shows at every moment of the clock. */
export const rateLimitLimiterMutants: readonly Mutant[] = needing('exhaust', [
  ...createMutants([exceeded, monotonic], {
    'rate-limit-by-operation': [
      'Each operation has a count of its own, the default of several throttlers: 60 lists and 60 additions.',
      countBy(({ route }) => (route.kind === 'operation' ? route.operation : route.kind)),
    ],
    'rate-limit-by-path': [
      'Each path has a count of its own, that of each pet too.',
      countBy(({ target, method }) => `${method} ${target.split('?')[0]}`),
    ],
    'rate-limit-by-target': [
      'Each request target has a count of its own, its query and all.',
      countBy(({ target }) => target),
    ],
  }),
  ...createMutants([counts, exceeded], {
    'rate-limit-switched-off': [
      'The limiter is switched off: Remaining is always Limit, and nothing is refused.',
      serveAll(({ limit }) => ({ remaining: limit })),
    ],
    'rate-limit-remaining-zero': [
      'Remaining is always 0, and everything is served.',
      serveAll(() => ({ remaining: 0 })),
      [exceeded, counts],
    ],
  }),
  ...createMutants([counts, exceeded], {
    'rate-limit-window-anew': [
      'A window begins anew with each request: 59 are always left for a minute from now.',
      serveAll(({ limit }, call) => ({ remaining: limit - 1, reset: inSeconds(call) + 60 })),
    ],
  }),
  ...createMutants([plan], {
    'rate-limit-per-ten-seconds': ['The 60 requests are for ten seconds.', windowOf(10)],
    'rate-limit-of-day-per-minute': [
      'The 1,000 requests of the day are there every minute.',
      windowOf(60, 1_000),
    ],
  }),
  ...createMutants([plausible], {
    'rate-limit-reset-of-window-start': [
      'Reset is when the window began.',
      tellOtherwise(({ reset }) => ({ reset: reset - 60 })),
    ],
    'rate-limit-reset-a-window-late': [
      'Reset is the end of the next window, though Retry-After is that of this one.',
      tellOtherwise(({ reset }) => ({ reset: reset + 60 })),
    ],
    'rate-limit-reset-of-first-window': [
      'The first window is the only one: after its end nothing is refused, and Reset stays in the past.',
      neverRenew,
    ],
    'rate-limit-reset-at-midnight': [
      'The 60 requests of the minute come back at midnight.',
      windowOf(86_400),
    ],
  }),
  ...createMutants([returns], {
    'rate-limit-reset-never-comes': [
      'Reset is always a minute from now, and nothing ever comes back.',
      neverReset,
      [returns, retryAfter],
    ],
    'rate-limit-count-without-window': ['The count of a key is never set back.', countForever],
  }),
  ...createMutants([retryAfter], {
    'rate-limit-retry-after-year': ['Retry-After is a year.', { retryAfter: () => String(year) }],
    'rate-limit-retry-after-sum': [
      'Retry-After is the sum of Reset and now, not the difference.',
      { retryAfter: ({ reset }, { now }) => String(reset + Math.floor(now / 1000)) },
    ],
  }),
]);

function neverReset(): Parts {
  let full = false;
  return {
    count: (call, all) => {
      const quota = count(call, all);
      if (call.key === undefined) return quota;
      full ||= !quota.allowed;
      const reset = inSeconds(call) + 60;
      return { ...(full ? refuseUntil(reset * 1000, quota, call) : quota), reset };
    },
  };
}

function neverRenew(): Parts {
  let first: Quota | undefined;
  return {
    count: (call, all) => {
      const quota = count(call, all);
      if (call.key === undefined) return quota;
      first = !first || quota.reset === first.reset ? quota : first;
      return first === quota ? quota : { ...first, allowed: true };
    },
  };
}

/** Counts on where a window ends, so that everything is refused from the first full one on. */
function countForever(): Parts {
  let used = 0;
  return {
    count: (call, all) => {
      const quota = count(call, all);
      if (call.key === undefined) return quota;
      const allowed = used < quota.limit;
      if (allowed) used += 1;
      const retryAfter = Math.max(1, quota.reset - inSeconds(call));
      return { ...quota, allowed, remaining: quota.limit - used, retryAfter };
    },
  };
}
