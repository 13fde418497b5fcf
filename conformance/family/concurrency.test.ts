import { expect, test } from 'vitest';
import {
  add,
  get,
  judgeLog,
  list,
  valid,
  type Case,
  type LogEntry,
} from '../../test/conformance/log.ts';
import { petstore as contract } from '../../test/contract/petstore.ts';

const [unique, stored] = ['createPet/concurrency.unique', 'createPet/concurrency.stored'];
const pet = { name: 'Rex', categoryId: 1, status: 'sold' };
const one = { id: 1, ...pet };
const two = { id: 2, ...pet };
const together = (item: object, more: Partial<LogEntry> = {}): LogEntry =>
  add(pet, item, { group: 'a', intent: valid([stored]), ...more });
const roomy = { query: '?limit=100' };

const cases: readonly Case[] = [
  [
    'items added at the same time get different identifiers',
    [together(one), together(two)],
    { [unique]: 'passed', [stored]: 'passed' },
  ],
  [
    'items added at the same time get the same identifier',
    [together(one), together(one)],
    { [unique]: 'failed' },
  ],
  [
    'items added one after the other',
    [add(pet, one), add(pet, two)],
    { [unique]: 'not-tested', [stored]: 'not-tested' },
  ],
  [
    'ids repeat without concurrency too: that is not a race',
    [add(pet, one), add(pet, one), together(two), together(two)],
    { [unique]: 'not-tested', 'createPet/state.id-unique': 'failed' },
  ],
  [
    'items added at the same time are all listed',
    [together(one), together(two), list([one, two], roomy)],
    { [stored]: 'passed' },
  ],
  [
    'an item added beside others is in no list',
    [together(one), together(two), list([one], roomy)],
    { [stored]: 'failed', 'createPet/state.id-unique': 'passed' },
  ],
  [
    'an item added beside others is in a later list: it was stored, and not yet listed',
    [together(one), together(two), list([one], roomy), list([one, two], roomy)],
    { [stored]: 'not-tested', 'listPets/state.listed': 'failed' },
  ],
  [
    'an item added beside others is in no list and cannot be read',
    [
      together(one),
      together(two),
      list([one]),
      get(2, undefined, { status: 404, intent: valid(['getPet/state.readable']) }),
    ],
    { [stored]: 'failed', 'getPet/state.readable': 'not-tested' },
  ],
  [
    'one of the requests at the same time is refused, though others like it are served',
    [
      add(pet, one),
      add(pet, undefined, { group: 'a', status: 409 }),
      add(pet, two, { group: 'a' }),
    ],
    { [stored]: 'failed', 'createPet/status.201': 'not-tested' },
  ],
];

test.for(cases)('%s', ([, log, expected]) => {
  expect(judgeLog(contract, log, Object.keys(expected))).toEqual(expected);
});
