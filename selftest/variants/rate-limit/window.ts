import type { Parts, Call, Quota, ServiceBehaviour } from '../../service/behaviour.ts';
import { minuteAndDay, windows } from '../../service/credentials.ts';
import { count } from '../../service/limiter.ts';
import { type Variant, createVariants } from '../../subject/variant.ts';

const valid =
  'Limits: the interface says `window` and no more; when it starts and ends is open (x-unspecified window-kind).';
const untold =
  'Limits: a plan has requests per minute and per day; which of the two the headers tell is not said.';

type Count = ServiceBehaviour['count'];

/** A limiter of the minute that keeps a state for each bucket. */
function limiting<State>(
  create: (call: Call, limit: number) => State,
  use: (state: State, call: Call, limit: number) => Quota,
): () => Parts {
  return () => {
    const states = new Map<string, State>();
    const counting: Count = (call, all) => {
      const limit = all.windows(call.key)[0]?.limit ?? 60;
      const bucket = all.bucket(call);
      const state = states.get(bucket) ?? create(call, limit);
      states.set(bucket, state);
      return use(state, call, limit);
    };
    return { count: counting };
  };
}

function fromFirst(round: (seconds: number) => number): () => Parts {
  return limiting(
    ({ now }) => ({ start: now, used: 0 }),
    (state, { now }, limit) => {
      if (now >= state.start + 60_000) Object.assign(state, { start: now, used: 0 });
      const allowed = state.used < limit;
      if (allowed) state.used += 1;
      const end = (state.start + 60_000) / 1000;
      return {
        allowed,
        limit,
        remaining: limit - state.used,
        reset: round(end),
        retryAfter: Math.max(1, Math.ceil(end - now / 1000)),
      };
    },
  );
}

/** A log of the requests of the last 60 seconds. */
function sliding(reset: (oldest: number, now: number) => number): () => Parts {
  return limiting(
    (): number[] => [],
    (log, { now }, limit) => {
      while (log[0] !== undefined && log[0] <= now - 60_000) log.shift();
      const allowed = log.length < limit;
      if (allowed) log.push(now);
      const [oldest = now] = log;
      const retryAfter = Math.max(1, Math.ceil((oldest + 60_000 - now) / 1000));
      return {
        allowed,
        limit,
        remaining: limit - log.length,
        reset: Math.ceil(reset(oldest, now) / 1000),
        retryAfter,
      };
    },
  );
}

/** A bucket that holds a minute's requests and gets one a second. */
function bucket(reset: (missing: number) => number): () => Parts {
  return limiting(
    ({ now }, limit) => ({ level: limit, at: now }),
    (state, { now }, limit) => {
      const rate = limit / 60_000;
      const level = Math.min(limit, state.level + Math.max(0, now - state.at) * rate);
      const allowed = level >= 1;
      Object.assign(state, { level: allowed ? level - 1 : level, at: now });
      const wait = Math.max(0, 1 - state.level) / rate;
      return {
        allowed,
        limit,
        remaining: Math.floor(state.level),
        reset: Math.ceil((now + reset((limit - state.level) / rate)) / 1000),
        retryAfter: Math.max(1, Math.ceil(wait / 1000)),
      };
    },
  );
}

/** A service whose day has only so many requests left when the run begins. */
function dayNearlyUsed(left: number): ServiceBehaviour['windows'] {
  return (key) => (key === undefined ? windows(key) : minuteAndDay(60, left));
}

/** Tells one window whatever the limiter finds the tightest. */
function tellWindow(
  index: (ordinal: number) => number,
): Pick<ServiceBehaviour, 'tellQuota' | 'count'> {
  const told = new WeakMap<Call, Quota>();
  return {
    count: (call, all) => {
      const window = all.windows(call.key)[index(call.ordinal)];
      const quota = count(call, all);
      told.set(
        call,
        count(call, { ...all, windows: () => (window ? [window] : []), cost: () => 0 }),
      );
      return quota;
    },
    tellQuota: (quota, _status, call) => ({ ...quota, ...pick(told.get(call) ?? quota) }),
  };
}

function pick({ limit, remaining, reset }: Quota): Pick<Quota, 'limit' | 'remaining' | 'reset'> {
  return { limit, remaining, reset };
}

/** When windows start and end, and which of them is told. */
export const windowVariants: readonly Variant[] = createVariants('window', valid, {
  'from-first-request': [
    'A window starts with the first request after the last one ended.',
    fromFirst(Math.ceil),
  ],
  'reset-rounded-down': [
    'A window ends within the second that Reset tells, not at its start.',
    fromFirst(Math.floor),
    'Limits / Rate limit headers: Reset is a timestamp in whole seconds; how it is rounded is not said.',
  ],
  'sliding-oldest': [
    'The window is always the last 60 seconds; Reset is when the oldest request leaves it.',
    sliding((oldest) => oldest + 60_000),
  ],
  'sliding-all': [
    'The window is always the last 60 seconds; Reset is when all requests have left it.',
    sliding((_oldest, now) => now + 60_000),
  ],
  'token-bucket': [
    'One request comes back each second; Reset is when all are back.',
    bucket((missing) => missing),
  ],
  'token-bucket-next': [
    'One request comes back each second; Reset is when the next is.',
    bucket((missing) => Math.min(missing, 1_000)),
  ],
  'day-only': [
    'Requests are counted by the day alone.',
    { windows: (key) => [{ seconds: 86_400, limit: key === undefined ? 100_000 : 1_000 }] },
    untold,
  ],
  'minute-only': [
    'The headers tell the minute; the day is so far off that it never shows.',
    { windows: (key) => [{ seconds: 60, limit: key === undefined ? 1_000 : 60 }] },
    untold,
  ],
  'day-told': [
    'The headers always tell the day, though the minute ends first.',
    () => tellWindow(() => 1),
    untold,
  ],
  'in-turn': [
    'The headers tell the minute and the day in turn.',
    () => tellWindow((ordinal) => ordinal % 2),
    untold,
  ],
  'minute-told-day-used': [
    'The headers always tell the minute, though other clients have used the day but for 30 requests.',
    { ...tellWindow(() => 0), windows: dayNearlyUsed(30) },
    untold,
  ],
  'day-used': [
    'Other clients have used the day but for 30 requests, which the headers tell.',
    {
      windows: dayNearlyUsed(30),
      tellQuota: (quota) => (quota.limit === 30 ? { ...quota, limit: 1_000 } : quota),
    },
    untold,
  ],
});
