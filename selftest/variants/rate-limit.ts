import {
  type Window,
  minuteAndDay,
  type Call,
  Refusal,
  refuse,
  type Quota,
  refuseUntil,
  type Parts,
  plain,
  replaceParts,
} from '../service/service.ts';
import { counting, showing, leaveOut, type Variant, createVariants } from '../subject/subject.ts';

/** Shows the quota of the last request with the key whose number was a multiple of seven. */
function showingCached(): Parts {
  let known: Quota | undefined;
  let sent = 0;
  return {
    showQuota: (quota, _status, { key }) => {
      if (key === undefined) return quota;
      sent += 1;
      if (known === undefined || sent % 7 === 0 || known.reset !== quota.reset || !quota.allowed)
        known = quota;
      return { ...quota, remaining: known.remaining };
    },
  };
}

/** A request over the limit adds a second to the wait, in Reset and Retry-After. */
function waitGrowing(): Parts {
  let until = 0;
  return counting((quota, call) => {
    if (quota.allowed && call.now >= until) return quota;
    until = Math.max(until, quota.allowed ? until : call.now + quota.retryAfter * 1000) + 1000;
    return { ...refuseUntil(until, quota, call), reset: Math.ceil(until / 1000) };
  });
}

/** Grants one request per minute with the key; others use the rest. */
function usedByOthers(): Parts {
  let used = 0;
  return counting((quota, call) => {
    if (!quota.allowed) return quota;
    const end = (Math.floor(call.now / 60_000) + 1) * 60_000;
    if (used === end) return refuseUntil(end, quota, call);
    used = end;
    return { ...quota, remaining: 0 };
  });
}

const skewed = (ahead: number): Parts => ({ readClock: (now) => now + ahead });

const withoutDate: Parts = {
  finish: (wire) => ({ ...wire, headers: leaveOut(wire.headers, 'Date') }),
};

/** A minute limit for requests without a valid key, in a separate bucket. */
const anonymousLimit = (limit: number): Parts => ({
  windows: (key) => (key === undefined ? minuteAndDay(limit, limit * 20) : minuteAndDay(60, 1_000)),
});

/** Another body for a 429; without a content type if it is empty. */
const refusingWith = (text: string, type: string): Parts => ({
  finish: (wire) =>
    wire.status === 429
      ? {
          ...wire,
          headers: {
            ...leaveOut(wire.headers, 'Content-Type'),
            ...(type === '' ? {} : { 'Content-Type': type }),
          },
          bytes: Buffer.from(text),
        }
      : wire,
});

/** Bans any client that sends a request within the wait of a 429: with this status, for an hour. */
function banningAtOnce(status: number): Parts {
  let [waitUntil, bannedUntil] = [0, 0];
  return {
    count: (call, all) => {
      const quota = plain.count(call, all);
      if (call.now < waitUntil) bannedUntil = call.now + 3_600_000;
      if (!quota.allowed)
        waitUntil = Math.max(waitUntil, (Math.floor(call.now / 1000) + quota.retryAfter) * 1000);
      return call.now < bannedUntil ? refuseUntil(bannedUntil, quota, call) : quota;
    },
    refuseExcess: (quota, call, all) =>
      call.now < bannedUntil && status !== 429
        ? refuse(new Refusal(status, 'banned', 'The wait was not observed.'), call, all)
        : plain.refuseExcess(quota, call, all),
  };
}

function banningForHour(): Parts {
  let [excess, until] = [0, 0];
  return counting((quota, call) => {
    excess = quota.allowed && call.now >= until ? 0 : excess + 1;
    if (excess === 5) until = call.now + (quota.retryAfter + 3_600) * 1000;
    return call.now < until ? refuseUntil(until, quota, call) : quota;
  });
}

/** A minute limiter with a state per bucket. */
const limiting =
  <State>(
    create: (call: Call, limit: number) => State,
    use: (state: State, call: Call, limit: number) => Omit<Quota, 'limit'>,
  ) =>
  (): Parts => {
    const states = new Map<string, State>();
    return {
      count: (call, all) => {
        const limit = all.windows(call.key)[0]?.limit ?? 60;
        const bucket = all.bucket(call);
        const state = states.get(bucket) ?? create(call, limit);
        states.set(bucket, state);
        return { limit, ...use(state, call, limit) };
      },
    };
  };

