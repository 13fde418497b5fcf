import { describe, expect, test } from 'vitest';
import { packageFile } from '../cli/package/package-root.ts';
import { requirementsOf } from '../conformance/index.ts';
import { loadContract } from '../contract/load.ts';
import { causesOf } from '../report/cause/causes.ts';
import { petstore } from '../test/contract/petstore.ts';
import { changeMutants, changeVariants, mutants, variants } from './index.ts';
import { isOverNetwork, runTrial } from './trial.ts';

const overlays = [packageFile('fixtures/changes.overlay.yaml')];
const changing = await loadContract({ file: packageFile('openapi.yaml') }, { overlays });

/** One of this many trials goes over the network; one may be reported as more than one cause. */
const share = 20;

test('every id is unique, and every requirement is in the document', () => {
  const ids = [...mutants, ...variants, ...changeMutants, ...changeVariants].map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  expect(ids.filter((id) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([]);
  const unknown = (
    [
      [mutants, petstore],
      [changeMutants, changing],
    ] as const
  ).flatMap(([all, contract]) =>
    all.flatMap(({ breaks }) => breaks.filter((id) => !requirementsOf(contract).has(id))),
  );
  expect(unknown).toEqual([]);
});

describe.for([
  ['openapi.yaml', mutants, petstore],
  ['openapi.yaml with changes', changeMutants, changing],
] as const)('a mutant of %s fails its own requirement and no other', (row) => {
  const [, all, contract] = row;
  const scattered: string[] = [];

  test.for(all.map((mutant) => ({ id: mutant.id, mutant })))('$id', async ({ mutant }) => {
    const { named, broken, report, unfounded } = await runTrial(contract, mutant, {
      seed: 1,
      requests: mutant.needs === 'more' ? 240 : 60,
      exhaust: mutant.needs === 'exhaust',
      isOverNetwork: isOverNetwork(mutant) || all.indexOf(mutant) % share === 0,
    });
    expect(broken).toBeUndefined();
    expect(named).toContain(mutant.breaks[0]);
    expect(named.filter((id) => !mutant.breaks.includes(id))).toEqual([]);
    expect(unfounded).toEqual([]);
    const causes = causesOf(contract, report?.verdicts ?? [], report?.exchanges ?? []);
    if (causes.length !== 1) scattered.push(mutant.id);
  });

  test.runIf(contract === petstore)('nearly all are reported as one finding', () => {
    expect(scattered.slice(Math.ceil(all.length / 10))).toEqual([]);
  });
});
