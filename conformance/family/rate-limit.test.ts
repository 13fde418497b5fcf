import { expect, test } from 'vitest';
import { begin, judgeLog, list, type Case, type LogEntry } from '../../test/conformance/log.ts';
import { petstore as contract } from '../../test/contract/petstore.ts';

const of = (facet: string): string => `*/rate-limit.${facet}`;
/** The headers of a minute that ends a minute after the log began, unless given. */
const quota = (remaining: number, limit = 60, reset = 60) => ({
  'X-RateLimit-Limit': `${limit}`,
  'X-RateLimit-Remaining': `${remaining}`,
  'X-RateLimit-Reset': `${begin / 1000 + reset}`,
});
const served = (remaining: number, more: Partial<LogEntry> = {}): LogEntry =>
  list([], { headers: quota(remaining), ...more });
const full = (
  headers: Readonly<Record<string, string | undefined>>,
  more: Partial<LogEntry> = {},
): LogEntry =>
  list('', { status: 429, headers: { ...quota(0), 'Retry-After': '30', ...headers }, ...more });
/** Requests that each take one, from the first number down to the last. */
const drive = (from: number, to: number): readonly LogEntry[] =>
  Array.from({ length: from - to + 1 }, (_, index) => served(from - index));
/** The requests of a log that takes ten milliseconds each, by the target's clock. */
const soon = (entry: LogEntry, index: number): LogEntry => {
  const date = new Date(begin + index * 10).toUTCString();
  return { ...entry, at: index * 10, headers: { ...entry.headers, Date: date } };
};
const beyond = { intent: { kind: 'beyond' } } as const;

