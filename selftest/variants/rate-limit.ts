import {
  type Call,
  type Parts,
  type Quota,
  type Window,
  createRefusal,
} from '../service/behaviour.ts';
import { minuteAndDay } from '../service/credentials.ts';
import { count, refuseUntil } from '../service/limiter.ts';
import { refuse } from '../service/operations.ts';
import { plain } from '../service/plain.ts';
import { leaveOut } from '../subject/alter.ts';
import { type Variant, createVariants } from '../subject/subject.ts';

/** Shows another quota than the limiter keeps. */
const showing = (change: (quota: Quota, status: number, call: Call) => Partial<Quota>): Parts => ({
  showQuota: (quota, ...others) => ({ ...quota, ...change(quota, ...others) }),
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

/** Shows what was left at the last request with the key that had a multiple of seven. */
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

/** A request over the limit adds a second to the wait, shown in Reset and Retry-After. */
function waitGrowing(): Parts {
  let until = 0;
  return counting((quota, call) => {
    if (quota.allowed && call.now >= until) return quota;
    until = Math.max(until, quota.allowed ? until : call.now + quota.retryAfter * 1000) + 1000;
    return { ...refuseUntil(until, quota, call), reset: Math.ceil(until / 1000) };
  });
}

/** One request with the key in each minute; others use the rest. */
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

/** A limit of the minute for requests without a valid key, in a bucket of their own. */
const anonymousLimit = (limit: number): Parts => ({
  windows: (key) => (key === undefined ? minuteAndDay(limit, limit * 20) : minuteAndDay(60, 1_000)),
});

/** Another body of a 429; without a type where that is empty. */
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

/** Bans whoever sends a request within the wait of a 429: with this status, for an hour. */
function banningAtOnce(status: number): Parts {
  let [waitUntil, bannedUntil] = [0, 0];
  return {
    count: (call, all) => {
      const quota = count(call, all);
      if (call.now < waitUntil) bannedUntil = call.now + 3_600_000;
      if (!quota.allowed)
        waitUntil = Math.max(waitUntil, (Math.floor(call.now / 1000) + quota.retryAfter) * 1000);
      return call.now < bannedUntil ? refuseUntil(bannedUntil, quota, call) : quota;
    },
    refuseExcess: (quota, call, all) =>
      call.now < bannedUntil && status !== 429
        ? refuse(createRefusal(status, 'banned', 'The wait was not observed.'), call, all)
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

/** A limiter of the minute that keeps a state for each bucket. */
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

/** A bucket that holds a minute's requests and gets one a second. */
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

/** Shows one window, whichever the limiter finds the tightest. */
function showingWindow(index: (ordinal: number) => number): Parts {
  const shown = new WeakMap<Call, Quota>();
  return {
    count: (call, all) => {
      const window = all.windows(call.key)[index(call.ordinal)];
      const quota = count(call, all);
      const windows = (): readonly Window[] => (window ? [window] : []);
      shown.set(call, count(call, { ...all, windows, cost: () => 0 }));
      return quota;
    },
    ...showing((quota, _status, call) => {
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
  'Limits: a plan has requests per minute and per day; which of the two the headers tell is not said.';

/** Clocks, counts, waits and windows that the interface allows. */
export const rateLimitVariants: readonly Variant[] = [
  ...createVariants(
    'Limits / Rate limit headers: Reset is a Unix timestamp of the service, whose clock shows in Date (RFC 9110 section 6.6.1); no sentence holds it to the clock of the client.',
    {
      'clock-day-ahead': ['The clock is a day ahead.', skewed(86_400_000)],
      'clock-ten-minutes-behind': ['The clock is ten minutes behind.', skewed(-600_000)],
      'clock-half-a-second-off': [
        'The clock is half a second ahead, so that no window ends at a full second of the client.',
        skewed(500),
      ],
      'clock-without-date-ten-minutes-ahead': [
        'Responses have no Date, and the clock is ten minutes ahead.',
        { ...skewed(600_000), ...withoutDate },
      ],
    },
  ),
  ...createVariants(
    'Limits: which requests are counted is not said (x-unspecified counted-requests).',
    {
      'counting-shown-before': [
        'Remaining is what was left before the request itself.',
        showing(({ allowed, limit, remaining }) => ({
          remaining: allowed ? Math.min(limit, remaining + 1) : remaining,
        })),
        'Limits / Rate limit headers: whether the request itself is among the requests left is not said.',
      ],
      'counting-successful-only': [
        'Only responses below 400 are counted.',
        { isCounted: (status) => status < 400 },
      ],
      'counting-not-404': ['A 404 is not counted.', { isCounted: (status) => status !== 404 }],
      'counting-writes-double': [
        'An addition counts for two requests.',
        { cost: ({ method }) => (method === 'POST' ? 2 : 1) },
      ],
      'counting-refused-too': [
        'Requests over the limit are counted too, so that the wait grows with each.',
        waitGrowing,
      ],
      'counting-cached': [
        'Remaining comes from a cache, which is up to seven requests behind.',
        showingCached,
        'Limits / Rate limit headers: how soon Remaining shows a request is not said.',
      ],
      'counting-used-up-by-others': [
        'Others use up each window: the first request in it leaves nothing, and the next one gets 429.',
        usedByOthers,
        keys,
      ],
      'counting-reset-of-each-clock': [
        'Two servers with one count round Reset up and down in turn.',
        showing(({ reset }, _status, { ordinal }) => ({ reset: reset + (ordinal % 2) })),
        rounding,
      ],
      'counting-by-address': [
        'All requests of one address share a count, with and without a key.',
        { bucket: () => 'address', windows: () => minuteAndDay(60, 1_000) },
        keys,
      ],
      'counting-anonymous-five': [
        'Callers without a valid key have five requests a minute, and 429 after that.',
        anonymousLimit(5),
        callers,
      ],
      'counting-anonymous-none': [
        'A 401 shows Limit 0 and Remaining 0: nobody without a key may send anything.',
        showing((_quota, status) => (status === 401 ? { limit: 0, remaining: 0 } : {})),
        callers,
      ],
    },
  ),
  ...createVariants(
    'Limits / Gaps: format and unit of the `Retry-After` value are not shown (x-unspecified retry-after-format).',
    {
      'retry-date-day-ahead': [
        'Retry-After is an HTTP-date of a clock that is a day ahead.',
        { retryAfter: asDate, ...skewed(86_400_000) },
      ],
      'retry-date-day-behind': [
        'Retry-After is an HTTP-date of a clock that is a day behind.',
        { retryAfter: asDate, ...skewed(-86_400_000) },
      ],
      'retry-whole-window': [
        'Retry-After is always 60, whatever the window has left.',
        { retryAfter: () => '60' },
      ],
      'retry-milliseconds': [
        'Retry-After is in milliseconds.',
        { retryAfter: (quota) => String(quota.retryAfter * 1000) },
      ],
      'retry-unix-time': [
        'Retry-After is the Unix time of Reset.',
        { retryAfter: ({ reset }) => String(reset) },
      ],
      'retry-body-empty': ['A 429 has no body.', refusingWith('', ''), body],
      'retry-body-text': [
        'A 429 is a sentence in plain text.',
        refusingWith('Too many requests: please wait.', 'text/plain; charset=utf-8'),
        body,
      ],
      'retry-body-html': [
        'A 429 is a web page of the gateway.',
        refusingWith('<!doctype html><title>429</title><h1>Too many requests</h1>', 'text/html'),
        body,
      ],
      'retry-body-other-json': [
        'A 429 is JSON of another shape.',
        refusingWith('{"error":{"type":"rate_limit","retry":true}}', 'application/json'),
        body,
      ],
    },
  ),
  ...createVariants(
    'Limits / Exceeding the limit: repeated requests after a 429 may lead to a temporary ban, whose duration is not shown (x-unspecified ban-length).',
    {
      'retry-ban-at-once-forbidden': [
        'A request within the wait of a 429, whatever its key, bans the caller for an hour: 403.',
        () => ({ ...banningAtOnce(403), retryAfter: asDate }),
      ],
      'retry-ban-at-once-limited': [
        'A request within the wait of a 429 bans the caller for an hour: 429. Responses are slow.',
        () => ({ ...banningAtOnce(429), arrive: ({ sleep }) => sleep(40) }),
      ],
      'retry-ban-hour': [
        'The fifth request over the limit in one window bans the key for an hour, which Retry-After says.',
        banningForHour,
      ],
    },
  ),
  ...createVariants(
    'Limits: the interface says `window` and no more; when it starts and ends is open (x-unspecified window-kind).',
    {
      'window-from-first-request': [
        'A window starts with the first request after the last one ended.',
        fromFirst(Math.ceil),
      ],
      'window-reset-rounded-down': [
        'A window ends within the second of Reset, not at its start.',
        fromFirst(Math.floor),
        rounding,
      ],
      'window-sliding-oldest': [
        'The window is always the last 60 seconds; Reset is when the oldest request leaves it.',
        sliding((oldest) => oldest + 60_000),
      ],
      'window-token-bucket': [
        'One request comes back each second; Reset is when all are back.',
        bucket((missing) => missing),
      ],
      'window-token-bucket-next': [
        'One request comes back each second; Reset is when the next is.',
        bucket((missing) => Math.min(missing, 1_000)),
      ],
      'window-day-only': [
        'Requests are counted by the day alone.',
        windowsOf({ seconds: 86_400, limit: 1_000 }),
        twoWindows,
      ],
      'window-day-shown': [
        'The headers always show the day, though the minute ends first.',
        () => showingWindow(() => 1),
        twoWindows,
      ],
      'window-in-turn': [
        'The headers show the minute and the day in turn.',
        () => showingWindow((ordinal) => ordinal % 2),
        twoWindows,
      ],
      'window-minute-shown-day-used': [
        'The headers always show the minute, though other clients have used the day except 30 requests.',
        () => ({ ...showingWindow(() => 0), ...dayNearlyUsed }),
        twoWindows,
      ],
      'window-day-used': [
        'Other clients have used the day except 30 requests, which the headers show.',
        { ...dayNearlyUsed, ...showing(({ limit }) => ({ limit: limit === 30 ? 1_000 : limit })) },
        twoWindows,
      ],
    },
  ),
];
