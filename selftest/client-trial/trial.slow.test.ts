import { beforeAll, describe, expect, test } from 'vitest';
import { readInventoryFor } from '../../cli/package/bundled.ts';
import { type Inventory, compileRules } from '../../client/index.ts';
import { petstore as contract } from '../../test/contract/petstore.ts';
import { clientMutants } from '../clients/mutants/index.ts';
import { clientVariants } from '../clients/variants/index.ts';
import { explainAlarm, judgeMutant } from './run.ts';
import { tryClient } from './trial.ts';

let inventory: Inventory;
beforeAll(async () => {
  inventory = await readInventoryFor(contract);
});

const rules = compileRules(contract).map(({ id, level }) => ({
  id: id.replace('client/', ''),
  level,
}));

describe('mutants of clients', () => {
  test('are many, each with an id of its own and rules that there are', () => {
    const named = clientMutants.flatMap(({ breaks, also }) => [breaks, ...also]);
    expect(clientMutants.length).toBeGreaterThanOrEqual(60);
    expect(new Set(clientMutants.map(({ id }) => id)).size).toBe(clientMutants.length);
    expect(named.filter((rule) => !rules.some(({ id }) => id === rule))).toEqual([]);
  });

  test('break every rule', () => {
    const broken = new Set(clientMutants.map(({ breaks }) => breaks));
    expect(rules.filter(({ id }) => !broken.has(id))).toEqual([]);
  });

  test.each(clientMutants)('$id fails $breaks, and nothing else', async (mutant) => {
    const trial = await tryClient(contract, mutant.client, { inventory, seed: 1 });
    expect(judgeMutant(mutant, trial)).toEqual([]);
  });
});

describe('lawful clients', () => {
  test('are many, each with an id of its own', () => {
    expect(clientVariants.length).toBeGreaterThanOrEqual(15);
    expect(new Set(clientVariants.map(({ id }) => id)).size).toBe(clientVariants.length);
  });

  test.each(clientVariants)(
    '$id fails nothing, has every must tested that applies, and is verified',
    async ({ client }) => {
      const trial = await tryClient(contract, client, { inventory, seed: 1 });
      const untested = trial.verdicts.flatMap(({ kind, requirement: { id, level, subject } }) =>
        kind === 'not-tested' && level === 'must' && subject.kind === 'client' && subject.applies
          ? [id]
          : [],
      );
      expect([explainAlarm(trial), untested, await trial.verify()]).toEqual([[], [], []]);
    },
  );
});

test('the same seed gives the same trial', async () => {
  const [mutant] = clientMutants;
  if (mutant === undefined) return;
  const one = await tryClient(contract, mutant.client, { inventory, seed: 5 });
  const other = await tryClient(contract, mutant.client, { inventory, seed: 5 });
  expect(one.verdicts).toEqual(other.verdicts);
});
