import { expect, test } from 'vitest';
import type { Contract } from '../contract/contract.ts';
import type { MockRequest } from '../mock/index.ts';
import { loadYaml } from '../test/conformance/judge-document.ts';
import { createTestClock } from '../test/mock/test-client.ts';
import { rejudge } from './rejudge.ts';
import { setUpScenario } from './scenario-run.ts';
import { listScenarios } from './scenarios.ts';

/** The first difference between the requests of a client and their replay. */
const replay = async (
  contract: Contract,
  requestsWith: (key: string) => readonly Partial<MockRequest>[],
) => {
  const clock = createTestClock();
  const [plain] = listScenarios(contract);
  if (plain === undefined) throw new Error('There are no scenarios.');
  const { id, mustSucceed } = plain;
  const run = await setUpScenario(contract, undefined, plain, { clock });
  for (const request of requestsWith(run.key))
    run.handle({ method: 'GET', target: '/', headers: {}, content: undefined, ...request });
  const { openedAt, exchanges } = run;
  const end = { kind: 'exited', code: 0 } as const;
  const scenarios = [{ id, mustSucceed, end, openedAt }];
  const record = { name: 'client', plan: undefined, from: openedAt, to: openedAt, scenarios };
  const { departures } = await rejudge(contract, record, exchanges);
  return { exchanges, departure: departures.find(({ exchange }) => exchange !== undefined) };
};

test.each([
  ['/v1', ['/v1/../v1/pets', '/../v1/pets', '/..', '/v1/..', '/v1/..?a', '/v1/..pets', '/v2']],
  ['/a/b', ['/a/b/../b/pets', '/../a/b/pets', '/../..', '/../../..', '/a/../b', '/a', '*']],
  ['', ['/../pets', '/..', '/pets/..', '*']],
])('requests with %s in the base path and dots in the target verify', async (base, targets) => {
  const contract = await loadYaml(`
servers: [{ url: 'http://x${base}' }]
paths:
  /pets:
    get: { responses: { '200': { description: ok } } }
`);
  const { exchanges, departure } = await replay(contract, () =>
    [`${base}/pets`, ...targets].map((target) => ({ target })),
  );
  expect(departure).toBeUndefined();
  const served = exchanges.filter(({ request }) => request.operation !== '');
  expect(served.map(({ request }) => request.target)).toEqual(['/pets']);
});
