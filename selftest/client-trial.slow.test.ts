import { describe, expect, test } from 'vitest';
import { loadChosenContract } from '../cli/package/bundled.ts';
import { compileRules } from '../client/index.ts';
import { clientMutants } from './clients/mutants.ts';
import { clientVariants } from './clients/variants.ts';
import { judgeTrial, tryClient } from './client-trial.ts';

const contract = await loadChosenContract(undefined);

const rules = compileRules(contract).map(({ id, level }) => ({
  id: id.replace('client/', ''),
  level,
}));

describe('mutants of clients', () => {
  test('are many, each with a unique id and existing rules', () => {
    const named = clientMutants.flatMap(({ breaks, also }) => [breaks, ...also]);
    expect(clientMutants.length).toBeGreaterThanOrEqual(60);
    expect(new Set(clientMutants.map(({ id }) => id)).size).toBe(clientMutants.length);
    expect(named.filter((rule) => !rules.some(({ id }) => id === rule))).toEqual([]);
  });

  test('break every rule in at least two ways', () => {
    const broken = (id: string) => clientMutants.filter(({ breaks }) => breaks === id);
    expect(rules.filter(({ id }) => broken(id).length < 2)).toEqual([]);
  });

  test.each(clientMutants)('$id fails $breaks, and nothing else', async (mutant) => {
    const trial = await tryClient(contract, mutant.habit, 1);
    expect(judgeTrial(mutant, trial)).toEqual([]);
  });
});

describe('valid clients', () => {
  test.each(Object.entries(clientVariants))(
    '%s fails nothing, tests every "must" that applies, and is verified',
    async (_id, way) => {
      const trial = await tryClient(contract, way, 1);
      const untested = trial.verdicts.flatMap(({ kind, requirement: { id, level, subject } }) =>
        kind === 'not-tested' && level === 'must' && subject.kind === 'client' && subject.applies
          ? [id]
          : [],
      );
      expect([judgeTrial({ habit: way }, trial), untested, await trial.verify()]).toEqual([
        [],
        [],
        [],
      ]);
    },
  );
});

test('the same seed gives the same trial', async () => {
  const [mutant] = clientMutants;
  if (mutant === undefined) return;
  const one = await tryClient(contract, mutant.habit, 5);
  const other = await tryClient(contract, mutant.habit, 5);
  expect(one.verdicts).toEqual(other.verdicts);
});
