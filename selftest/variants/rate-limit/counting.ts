import type { Parts, Quota, ServiceBehaviour } from '../../service/behaviour.ts';
import { minuteAndDay } from '../../service/credentials.ts';
import { count, refuseUntil } from '../../service/limiter.ts';
import { type Variant, createVariants } from '../../subject/variant.ts';

const valid = 'Limits: which requests are counted is not said (x-unspecified counted-requests).';
const callers =
  'Limits: Limit is the one that applies to the caller; what applies to callers without a key, and whether they are counted, is not said.';
const late = 'Limits / Rate limit headers: how soon Remaining shows a request is not said.';
const keys =
  'Limits / Gaps: how a plan is assigned to a key, and whether counts are kept per key, is not shown (x-unspecified plan-assignment).';

/** A limit of the minute for requests without a valid key, in a bucket of their own. */
export function anonymousLimit(limit: number): ServiceBehaviour['windows'] {
  return (key) => (key === undefined ? minuteAndDay(limit, limit * 20) : minuteAndDay(60, 1_000));
}

/** What is counted, on whose account, and when it is told. */
export const countingVariants: readonly Variant[] = createVariants('counting', valid, {
  'told-before': [
    'Remaining tells what was left before the request itself.',
    {
      tellQuota: (quota) =>
        quota.allowed ? { ...quota, remaining: Math.min(quota.limit, quota.remaining + 1) } : quota,
    },
    'Limits / Rate limit headers: whether the request itself is among the requests left is not said.',
  ],
  'successful-only': [
    'Only answers below 400 are counted.',
    { isCounted: (status) => status < 400 },
  ],
  'not-unauthorized': ['A 401 is not counted.', { isCounted: (status) => status !== 401 }],
  'not-404': ['A 404 is not counted.', { isCounted: (status) => status !== 404 }],
  'writes-double': [
    'An addition counts for two requests.',
    { cost: ({ method }) => (method === 'POST' ? 2 : 1) },
  ],
  'lists-triple': [
    'Lists count for three requests.',
    { cost: ({ route }) => (route.kind === 'operation' && route.operation === 'listPets' ? 3 : 1) },
  ],
  'refused-too': [
    'Requests over the limit are counted too, so that the wait grows with each.',
    growingWait,
  ],
  'told-by-a-cache': [
    'Remaining comes from a cache, which is up to seven requests behind.',
    tellCached,
    late,
  ],
  'used-by-others': [
    'Others use the key as well: each third request finds two more taken.',
    { cost: ({ ordinal }) => (ordinal % 3 === 0 ? 3 : 1) },
    keys,
  ],
  'used-up-by-others': [
    'Others use up each window: the first request in it leaves nothing, and the next one gets 429.',
    takenByOthers,
    keys,
  ],
  'day-told-for-additions': [
    'Lists tell the minute, and additions the day.',
    dayForAdditions,
    'Limits: a plan has requests per minute and per day; which of the two the headers tell is not said.',
  ],
  'reset-of-each-clock': [
    'Two servers with one count round Reset up and down in turn.',
    {
      tellQuota: (quota, _status, { ordinal }) => ({
        ...quota,
        reset: quota.reset + (ordinal % 2),
      }),
    },
    'Limits / Rate limit headers: Reset is a timestamp in whole seconds; how it is rounded is not said.',
  ],
  'by-address': [
    'All requests of one address share a count, with and without a key.',
    { bucket: () => 'address', windows: () => minuteAndDay(60, 1_000) },
    keys,
  ],
  'by-account': [
    'The keys of one account share a count.',
    { bucket: ({ key }) => (key === undefined ? 'anonymous' : 'account') },
    keys,
  ],
  'unauthorized-unchanged': [
    'A 401 always tells the same numbers.',
    {
      tellQuota: (quota, status) => (status === 401 ? { ...quota, remaining: quota.limit } : quota),
    },
    callers,
  ],
  'anonymous-30': [
    'Callers without a valid key have 30 requests a minute.',
    { windows: anonymousLimit(30) },
    callers,
  ],
  'anonymous-five': [
    'Callers without a valid key have five requests a minute, and 429 after that.',
    { windows: anonymousLimit(5) },
    callers,
  ],
  'anonymous-none': [
    'A 401 tells Limit 0 and Remaining 0: nobody without a key may ask anything.',
    {
      tellQuota: (quota, status) => (status === 401 ? { ...quota, limit: 0, remaining: 0 } : quota),
    },
    callers,
  ],
});

/** Tells what was left at the last request with the key that had a multiple of seven. */
function tellCached(): Parts {
  let known: Quota | undefined;
  let sent = 0;
  return {
    tellQuota: (quota, _status, { key }) => {
      if (key === undefined) return quota;
      sent += 1;
      if (known === undefined || sent % 7 === 0 || known.reset !== quota.reset || !quota.allowed)
        known = quota;
      return { ...quota, remaining: known.remaining };
    },
  };
}

function dayForAdditions(): Parts {
  let used = 0;
  return {
    tellQuota: (quota, _status, { key, now, method }) => {
      if (key === undefined) return quota;
      if (quota.allowed) used += 1;
      if (method !== 'POST' || !quota.allowed) return quota;
      const reset = (Math.floor(now / 86_400_000) + 1) * 86_400;
      return { ...quota, limit: 1_000, remaining: 1_000 - used, reset };
    },
  };
}

/** A request over the limit adds a second to the wait, told in Reset and Retry-After. */
function growingWait(): Parts {
  let until = 0;
  return {
    count: (call, all) => {
      const quota = count(call, all);
      const waiting = call.key !== undefined && call.now < until;
      if (call.key === undefined || (quota.allowed && !waiting)) return quota;
      until = Math.max(until, quota.allowed ? until : call.now + quota.retryAfter * 1000) + 1000;
      return { ...refuseUntil(until, quota, call), reset: Math.ceil(until / 1000) };
    },
  };
}

/** One request with the key in each minute; the rest of it is taken. */
function takenByOthers(): Parts {
  let taken = 0;
  return {
    count: (call, all) => {
      const quota = count(call, all);
      if (call.key === undefined || !quota.allowed) return quota;
      const end = (Math.floor(call.now / 60_000) + 1) * 60_000;
      if (taken === end) return refuseUntil(end, quota, call);
      taken = end;
      return { ...quota, remaining: 0 };
    },
  };
}
