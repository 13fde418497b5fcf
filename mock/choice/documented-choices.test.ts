import { expect, test } from 'vitest';
import { loadInventory, loadPetstore } from '../testing/contracts.ts';
import { judgeMock } from '../testing/judged-mock.ts';

const [contract, seed] = await Promise.all([loadPetstore(), loadInventory()]);

/**
 * Every choice of every question is lawful, so the suite lets each pass. One names nothing that
 * could be served.
 */
const choices = contract.openQuestions
  .flatMap(({ id, choices: all }) => all.map((choice) => [id, choice.id] as const))
  .filter(([id, choice]) => `${id}=${choice}` !== 'category-records=served');

test.each(choices)('%s=%s keeps the contract', async (question, choice) => {
  const report = await judgeMock(contract, { seed, choices: { [question]: choice } });
  expect(report.verdicts.filter(({ kind }) => kind === 'failed')).toEqual([]);
  expect(report.outcome).toBe('conforms');
});
