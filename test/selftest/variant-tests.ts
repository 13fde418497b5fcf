import { describe, expect, test } from 'vitest';
import { findLikeness } from '../../cli/commands/mock/like.ts';
import { createMockJudge, differingIds } from '../cli/like-mock.ts';
import { unlikeVariants } from '../cli/unlike-variants.ts';
import { compareReports } from '../../conformance/index.ts';
import { rerunDifferences } from '../conformance/log-run.ts';
import { variantFamilies, variants, type Variant } from '../../selftest/index.ts';
import { isOverNetwork, runTrial, type Trial, type TrialOptions } from '../../selftest/trial.ts';
import { petstore } from '../contract/petstore.ts';
import { runModeOf } from './run-mode.ts';

/** One of so many trials goes over the network, whatever it is about. */
const share = 20;

const judgeMock = await createMockJudge(petstore);
const unlike = new Map(
  unlikeVariants.flatMap(({ variants: ids, differs }) => ids.map((id) => [id, differs] as const)),
);

/**
 * Runs the suite against every valid variant of a family, on one seed, and looks at each run in
 * three ways: the variant is not failed, the log reruns to its report, and a mock that is told the
 * choices of the report answers alike.
 */
export function testVariants(family: string): void {
  const rows = (variantFamilies.get(family) ?? []).map((variant) => ({
    id: variant.id,
    variant,
    ...runModeOf(variants.indexOf(variant)),
  }));

  describe('a valid variant is not failed', () => {
    test('there are some', () => {
      expect(rows.length).toBeGreaterThan(0);
    });

    test.for(rows)('$id', async ({ variant, mode, options }) => {
      const { report } = await expectValid(variant, { exhaust: false });
      if (mode === 'driven to the limit') return;
      const isSame = mode === 'as it comes';
      const trial = { requests: 60, ...options };
      const rerun = isSame ? report : (await runTrial(petstore, variant, trial)).report;
      expect(await findRerunDifferences(rerun)).toEqual([]);
    });

    test.for(rows)('$id, driven to the limit, and by a mock like it', async (row) => {
      const { id, variant, mode } = row;
      const { report } = await expectValid(variant, { exhaust: true });
      const isRerun = mode === 'driven to the limit';
      expect(isRerun ? await findRerunDifferences(report) : []).toEqual([]);
      if (!report) return;
      const { choices } = findLikeness(petstore, report);
      const like = await judgeMock(choices, { plan: 'Free', exhaust: true, timeout: 2000 });
      const comparison = compareReports(petstore, report, like);
      expect(differingIds(comparison)).toEqual(unlike.get(id) ?? []);
      expect(comparison.compared.questions).toBeGreaterThan(6);
    });
  });
}

async function expectValid(variant: Variant, options: TrialOptions): Promise<Trial> {
  const isNetwork = isOverNetwork(variant) || variants.indexOf(variant) % share === 0;
  const trial = await runTrial(petstore, variant, {
    requests: 60,
    isOverNetwork: isNetwork,
    ...options,
  });
  expect(trial.broken).toBeUndefined();
  expect(trial.named).toEqual([]);
  expect(trial.unfounded).toEqual([]);
  expect(trial.requests).toBeGreaterThan(0);
  return trial;
}

async function findRerunDifferences(report: Trial['report']): Promise<readonly string[]> {
  return report ? await rerunDifferences(petstore, report) : ['no report'];
}
