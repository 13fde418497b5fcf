import { expect, test } from 'vitest';
import {
  add,
  invalid,
  judgeLog,
  list,
  refused,
  valid,
  type Case,
} from '../../test/conformance/log.ts';
import { loadSample } from '../../test/contract/sample.ts';
import { petstore as contract } from '../../test/contract/petstore.ts';

const limit = (facet: string): string => `listPets/parameter.limit.${facet}`;
const [values, filter] = ['listPets/parameter.status.values', 'listPets/parameter.status.filter'];
const pets = (count: number, status = 'sold'): readonly object[] =>
  Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    name: 'Rex',
    categoryId: 1,
    status,
  }));
const of = (query: string, ...exercises: readonly string[]) => ({
  query,
  intent: valid(exercises),
});

const cases: readonly Case[] = [
  [
    'the least, the largest and each listed value are taken',
    [
      list([], of('?limit=1', limit('minimum'))),
      list([], of('?limit=100', limit('maximum'))),
      list([], of('?status=sold', values)),
      list([], of('?status=pending', values)),
      list([], of('?status=available', values)),
    ],
    { [limit('minimum')]: 'passed', [limit('maximum')]: 'passed', [values]: 'passed' },
  ],
  [
    'one listed value was never sent',
    [list([], of('?status=sold', values)), list([], of('?status=pending', values))],
    { [values]: 'not-tested' },
  ],
  [
    'the largest value is refused and others are taken after it',
    [list(undefined, { ...of('?limit=100', limit('maximum')), status: 400 }), list([])],
    { [limit('maximum')]: 'failed', [limit('minimum')]: 'not-tested' },
  ],
  [
    'one listed value is refused and another one is taken',
    [
      list(undefined, { ...of('?status=sold', values), status: 400 }),
      list([], of('?status=pending', values)),
    ],
    { [values]: 'failed' },
  ],
  ['a list keeps its limit', [list(pets(2), of('?limit=2'))], { [limit('bound')]: 'passed' }],
  ['a list exceeds its limit', [list(pets(3), of('?limit=2'))], { [limit('bound')]: 'failed' }],
  [
    'a list exceeds its limit with items that cannot be read: their form is at fault',
    [list([{ name: 'Rex', categoryId: 1 }, ...pets(2)], of('?limit=2'))],
    { [limit('bound')]: 'not-tested', 'listPets/response.200.body[].id.required': 'failed' },
  ],
  [
    'a list without a limit has no more items than the default',
    [list(pets(21))],
    { [limit('default')]: 'failed' },
  ],
  [
    'a list without a limit is full where more items are known',
    [list(pets(21), of('?limit=50')), list(pets(20))],
    { [limit('default')]: 'passed' },
  ],
  [
    'a list without a limit is shorter than the default allows',
    [list(pets(21), of('?limit=50')), list(pets(10))],
    { [limit('default')]: 'failed' },
  ],
  [
    'a list without a limit says nothing of the default where there are few items',
    [list(pets(3), of('?limit=50')), list(pets(3))],
    { [limit('default')]: 'not-tested' },
  ],
  [
    'a list holds what an earlier one showed',
    [list(pets(3), of('?limit=50')), list(pets(2), of('?limit=2'))],
    { [limit('filled')]: 'passed' },
  ],
  [
    'a list lacks what an earlier one showed',
    [list(pets(3), of('?limit=50')), list(pets(2), of('?limit=50'))],
    { [limit('filled')]: 'failed' },
  ],
  [
    'a list that hints at further pages may lack anything',
    [
      list(pets(3), of('?limit=50')),
      list(pets(2), { ...of('?limit=50'), headers: { Link: '</pets?page=2>; rel="next"' } }),
    ],
    { [limit('filled')]: 'not-tested' },
  ],
  [
    'nothing is known before the first list',
    [list([], of('?limit=50'))],
    { [limit('filled')]: 'not-tested' },
  ],
  [
    'a filter keeps the items with its value',
    [list(pets(2), of('?status=sold'))],
    { [filter]: 'passed' },
  ],
  [
    'a filter lets another item pass',
    [list(pets(2, 'pending'), of('?status=sold'))],
    { [filter]: 'failed' },
  ],
  ['a filtered list without items', [list([], of('?status=sold'))], { [filter]: 'not-tested' }],
  [
    'a filtered list with an item that does not show the property',
    [list([{ id: 1, name: 'Rex', categoryId: 1 }], of('?status=sold'))],
    { [filter]: 'passed' },
  ],
  [
    'a filter drops an item that an earlier list showed to have its value',
    [
      list([...pets(2), { id: 9, name: 'Tom', categoryId: 1, status: 'pending' }]),
      list(pets(1), of('?status=sold')),
    ],
    { [filter]: 'failed' },
  ],
  [
    'an item of another value is not missed by a filter',
    [
      list([...pets(1), { id: 9, name: 'Tom', categoryId: 1, status: 'pending' }]),
      list(pets(1), of('?status=sold')),
    ],
    { [filter]: 'passed' },
  ],
  [
    'lists are short with a limit and with a filter: one cause, named by the limit',
    [
      list(pets(3), of('?limit=50')),
      list(pets(1), of('?limit=50')),
      list(pets(1), of('?status=sold')),
    ],
    { [limit('filled')]: 'failed', [filter]: 'not-tested' },
  ],
  [
    'an item that should have been refused proves nothing about a filter',
    [
      refused({ categoryId: 1 }, invalid('createPet/request.body.name.required'), {
        status: 201,
        answer: { id: 9, name: '', categoryId: 1 },
      }),
      list([...pets(1), { id: 9, name: '', categoryId: 1, status: 'pending' }], of('?status=sold')),
    ],
    { [filter]: 'not-tested', 'createPet/request.body.name.required': 'failed' },
  ],
  [
    'lists of requests that the document does not cover',
    [
      add({ name: 'Rex', categoryId: 1 }, pets(1)[0]),
      list(pets(3), {
        query: '?limit=0',
        intent: { kind: 'open', question: 'invalid-limit', way: '0' },
      }),
    ],
    { [limit('bound')]: 'not-tested' },
  ],
];

