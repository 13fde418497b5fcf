import { describe, expect, test } from 'vitest';
import { loadContract } from '../contract/index.ts';
import { mutants, variants } from './index.ts';
import { packageFile } from '../cli/package/package-root.ts';
import { runTrial } from './trial.ts';

/**
 * The suite against every mutant and every lawful variant, on one seed; `npm run selftest
 * -- --seeds 10` has ten.
 */
const contract = await loadContract({ file: packageFile('openapi.yaml') });

describe('a mutant is named by its own requirement, and by no unrelated one', () => {
  const reached = mutants.filter(({ needs }) => needs !== 'fuzz');
  test.for(reached.map((mutant) => ({ id: mutant.id, mutant })))('$id', async ({ mutant }) => {
    const requests = mutant.needs === 'more' ? 240 : 60;
    const { named, broken } = await runTrial(contract, mutant, {
      seed: 1,
      requests,
      exhaust: mutant.needs === 'exhaust',
      fuzz: 0,
    });
    expect(broken).toBeUndefined();
    expect(named).toContain(mutant.breaks[0]);
    expect(named.filter((id) => !mutant.breaks.includes(id))).toEqual([]);
  });
});

describe('a lawful variant is not failed', () => {
  const modes = variants.flatMap((variant) =>
    [false, true].map((exhaust) => ({
      name: `${variant.id}${exhaust ? ', driven to the limit' : ''}`,
      variant,
      exhaust,
    })),
  );
  test.for(modes)('$name', async ({ variant, exhaust }) => {
    const { named, broken, requests } = await runTrial(contract, variant, {
      seed: 1,
      requests: 60,
      exhaust,
      fuzz: 0,
    });
    expect(broken).toBeUndefined();
    expect(named).toEqual([]);
    expect(requests).toBeGreaterThan(0);
  });
});
