import { type Parts, type ServiceBehaviour, createRefusal } from '../../service/behaviour.ts';
import { count, refuseUntil } from '../../service/limiter.ts';
import { refuse } from '../../service/operations.ts';
import { plain } from '../../service/plain.ts';
import { type Variant, createVariants, listVariants } from '../../subject/variant.ts';
import { anonymousLimit } from './counting.ts';

const format =
  'Limits / Gaps: format and unit of the `Retry-After` value are not shown (x-unspecified retry-after-format).';
const body =
  'Errors / Gaps: the body of a 429 response is not shown (x-unspecified rate-limit-body).';
const ban =
  'Limits / Exceeding the limit: repeated requests after a 429 may lead to a temporary ban, whose duration is not shown (x-unspecified ban-length).';

/** Another body of a 429; without a type where that is empty. */
const refuseWith = ([text, type]: readonly [string, string]): Parts => ({
  finish: (wireResponse) => {
    if (wireResponse.status !== 429) return wireResponse;
    const { 'Content-Type': _type, ...others } = wireResponse.headers;
    const headers = type === '' ? others : { ...others, 'Content-Type': type };
    return { ...wireResponse, headers, bytes: Buffer.from(text) };
  },
});

const retryAfter: ServiceBehaviour['retryAfter'] = ({ reset }) =>
  new Date(reset * 1000).toUTCString();

/** What a 429 looks like, and how long it lasts. */
export const retryVariants: readonly Variant[] = [
  ...createVariants('retry', format, {
    date: ['Retry-After is an HTTP-date.', { retryAfter }],
    'date-day-ahead': [
      'Retry-After is an HTTP-date of a clock that is a day ahead.',
      { retryAfter, readClock: (now) => now + 86_400_000 },
    ],
    'date-day-behind': [
      'Retry-After is an HTTP-date of a clock that is a day behind.',
      { retryAfter, readClock: (now) => now - 86_400_000 },
    ],
    'whole-window': [
      'Retry-After is always 60, whatever the window has left.',
      { retryAfter: () => '60' },
    ],
    fraction: [
      'Retry-After has a fraction of a second.',
      { retryAfter: (quota) => `${quota.retryAfter}.25` },
    ],
    margin: [
      'Retry-After is three seconds more than the window has left.',
      { retryAfter: (quota) => String(quota.retryAfter + 3) },
    ],
    milliseconds: [
      'Retry-After is in milliseconds.',
      { retryAfter: (quota) => String(quota.retryAfter * 1000) },
    ],
    'unix-time': [
      'Retry-After is the Unix time of Reset.',
      { retryAfter: ({ reset }) => String(reset) },
    ],
  }),
  ...listVariants('retry-body', body, refuseWith, {
    empty: ['A 429 has no body.', ['', '']],
    text: [
      'A 429 is a sentence in plain text.',
      ['Too many requests: please wait.', 'text/plain; charset=utf-8'],
    ],
    html: [
      'A 429 is a web page of the gateway.',
      ['<!doctype html><title>429</title><h1>Too many requests</h1>', 'text/html'],
    ],
    'other-json': [
      'A 429 is JSON of another shape.',
      ['{"error":{"type":"rate_limit","retry":true}}', 'application/json'],
    ],
  }),
  ...createVariants('retry-ban-at-once', ban, {
    forbidden: [
      'A request within the wait of a 429, whatever its key, bans the caller for an hour: 403.',
      () => banningAtOnce(403),
    ],
    limited: [
      'A request within the wait of a 429, whatever its key, bans the caller for an hour: 429.',
      () => banningAtOnce(429),
    ],
    date: [
      'The same, and the wait is told as a date.',
      () => ({ ...banningAtOnce(403), retryAfter }),
    ],
    anonymous: [
      'The same, and callers without a valid key have five requests a minute.',
      () => ({ ...banningAtOnce(403), windows: anonymousLimit(5) }),
    ],
    slow: [
      'The same, over a network on which each request takes 40 milliseconds.',
      () => ({ ...banningAtOnce(403), arrive: ({ sleep }) => sleep(40) }),
    ],
  }),
  ...listVariants('retry-ban', ban, banning, {
    minute: [
      'The fifth request over the limit in one window bans the key for a minute more, which Retry-After tells.',
      60,
    ],
    hour: [
      'The fifth request over the limit in one window bans the key for an hour, which Retry-After tells.',
      3_600,
    ],
  }),
];

/** Bans whoever sends a request within the wait of a 429: with this status, for an hour. */
function banningAtOnce(status: number): Parts {
  let waitUntil = 0;
  let bannedUntil = 0;
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

function banning(seconds: number): Parts {
  let excess = 0;
  let until = 0;
  return {
    count: (call, all) => {
      const quota = count(call, all);
      if (call.key === undefined) return quota;
      if (quota.allowed && call.now >= until) excess = 0;
      else excess += 1;
      if (excess === 5) until = call.now + (quota.retryAfter + seconds) * 1000;
      return call.now < until ? refuseUntil(until, quota, call) : quota;
    },
  };
}
