import { expect, test } from 'vitest';
import { judge } from '../judge/verdict.ts';
import {
  add,
  composeLog,
  get,
  judgeLog,
  list,
  valid,
  type Case,
  type LogEntry,
} from '../../test/conformance/log.ts';
import { loadYaml } from '../../test/conformance/judge-document.ts';
import { petstore } from '../../test/contract/petstore.ts';
import { books } from '../../test/contract/books.ts';

const rex = { id: 1, name: 'Rex', categoryId: 1, status: 'sold' };
const absent = { kind: 'absent', requirement: 'getPet/status.404', id: '7' } as const;

const cases: readonly Case[] = [
  ['a valid request that is served', [list([])], { 'listPets/status.200': 'passed' }],
  ['no request at all', [], { 'listPets/status.200': 'not-tested' }],
  [
    'a valid request that is refused',
    [list(undefined, { status: 400 })],
    { 'listPets/status.200': 'failed' },
  ],
  [
    'a valid request that brings the service down',
    [list(undefined, { status: 500 })],
    { 'listPets/status.200': 'failed', 'listPets/robustness.no-server-error': 'failed' },
  ],
  [
    'another success status, which is never the doing of a parameter',
    [
      list('', {
        status: 204,
        query: '?limit=1',
        intent: valid(['listPets/parameter.limit.minimum']),
      }),
      list([]),
    ],
    { 'listPets/status.200': 'failed', 'listPets/parameter.limit.minimum': 'not-tested' },
  ],
  [
    'a key that is suddenly unknown, which is never the doing of a parameter',
    [
      list(undefined, {
        status: 401,
        query: '?limit=1',
        intent: valid(['listPets/parameter.limit.minimum']),
      }),
      list([]),
    ],
    { 'listPets/status.200': 'failed', 'listPets/parameter.limit.minimum': 'not-tested' },
  ],
  [
    'a request that is refused for what it exercises: that requirement fails in its place',
    [
      list(undefined, {
        status: 400,
        query: '?limit=1',
        intent: valid(['listPets/parameter.limit.minimum']),
      }),
      list([]),
    ],
    { 'listPets/status.200': 'not-tested', 'listPets/parameter.limit.minimum': 'failed' },
  ],
  [
    'a request that an open question may refuse',
    [
      add({ name: 'Rex', categoryId: 5 }, undefined, {
        status: 400,
        intent: valid([], ['category-existence']),
      }),
    ],
    { 'createPet/status.201': 'not-tested' },
  ],
  [
    'a request over the limit',
    [list(undefined, { status: 429, headers: { 'Retry-After': '60' } })],
    { 'listPets/status.200': 'not-tested' },
  ],
  [
    'an operation that the key may not use',
    [get(1, undefined, { status: 403 }), list([])],
    { 'getPet/status.200': 'not-tested', '*/open.key-issuance': 'open' },
  ],
  [
    'an operation that answers 403 only at times',
    [get(1, undefined, { status: 403 }), get(1, rex)],
    { 'getPet/status.200': 'failed' },
  ],
  [
    'an identifier that nothing has',
    [get(7, undefined, { status: 404, intent: absent })],
    { 'getPet/status.404': 'passed' },
  ],
  [
    'an identifier that nothing has, answered with another item',
    [get(7, rex, { intent: absent })],
    { 'getPet/status.404': 'failed' },
  ],
  [
    'an identifier that nothing has, answered with another item, as reads of known items are',
    [get(2, rex), get(7, rex, { intent: absent })],
    { 'getPet/status.404': 'not-tested', 'getPet/state.read.id': 'failed' },
  ],
  [
    'an identifier that nothing has, answered with an item whose identifier was given twice',
    [
      add(rex, { ...rex, id: 8 }),
      add(rex, { ...rex, id: 8 }),
      get(7, { ...rex, id: 8 }, { intent: absent }),
    ],
    { 'getPet/status.404': 'not-tested', 'createPet/state.id-unique': 'failed' },
  ],
  [
    'an identifier that nothing had until somebody else added it',
    [get(7, { ...rex, id: 7 }, { intent: absent })],
    { 'getPet/status.404': 'not-tested' },
  ],
];