test.for(cases)('%s', ([, log, expected]) => {
  expect(judgeLog(contract, log, Object.keys(expected))).toEqual(expected);
});

const comment = { id: 'c1', text: 'Good.' };
const comments = (items: readonly object[]) => ({
  operation: 'listComments',
  target: '/chapters/1/comments?limit=50',
  answer: items,
});
const ofChapter = (operation: string, target: string) => ({
  operation,
  target,
  status: 204,
  answer: '',
});
const ofComment = (id: string) => ofChapter('removeComment', `/chapters/1/comments/${id}`);
const filledComments = 'listComments/parameter.limit.filled';

test.for([
  ['is removed', ofChapter('removeChapter', '/chapters/1'), 'not-tested'],
  ['is handled', ofChapter('closeChapter', '/chapters/1/close'), 'not-tested'],
  ['stays, but it is removed itself', ofComment('c1'), 'not-tested'],
  ['stays, and another comment is removed', ofComment('c2'), 'failed'],
  ['stays, and another one is removed', ofChapter('removeChapter', '/chapters/2'), 'failed'],
] as const)('a list may lack any items within %s', async ([, change, kind]) => {
  const none = { responses: { 204: { description: 'Done.' } } };
  const parameter = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
  const member = { type: 'string' };
  const schema = { type: 'object', required: ['id'], properties: { id: member, text: member } };
  const content = { 'application/json': { schema: { type: 'array', items: schema } } };
  const most = { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, default: 5 } };
  const responses = { 200: { description: 'All.', content } };
  const nested = await loadSample({
    paths: {
      '/chapters/{id}': {
        parameters: [parameter],
        delete: { operationId: 'removeChapter', ...none },
      },
      '/chapters/{id}/comments/{commentId}': {
        parameters: [parameter, { ...parameter, name: 'commentId', schema: member }],
        get: { operationId: 'rateComment', responses: { 200: { description: 'Its rating.' } } },
        delete: { operationId: 'removeComment', ...none },
      },
      '/chapters/{id}/close': {
        parameters: [parameter],
        post: { operationId: 'closeChapter', ...none },
      },
      '/chapters/{id}/comments': {
        parameters: [parameter],
        get: { operationId: 'listComments', parameters: [most], responses },
        post: {
          operationId: 'addComment',
          requestBody: { content: { 'application/json': { schema } } },
          responses: {
            201: { description: 'Added.', content: { 'application/json': { schema } } },
          },
        },
      },
    },
  });
  const log = [comments([comment]), change, comments([])];
  expect(judgeLog(nested, log, [filledComments])).toEqual({ [filledComments]: kind });
});
