import { requirementsOf } from '../../conformance/index.ts';
import { expect, test } from 'vitest';
import {
  judgeLog,
  composeLog,
  add,
  invalid,
  list,
  refused,
  type LogEntry,
} from '../../test/conformance/log.ts';
import { petstore } from '../../test/contract/petstore.ts';
import { findContradictions, findUnfounded } from './verdicts.ts';

const rex = { id: 1, name: 'Rex', categoryId: 1, status: 'sold' };
const bare = {
  'Content-Type': 'text/plain',
  'X-RateLimit-Limit': undefined,
  'X-RateLimit-Remaining': undefined,
  'X-RateLimit-Reset': undefined,
};

/** A log, and the requirements that it contradicts: none of them may be passed. */
const cases: readonly (readonly [string, readonly LogEntry[], readonly string[]])[] = [
  ['a list that keeps everything', [list([rex])], []],
  [
    'a 500 to a request that had to be refused',
    [refused({}, invalid('createPet/request.body.name.required'), { status: 500 }), list([rex])],
    ['createPet/robustness.no-server-error'],
  ],
  [
    'a list with a status that had to be refused',
    [
      refused(
        { name: 'Tom', categoryId: 1, status: '1' },
        invalid('createPet/request.body.status.values'),
        {
          status: 201,
          answer: { id: 2, name: 'Tom', categoryId: 1, status: '1' },
        },
      ),
      list([rex, { id: 2, name: 'Tom', categoryId: 1, status: '1' }]),
    ],
    [
      'createPet/response.201.body',
      'createPet/response.201.body.status.values',
      'listPets/response.200.body',
      'listPets/response.200.body[].status.values',
    ],
  ],
  [
    'a 500 in text/plain without headers',
    [list('the gateway is down', { status: 500, headers: bare }), list([rex])],
    ['listPets/robustness.no-server-error', '*/rate-limit.headers', '*/errors.shape'],
  ],
  ['no response', [list('', { lost: 'cut' })], ['listPets/robustness.answered']],
];

test.for(cases)('%s', ([, log, expected]) => {
  const exchanges = composeLog(petstore, log);
  const found = findContradictions(petstore, exchanges);
  expect(new Set([...found].map(([id]) => id))).toEqual(new Set(expected));
  const verdicts = judgeLog(petstore, log, expected);
  expect(Object.entries(verdicts).filter(([, kind]) => kind === 'passed')).toEqual([]);
});

test('a pass that contradicts its log is detected, and so is a wrong reason', () => {
  const exchanges = composeLog(petstore, [list('', { status: 500 }), add({}, rex)]);
  const requirement = requirementsOf(petstore).get('listPets/robustness.no-server-error');
  if (requirement === undefined) throw new Error('there is no such requirement');
  const judged = (verdict: { readonly kind: string; readonly reason?: string }) =>
    findUnfounded(petstore, exchanges, [{ requirement, ...verdict }]);
  expect(judged({ kind: 'passed' })).toEqual([
    `${requirement.id} passed against exchange 0: a 500`,
  ]);
  expect(judged({ kind: 'not-tested', reason: 'nothing shows it' })).toHaveLength(1);
  expect(judged({ kind: 'not-tested', reason: 'request 1: a 500' })).toEqual([]);
  expect(judged({ kind: 'failed' })).toEqual([]);
});

test('the evidence of a verdict is an existing exchange of the operation', () => {
  const exchanges = composeLog(petstore, [list([rex]), add({ name: 'Tom', categoryId: 1 }, rex)]);
  const requirement = requirementsOf(petstore).get('listPets/status.200');
  if (requirement === undefined) throw new Error('there is no such requirement');
  const judged = (proof: number) =>
    findUnfounded(petstore, exchanges, [{ requirement, kind: 'passed', exchanges: [proof] }]);
  expect([0, 1, 2].map((proof) => judged(proof).length)).toEqual([0, 1, 1]);
});
