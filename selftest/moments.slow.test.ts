import { describe, expect, test } from 'vitest';
import { petstore } from '../test/contract/petstore.ts';
import { mutants, variants } from './index.ts';
import { limiterMutants } from './mutants/rate-limit.ts';
import { runTrial } from './trial.ts';

const noon = Date.UTC(2026, 0, 5, 12);
const midnight = Date.UTC(2026, 0, 6);

/** When a run begins, each with a seed and with milliseconds that every request takes. */
const moments = [
  ['at the full minute', { startsAt: noon, seed: 1, latency: 17 }],
  ['ten seconds into it', { startsAt: noon + 10_000, seed: 2, latency: 40 }],
  ['at half time', { startsAt: noon + 31_000, seed: 3, latency: 17 }],
  ['half a second before its end', { startsAt: noon + 59_500, seed: 4, latency: 17 }],
  ['just before midnight', { startsAt: midnight - 1_500, seed: 5, latency: 150 }],
] as const;

const earlier = [
  'rate-limit-never-returns',
  'rate-limit-one-too-late',
  'rate-limit-remaining-refunded-twice',
];

const rows = [...limiterMutants, ...mutants.filter(({ id }) => earlier.includes(id))];

const limiters = variants.filter(({ id }) => /^(clock|counting|retry|window)-/.test(id));

describe.for(moments)('exceeding the limit, starting %s', ([, options]) => {
  test.for(rows.map((mutant) => ({ id: mutant.id, mutant })))('finds $id', async ({ mutant }) => {
    const trial = { exhaust: true, requests: 60, ...options };
    const { named, broken } = await runTrial(petstore, mutant, trial);
    expect(broken).toBeUndefined();
    expect(named).toContain(mutant.breaks[0]);
  });

  test('fails no valid limiter', async () => {
    const failed: string[] = [];
    for (const variant of limiters) {
      const trial = { exhaust: true, requests: 60, isOverNetwork: false, ...options };
      const { named, broken } = await runTrial(petstore, variant, trial);
      if (named.length > 0 || broken !== undefined)
        failed.push(`${variant.id}: ${broken ?? named.join(', ')}`);
    }
    expect(failed).toEqual([]);
  });
});
