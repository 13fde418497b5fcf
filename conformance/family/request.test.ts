import { expect, test } from 'vitest';
import { add, invalid, judgeLog, refused, valid, type Case } from '../../test/conformance/log.ts';
import { loadYaml, serveDocument } from '../../test/conformance/judge-document.ts';
import { petstore as contract } from '../../test/contract/petstore.ts';

const nameless = 'createPet/request.body.name.required';
const optional = 'createPet/request.body.status.optional';
const values = 'createPet/request.body.status.values';
const rex = { name: 'Rex', categoryId: 1 };
const whole = { ...rex, status: 'sold' };

const cases: readonly Case[] = [
  [
    'a body without a required member is refused',
    [refused({ categoryId: 1 }, invalid(nameless))],
    { [nameless]: 'passed' },
  ],
  [
    'a body without a required member is taken',
    [refused({ categoryId: 1 }, invalid(nameless), { status: 201, answer: { id: 1, ...rex } })],
    { [nameless]: 'failed', 'createPet/status.201': 'not-tested' },
  ],
  [
    'a refusal by another status than the one that is documented',
    [refused({ categoryId: 1 }, invalid(nameless), { status: 422 })],
    { [nameless]: 'failed' },
  ],
  [
    'a refusal by 5xx',
    [refused({ categoryId: 1 }, invalid(nameless), { status: 500 })],
    { [nameless]: 'failed', 'createPet/robustness.no-server-error': 'failed' },
  ],
  ['no body that breaks the schema', [add(rex, { id: 1, ...rex })], { [nameless]: 'not-tested' }],
  [
    'a request that the limit turned away',
    [refused({}, invalid(nameless), { status: 429, answer: '', headers: { 'Retry-After': '1' } })],
    { [nameless]: 'not-tested' },
  ],
  [
    'one cause is one failure: what a plainer body explains is not named',
    [
      refused(
        { name: 1, categoryId: 1 },
        invalid('createPet/request.body.name.type', 400, { unless: [nameless] }),
        {
          status: 201,
          answer: { id: 1, ...rex },
        },
      ),
      refused({ categoryId: 1 }, invalid(nameless), { status: 201, answer: { id: 2, ...rex } }),
    ],
    { [nameless]: 'failed', 'createPet/request.body.name.type': 'not-tested' },
  ],
  [
    'a plainer body that is refused explains nothing',
    [
      refused(
        { name: 1, categoryId: 1 },
        invalid('createPet/request.body.name.type', 400, { unless: [nameless] }),
        {
          status: 201,
          answer: { id: 1, ...rex },
        },
      ),
      refused({ categoryId: 1 }, invalid(nameless)),
    ],
    { [nameless]: 'passed', 'createPet/request.body.name.type': 'failed' },
  ],
  [
    'a body without an optional member is taken',
    [add(rex, { id: 1, ...rex }, { intent: valid([optional]) })],
    { [optional]: 'passed' },
  ],
  [
    'a body without an optional member is refused, and others are taken after it',
    [
      add(rex, undefined, { status: 400, intent: valid([optional]) }),
      add(whole, { id: 1, ...whole }),
    ],
    { [optional]: 'failed', 'createPet/status.201': 'not-tested' },
  ],
  [
    'others were taken only before the refusal: then the service may have stopped to take any',
    [
      add(whole, { id: 1, ...whole }),
      add(rex, undefined, { status: 400, intent: valid([optional]) }),
    ],
    { [optional]: 'not-tested', 'createPet/status.201': 'failed' },
  ],
  [
    'everything is refused: then it is not for the member',
    [
      add(rex, undefined, { status: 400, intent: valid([optional]) }),
      add(whole, undefined, { status: 400 }),
    ],
    { [optional]: 'not-tested', 'createPet/status.201': 'failed' },
  ],
  [
    'one value of an enumeration is refused and another is taken: the same requirement, another case',
    [
      add(whole, undefined, { status: 400, intent: valid([values]) }),
      add(
        { ...rex, status: 'pending' },
        { id: 1, ...rex, status: 'pending' },
        { intent: valid([values]) },
      ),
    ],
    { [values]: 'failed', 'createPet/status.201': 'not-tested' },
  ],
  [
    'the very same value is taken and refused: then it is not for the value',
    [
      add(whole, undefined, { status: 400, intent: valid([values]) }),
      add(whole, { id: 1, ...whole }, { intent: valid([values]) }),
    ],
    { [values]: 'not-tested', 'createPet/status.201': 'failed' },
  ],
];

test.for(cases)('%s', ([, log, expected]) => {
  expect(judgeLog(contract, log, Object.keys(expected))).toEqual(expected);
});

test('an invalid body that may be refused for another reason proves nothing', async () => {
  const bookings = await loadYaml(`
paths:
  /bookings/confirm:
    post:
      operationId: confirm
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [seats]
              properties: { seats: { type: integer } }
      responses:
        '200': { description: Confirmed. }
        '400': { description: Not valid. }
        '409': { description: Sold out. }
`);
  const kindsWith = async (refusal: number): Promise<readonly string[]> => {
    const judge = await serveDocument(bookings, (response) =>
      response.status === 400 ? { ...response, status: refusal } : response,
    );
    const { verdicts } = await judge(bookings);
    return verdicts.flatMap(({ kind, requirement: { id } }) =>
      id.startsWith('confirm/request.body.seats.') && !id.endsWith('.taken') ? [kind] : [],
    );
  };
  expect(new Set(await kindsWith(400))).toEqual(new Set(['passed']));
  expect(new Set(await kindsWith(409))).toEqual(new Set(['not-tested']));
});