const headers: readonly Case[] = [
  ['Remaining is within Limit', [served(60)], { [of('remaining-within-limit')]: 'passed' }],
  ['Remaining is above Limit', [served(61)], { [of('remaining-within-limit')]: 'failed' }],
  [
    'a header that is not a number fails only its format',
    [list([], { headers: { ...quota(5), 'X-RateLimit-Remaining': 'many' } })],
    {
      [of('remaining-within-limit')]: 'not-tested',
      'listPets/response.200.header.X-RateLimit-Remaining': 'failed',
    },
  ],
  ['Reset is the end of the window', [served(5)], { [of('reset-plausible')]: 'passed' }],
  [
    'Reset is in milliseconds',
    [list([], { headers: { ...quota(5), 'X-RateLimit-Reset': `${begin}` } })],
    { [of('reset-plausible')]: 'failed' },
  ],
  [
    'Reset is a number of seconds from now',
    [list([], { headers: { ...quota(5), 'X-RateLimit-Reset': '60' } })],
    { [of('reset-plausible')]: 'failed' },
  ],
  [
    'a clock that is a year behind keeps its own time',
    [
      list([], {
        headers: {
          ...quota(5, 60, 60 - 31_536_000),
          Date: new Date(begin - 31_536_000_000).toUTCString(),
        },
      }),
    ],
    { [of('reset-plausible')]: 'passed' },
  ],
  [
    'a status that is not listed carries the headers',
    [
      list(undefined, {
        status: 418,
        headers: quota(5),
        intent: { kind: 'open', question: 'x', way: '' },
      }),
    ],
    { [of('headers')]: 'passed' },
  ],
  [
    'a status that is not listed lacks one',
    [
      list(undefined, {
        status: 418,
        headers: { 'X-RateLimit-Reset': undefined },
        intent: { kind: 'open', question: 'x', way: '' },
      }),
    ],
    { [of('headers')]: 'failed' },
  ],
  ['only listed statuses came', [served(5)], { [of('headers')]: 'not-tested' }],
  ['Limit is one of the plan', [served(5)], { [of('plan')]: 'passed' }],
  ['Limit is none of the plan', [list([], { headers: quota(5, 61) })], { [of('plan')]: 'failed' }],
  [
    'Limit of a request with another key says nothing',
    [
      list(undefined, {
        status: 401,
        headers: quota(5, 61),
        credential: 'missing',
        intent: { kind: 'open', question: 'x', way: '' },
      }),
    ],
    { [of('plan')]: 'not-tested' },
  ],
  [
    'Remaining goes down',
    drive(59, 55),
    { [of('remaining-counts')]: 'passed', [of('remaining-monotonic')]: 'passed' },
  ],
  [
    'Remaining stays where it was, over more requests than a refill could give back',
    Array.from({ length: 8 }, (_, index) => served(59, { at: index * 100 })),
    { [of('remaining-counts')]: 'failed' },
  ],
  [
    'Remaining stays where it was, over few requests',
    [served(59, { at: 0 }), served(59, { at: 1 }), served(59, { at: 2 }), served(59, { at: 3 })],
    { [of('remaining-counts')]: 'not-tested' },
  ],
  [
    'Remaining stays where it was, as a bucket that is refilled each second has it',
    Array.from({ length: 8 }, () => served(59)),
    { [of('remaining-counts')]: 'not-tested' },
  ],
  [
    'windows that slide give requests back all the time',
    [0, 1, 2, 3, 4, 5].map((late) => list([], { headers: quota(59, 60, 60 + late) })),
    { [of('remaining-counts')]: 'not-tested', [of('remaining-monotonic')]: 'not-tested' },
  ],
  [
    'Remaining goes up again and again',
    [5, 6, 7, 8].map((left) => served(left)),
    { [of('remaining-monotonic')]: 'failed' },
  ],
  [
    'Remaining falls, and then stays where it was over more requests than a count lags behind',
    [...drive(59, 51), ...Array.from({ length: 20 }, () => served(50))].map(soon),
    { [of('remaining-counts')]: 'failed' },
  ],
  [
    'Remaining stays where it was over fewer requests than that',
    [...drive(59, 51), ...Array.from({ length: 19 }, () => served(50))].map(soon),
    { [of('remaining-counts')]: 'not-tested' },
  ],
  [
    'all are left again in the middle of a window, and the next response counts on from there',
    [...drive(59, 40), ...drive(59, 58)].map(soon),
    { [of('remaining-monotonic')]: 'failed' },
  ],
  [
    'all are left again in the middle of a window, and nothing is sent after that',
    [...drive(59, 40), served(59)].map(soon),
    { [of('remaining-monotonic')]: 'not-tested' },
  ],
  [
    'a count that lags behind rises by a few',
    [...drive(59, 50), ...drive(57, 56)].map(soon),
    { [of('remaining-monotonic')]: 'not-tested' },
  ],
  [
    'one rise does not prove a count that goes up, or disprove it',
    [9, 8, 6, 7, 5].map((left) => served(left)),
    { [of('remaining-monotonic')]: 'not-tested' },
  ],
];

