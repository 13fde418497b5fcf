import {
  type Call,
  type WireResponse,
  Refusal,
  refuse,
  refuseUntil,
  type Parts,
} from '../service/service.ts';
import { counting, type Mutant, createMutants, showing } from '../subject/subject.ts';

/** Counts requests by something other than the key alone. */
const countingBy = (part: (call: Call) => string | number): Parts => ({
  bucket: (call) => `${call.key ?? 'anonymous'} ${part(call)}`,
});

/** Grants requests per span of this many seconds. */
const windowOf = (seconds: number): Parts => ({
  windows: (key) => [key === undefined ? { seconds: 60, limit: 1_000 } : { seconds, limit: 60 }],
});

/** Enforces another limit than it reports. */
const keepingLimit = (kept: number): Parts => ({
  windows: (key) => [{ seconds: 60, limit: key === undefined ? 1_000 : kept }],
  showQuota: (quota, _status, { key }) =>
    key === undefined
      ? quota
      : { ...quota, limit: 60, remaining: Math.max(0, quota.remaining + 60 - kept) },
});

/** Stays full once it is full. */
function stayingFull(): Parts {
  let full = false;
  return counting((quota, call) => {
    full ||= !quota.allowed;
    return full ? refuseUntil(quota.reset * 1000, quota, call) : quota;
  });
}

/** Once a day, from one request with the key on, all requests counted so far are available again. */
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

/** Quotas that are reported wrongly, whatever the limiter does. */
const shown: readonly Mutant[] = createMutants('*/rate-limit.remaining-monotonic', {
  'rate-limit-remaining-lost': () => losingCount(24),
  'rate-limit-remaining-by-node': {
    ...countingBy(({ ordinal }) => ordinal % 2),
    ...showing(({ remaining }, { ordinal }) => ({
      remaining: Math.max(0, remaining - 20 * (ordinal % 2)),
    })),
  },
  'rate-limit-remaining-refunded-twice': [
    refundingTwice,
    '*/rate-limit.remaining-monotonic',
    { fades: true },
  ],
});

/** Limiters whose fault shows only when the limit is exceeded, at any time. */
export const limiterMutants: readonly Mutant[] = [
  ...createMutants(
    '*/rate-limit.exceeded */rate-limit.remaining-monotonic',
    {
      'rate-limit-by-operation': countingBy(({ route }) => `${route.operation} ${route.allow}`),
      'rate-limit-by-path': countingBy(({ target, method }) => `${method} ${target.split('?')[0]}`),
      'rate-limit-per-ten-seconds': [windowOf(10), '*/rate-limit.plan'],
      'rate-limit-reset-at-midnight': [windowOf(86_400), '*/rate-limit.reset-plausible'],
    },
    { needs: 'exhaust' },
  ),
];

/** Behaviour over the limit, and after its end. */
const refusals: readonly Mutant[] = [
  ...createMutants(
    '*/rate-limit.exceeded',
    {
      'rate-limit-one-too-late': keepingLimit(61),
      'rate-limit-one-too-early': keepingLimit(59),
      'rate-limit-lists-never-refused': counting((quota, call) =>
        call.route.operation === 'listPets' ? { ...quota, allowed: true } : quota,
      ),
      'rate-limit-remaining-mostly-zero': [
        showing(({ remaining }, { ordinal }) => ({ remaining: ordinal % 9 === 0 ? remaining : 0 })),
        '*/rate-limit.{exceeded,remaining-counts,remaining-monotonic}',
      ],
      'rate-limit-refused-with-503': [
        {
          refuseExcess: (quota, call, all) =>
            refuse(new Refusal(503, 'unavailable', 'Try again later.'), call, all, {
              'Retry-After': all.retryAfter(quota, call),
            }),
        },
        '*/rate-limit.exceeded {listPets,createPet,getPet}/robustness.no-server-error',
      ],
      'rate-limit-refused-by-reset': [
        deliveringExcess('reset'),
        '*/rate-limit.exceeded {listPets,createPet,getPet}/robustness.answered',
      ],
      'rate-limit-retry-after-half': [
        { retryAfter: (quota) => String(Math.floor(quota.retryAfter / 2)) },
        '*/rate-limit.retry-after',
      ],
      'rate-limit-retry-after-date-other-zone': [
        { retryAfter: ({ reset }) => new Date((reset - 36_000) * 1000).toUTCString() },
        '*/rate-limit.retry-after',
      ],
      'rate-limit-never-returns': [stayingFull, '*/rate-limit.returns */rate-limit.retry-after'],
      'rate-limit-refused-by-silence': [
        deliveringExcess('hang'),
        '*/rate-limit.exceeded {listPets,createPet,getPet}/robustness.answered',
        { needs: 'exhaust', hangs: true },
      ],
    },
    { needs: 'exhaust' },
  ),
];

/** Quotas that are reported or enforced wrongly. */
export const rateLimitMutants: readonly Mutant[] = [...shown, ...limiterMutants, ...refusals];
