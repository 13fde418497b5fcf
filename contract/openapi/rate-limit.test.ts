import { expect, test } from 'vitest';
import { loadSample, refusalOf, sampleText } from '../../test/contract/sample.ts';
import type { JsonObject } from '../json/value.ts';

const valid = {
  headers: { limit: 'L', remaining: 'R', reset: 'S' },
  windows: [
    { name: 'day', seconds: 86_400 },
    { name: 'second', seconds: 1 },
  ],
  plans: [
    { name: 'one', limits: { second: 2, day: 3 } },
    { name: 'own', limits: 'custom' },
    { name: 'some', limits: { day: 4 } },
  ],
};

test('a policy has standard values for what it leaves out', async () => {
  const { rateLimit } = await loadSample({ 'x-rate-limit': valid });
  expect(rateLimit).toEqual({
    status: 429,
    headers: { limit: 'L', remaining: 'R', reset: 'S', retryAfter: 'Retry-After' },
    windows: [
      { name: 'second', seconds: 1 },
      { name: 'day', seconds: 86_400 },
    ],
    plans: [
      {
        name: 'one',
        limits: new Map([
          ['second', 2],
          ['day', 3],
        ]),
      },
      { name: 'own', limits: undefined },
      { name: 'some', limits: new Map([['day', 4]]) },
    ],
    bans: false,
    pointer: '#/x-rate-limit',
  });
  expect(
    (await loadSample({ 'x-rate-limit': { ...valid, status: 503, ban: { when: 'Often.' } } }))
      .rateLimit,
  ).toMatchObject({ status: 503, bans: true });
  expect((await loadSample({ 'x-rate-limit': { ...valid, ban: false } })).rateLimit?.bans).toBe(
    false,
  );
});

test.each<[JsonObject, readonly string[]]>([
  [
    { status: 200 },
    ['/status: must be the HTTP status of a request over the limit, 429 by default'],
  ],
  [
    { headers: { limit: 'L', remaining: 'R', reset: 'a b' } },
    ['/headers: reset must be the name of a header'],
  ],
  [
    { headers: undefined },
    [
      '/headers: limit must be the name of a header',
      '/headers: remaining must be the name of a header',
      '/headers: reset must be the name of a header',
    ],
  ],
  [
    { windows: [] },
    [
      '/windows: must list at least one window',
      '/plans/0/limits/second: there is no window second',
      '/plans/0/limits/day: there is no window day',
      '/plans/2/limits/day: there is no window day',
    ],
  ],
  [
    { windows: [...valid.windows, { name: 'half', seconds: 0.5 }] },
    ['/windows/2: a window needs a name, and its length in whole seconds'],
  ],
  [
    { windows: [...valid.windows, { name: 'day', seconds: 5 }] },
    ['/windows/2/name: the name day is taken'],
  ],
  [{ plans: [] }, ['/plans: must list at least one plan']],
  [{ plans: [{ limits: 'custom' }] }, ['/plans/0: a plan needs a name']],
  [
    {
      plans: [
        { name: 'a', limits: 'custom' },
        { name: 'a', limits: 'custom' },
      ],
    },
    ['/plans/1/name: the name a is taken'],
  ],
  [
    { plans: [{ name: 'a' }] },
    ['/plans/0/limits: must be `custom`, or name the requests for each window'],
  ],
  [
    { plans: [{ name: 'a', limits: 'many' }] },
    ['/plans/0/limits: must be `custom`, or name the requests for each window'],
  ],
  [
    { plans: [{ name: 'a', limits: { day: 0, week: 1 } }] },
    [
      '/plans/0/limits/day: must be a whole number of requests, at least 1',
      '/plans/0/limits/week: there is no window week',
    ],
  ],
])('%j is refused', async (change, lines) => {
  const policy = { ...valid, ...change };
  expect(await refusalOf({ text: sampleText({ 'x-rate-limit': policy }) })).toEqual(
    lines.map((line) => `#/x-rate-limit${line}`),
  );
});