const limits: readonly Case[] = [
  ['a 429 comes when nothing is left', [served(0), full({})], { [of('exceeded')]: 'passed' }],
  [
    'no 429 came',
    drive(5, 1),
    {
      [of('exceeded')]: 'not-tested',
      [of('retry-after')]: 'not-tested',
      [of('returns')]: 'not-tested',
    },
  ],
  [
    'a 429 says itself that requests are left',
    [full({ 'X-RateLimit-Remaining': '5' })],
    { [of('exceeded')]: 'failed' },
  ],
  [
    'a 429 that sends the client away for longer is for a longer window',
    [full({ 'X-RateLimit-Remaining': '5', 'Retry-After': '7200' })],
    { [of('exceeded')]: 'not-tested' },
  ],
  [
    'requests that were sent when nothing was left get 429',
    [...drive(11, 0), full({}, beyond), full({}, beyond)],
    { [of('exceeded')]: 'passed' },
  ],
  [
    'a request that was sent when nothing was left is served',
    [...drive(11, 0), served(0, beyond)],
    { [of('exceeded')]: 'failed' },
  ],
  [
    'a request that was sent when nothing was left is served in the next window',
    [...drive(11, 0), list([], { ...beyond, at: 61_000, headers: quota(59, 60, 120) })],
    { [of('exceeded')]: 'not-tested' },
  ],
  [
    'if others use the key, Remaining proves nothing',
    [served(30), served(20), served(10), served(0), served(0, beyond)],
    { [of('exceeded')]: 'not-tested' },
  ],
  [
    'Remaining counts what was left before the request: one more is served',
    [
      list([], { headers: quota(60) }),
      ...drive(59, 0),
      served(0, { ...beyond, at: 59_500 }),
      full({}, { ...beyond, at: 59_600 }),
    ],
    { [of('exceeded')]: 'passed' },
  ],
  [
    'Retry-After is neither seconds nor a date',
    [full({ 'Retry-After': 'soon' })],
    { [of('retry-after')]: 'failed' },
  ],
  ['nothing was sent after the wait', [full({})], { [of('retry-after')]: 'not-tested' }],
  [
    'a request after the wait is served, with requests to spend',
    [full({}, { at: 30_000 }), list([], { at: 61_000, headers: quota(59, 60, 120) })],
    { [of('retry-after')]: 'passed', [of('returns')]: 'passed' },
  ],
  [
    'a request after the wait is refused again in the same window',
    [full({ 'Retry-After': '1' }, { at: 30_000 }), full({}, { at: 40_000 })],
    { [of('retry-after')]: 'failed' },
  ],
  [
    'a request after the wait is refused in a later window, where others may use the key',
    [full({}, { at: 30_000 }), full({ ...quota(0, 60, 120) }, { at: 61_000 })],
    { [of('retry-after')]: 'not-tested', [of('returns')]: 'not-tested' },
  ],
  [
    'a request after the wait is refused in a later window, and nobody else uses the key',
    [...drive(11, 0), full({}, { at: 30_000 }), full({ ...quota(0, 60, 120) }, { at: 61_000 })],
    { [of('returns')]: 'failed' },
  ],
  [
    'only the request that opens a new window is served',
    [
      ...drive(12, 0),
      full({}, { at: 30_000 }),
      list([], { at: 61_000, headers: quota(0, 60, 120) }),
    ],
    { [of('retry-after')]: 'passed', [of('returns')]: 'failed' },
  ],
  ...(
    [
      [4, 'not-tested'],
      [29, 'passed'],
    ] as const
  ).map(([left, verdict]): Case => [
    `a new window has ${left} of 60 left, which a window that slides may have`,
    [
      ...drive(12, 0),
      full({}, { at: 30_000 }),
      list([], { at: 61_000, headers: quota(left, 60, 120) }),
    ],
    { [of('retry-after')]: 'passed', [of('returns')]: verdict },
  ]),
  [
    'a new window has nothing to spend, where others may have used it',
    [full({}, { at: 30_000 }), list([], { at: 61_000, headers: quota(0, 60, 120) })],
    { [of('retry-after')]: 'passed', [of('returns')]: 'not-tested' },
  ],
  [
    'a new window is used up by others before the first request that had to be served',
    [
      ...drive(12, 0),
      full({}, { at: 30_000 }),
      full({}, { at: 30_000, group: 'a' }),
      list([], { at: 60_000, group: 'a', headers: quota(30, 60, 120) }),
      list([], { at: 60_000, headers: quota(0, 60, 120) }),
    ],
    { [of('returns')]: 'passed' },
  ],
];

test.for([...headers, ...limits])('%s', ([, log, expected]) => {
  expect(judgeLog(contract, log, Object.keys(expected))).toEqual(expected);
});

test('Limit proves nothing if the plan of the key is unknown', () => {
  expect(judgeLog(contract, [served(5)], [of('plan')], { plan: '' })).toEqual({
    [of('plan')]: 'not-tested',
  });
});