test.for(cases)('%s', ([, log, expected]) => {
  expect(judgeLog(petstore, log, Object.keys(expected))).toEqual(expected);
});

const entry = { title: 'Sea', language: 'en', lendable: true, price: 1 };
const book = { bookNumber: 1, ...entry };
const added: LogEntry = {
  operation: 'addBook',
  target: '/books',
  body: entry,
  answer: book,
  status: 201,
};
const removed: LogEntry = { operation: 'removeBook', target: '/books/1', answer: '', status: 204 };
const read: LogEntry = { operation: 'readBook', target: '/books/1', answer: book };
const gone = { statusCode: 404, error: 'gone', detail: 'It is gone.' };

test.for<Case>([
  [
    'an item that was removed is not found',
    [
      added,
      removed,
      { ...read, status: 404, answer: gone, intent: { kind: 'open', question: 'x', way: '' } },
    ],
    { 'readBook/status.404': 'passed' },
  ],
  [
    'an item that was removed is still read',
    [added, removed, read],
    { 'readBook/status.404': 'not-tested', 'removeBook/state.removed': 'failed' },
  ],
  [
    'an item is read at the time when it is removed',
    [added, { ...removed, group: 'a' }, { ...read, group: 'a' }],
    { 'readBook/status.404': 'not-tested' },
  ],
  [
    'a removal that was refused removes nothing',
    [added, { ...removed, status: 404, answer: gone }, read],
    { 'readBook/status.404': 'not-tested', 'removeBook/status.204': 'failed' },
  ],
])('books: %s', ([, log, expected]) => {
  expect(judgeLog(books, log, Object.keys(expected), undefined)).toEqual(expected);
});

const pens = `
components:
  schemas:
    Pen: { type: object, required: [id, name], properties: { id: { type: integer, readOnly: true }, name: { type: string } } }
paths:
  /pens:
    get: { operationId: listPens, responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Pen' } } } } } } }
    post: { operationId: addPen, requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Pen' } } } }, responses: { '201': { description: added, content: { application/json: { schema: { $ref: '#/components/schemas/Pen' } } } } } }
  /pens/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getPen, responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Pen' } } } }, '404': { description: unknown }, '410': { description: gone } } }
`;

test('an item is not found after an operation with another parameter name removed it', async () => {
  const contract = await loadYaml(`${pens}
  /pens/{number}:
    parameters: [{ name: number, in: path, required: true, schema: { type: integer } }]
    delete: { operationId: removePen, responses: { '204': { description: removed } } }
`);
  const pen = { id: 7, name: 'Nib' };
  const read = { operation: 'getPen', target: '/pens/7' };
  const log: readonly LogEntry[] = [
    { operation: 'addPen', target: '/pens', body: { name: 'Nib' }, status: 201, answer: pen },
    { ...read, answer: pen },
    { operation: 'removePen', target: '/pens/7', status: 204, answer: '' },
    { ...read, status: 404, answer: '' },
  ];
  expect(judgeLog(contract, log, ['removePen/status.204'])).toEqual({
    'removePen/status.204': 'passed',
  });
  const [, , , lost = read] = log;
  expect(judgeLog(contract, [...log.slice(0, 2), lost], [])).toEqual({
    'getPen/status.200': 'failed',
  });
});

test('a documented 410 instead of a 404 is given as the reason', async () => {
  const contract = await loadYaml(pens);
  const intent = { kind: 'absent', requirement: 'getPen/status.404', id: '7' } as const;
  const read = { operation: 'getPen', target: '/pens/7', status: 410, answer: '', intent };
  const verdicts = judge(contract, composeLog(contract, [read]), {
    plan: undefined,
    whyNotTested: () => ({ kind: 'not-shown' }),
  });
  const verdict = verdicts.find(({ requirement }) => requirement.id === 'getPen/status.404');
  expect(verdict).toMatchObject({
    kind: 'not-tested',
    reason: expect.stringMatching(/returned 410, which the document lists for what is no longer/),
  });
});
