import { requirementsOf } from '../../conformance/index.ts';
import { describe, expect, test } from 'vitest';
import { petstore } from '../../test/contract/petstore.ts';
import { rerunDifferences } from '../../test/conformance/log-run.ts';
import { runTrial } from '../trial.ts';
import { withChanges } from './contract.ts';
import { changeMutants, changeVariants } from './index.ts';

const contract = await withChanges(petstore);

test('there are at least 20 mutants and 10 variants, and every id is used once', () => {
  expect(changeMutants.length).toBeGreaterThanOrEqual(20);
  expect(changeVariants.length).toBeGreaterThanOrEqual(10);
  const ids = [...changeMutants, ...changeVariants].map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  const unknown = changeMutants.flatMap(({ breaks }) =>
    breaks.filter((id) => requirementsOf(contract).get(id) === undefined),
  );
  expect(unknown).toEqual([]);
});

describe('a mutant is named by its own requirement, and by no unrelated one', () => {
  const rows = changeMutants.map((mutant) => ({ id: mutant.id, mutant }));
  test.for(rows)('$id', async ({ mutant }) => {
    const requests = mutant.needs === 'more' ? 240 : 60;
    const { named, broken } = await runTrial(contract, mutant, { seed: 1, requests });
    expect(broken).toBeUndefined();
    expect(named).toContain(mutant.breaks[0]);
    expect(named.filter((id) => !mutant.breaks.includes(id))).toEqual([]);
  });
});

describe('a valid variant is not failed', () => {
  const rows = changeVariants.map((variant) => ({ id: variant.id, variant }));
  test.for(rows)('$id', async ({ variant }) => {
    for (const requests of [60, 240]) {
      const options = { seed: 1, requests, exhaust: requests === 60, fuzz: 100 };
      const { named, broken, report } = await runTrial(contract, variant, options);
      expect(broken).toBeUndefined();
      expect(named).toEqual([]);
      expect(report && (await rerunDifferences(contract, report))).toEqual([]);
    }
  });
});

test('at 240 requests nothing of PUT, PATCH and DELETE is untested but the limit itself', async () => {
  const [plain] = changeVariants;
  const trial = plain && (await runTrial(contract, plain, { seed: 1, requests: 240 }));
  const untested = trial?.report?.verdicts.filter(
    ({ kind, requirement: { id, subject } }) =>
      kind === 'not-tested' &&
      /^(replace|update|remove)Pet\//.test(id) &&
      !(subject.kind === 'header' && subject.status === '429'),
  );
  expect(untested?.map(({ requirement }) => requirement.id)).toEqual([]);
});

test('what servers choke on is sent last, and removed again', async () => {
  const [plain] = changeVariants;
  const trial = plain && (await runTrial(contract, plain, { seed: 1, requests: 240 }));
  // Requests that are left remove the items of the run.
  const exchanges = (trial?.report?.exchanges ?? []).filter(
    ({ intent }) => intent.kind !== 'unspecified' || intent.way !== 'removes what the run added',
  );
  const isOdd = ({ probe }: (typeof exchanges)[number]): boolean =>
    probe.startsWith('createPet/unspecified: ');
  const first = exchanges.findIndex(isOdd);
  expect(first).toBeGreaterThan(0);
  expect(exchanges.slice(first).filter((each) => !isOdd(each))).toEqual([]);
  const statuses = exchanges.slice(first).map(({ request, outcome }) => ({
    operation: request.operation,
    status: outcome.kind === 'answered' ? outcome.response.status : 0,
  }));
  const added = statuses.filter(({ status }) => status === 201);
  expect(added.length).toBeGreaterThan(0);
  expect(statuses.filter(({ operation }) => operation === 'removePet')).toEqual(
    added.map(() => ({ operation: 'removePet', status: 204 })),
  );
});
