import {
  type Call,
  type Parts,
  type Quota,
  type WireResponse,
  createRefusal,
} from '../service/behaviour.ts';
import { minuteAndDay } from '../service/credentials.ts';
import { count, refuseUntil } from '../service/limiter.ts';
import { refuse } from '../service/operations.ts';
import { plain } from '../service/plain.ts';
import {
  type Mutant,
  type Requirements,
  createMutants,
  listMutants,
  needing,
  requirementsOf,
} from '../subject/mutant.ts';
import {
  errorPlaces,
  everyOperation,
  fallen,
  fetched,
  isCallOf,
  petPlaces,
  requiredAt,
  requirementsAt,
} from '../subject/place.ts';
import { leaveOut } from '../subject/response-change.ts';
import { scatter } from '../subject/scatter.ts';

const [counts, exceeded, monotonic] = [
  '*/rate-limit.remaining-counts',
  '*/rate-limit.exceeded',
  '*/rate-limit.remaining-monotonic',
] as const;
const plan = '*/rate-limit.plan';
const plausible = '*/rate-limit.reset-plausible';
const retryAfter = '*/rate-limit.retry-after';
const returns = '*/rate-limit.returns';

export const quotaHeaders = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
] as const;

/** The name of a header that tells the caller's limit. */
type QuotaHeader = (typeof quotaHeaders)[number];

/** The service with other values told than those that its limiter keeps. */
function tellOtherwise(change: (quota: Quota, call: Call) => Partial<Quota>): Parts {
  return { tellQuota: (quota, _status, call) => ({ ...quota, ...change(quota, call) }) };
}

/** The service with the text of one header made from the quota. */
function writeHeader(name: QuotaHeader, write: (quota: Quota) => string): Parts {
  return {
    rateLimitHeaders: (quota, ...others) => ({
      ...plain.rateLimitHeaders(quota, ...others),
      [name]: write(quota),
    }),
  };
}

/** The requirements on a header in each kind of response but 429: a wrong form breaks them all. */
function everywhere(name: QuotaHeader): Requirements {
  return requirementsOf(
    [...petPlaces, ...errorPlaces].flatMap((place) => requirementsAt(place, `header.${name}`)),
  );
}

/** The requirements on headers of a 429, of every operation. */
function onEveryRefusal(...names: readonly (QuotaHeader | 'Retry-After')[]): Requirements {
  return requirementsOf(names.flatMap((name) => everyOperation(`response.429.header.${name}`)));
}

/** Tells another limit; what is left stays below it. */
function tellLimit(limit: (quota: Quota, ordinal: number) => number): Parts {
  return tellOtherwise((quota, { ordinal }) => {
    const told = limit(quota, ordinal);
    return { limit: told, remaining: Math.min(quota.remaining, told) };
  });
}

/** X-RateLimit-Limit: not what the plan of the key gives. */
const rateLimitLimitMutants: readonly Mutant[] = createMutants([plan], {
  'rate-limit-limit-of-library': [
    'The limiter has the 100 requests a minute of its library, whatever the plan is.',
    { windows: () => minuteAndDay(100, 1_000) },
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
});

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
      () => stayFull((call) => inSeconds(call) + 60),
      [returns, retryAfter],
    ],
    'rate-limit-count-without-window': ['The count of a key is never set back.', countForever],
  }),
  ...createMutants([retryAfter], {
    'rate-limit-retry-after-year': ['Retry-After is a year.', { retryAfter: () => String(year) }],
  }),
]);

