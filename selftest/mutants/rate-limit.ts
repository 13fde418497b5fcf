import {
  type Call,
  type Parts,
  type Quota,
  type WireResponse,
  createRefusal,
} from '../service/behaviour.ts';
import { count, refuseUntil } from '../service/limiter.ts';
import { refuse } from '../service/operations.ts';
import { plain } from '../service/plain.ts';
import { isCallOf } from '../subject/alter.ts';
import { type Mutant, createMutants } from '../subject/subject.ts';

/** Shows another quota than the limiter keeps. */
function showing(change: (quota: Quota, call: Call) => Partial<Quota>): Parts {
  return { showQuota: (quota, _status, call) => ({ ...quota, ...change(quota, call) }) };
}

/** A Reset that is a whole number, but not the Unix time at which the limit resets. */
const showingReset = (change: (reset: number, now: number) => number): Parts =>
  showing(({ reset }, { now }) => ({ reset: Math.round(change(reset, now / 1000)) }));

/** Counts requests separately by something else than the key alone. */
const countingBy = (part: (call: Call) => string | number): Parts => ({
  bucket: (call) => `${call.key ?? 'anonymous'} ${part(call)}`,
});

/** Changes what the limiter finds for requests with a key. */
function counting(change: (quota: Quota, call: Call) => Quota): Parts {
  return {
    count: (call, all) => {
      const quota = count(call, all);
      return call.key === undefined ? quota : change(quota, call);
    },
  };
}

/** Serves some requests over the limit. */
const serving = (isServed: (call: Call) => boolean): Parts =>
  counting((quota, call) => (isServed(call) ? { ...quota, allowed: true } : quota));

/** Serves every request of a key, and shows another quota. */
const servingAll = (show: (quota: Quota, call: Call) => Partial<Quota>): Parts =>
  counting((quota, call) => ({ ...quota, allowed: true, ...show(quota, call) }));

/** Grants requests for every span of so many seconds. */
const windowOf = (seconds: number): Parts => ({
  windows: (key) => [key === undefined ? { seconds: 60, limit: 1_000 } : { seconds, limit: 60 }],
});

/** Keeps another limit than it shows. */
const keepingLimit = (kept: number): Parts => ({
  windows: (key) => [{ seconds: 60, limit: key === undefined ? 1_000 : kept }],
  showQuota: (quota, _status, { key }) =>
    key === undefined
      ? quota
      : { ...quota, limit: 60, remaining: Math.max(0, quota.remaining + 60 - kept) },
});

const inSeconds = ({ now }: Call): number => Math.floor(now / 1000);

/** Counts on where a window ends, so that everything is refused from the first full one on. */
function countingForever(): Parts {
  let used = 0;
  return counting((quota, call) => {
    const allowed = used < quota.limit;
    if (allowed) used += 1;
    const retryAfter = Math.max(1, quota.reset - inSeconds(call));
    return { ...quota, allowed, remaining: quota.limit - used, retryAfter };
  });
}

/** Once full, it stays full. */
function stayingFull(): Parts {
  let full = false;
  return counting((quota, call) => {
    full ||= !quota.allowed;
    return full ? refuseUntil(quota.reset * 1000, quota, call) : quota;
  });
}

/** From one request with the key on, so many as were counted until then are left again; once a day. */
function losingCount(after: number): Parts {
  let [sent, lost, latest] = [0, 0, 0];
  return {
    showQuota: (quota, _status, { key, now }) => {
      if (key === undefined) return quota;
      if (now > latest + 3_600_000) [sent, lost] = [0, 0];
      [sent, latest] = [sent + 1, now];
      if (sent === after) lost = quota.limit - quota.remaining - 1;
      return { ...quota, remaining: Math.min(quota.limit, quota.remaining + lost) };
    },
  };
}

function refundingTwice(): Parts {
  let refunds = 0;
  return {
    showQuota: (quota, status, { key }) => {
      if (key !== undefined && status >= 400 && status !== 429) refunds += 2;
      return { ...quota, remaining: Math.min(quota.limit, quota.remaining + refunds) };
    },
  };
}

const deliveringExcess = (delivery: WireResponse['delivery']): Parts => ({
  finish: (wire) => (wire.status === 429 ? { ...wire, delivery } : wire),
});

/** Quotas that are shown wrongly, whatever the limiter does. */
const shown: readonly Mutant[] = [
  ...createMutants('*/rate-limit.plan', {
    'rate-limit-limit-zero': [
      'Limit is 0, the number that the configuration has where it leaves the matter to the plan.',
      showing(() => ({ limit: 0 })),
      '*/rate-limit.{plan,remaining-within-limit}',
    ],
  }),
  ...createMutants('*/rate-limit.reset-plausible', {
    'rate-limit-reset-milliseconds': [
      'Reset is in milliseconds.',
      showingReset((reset) => reset * 1000),
    ],
    'rate-limit-reset-from-now': [
      'Reset is the number of seconds until then.',
      showingReset((reset, now) => Math.max(1, reset - now)),
    ],
    'rate-limit-reset-date': [
      'Reset is a date of RFC 3339.',
      {
        rateLimitHeaders: (quota, ...others) => ({
          ...plain.rateLimitHeaders(quota, ...others),
          'X-RateLimit-Reset': new Date(quota.reset * 1000).toISOString(),
        }),
      },
      '{listPets/response.200,createPet/response.201,getPet/response.200,createPet/response.400,listPets/response.401,createPet/response.401,getPet/response.401,getPet/response.404}.header.X-RateLimit-Reset',
    ],
  }),
  ...createMutants('*/rate-limit.remaining-monotonic', {
    'rate-limit-remaining-lost': [
      'The process that counts is started again in the middle of a window: all are left again.',
      () => losingCount(24),
    ],
    'rate-limit-remaining-by-node': [
      'Two nodes in turn count for themselves, one of which has served 20 requests more.',
      {
        ...countingBy(({ ordinal }) => ordinal % 2),
        ...showing(({ remaining }, { ordinal }) => ({
          remaining: Math.max(0, remaining - 20 * (ordinal % 2)),
        })),
      },
    ],
    'rate-limit-remaining-refunded-twice': [
      'A refused request is taken back by the handler and again by the error middleware.',
      refundingTwice,
      '*/rate-limit.remaining-monotonic',
      { fades: true },
    ],
  }),
];

