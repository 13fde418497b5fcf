import type { OpenQuestion, Contract } from '../../../contract/index.ts';
import { forCreates, type Trial } from './trial.ts';

const forBodies = forCreates((operation) =>
  (
    [
      ['no key and a body that breaks the contract', '{}'],
      ['no key and a body that is no JSON', '{"name": "cut off'],
    ] as const
  ).map(([way, body]) => ({
    way,
    operation,
    rank: 3,
    request: () => ({ body, credential: 'missing' }),
  })),
);

/** `order-of-checks`: two faults at once, one of them a missing key. */
export function listOrderTrials(question: OpenQuestion, contract: Contract): readonly Trial[] {
  const paths = contract.resources.flatMap(({ get, idParameter }): readonly Trial[] =>
    get === undefined || idParameter?.schema.shape().types.includes('integer') !== true
      ? []
      : [
          {
            way: 'no key and an identifier of no form',
            operation: get,
            rank: 3,
            request: () => ({ path: { [idParameter.name]: 'abc' }, credential: 'missing' }),
          },
        ],
  );
  return [...forBodies(question, contract), ...paths];
}