/** Once full, it stays full, with the given end of the window: seconds of Unix time. */
function stayFull(resetOf: (call: Call, quota: Quota) => number): Parts {
  let full = false;
  return {
    count: (call, all) => {
      const quota = count(call, all);
      if (call.key === undefined) return quota;
      full ||= !quota.allowed;
      const reset = resetOf(call, quota);
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

const unanswered = everyOperation('robustness.answered');

/** Lets some requests over the limit through. */
function letThrough(isServed: (call: Call) => boolean): Parts {
  return {
    count: (call, all) => {
      const quota = count(call, all);
      return quota.allowed || !isServed(call) ? quota : { ...quota, allowed: true };
    },
  };
}

/** Keeps one limit and tells another. */
function keepLimit(saved: (told: number) => number): Parts {
  const told = 60;
  return {
    windows: (key) => [{ seconds: 60, limit: key === undefined ? 1_000 : saved(told) }],
    tellQuota: (quota, _status, { key }) =>
      key === undefined
        ? quota
        : { ...quota, limit: told, remaining: Math.max(0, quota.remaining + told - saved(told)) },
  };
}

/** Refuses in another way; the status may be another than that of the error in the body. */
function refuseWith(answered: number, code: string, reason: string, told = answered): Parts {
  return {
    refuseExcess: (quota, call, all) => ({
      ...refuse(createRefusal(told, code, reason), call, all, {
        'Retry-After': all.retryAfter(quota, call),
      }),
      status: answered,
    }),
  };
}

function deliverExcess(delivery: WireResponse['delivery']): Parts {
  return {
    finish: (wireResponse) =>
      wireResponse.status === 429 ? { ...wireResponse, delivery } : wireResponse,
  };
}

/** What comes over the limit, and when. */
const rateLimitRefusalMutants = needing('exhaust', [
  ...createMutants([exceeded], {
    'rate-limit-never-refused': [
      'Requests are counted and the headers told, but nothing is ever refused.',
      letThrough(() => true),
    ],
    'rate-limit-one-too-late': [
      'The 61st request is still served: the comparison is `>` for `>=`.',
      keepLimit((told) => told + 1),
    ],
    'rate-limit-ten-too-early': [
      '429 comes after 50 requests, while Remaining still says 10.',
      keepLimit((told) => told - 10),
    ],
    'rate-limit-one-too-early': [
      '429 comes instead of the 60th answer, while Remaining still says 1.',
      keepLimit((told) => told - 1),
    ],
    'rate-limit-nothing-left-too-early': [
      'Remaining is 0 from the 50th request on, though ten more are served.',
      tellOtherwise(({ remaining }) => ({ remaining: Math.max(0, remaining - 10) })),
    ],
    'rate-limit-lists-never-refused': [
      'The limiter guards only requests that write; lists are served over the limit.',
      letThrough((call) => isCallOf('listPets', call)),
    ],
    'rate-limit-deprecated-never-refused': [
      'The deprecated operation hangs on an older router without the limiter.',
      letThrough((call) => isCallOf('getPet', call)),
    ],
    'rate-limit-refused-with-503': [
      'The proxy in front answers 503 over the limit.',
      refuseWith(503, 'unavailable', 'Try again later.'),
      [exceeded, ...Object.values(fallen)],
    ],
    'rate-limit-refused-with-200': [
      'The gateway answers an Error with 200 over the limit.',
      refuseWith(200, 'too_many_requests', 'Too many requests.', 429),
      [
        exceeded,
        'listPets/response.200.body.type',
        'createPet/status.201',
        ...requiredAt(fetched),
        'getPet/response.200.body.status.type',
      ],
    ],
    'rate-limit-refused-by-reset': [
      'The firewall resets the connection over the limit.',
      deliverExcess('reset'),
      [exceeded, ...unanswered],
    ],
  }),
  ...createMutants([exceeded, ...unanswered], {
    'rate-limit-refused-by-silence': [
      'The firewall drops what is over the limit: no response comes.',
      deliverExcess('hang'),
    ],
  }).map((mutant): Mutant => ({ ...mutant, hangs: true })),
]);

/** X-RateLimit-Remaining: not what is left. */
const rateLimitRemainingMutants: readonly Mutant[] = [
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

/** A Reset that is a whole number, but not the Unix time at which the limit resets. */
const wrongTime = (tell: (reset: number, seconds: number) => number): Parts =>
  tellOtherwise(({ reset }, { now }) => ({ reset: Math.round(tell(reset, now / 1000)) }));

/** A Reset that is no whole number at all. */
const wrongForm = (write: (quota: Quota) => string): Parts =>
  writeHeader('X-RateLimit-Reset', write);

/** X-RateLimit-Reset: not the Unix time in seconds at which the limit resets. */
const rateLimitResetMutants: readonly Mutant[] = [
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
  }),
  ...listMutants('rate-limit-reset-', everywhere('X-RateLimit-Reset'), wrongForm, {
    date: ['Reset is a date of RFC 3339.', ({ reset }) => new Date(reset * 1000).toISOString()],
  }),
];

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
const rateLimitRetryMutants: readonly Mutant[] = needing('exhaust', [
  ...createMutants(onEveryRefusal('Retry-After'), {}),
  ...quotaHeaders.flatMap((name) =>
    createMutants(onEveryRefusal(name), {
      [`rate-limit-429-without-${name.replace('X-RateLimit-', '').toLowerCase()}`]: [
        `A 429 has no ${name}.`,
        lacking([name]),
      ],
    }),
  ),
  ...createMutants(onEveryRefusal(...quotaHeaders), {}),
  ...listMutants('rate-limit-retry-after-', [retryAfter], wrongWait, {
    half: [
      'Retry-After is half of what the window has left: the mean wait.',
      (quota) => String(Math.floor(quota.retryAfter / 2)),
    ],
    'date-other-zone': [
      'Retry-After is the local time of a server ten hours behind, called GMT.',
      (quota) => writeDate((quota.reset - 36_000) * 1000),
    ],
  }),
  ...createMutants([returns], {
    'rate-limit-never-returns': [
      'The count has no time to live: once the limit is reached, everything is refused for good.',
      () => stayFull((_call, quota) => quota.reset),
      [returns, retryAfter],
    ],
    'rate-limit-returns-as-zero': [
      'Requests are served again after Reset, but Remaining stays 0.',
      stayAtZero,
      [returns, counts, exceeded],
    ],
  }),
]);

function stayAtZero(): Parts {
  let full = false;
  return {
    tellQuota: (quota, _status, { key }) => {
      full ||= key !== undefined && !quota.allowed;
      return full ? { ...quota, remaining: 0 } : quota;
    },
  };
}

/** Quotas that are told or kept wrongly. */
export const rateLimitMutants: readonly Mutant[] = [
  ...rateLimitLimitMutants,
  ...rateLimitLimiterMutants,
  ...rateLimitRefusalMutants,
  ...rateLimitRemainingMutants,
  ...rateLimitResetMutants,
  ...rateLimitRetryMutants,
];
