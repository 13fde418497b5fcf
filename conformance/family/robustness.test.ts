import { expect, test } from 'vitest';
import { judgeLog, list, type Case } from '../../test/conformance/log.ts';
import { petstore as contract } from '../../test/contract/petstore.ts';

const [answered, standing] = [
  'listPets/robustness.answered',
  'listPets/robustness.no-server-error',
];
const odd = { kind: 'open', question: 'invalid-limit', way: 'a word' } as const;

const cases: readonly Case[] = [
  ['a request is answered', [list([])], { [answered]: 'passed', [standing]: 'passed' }],
  ['no request', [], { [answered]: 'not-tested', [standing]: 'not-tested' }],
  [
    'a refusal is a response',
    [list(undefined, { status: 400, intent: odd })],
    { [answered]: 'passed', [standing]: 'passed' },
  ],
  ...(['timeout', 'cut', 'not-http'] as const).map((lost): Case => [
    `no response comes: ${lost}`,
    [list(undefined, { lost })],
    { [answered]: 'failed', [standing]: 'not-tested' },
  ]),
  [
    'a request outside the contract brings the service down',
    [list(undefined, { status: 503, intent: odd })],
    { [answered]: 'passed', [standing]: 'failed' },
  ],
  [
    'a request within the contract does so too',
    [list(undefined, { status: 503, intent: odd }), list(undefined, { status: 503 })],
    { [standing]: 'failed', 'listPets/status.200': 'failed' },
  ],
  [
    'no response once nothing is left',
    [list(undefined, { lost: 'cut', intent: { kind: 'beyond' } })],
    { [answered]: 'failed' },
  ],
];

test.for(cases)('%s', ([, log, expected]) => {
  expect(judgeLog(contract, log, Object.keys(expected))).toEqual(expected);
});