const fromFirst = (round: (seconds: number) => number) =>
  limiting(
    ({ now }) => ({ start: now, used: 0 }),
    (state, { now }, limit) => {
      if (now >= state.start + 60_000) Object.assign(state, { start: now, used: 0 });
      const allowed = state.used < limit;
      if (allowed) state.used += 1;
      const end = (state.start + 60_000) / 1000;
      return {
        allowed,
        remaining: limit - state.used,
        reset: round(end),
        retryAfter: Math.max(1, Math.ceil(end - now / 1000)),
      };
    },
  );

/** A log of the requests of the last 60 seconds. */
const sliding = (reset: (oldest: number, now: number) => number) =>
  limiting(
    (): number[] => [],
    (log, { now }, limit) => {
      while (log[0] !== undefined && log[0] <= now - 60_000) log.shift();
      const allowed = log.length < limit;
      if (allowed) log.push(now);
      const [oldest = now] = log;
      return {
        allowed,
        remaining: limit - log.length,
        reset: Math.ceil(reset(oldest, now) / 1000),
        retryAfter: Math.max(1, Math.ceil((oldest + 60_000 - now) / 1000)),
      };
    },
  );

/** A bucket with a minute's requests that refills one per second. */
const bucket = (reset: (missing: number) => number) =>
  limiting(
    ({ now }, limit) => ({ level: limit, at: now }),
    (state, { now }, limit) => {
      const rate = limit / 60_000;
      const level = Math.min(limit, state.level + Math.max(0, now - state.at) * rate);
      const allowed = level >= 1;
      Object.assign(state, { level: allowed ? level - 1 : level, at: now });
      return {
        allowed,
        remaining: Math.floor(state.level),
        reset: Math.ceil((now + reset((limit - state.level) / rate)) / 1000),
        retryAfter: Math.max(1, Math.ceil(Math.max(0, 1 - state.level) / rate / 1000)),
      };
    },
  );

const windowsOf = (...windows: readonly Window[]): Parts => ({
  windows: (key) => (key === undefined ? minuteAndDay(1_000, 100_000) : windows),
});

/** A service whose day has only 30 requests left when the run begins. */
const dayNearlyUsed = windowsOf(...minuteAndDay(60, 30));

/** Shows a fixed window, whichever is the tightest. */
function showingWindow(index: (ordinal: number) => number): Parts {
  const shown = new WeakMap<Call, Quota>();
  return {
    count: (call, all) => {
      const window = all.windows(call.key)[index(call.ordinal)];
      const quota = plain.count(call, all);
      const windows = (): readonly Window[] => (window ? [window] : []);
      shown.set(call, plain.count(call, replaceParts(all, { windows, cost: () => 0 })));
      return quota;
    },
    ...showing((quota, call) => {
      const { limit, remaining, reset } = shown.get(call) ?? quota;
      return { limit, remaining, reset };
    }),
  };
}

const asDate: Parts['retryAfter'] = ({ reset }) => new Date(reset * 1000).toUTCString();

const keys =
  'Limits / Gaps: how a plan is assigned to a key, and whether counts are kept per key, is not shown (x-unspecified plan-assignment).';
const callers =
  'Limits: Limit is the one that applies to the caller; what applies to callers without a key, and whether they are counted, is not said.';
const rounding =
  'Limits / Rate limit headers: Reset is a timestamp in whole seconds; how it is rounded is not said.';
const body =
  'Errors / Gaps: the body of a 429 response is not shown (x-unspecified rate-limit-body).';
const twoWindows =
  'Limits: a plan has requests per minute and per day; which of the two the headers show is not said.';

