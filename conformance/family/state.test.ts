import { expect, test } from 'vitest';
import {
  add,
  get,
  invalid,
  judgeLog,
  list,
  refused,
  valid,
  type Case,
} from '../../test/conformance/log.ts';
import { petstore } from '../../test/contract/petstore.ts';

const tag = 'Rex pc-12345678-0001';
const pet = { name: tag, categoryId: 1, status: 'sold' };
const rex = { id: 1, ...pet };
const tom = { id: 2, name: 'Tom', categoryId: 1, status: 'pending' };
const roomy = { query: '?limit=100' };
const list200 = (facet: string): string => `listPets/state.${facet}`;
const create = (facet: string): string => `createPet/state.${facet}`;
const read = (facet: string): string => `getPet/state.${facet}`;
const nameless = 'createPet/request.body.status.values';
const wrong = refused({ ...pet, status: 'lost' }, invalid(nameless));
const keyless = refused(pet, invalid('createPet/auth.missing', 401), {
  credential: 'missing',
  status: 401,
});

const lists: readonly Case[] = [
  ['a list has no item twice', [list([rex, tom])], { [list200('distinct')]: 'passed' }],
  ['a list has a duplicate item', [list([rex, rex])], { [list200('distinct')]: 'failed' }],
  ['an empty list says nothing of items', [list([])], { [list200('distinct')]: 'not-tested' }],
  [
    'a list holds what was added',
    [add(pet, rex), list([rex, tom], roomy)],
    { [list200('listed')]: 'passed' },
  ],
  [
    'a list lacks what was added',
    [add(pet, rex), list([tom], roomy)],
    { [list200('listed')]: 'failed' },
  ],
  [
    'a list lacks what was added and what an earlier list showed: named by the limit',
    [add(pet, rex), list([rex], roomy), list([], roomy)],
    { [list200('listed')]: 'not-tested', 'listPets/parameter.limit.filled': 'failed' },
  ],
  [
    'a list without room says nothing',
    [add(pet, rex), list([tom], { query: '?limit=1' })],
    { [list200('listed')]: 'not-tested' },
  ],
  [
    'a list without a limit says nothing',
    [add(pet, rex), list([tom])],
    { [list200('listed')]: 'not-tested' },
  ],
  [
    'a list that hints at a next page says nothing',
    [add(pet, rex), list([tom], { ...roomy, headers: { 'X-Next-Page': '2' } })],
    { [list200('listed')]: 'not-tested' },
  ],
  [
    'a list with a malformed item says nothing',
    [add(pet, rex), list([{ ...tom, id: 'x' }], roomy)],
    { [list200('listed')]: 'not-tested', 'listPets/response.200.body[].id.type': 'failed' },
  ],
  [
    'a filtered list need not hold items of another value',
    [add(pet, rex), list([tom], { query: '?limit=100&status=pending' })],
    { [list200('listed')]: 'not-tested' },
  ],
  [
    'a list under way at the same time as the addition says nothing',
    [add(pet, rex, { group: 'a' }), list([tom], { ...roomy, group: 'a' })],
    { [list200('listed')]: 'not-tested' },
  ],
];

const members: readonly Case[] = [
  [
    'an addition answers a member as it was sent',
    [add(pet, rex)],
    { [create('echo.name')]: 'passed' },
  ],
  [
    'an addition answers another value',
    [add(pet, { ...rex, name: 'Max' })],
    { [create('echo.name')]: 'failed' },
  ],
  [
    'an addition leaves an optional member out',
    [add(pet, { id: 1, name: tag, categoryId: 1 })],
    { [create('echo.status')]: 'failed', [create('echo.name')]: 'passed' },
  ],
  [
    'a member that was not sent has no echo',
    [add({ name: tag, categoryId: 1 }, rex)],
    { [create('echo.status')]: 'not-tested', [create('echo.name')]: 'passed' },
  ],
  [
    'a malformed member is named by its form alone',
    [add(pet, { ...rex, name: 5 })],
    { [create('echo.name')]: 'not-tested', 'createPet/response.201.body.name.type': 'failed' },
  ],
  [
    'integers are compared exactly',
    [
      add(
        '{"name":"Rex","categoryId":9007199254740993}',
        '{"id":1,"name":"Rex","categoryId":9007199254740992}',
      ),
    ],
    { [create('echo.categoryId')]: 'failed' },
  ],
  [
    'a list shows an item as it was added',
    [add(pet, rex), list([rex])],
    { [list200('read.name')]: 'passed' },
  ],
  [
    'a list shows another value',
    [add(pet, rex), list([{ ...rex, name: 'Max' }])],
    { [list200('read.name')]: 'failed' },
  ],
  ['a list shows items of others only', [list([tom])], { [list200('read.name')]: 'not-tested' }],
  [
    'a read shows an item as it was added',
    [add(pet, rex), get(1, rex)],
    { [read('read.name')]: 'passed', [read('read.id')]: 'passed' },
  ],
  [
    'a read shows another value',
    [add(pet, rex), get(1, { ...rex, name: 'Max' })],
    { [read('read.name')]: 'failed' },
  ],
  [
    'a read shows another item, whose members are not compared',
    [add(pet, rex), get(1, tom)],
    { [read('read.id')]: 'failed', [read('read.name')]: 'not-tested' },
  ],
  [
    'a read shows an item as a list did',
    [list([tom]), get(2, tom)],
    { [read('read.name')]: 'passed' },
  ],
  [
    'a read shows another value than a list did',
    [list([tom]), get(2, { ...tom, name: 'Max' })],
    { [read('read.name')]: 'failed' },
  ],
  [
    'somebody else may have changed the status of an item since it was listed',
    [list([tom]), get(2, { ...tom, status: 'sold' })],
    { [read('read.status')]: 'not-tested', [read('read.name')]: 'passed' },
  ],
  [
    'a wrong echo proves nothing: later reads may show what was sent',
    [add(pet, { ...rex, name: 'Max' }), get(1, rex)],
    { [create('echo.name')]: 'failed', [read('read.name')]: 'passed' },
  ],
  [
    'a wrong echo proves nothing: later reads may also show what was returned',
    [add(pet, { ...rex, name: 'Max' }), get(1, { ...rex, name: 'Max' })],
    { [create('echo.name')]: 'failed', [read('read.name')]: 'passed' },
  ],
  [
    'a list with a wrong value proves nothing about reads of other items',
    [add(pet, rex), list([{ ...rex, name: 'Max' }, tom]), get(2, { ...tom, name: 'Tim' })],
    { [list200('read.name')]: 'failed', [read('read.name')]: 'not-tested' },
  ],
  [
    'an item that was added is found',
    [get(1, rex, { intent: valid([read('readable')]) })],
    { [read('readable')]: 'passed' },
  ],
  [
    'an item that was listed is not found, and another one is',
    [
      list([rex, tom]),
      get(1, undefined, { status: 404, intent: valid([read('readable')]) }),
      get(2, tom),
    ],
    { [read('readable')]: 'failed', 'getPet/status.200': 'not-tested' },
  ],
];

