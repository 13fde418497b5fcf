import { describe, expect, test } from 'vitest';
import { mutantFamilies, mutants } from '../index.ts';
import { isOverNetwork, runTrial } from '../trial.ts';
import { petstore } from '../../contract/testing/petstore.ts';

/** One of so many trials goes over the network, whatever it is about. */
const share = 20;

/**
 * Runs the suite against every mutant of a family, on one seed; `npm run selftest -- --seeds 10` has
 * ten.
 */
export function testMutants(family: string): void {
  describe('a mutant is named by its own requirement, and by no unrelated one', () => {
    const rows = mutantFamilies.get(family)?.filter(({ needs }) => needs !== 'fuzz') ?? [];

    test('there are some', () => {
      expect(rows.length).toBeGreaterThan(0);
    });

    test.for(rows.map((mutant) => ({ id: mutant.id, mutant })))('$id', async ({ mutant }) => {
      const { named, broken, unfounded } = await runTrial(petstore, mutant, {
        seed: 1,
        requests: mutant.needs === 'more' ? 240 : 60,
        exhaust: mutant.needs === 'exhaust',
        isOverNetwork: isOverNetwork(mutant) || mutants.indexOf(mutant) % share === 0,
      });
      expect(broken).toBeUndefined();
      expect(named).toContain(mutant.breaks[0]);
      expect(named.filter((id) => !mutant.breaks.includes(id))).toEqual([]);
      expect(unfounded).toEqual([]);
    });
  });
}
