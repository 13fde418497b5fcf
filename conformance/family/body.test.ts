import { expect, test } from 'vitest';
import {
  get,
  invalid,
  judgeLog,
  list,
  refused,
  type Case,
  type LogEntry,
} from '../../test/conformance/log.ts';
import { petstore as contract } from '../../test/contract/petstore.ts';

const of = (facet: string): string => `getPet/response.200.${facet}`;
const rex = { id: 1, name: 'Rex', categoryId: 1, status: 'sold' };
/** A 403 for one request, and service for another one of the operation. */
const odd = (more: Partial<LogEntry>): readonly LogEntry[] => [
  get(1, rex),
  get(2, undefined, { status: 403, intent: { kind: 'open', question: 'x', way: '' }, ...more }),
];

const cases: readonly Case[] = [
  [
    'a body that fits shows the type, the whole and each member that is there',
    [get(1, rex)],
    {
      [of('content-type')]: 'passed',
      [of('body')]: 'passed',
      [of('body.type')]: 'passed',
      [of('body.name.required')]: 'passed',
      [of('body.status.values')]: 'passed',
    },
  ],
  [
    'a member that is optional and not there is not tested',
    [get(1, { id: 1, name: 'Rex', categoryId: 1 })],
    { [of('body')]: 'passed', [of('body.status.values')]: 'not-tested' },
  ],
  [
    'an empty list says nothing of the members of its items',
    [list([])],
    {
      'listPets/response.200.body.type': 'passed',
      'listPets/response.200.body[].name.required': 'not-tested',
    },
  ],
  [
    'no response of that status',
    [],
    {
      [of('content-type')]: 'not-tested',
      [of('body')]: 'not-tested',
      [of('body.name.required')]: 'not-tested',
    },
  ],
  [
    'a content type with a parameter, in any case',
    [get(1, rex, { headers: { 'Content-Type': 'Application/JSON; charset=utf-8' } })],
    { [of('content-type')]: 'passed' },
  ],
  [
    'another content type, after which the body is not judged',
    [get(1, rex, { headers: { 'Content-Type': 'text/plain' } })],
    { [of('content-type')]: 'failed', [of('body')]: 'not-tested' },
  ],
  [
    'no content type',
    [get(1, rex, { headers: { 'Content-Type': undefined } })],
    { [of('content-type')]: 'failed' },
  ],
  [
    'a body that is not JSON',
    [get(1, '{"id":1,}')],
    { [of('body')]: 'failed', [of('body.type')]: 'not-tested' },
  ],
  [
    'a further member holds a number that cannot be held',
    [get(1, '{"id":1,"name":"Rex","categoryId":1,"chip":1e400}')],
    { [of('body')]: 'passed' },
  ],
  [
    'a number that cannot be represented has no format',
    [get(1, '{"id":1,"name":"Rex","categoryId":1e400}')],
    { [of('body.categoryId.format')]: 'failed' },
  ],
  [
    'a body that is nested too deep to be read',
    [get(1, `{"id":1,"name":"Rex","categoryId":1,"chip":${'['.repeat(5000)}${']'.repeat(5000)}}`)],
    { [of('body')]: 'not-tested', [of('body.type')]: 'not-tested' },
  ],
  ['a body that is no UTF-8', [get(1, rex, { utf8: false })], { [of('body')]: 'failed' }],
  [
    'no body at all',
    [get(1, '', { headers: { 'Content-Type': 'application/json' } })],
    { [of('body')]: 'failed' },
  ],
  [
    'members that the document does not name are valid',
    [get(1, { ...rex, colour: 'brown' })],
    { [of('body')]: 'passed' },
  ],
  [
    'a required member is missing: that facet fails, and the whole is not shown',
    [get(1, { id: 1, categoryId: 1 })],
    {
      [of('body.name.required')]: 'failed',
      [of('body')]: 'not-tested',
      [of('body.id.required')]: 'passed',
    },
  ],
  [
    'a member of the wrong type is named once, and shows nothing else',
    [get(1, { ...rex, status: 5 })],
    { [of('body.status.type')]: 'failed', [of('body.status.values')]: 'not-tested' },
  ],
  [
    'a member of the wrong type is there, where one is required',
    [get(1, { ...rex, name: 5 })],
    { [of('body.name.type')]: 'failed', [of('body.name.required')]: 'passed' },
  ],
  [
    'a value that is not listed',
    [get(1, { ...rex, status: 'lost' })],
    { [of('body.status.values')]: 'failed' },
  ],
  [
    'a number that its format does not hold',
    [get(1, '{"id":1,"name":"Rex","categoryId":9223372036854775808}')],
    { [of('body.categoryId.format')]: 'failed' },
  ],
  [
    'the largest number that its format holds',
    [get(1, '{"id":1,"name":"Rex","categoryId":9223372036854775807}')],
    { [of('body.categoryId.format')]: 'passed' },
  ],
  [
    'a list in place of an item says nothing of its members',
    [get(1, [rex])],
    { [of('body.type')]: 'failed', [of('body.name.required')]: 'not-tested' },
  ],
  [
    'one item of a list is malformed, one is not',
    [list([rex, { id: 2, categoryId: 1 }])],
    {
      'listPets/response.200.body[].name.required': 'failed',
      'listPets/response.200.body[].id.required': 'passed',
    },
  ],
  [
    'an item that should have been refused breaks the schema of responses all the same',
    [
      refused(
        { name: 'Tom', categoryId: 1, status: 'lost' },
        invalid('createPet/request.body.status.values'),
        {
          status: 201,
          answer: { id: 2, name: 'Tom', categoryId: 1, status: 'lost' },
        },
      ),
      list([rex, { id: 2, name: 'Tom', categoryId: 1, status: 'lost' }]),
    ],
    {
      'createPet/request.body.status.values': 'failed',
      'createPet/response.201.body': 'not-tested',
      'createPet/response.201.body.status.values': 'failed',
      'listPets/response.200.body[].status.values': 'failed',
      'listPets/response.200.body': 'not-tested',
    },
  ],
  [
    'an error whose body names another status than it has',
    [
      refused({}, invalid('createPet/request.body.name.required'), {
        answer: { code: 'x', message: 'x', status: 500 },
      }),
    ],
    {
      'createPet/response.400.body.status.values': 'failed',
      'createPet/request.body.name.required': 'passed',
    },
  ],
  [
    'an error of a status that is not listed has the error shape',
    odd({}),
    { '*/errors.shape': 'passed', '*/errors.status': 'passed' },
  ],
  [
    'an error of a status that is not listed has another shape',
    odd({ answer: { error: 'no' } }),
    { '*/errors.shape': 'failed', '*/errors.status': 'not-tested' },
  ],
  [
    'an error of a status that is not listed is no JSON',
    odd({ answer: 'no', headers: { 'Content-Type': 'text/html' } }),
    { '*/errors.shape': 'failed' },
  ],
  [
    'an error of a status that is not listed names another status',
    odd({ answer: { code: 'x', message: 'x', status: 400 } }),
    { '*/errors.shape': 'passed', '*/errors.status': 'failed' },
  ],
  [
    'a 5xx that is not listed has the error shape too',
    [...odd({ status: 500, answer: 'oops' })],
    { '*/errors.shape': 'failed', 'getPet/robustness.no-server-error': 'failed' },
  ],
];

