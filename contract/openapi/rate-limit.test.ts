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

test('a policy has defaults for what it omits', async () => {
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

test.each<[JsonObject, string]>([
  [{ status: 200 }, '/status: has to be a whole number from 400 to 599'],
  [
    { headers: { limit: 'L', remaining: 'R', reset: 'a b' } },
    '/headers/reset: has to be the name of a header',
  ],
  [{ headers: undefined }, '/headers: is missing'],
  [{ windows: [] }, '/windows: has to be a list of at least one, each with its own name'],
  [
    { windows: [...valid.windows, { name: 'half', seconds: 0.5 }] },
    '/windows/2/seconds: has to be a whole number from 1 on',
  ],
  [
    { windows: [...valid.windows, { name: 'day', seconds: 5 }] },
    '/windows: has to be a list of at least one, each with its own name',
  ],
  [{ plans: [] }, '/plans: has to be a list of at least one, each with its own name'],
  [{ plans: [{ limits: 'custom' }] }, '/plans/0/name: is missing'],
  [
    {
      plans: [
        { name: 'a', limits: 'custom' },
        { name: 'a', limits: 'custom' },
      ],
    },
    '/plans: has to be a list of at least one, each with its own name',
  ],
  [{ plans: [{ name: 'a' }] }, '/plans/0/limits: is missing'],
  [{ plans: [{ name: 'a', limits: 'many' }] }, '/plans/0/limits: has to be `custom` or an object'],
  [
    { plans: [{ name: 'a', limits: { day: 0 } }] },
    '/plans/0/limits/day: has to be a whole number from 1 on',
  ],
  [{ plans: [{ name: 'a', limits: { week: 1 } }] }, '/plans/0/limits: there is no window week'],
])('%j is refused', async (change, line) => {
  const policy = { ...valid, ...change };
  expect(await refusalOf({ text: sampleText({ 'x-rate-limit': policy }) })).toEqual([
    `#/x-rate-limit${line}`,
  ]);
});

test('an invalid policy is ignored', async () => {
  const { rateLimit } = await loadSample(
    { 'x-rate-limit': { ...valid, windows: 'day' } },
    { strict: false },
  );
  expect(rateLimit).toBeUndefined();
});
