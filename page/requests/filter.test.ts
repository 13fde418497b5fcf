import { expect, test } from 'vitest';
import type { Exchange } from '../../mock/control/client.ts';
import {
  type Selection,
  compileSearch,
  noOperation,
  readFilter,
  selectRequests,
} from './filter.ts';

const plain: Exchange = {
  index: 0,
  at: '2026-06-01T12:00:00.000Z',
  method: 'GET',
  target: '/v1/pets?limit=3',
  operation: 'listPets',
  credential: 'valid',
  keyElsewhere: false,
  status: 200,
  sandbox: 'main',
  milliseconds: 1,
};
const refused: Exchange = {
  ...plain,
  method: 'POST',
  operation: 'createPet',
  status: 400,
  sandbox: 'alice',
  body: '{"name":"O\'Malley"}',
  refusal: { check: 'content', reason: 'invalid_body', message: 'It has no categoryId.' },
};
const unknown: Exchange = { ...plain, target: '/v1/(x', status: 404, operation: undefined };

function select(query: Record<string, string>, sandbox: string): Selection {
  const filter = readFilter(query, sandbox);
  const requests = [plain, refused, unknown].map((exchange, number) => ({
    number,
    exchange,
  }));
  return selectRequests(requests, filter, compileSearch(filter.text));
}

test.for([
  [{}, 'main', [2, 1, 0]],
  [{ only: '1' }, 'alice', [1]],
  [{ operation: 'listPets' }, 'main', [0]],
  [{ operation: noOperation }, 'main', [2]],
  [{ status: '4xx' }, 'main', [2, 1]],
  [{ status: '404' }, 'main', [2]],
  [{ status: 'abc' }, 'main', [2, 1, 0]],
  [{ text: "o'malley" }, 'main', [1]],
  [{ text: 'CATEGORYID' }, 'main', [1]],
  [{ text: '/(x' }, 'main', [2]],
  [{ text: 'get /v1/p', status: '2xx' }, 'main', [0]],
] as const)('%j in %s shows %j, the newest first', ([query, sandbox, shown]) => {
  expect(select(query, sandbox).rows.map(({ number }) => number)).toEqual(shown);
});

test('all statuses are listed, even while filtered', () => {
  expect([...select({ status: '4xx' }, 'main').statuses]).toEqual([404, 400, 200]);
});