const identifiers: readonly Case[] = [
  [
    'each item has its own identifier',
    [add(pet, rex), add(pet, { ...rex, id: 2 })],
    { [create('id-unique')]: 'passed' },
  ],
  [
    'two items have the same identifier',
    [add(pet, rex), add(pet, rex)],
    { [create('id-unique')]: 'failed' },
  ],
  ['nothing was added', [list([rex])], { [create('id-unique')]: 'not-tested' }],
  [
    'an item gets the identifier of a listed one, after which nothing is said of either',
    [list([tom]), add(pet, { ...rex, id: 2 }), get(2, tom)],
    { [create('id-unique')]: 'failed', [read('read.name')]: 'not-tested' },
  ],
  [
    'the identifier that a client sends is not taken',
    [add({ ...pet, id: 77 }, rex, { intent: { kind: 'open', question: 'client-id', way: '77' } })],
    { [create('id-assigned')]: 'passed' },
  ],
  [
    'the identifier that a client sends is taken',
    [
      add(
        { ...pet, id: 77 },
        { ...rex, id: 77 },
        { intent: { kind: 'open', question: 'client-id', way: '77' } },
      ),
    ],
    { [create('id-assigned')]: 'failed' },
  ],
  ['no identifier was sent', [add(pet, rex)], { [create('id-assigned')]: 'not-tested' }],
];

const refusals: readonly Case[] = [
  [
    'nothing of a refused body is listed',
    [wrong, list([tom], roomy)],
    { [create('not-written.400')]: 'passed' },
  ],
  [
    'a refused body is listed',
    [wrong, list([{ id: 3, name: tag, categoryId: 1 }], roomy)],
    { [create('not-written.400')]: 'failed' },
  ],
  [
    'a body without a key is listed',
    [keyless, list([{ id: 3, ...pet }], roomy)],
    { [create('not-written.401')]: 'failed', 'createPet/auth.missing': 'passed' },
  ],
  [
    'nothing of a body without a key is listed',
    [keyless, list([], roomy)],
    { [create('not-written.401')]: 'passed' },
  ],
  [
    'no list comes after the refusal',
    [list([tom], roomy), wrong],
    { [create('not-written.400')]: 'not-tested' },
  ],
  [
    'a list without room says nothing',
    [wrong, list([tom], { query: '?limit=1' })],
    { [create('not-written.400')]: 'not-tested' },
  ],
  [
    'a filtered list says nothing',
    [wrong, list([], { query: '?limit=100&status=sold' })],
    { [create('not-written.400')]: 'not-tested' },
  ],
  [
    'a body that has no text of its own would not be known again',
    [
      refused({ name: 'Rex', categoryId: 1, status: 'lost' }, invalid(nameless)),
      list([tom], roomy),
    ],
    { [create('not-written.400')]: 'not-tested' },
  ],
  [
    'an item with the same text that was listed before the refusal is another one',
    [
      list([{ id: 3, name: tag, categoryId: 1 }], roomy),
      wrong,
      list([{ id: 3, name: tag, categoryId: 1 }], roomy),
    ],
    { [create('not-written.400')]: 'passed' },
  ],
];

test.for([...lists, ...members, ...identifiers, ...refusals])('%s', ([, log, expected]) => {
  expect(judgeLog(petstore, log, Object.keys(expected))).toEqual(expected);
});
