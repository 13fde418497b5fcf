import { expect, test } from 'vitest';
import type { RunReport } from '../../conformance/index.ts';
import { petstore } from '../../test/contract/petstore.ts';
import { mutants } from '../index.ts';
import { correct, judgeSubject } from '../trial.ts';
import { findLessTested } from './less-tested.ts';

async function judge(id: string): Promise<RunReport> {
  const mutant = mutants.find((each) => each.id === id) ?? correct;
  return await judgeSubject(petstore, mutant, { seed: 1, requests: 60, isOverNetwork: false });
}

type Because = NonNullable<
  Extract<RunReport['verdicts'][number], { readonly kind: 'not-tested' }>['because']
>;

/** The report in which every requirement that is not tested has another reason. */
function blame(report: RunReport, because: Because): RunReport {
  return {
    ...report,
    verdicts: report.verdicts.map((each) =>
      each.kind === 'not-tested' ? { ...each, because } : each,
    ),
  };
}

const reasons: readonly Because[] = [
  { kind: 'budget', budget: 60, planned: 60, needs: 1 },
  { kind: 'not-selected' },
  { kind: 'read-only' },
  { kind: 'ended-early', end: 'budget', sent: 60, text: 'all requests of the plan were sent' },
];

test('what a deviation keeps from being tested is named only where the log does not confirm the reason', async () => {
  const [good, report] = [await judge('correct'), await judge('created-status-202')];
  expect(findLessTested(good, report)).toEqual([]);
  for (const because of reasons)
    expect(findLessTested(good, blame(report, because)).length).toBeGreaterThan(20);
});

test('a requirement that nothing hinders has to be tested', async () => {
  const good = await judge('correct');
  const [first] = good.verdicts.filter(({ kind }) => kind === 'passed');
  if (first === undefined) throw new Error('nothing passed');
  const { requirement } = first;
  const because: Because = { kind: 'not-shown' };
  const verdict = { kind: 'not-tested', requirement, reason: '', because } as const;
  const verdicts = good.verdicts.map((each) => (each === first ? verdict : each));
  expect(findLessTested(good, { ...good, verdicts })).toEqual([
    expect.stringContaining(requirement.id),
  ]);
});
