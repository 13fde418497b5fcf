import { expect, test } from 'vitest';
import { runConformance, type Sender } from '../../conformance/index.ts';
import { createStillClock } from '../../conformance/testing/still-clock.ts';
import { createMock } from '../mock.ts';
import { loadInventory, loadPetstore } from '../testing/contracts.ts';

const [contract, seed] = await Promise.all([loadPetstore(), loadInventory()]);

/**
 * Every choice of every question is lawful, so the suite lets each pass. One names nothing that
 * could be served.
 */
const choices = contract.openQuestions
  .flatMap(({ id, choices: all }) => all.map((choice) => [id, choice.id] as const))
  .filter(([id, choice]) => `${id}=${choice}` !== 'category-records=served');

test.each(choices)('%s=%s keeps the contract', async (question, choice) => {
  const clock = createStillClock();
  const mock = createMock(contract, { seed, clock, choices: { [question]: choice } });
  const sender: Sender = {
    async send({ url, method, headers, body }) {
      const response = await mock.fetch(url, {
        method,
        headers: headers.map(([name, value]): [string, string] => [name, value]),
        ...(body === undefined ? {} : { body }),
      });
      return {
        kind: 'answered',
        response: {
          status: response.status,
          headers: [...response.headers],
          body: await response.text(),
          utf8: true,
        },
      };
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  const report = await runConformance(
    contract,
    { baseUrl: 'http://mock.test/v1', apiKey: 'demo-free' },
    { clock, sender, exhaust: true, plan: 'Free', requests: 90, longestWait: 2 * 86_400_000 },
  );
  expect(report.verdicts.filter(({ kind }) => kind === 'failed')).toEqual([]);
  expect(report.outcome).toBe('conforms');
});