/** Clocks, counts, waits and windows that the interface allows. */
export const rateLimitVariants: readonly Variant[] = [
  ...createVariants(
    'Limits / Rate limit headers: Reset is a Unix timestamp of the service, whose clock shows in Date (RFC 9110 section 6.6.1); no sentence holds it to the clock of the client.',
    {
      'clock-day-ahead': skewed(86_400_000),
      'clock-ten-minutes-behind': skewed(-600_000),
      'clock-half-a-second-off': skewed(500),
      'clock-without-date-ten-minutes-ahead': { ...skewed(600_000), ...withoutDate },
    },
  ),
  ...createVariants(
    'Limits: which requests are counted is not said (x-unspecified counted-requests).',
    {
      'counting-shown-before': [
        showing(({ allowed, limit, remaining }) => ({
          remaining: allowed ? Math.min(limit, remaining + 1) : remaining,
        })),
        'Limits / Rate limit headers: whether the request itself is among the requests left is not said.',
      ],
      'counting-not-404': { isCounted: (status) => status !== 404 },
      'counting-writes-double': { cost: ({ method }) => (method === 'POST' ? 2 : 1) },
      'counting-refused-too': waitGrowing,
      'counting-cached': [
        showingCached,
        'Limits / Rate limit headers: how soon Remaining shows a request is not said.',
      ],
      'counting-used-up-by-others': [usedByOthers, keys],
      'counting-reset-of-each-clock': [
        showing(({ reset }, { ordinal }) => ({ reset: reset + (ordinal % 2) })),
        rounding,
      ],
      'counting-by-address': [
        { bucket: () => 'address', windows: () => minuteAndDay(60, 1_000) },
        keys,
      ],
      'counting-anonymous-five': [anonymousLimit(5), callers],
      'counting-anonymous-none': [
        showing((_quota, _call, status) => (status === 401 ? { limit: 0, remaining: 0 } : {})),
        callers,
      ],
    },
  ),
  ...createVariants(
    'Limits / Gaps: format and unit of the `Retry-After` value are not shown (x-unspecified retry-after-format).',
    {
      'retry-date-day-ahead': { retryAfter: asDate, ...skewed(86_400_000) },
      'retry-date-day-behind': { retryAfter: asDate, ...skewed(-86_400_000) },
      'retry-whole-window': { retryAfter: () => '60' },
      'retry-milliseconds': { retryAfter: (quota) => String(quota.retryAfter * 1000) },
      'retry-unix-time': { retryAfter: ({ reset }) => String(reset) },
      'retry-body-empty': [refusingWith('', ''), body],
      'retry-body-text': [
        refusingWith('Too many requests: please wait.', 'text/plain; charset=utf-8'),
        body,
      ],
      'retry-body-html': [
        refusingWith('<!doctype html><title>429</title><h1>Too many requests</h1>', 'text/html'),
        body,
      ],
      'retry-body-other-json': [
        refusingWith('{"error":{"type":"rate_limit","retry":true}}', 'application/json'),
        body,
      ],
    },
  ),
  ...createVariants(
    'Limits / Exceeding the limit: repeated requests after a 429 may lead to a temporary ban, whose duration is not shown (x-unspecified ban-length).',
    {
      'retry-ban-at-once-forbidden': () => ({ ...banningAtOnce(403), retryAfter: asDate }),
      'retry-ban-at-once-limited': () => ({
        ...banningAtOnce(429),
        arrive: ({ sleep }) => sleep(40),
      }),
      'retry-ban-hour': banningForHour,
    },
  ),
  ...createVariants(
    'Limits: the interface says `window` and no more; when it starts and ends is open (x-unspecified window-kind).',
    {
      'window-from-first-request': fromFirst(Math.ceil),
      'window-reset-rounded-down': [fromFirst(Math.floor), rounding],
      'window-sliding-oldest': sliding((oldest) => oldest + 60_000),
      'window-token-bucket': bucket((missing) => missing),
      'window-token-bucket-next': bucket((missing) => Math.min(missing, 1_000)),
      'window-day-only': [windowsOf({ seconds: 86_400, limit: 1_000 }), twoWindows],
      'window-day-shown': [() => showingWindow(() => 1), twoWindows],
      'window-in-turn': [() => showingWindow((ordinal) => ordinal % 2), twoWindows],
      'window-minute-shown-day-used': [
        () => ({ ...showingWindow(() => 0), ...dayNearlyUsed }),
        twoWindows,
      ],
      'window-day-used': [
        { ...dayNearlyUsed, ...showing(({ limit }) => ({ limit: limit === 30 ? 1_000 : limit })) },
        twoWindows,
      ],
    },
  ),
];
