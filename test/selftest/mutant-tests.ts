import { describe, expect, test } from 'vitest';
import { causesOf } from '../../report/cause/causes.ts';
import { mutantFamilies, mutants } from '../../selftest/index.ts';
import { isOverNetwork, runTrial } from '../../selftest/trial.ts';
import { petstore } from '../contract/petstore.ts';

/** One of so many trials goes over the network; one may be told as more than one cause. */
const share = 20;

/**
 * Runs the suite against every mutant of a family, on one seed; `npm run selftest -- --seeds 10` has
 * ten.
 */
export function testMutants(family: string): void {
  describe('a mutant is named by its own requirement, and by no unrelated one', () => {
    const scattered: string[] = [];
    const rows = mutantFamilies.get(family)?.filter(({ needs }) => needs !== 'fuzz') ?? [];

    test('there are some', () => {
      expect(rows.length).toBeGreaterThan(0);
    });

    test.for(rows.map((mutant) => ({ id: mutant.id, mutant })))('$id', async ({ mutant }) => {
      const { named, broken, report, unfounded } = await runTrial(petstore, mutant, {
        seed: 1,
        requests: mutant.needs === 'more' ? 240 : 60,
        exhaust: mutant.needs === 'exhaust',
        isOverNetwork: isOverNetwork(mutant) || mutants.indexOf(mutant) % share === 0,
      });
      expect(broken).toBeUndefined();
      expect(named).toContain(mutant.breaks[0]);
      expect(named.filter((id) => !mutant.breaks.includes(id))).toEqual([]);
      expect(unfounded).toEqual([]);
      const causes = causesOf(petstore, report?.verdicts ?? [], report?.exchanges ?? []);
      if (causes.length !== 1) scattered.push(mutant.id);
    });

    test('nearly all are one finding each', () => {
      expect(scattered.slice(Math.ceil(rows.length / 10))).toEqual([]);
    });
  });
}
