import { describe, expect, test } from 'vitest';
import { loadContract } from '../contract/index.ts';
import { faults, variants } from './index.ts';
import { packageFile } from '../cli/package/package-root.ts';
import { runTrial } from './trial.ts';

/**
 * The suite against every deliberate fault and every lawful variant, on one seed; `npm run selftest
 * -- --seeds 10` has ten.
 */
const contract = await loadContract({ file: packageFile('openapi.yaml') });

describe('a deliberate fault is named by its own obligation, and by no unrelated one', () => {
  const reached = faults.filter(({ needs }) => needs !== 'deep');
  test.for(reached.map((fault) => ({ id: fault.id, fault })))('$id', async ({ fault }) => {
    const requests = fault.needs === 'more' ? 240 : 60;
    const { named, broken } = await runTrial(contract, fault, {
      seed: 1,
      requests,
      exhaust: fault.needs === 'exhaust',
      deep: 0,
    });
    expect(broken).toBeUndefined();
    expect(named).toContain(fault.breaks[0]);
    expect(named.filter((id) => !fault.breaks.includes(id))).toEqual([]);
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
      deep: 0,
    });
    expect(broken).toBeUndefined();
    expect(named).toEqual([]);
    expect(requests).toBeGreaterThan(0);
  });
});
