import type { ScenarioMaker } from './scenario.ts';

/** A usual day, and failures of the service and the network. */
export const failureScenarios: readonly ScenarioMaker[] = [
  () => ({ id: 'plain', sentence: 'Nothing out of the ordinary happens.' }),
  () => ({
    id: 'revoked-key',
    sentence: 'The key stops being valid after the first request: every further one gets a 401.',
    needs: { operation: undefined, requests: 2 },
    steps: new Map([[2, { faults: [{ status: 401 }] }]]),
    mustSucceed: false,
  }),
  // A service may know more than the document says, such as which categories there are.
  ({ resources }) => {
    const create = resources
      .flatMap((resource) => resource.create ?? [])
      .find(({ responses }) => responses.some(({ status }) => status === '400'));
    return (
      create && {
        id: 'refused-body',
        sentence: 'Every body gets a 400, even a valid one.',
        needs: { operation: create.id, requests: 1 },
        start: { faults: [{ operation: create.id, status: 400 }] },
        mustSucceed: false,
      }
    );
  },
  () => ({
    id: 'slow-response',
    sentence: 'The first response takes two seconds.',
    start: { faults: [{ delay: { from: 2000, to: 2000 }, count: 1 }] },
    mustSucceed: false,
  }),
  ({ resources }) => {
    const create = resources.find((resource) => resource.create)?.create;
    return (
      create && {
        id: 'slow-addition',
        sentence: 'The first three items are added, but each response takes two seconds.',
        needs: { operation: create.id, requests: 1 },
        start: {
          faults: [{ operation: create.id, delay: { from: 2000, to: 2000 }, count: 3 }],
        },
        mustSucceed: false,
      }
    );
  },
  () => ({
    id: 'reset-connection',
    sentence: 'The connection of the first request is reset instead of a response.',
    start: { faults: [{ connection: 'reset', count: 1 }] },
    mustSucceed: false,
  }),
  ({ resources }) => {
    const create = resources.find((resource) => resource.create)?.create;
    return (
      create && {
        id: 'lost-response',
        sentence:
          'The first three items are added, but the connection is reset instead of each response.',
        needs: { operation: create.id, requests: 1 },
        start: { faults: [{ operation: create.id, connection: 'reset', count: 3 }] },
        mustSucceed: false,
      }
    );
  },
];
