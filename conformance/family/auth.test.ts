import { expect, test } from 'vitest';
import { invalid, judgeLog, list, type Case } from '../../test/conformance/log.ts';
import { petstore as contract } from '../../test/contract/petstore.ts';

const [missing, wrong] = ['listPets/auth.missing', 'listPets/auth.invalid'];
const [exact, scheme] = ['*/auth.exact', '*/auth.scheme'];
const without = { credential: 'missing', intent: invalid(missing, 401) } as const;
const made = { credential: 'invalid', intent: invalid(wrong, 401) } as const;
const cut = { credential: 'cut', intent: invalid(exact, 401, { also: wrong }) } as const;
const basic = { credential: 'other-scheme', intent: invalid(scheme, 401) } as const;

const cases: readonly Case[] = [
  [
    'a request without a key is refused',
    [list(undefined, { ...without, status: 401 })],
    { [missing]: 'passed' },
  ],
  ['a request without a key is served', [list([], without)], { [missing]: 'failed' }],
  [
    'a request without a key is refused by another status',
    [list(undefined, { ...without, status: 403 })],
    { [missing]: 'failed' },
  ],
  [
    'only requests with the key were sent',
    [list([])],
    {
      [missing]: 'not-tested',
      [wrong]: 'not-tested',
      [exact]: 'not-tested',
      [scheme]: 'not-tested',
    },
  ],
  [
    'a key that is nearly right is refused: that shows both',
    [list(undefined, { ...cut, status: 401 })],
    { [exact]: 'passed', [wrong]: 'passed' },
  ],
  [
    'a key that is nearly right is served and one that was made up is not: keys are compared loosely',
    [list([], cut), list(undefined, { ...made, status: 401 })],
    { [exact]: 'failed', [wrong]: 'not-tested' },
  ],
  [
    'a key that was made up is served too: any key is taken, which is one failure',
    [list([], cut), list([], made)],
    { [exact]: 'not-tested', [wrong]: 'failed' },
  ],
  [
    'a key that is nearly right is refused by another status: so would every wrong key be',
    [list(undefined, { ...cut, status: 404 })],
    { [exact]: 'not-tested', [wrong]: 'failed' },
  ],
  [
    'a key under another scheme is refused',
    [list(undefined, { ...basic, status: 401 })],
    { [scheme]: 'passed' },
  ],
  ['a key under another scheme is served', [list([], basic)], { [scheme]: 'failed' }],
];

test.for(cases)('%s', ([, log, expected]) => {
  expect(judgeLog(contract, log, Object.keys(expected))).toEqual(expected);
});