/** Limiters that only a drive to the limit shows, and that it shows at every moment of the clock. */
export const limiterMutants: readonly Mutant[] = [
  ...createMutants(
    '*/rate-limit.exceeded */rate-limit.remaining-monotonic',
    {
      'rate-limit-by-operation': [
        'Each operation has a count of its own, the default of several throttlers.',
        countingBy(({ route }) => (route.kind === 'operation' ? route.operation : route.kind)),
      ],
      'rate-limit-by-path': [
        'Each path has a count of its own, that of each pet too.',
        countingBy(({ target, method }) => `${method} ${target.split('?')[0]}`),
      ],
      'rate-limit-switched-off': [
        'The limiter is switched off: Remaining is always Limit, and nothing is refused.',
        servingAll(({ limit }) => ({ remaining: limit })),
        '*/rate-limit.remaining-counts */rate-limit.exceeded',
      ],
      'rate-limit-per-ten-seconds': [
        'The 60 requests are for ten seconds.',
        windowOf(10),
        '*/rate-limit.plan',
      ],
      'rate-limit-reset-at-midnight': [
        'The 60 requests of the minute come back at midnight.',
        windowOf(86_400),
        '*/rate-limit.reset-plausible',
      ],
      'rate-limit-count-without-window': [
        'The count of a key is never set back.',
        countingForever,
        '*/rate-limit.returns',
      ],
    },
    { needs: 'exhaust' },
  ),
];

/** What happens over the limit, and when it is over. */
const refusals: readonly Mutant[] = [
  ...createMutants(
    '*/rate-limit.exceeded',
    {
      'rate-limit-never-refused': [
        'Requests are counted and the headers sent, but nothing is ever refused.',
        serving(() => true),
      ],
      'rate-limit-one-too-late': [
        'The 61st request is still served: the comparison is `>` for `>=`.',
        keepingLimit(61),
      ],
      'rate-limit-one-too-early': [
        '429 replaces the 60th response, while Remaining still says 1.',
        keepingLimit(59),
      ],
      'rate-limit-lists-never-refused': [
        'The limiter guards only requests that write; lists are served over the limit.',
        serving((call) => isCallOf('listPets', call)),
      ],
      'rate-limit-remaining-mostly-zero': [
        'Remaining is 0 in eight of nine responses, and requests are still served.',
        showing(({ remaining }, { ordinal }) => ({ remaining: ordinal % 9 === 0 ? remaining : 0 })),
        '*/rate-limit.{exceeded,remaining-counts,remaining-monotonic}',
      ],
      'rate-limit-refused-with-503': [
        'The proxy in front answers 503 over the limit.',
        {
          refuseExcess: (quota, call, all) =>
            refuse(createRefusal(503, 'unavailable', 'Try again later.'), call, all, {
              'Retry-After': all.retryAfter(quota, call),
            }),
        },
        '*/rate-limit.exceeded {listPets,createPet,getPet}/robustness.no-server-error',
      ],
      'rate-limit-refused-by-reset': [
        'The firewall resets the connection over the limit.',
        deliveringExcess('reset'),
        '*/rate-limit.exceeded {listPets,createPet,getPet}/robustness.answered',
      ],
      'rate-limit-retry-after-half': [
        'Retry-After is half of what the window has left: the mean wait.',
        { retryAfter: (quota) => String(Math.floor(quota.retryAfter / 2)) },
        '*/rate-limit.retry-after',
      ],
      'rate-limit-retry-after-date-other-zone': [
        'Retry-After is the local time of a server ten hours behind, called GMT.',
        { retryAfter: ({ reset }) => new Date((reset - 36_000) * 1000).toUTCString() },
        '*/rate-limit.retry-after',
      ],
      'rate-limit-never-returns': [
        'The count has no time to live: once the limit is reached, everything is refused for good.',
        stayingFull,
        '*/rate-limit.returns */rate-limit.retry-after',
      ],
      'rate-limit-refused-by-silence': [
        'The firewall drops what is over the limit: no response comes.',
        deliveringExcess('hang'),
        '*/rate-limit.exceeded {listPets,createPet,getPet}/robustness.answered',
        { needs: 'exhaust', hangs: true },
      ],
    },
    { needs: 'exhaust' },
  ),
];

/** Quotas that are shown or kept wrongly. */
export const rateLimitMutants: readonly Mutant[] = [...shown, ...limiterMutants, ...refusals];
