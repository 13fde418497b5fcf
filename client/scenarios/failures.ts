import { type ScenarioMaker, createScenario } from './scenario.ts';

const plain: ScenarioMaker = () =>
  createScenario({ id: 'plain', sentence: 'Nothing out of the ordinary happens.' });

const revokedKey: ScenarioMaker = () =>
  createScenario({
    id: 'revoked-key',
    sentence: 'The key stops being valid after the first request: every further one gets a 401.',
    needs: { operation: undefined, requests: 2 },
    steps: new Map([[2, { faults: [{ status: 401 }] }]]),
    mustSucceed: false,
  });

/** A service may know more than the document says, such as which categories there are. */
const refusedBody: ScenarioMaker = ({ resources }) => {
  const create = resources.find((resource) =>
    resource.create?.responses.some(({ status }) => status === '400'),
  )?.create;
  if (create === undefined) return undefined;
  return createScenario({
    id: 'refused-body',
    sentence: 'Every body gets a 400, also one that the document allows.',
    needs: { operation: create.id, requests: 1 },
    start: { faults: [{ operation: create.id, status: 400 }] },
    mustSucceed: false,
  });
};

const slowResponse: ScenarioMaker = () =>
  createScenario({
    id: 'slow-answer',
    sentence: 'The first response takes two seconds.',
    start: { faults: [{ delay: { from: 2000, to: 2000 }, count: 1 }] },
    mustSucceed: false,
  });

const resetConnection: ScenarioMaker = () =>
  createScenario({
    id: 'reset-connection',
    sentence: 'The connection of the first request is reset in place of a response.',
    start: { faults: [{ connection: 'reset', count: 1 }] },
    mustSucceed: false,
  });

const lostResponse: ScenarioMaker = ({ resources }) => {
  const create = resources.find((resource) => resource.create)?.create;
  if (create === undefined) return undefined;
  return createScenario({
    id: 'lost-answer',
    sentence:
      'The first three items are added, but the connection is reset in place of each response.',
    needs: { operation: create.id, requests: 1 },
    start: { faults: [{ operation: create.id, connection: 'reset', count: 3 }] },
    mustSucceed: false,
  });
};

/** A usual day, and failures of the service and the network. */
export const failureScenarios: readonly ScenarioMaker[] = [
  plain,
  revokedKey,
  refusedBody,
  slowResponse,
  resetConnection,
  lostResponse,
];
