import { expect, test } from 'vitest';
import { openMock } from '../../test/cli/target.ts';
import { petstore as contract } from '../../test/contract/petstore.ts';
import { createMovableClock, defineConformanceTests, runConformance } from '../index.ts';
import { longestDuration } from './test-suite.ts';

const nowhere = { baseUrl: 'http://localhost', apiKey: 'demo-free' };

test('a run within the same minute as another ends within its time limit', async () => {
  await using place = await openMock(contract);
  const { clock } = place;
  const target = { ...place.target, apiKey: 'demo-free' };
  const took: number[] = [];
  for (const options of [{ plan: 'Free' }, {}, { plan: 'Free', exhaust: true, requests: 200 }]) {
    const start = clock.now();
    await runConformance(contract, target, { ...options, clock });
    took.push(clock.now() - start);
    expect(took.at(-1)).toBeLessThan(longestDuration(contract, target, options));
  }
  expect(Math.max(...took)).toBeGreaterThan(120_000);
});

test('the time limit follows from the number of requests and the plan', () => {
  const minutes = (options: Parameters<typeof longestDuration>[2]): number =>
    longestDuration(contract, nowhere, options) / 60_000;
  expect(minutes({ plan: 'Free' })).toBeGreaterThan(3);
  expect(minutes({ plan: 'Free', requests: 600 })).toBeGreaterThan(10);
  expect(minutes({ plan: 'Business', requests: 600 })).toBeLessThan(10);
  expect(minutes({ requests: 600 })).toBe(minutes({ plan: 'Free', requests: 600 }));
});

test('the hook of a test runner gets that time limit', () => {
  const given: number[] = [];
  const lengths = new Set<number>();
  const options = { plan: 'Free', exhaust: true };
  defineConformanceTests(
    {
      describe: (_name, body) => body(),
      test: (_name, body) => lengths.add(body.length),
      beforeAll: (_body, timeout) => given.push(timeout),
    },
    contract,
    () => Promise.resolve({ target: nowhere, options: { clock: createMovableClock() } }),
    options,
  );
  expect(given).toEqual([longestDuration(contract, nowhere, options)]);
  // Jest waits for a callback where a body names an argument.
  expect([...lengths]).toEqual([0]);
});