/** What nginx answers to a request with two fields Authorization. */
const byProxy: LogEntry = list('<html>400 Bad Request</html>', {
  status: 400,
  headers: {
    'Content-Type': 'text/html',
    'X-RateLimit-Limit': undefined,
    'X-RateLimit-Remaining': undefined,
    'X-RateLimit-Reset': undefined,
  },
  intent: { kind: 'unspecified', way: 'the key and a made-up one' },
});
const shapeAndHeaders = ['*/errors.shape', '*/rate-limit.headers'];

test.for([
  ['that is not valid HTTP may be refused by a proxy', 'twice', 'not-tested'],
  ['that is valid HTTP gets an error of the API', 'valid', 'failed'],
] as const)('a request %s', ([, credential, verdict]) => {
  expect(judgeLog(contract, [{ ...byProxy, credential }], shapeAndHeaders)).toEqual(
    Object.fromEntries(shapeAndHeaders.map((id) => [id, verdict])),
  );
});

test('only a 400 to invalid HTTP may come from a proxy', () => {
  const log = [{ ...byProxy, status: 500, credential: 'twice' } as const];
  expect(judgeLog(contract, log, ['*/errors.shape'])).toMatchObject({
    '*/errors.shape': 'failed',
  });
});

test.for(cases)('%s', ([, log, expected]) => {
  expect(judgeLog(contract, log, Object.keys(expected))).toEqual(expected);
});
