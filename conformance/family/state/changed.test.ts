import { expect, test } from 'vitest';
import { books } from '../../../test/contract/books.ts';
import { loadYaml } from '../../../test/conformance/judge-document.ts';
import { invalid, judgeLog, type Case, type LogEntry } from '../../../test/conformance/log.ts';

const entry = { title: 'Sea', language: 'en', lendable: true, price: 1 };
const book = { bookNumber: 1, ...entry };
const added: LogEntry = {
  operation: 'addBook',
  target: '/books',
  body: entry,
  answer: book,
  status: 201,
};
const other = { ...entry, title: 'Lake' };
const replaced: LogEntry = {
  operation: 'replaceBook',
  target: '/books/1',
  body: other,
  answer: { bookNumber: 1, ...other },
};
const updated: LogEntry = {
  operation: 'changeBook',
  target: '/books/1',
  body: { price: 2 },
  answer: { ...book, price: 2 },
};
const removed: LogEntry = { operation: 'removeBook', target: '/books/1', answer: '', status: 204 };
const readBook = (item: object): LogEntry => ({
  operation: 'readBook',
  target: '/books/1',
  answer: item,
});
const listBooks = (items: readonly object[], query = ''): LogEntry => ({
  operation: 'listBooks',
  target: `/books${query}`,
  answer: items,
});

const changes: readonly Case[] = [
  [
    'a replaced item is read as it was replaced',
    [added, replaced, readBook({ ...book, title: 'Lake' })],
    { 'readBook/state.read.title': 'passed' },
  ],
  [
    'a replaced item is read as it was',
    [added, replaced, readBook(book)],
    { 'replaceBook/state.stored': 'failed', 'replaceBook/state.echo.title': 'passed' },
  ],
  [
    'a replaced item is listed as it was',
    [added, replaced, readBook({ ...book, title: 'Lake' }), listBooks([book])],
    { 'listBooks/state.read.title': 'failed', 'replaceBook/state.stored': 'passed' },
  ],
  [
    'an update keeps the other members',
    [added, updated, readBook({ ...book, price: 2 })],
    { 'readBook/state.read.price': 'passed', 'readBook/state.read.title': 'passed' },
  ],
  [
    'an update loses another member',
    [added, updated, readBook({ ...book, title: 'Lake', price: 2 })],
    { 'changeBook/state.others-kept': 'failed' },
  ],
  [
    'an update of an item of others shows only what it sent',
    [updated, readBook({ ...book, title: 'Any', price: 2 })],
    { 'readBook/state.read.price': 'passed', 'readBook/state.read.title': 'not-tested' },
  ],
  [
    'a change that was refused changes nothing that is known',
    [
      added,
      { ...replaced, status: 400, answer: { statusCode: 400, error: 'no', detail: 'No.' } },
      readBook(book),
    ],
    { 'readBook/state.read.title': 'passed', 'replaceBook/status.200': 'failed' },
  ],
  [
    'changes at the same time may come in any order',
    [added, { ...replaced, group: 'a' }, { ...updated, group: 'a' }, readBook(book)],
    { 'readBook/state.read.title': 'not-tested' },
  ],
  [
    'a removed item is in no list',
    [added, removed, listBooks([], '?pageSize=50')],
    { 'removeBook/state.removed': 'passed' },
  ],
  [
    'a list without room does not show that an item is gone',
    [added, removed, listBooks([])],
    { 'removeBook/state.removed': 'not-tested' },
  ],
  [
    'a removed item is listed',
    [added, removed, listBooks([book])],
    { 'removeBook/state.removed': 'failed' },
  ],
];

test.for(changes)('books: %s', ([, log, expected]) => {
  expect(judgeLog(books, log, Object.keys(expected), undefined)).toEqual(expected);
});

const refusal = { statusCode: 400, error: 'no', detail: 'No.' };
const wrong: LogEntry = {
  ...replaced,
  body: { ...other, lendable: 'perhaps' },
  status: 400,
  answer: refusal,
  intent: invalid('replaceBook/request.body.lendable.type'),
};
const keyless: LogEntry = {
  ...removed,
  status: 401,
  answer: { ...refusal, statusCode: 401 },
  credential: 'missing',
  intent: invalid('removeBook/auth.missing', 401),
};
const gone: LogEntry = { ...readBook({ ...refusal, statusCode: 404 }), status: 404 };
const roomy = '?pageSize=50';

const effects: readonly Case[] = [
  [
    'a change answers the item of another identifier',
    [added, { ...replaced, answer: { ...other, bookNumber: 2 } }],
    { 'replaceBook/state.id-kept': 'failed', 'replaceBook/state.echo.title': 'not-tested' },
  ],
  [
    'a change answers the item as it was',
    [added, { ...replaced, answer: book }, readBook({ ...book, title: 'Lake' })],
    { 'replaceBook/state.echo.title': 'failed', 'replaceBook/state.stored': 'passed' },
  ],
  [
    'an update answers another member changed',
    [added, { ...updated, answer: { ...book, price: 2, title: 'Lake' } }],
    { 'changeBook/state.echo.price': 'passed', 'changeBook/state.others-kept': 'failed' },
  ],
  [
    'what a refused change sent is read',
    [added, wrong, readBook({ ...book, title: 'Lake' })],
    { 'replaceBook/state.not-written.400': 'failed', 'readBook/state.read.title': 'not-tested' },
  ],
  [
    'nothing of a refused change is read',
    [added, wrong, readBook(book)],
    { 'replaceBook/state.not-written.400': 'passed', 'readBook/state.read.title': 'passed' },
  ],
  [
    'an item is there after a removal without a key',
    [added, keyless, listBooks([book], roomy)],
    { 'removeBook/state.not-written.401': 'passed', 'listBooks/state.listed': 'passed' },
  ],
  [
    'an item is not there after a removal without a key',
    [added, keyless, gone, listBooks([], roomy)],
    { 'removeBook/state.not-written.401': 'failed', 'readBook/state.readable': 'not-tested' },
  ],
  [
    'an item is lost by its change',
    [added, replaced, gone, listBooks([], roomy)],
    { 'replaceBook/state.stored': 'failed' },
  ],
  [
    'a changed item is not in the list, though it is read',
    [added, replaced, readBook({ ...book, title: 'Lake' }), listBooks([], roomy)],
    { 'listBooks/state.listed': 'failed', 'replaceBook/state.stored': 'passed' },
  ],
  [
    'a removed item is read, though it is not in the list',
    [added, removed, listBooks([], roomy), readBook(book)],
    { 'readBook/status.404': 'failed', 'removeBook/state.removed': 'passed' },
  ],
  [
    'a change that fails or is not answered may have changed anything',
    [added, { ...replaced, lost: 'timeout' }, readBook({ ...book, title: 'Lake' }), gone],
    { 'readBook/state.read.title': 'not-tested', 'replaceBook/robustness.answered': 'failed' },
  ],
  [
    'an identifier is given again after its item was removed',
    [added, removed, added],
    { 'addBook/state.id-fresh': 'failed', 'addBook/state.id-unique': 'passed' },
  ],
  [
    'an earlier list showed an item that was removed since',
    [added, listBooks([book], roomy), removed, listBooks([], roomy)],
    { 'removeBook/state.removed': 'passed', 'listBooks/parameter.pageSize.filled': 'not-tested' },
  ],
  [
    'changes of different items at the same time are mixed up',
    [
      added,
      { ...added, answer: { ...book, bookNumber: 2 } },
      { ...replaced, group: 'a' },
      {
        ...replaced,
        target: '/books/2',
        body: entry,
        answer: { ...book, bookNumber: 2 },
        group: 'a',
      },
      readBook(book),
    ],
    { 'replaceBook/concurrency.stored': 'failed', 'replaceBook/state.stored': 'not-tested' },
  ],
];

test.for(effects)('books: %s', ([, log, expected]) => {
  expect(judgeLog(books, log, Object.keys(expected), undefined)).toEqual(expected);
});

const orders = await loadYaml(`
paths:
  /orders:
    get:
      operationId: listOrders
      responses:
        '200':
          description: All.
          content:
            application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Order' } } }
    post:
      operationId: addOrder
      requestBody: &body
        content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } }
      responses:
        '201': &order
          description: The order.
          content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } }
  /orders/{id}:
    parameters:
      - { name: id, in: path, required: true, schema: { type: integer } }
    get: { operationId: readOrder, responses: { '200': *order, '404': { description: None. } } }
    patch:
      operationId: changeOrder
      requestBody:
        content: { application/json: { schema: { $ref: '#/components/schemas/Change' } } }
      responses: { '200': *order }
components:
  schemas:
    Order:
      type: object
      properties:
        id: { type: integer, readOnly: true }
        note: { type: string }
        lines:
          type: array
          items:
            type: object
            properties: { sku: { type: string }, state: { type: string } }
        address: { type: object, properties: { country: { type: integer }, city: { type: string } } }
    Change:
      type: object
      properties:
        note: { type: string }
        address:
          type: object
          properties: { country: { type: [string, integer] }, city: { type: string } }
`);

test.for([
  [{ country: 7 }, { country: 7 }, 'failed'],
  [{ country: '' }, { country: 3 }, 'not-tested'],
  [{ country: '', city: 'Bern' }, { country: 3, city: 'Bern' }, 'failed'],
])('what responses can show of a nested object is shown as sent: %j', ([sent, shown, verdict]) => {
  const order = { id: 1, address: { country: 3 } };
  const log: readonly LogEntry[] = [
    { operation: 'addOrder', target: '/orders', body: {}, answer: order, status: 201 },
    {
      operation: 'changeOrder',
      target: '/orders/1',
      body: { address: sent },
      answer: { id: 1, address: shown },
    },
    { operation: 'readOrder', target: '/orders/1', answer: order },
  ];
  const id = 'changeOrder/state.stored';
  expect(judgeLog(orders, log, [id])[id]).toBe(verdict);
});

test.for([
  ['may show other members of them', [{ sku: 'a', state: 'packed' }], 'passed'],
  ['may not change what was sent of them', [{ sku: 'b', state: 'new' }], 'failed'],
  ['may not lose one of them', [], 'failed'],
])('an update that does not send a list of objects %s', ([, lines, verdict]) => {
  const log: readonly LogEntry[] = [
    {
      operation: 'addOrder',
      target: '/orders',
      body: { lines: [{ sku: 'a' }] },
      answer: { id: 1, lines: [{ sku: 'a', state: 'new' }] },
      status: 201,
    },
    {
      operation: 'changeOrder',
      target: '/orders/1',
      body: { note: 'Ring.' },
      answer: { id: 1, note: 'Ring.', lines },
    },
  ];
  const id = 'changeOrder/state.others-kept';
  expect(judgeLog(orders, log, [id])[id]).toBe(verdict);
});

test.for([
  ['lacks', '', { id: 1 }, 'not-tested'],
  ['has', ', size: { type: integer }', { id: 1 }, 'failed'],
  ['has', ', size: { type: integer }', { id: 1, size: 3 }, 'passed'],
] as const)(
  'a member is kept if the response to an update %s it',
  async ([, size, answer, verdict]) => {
    const room = 'content: { application/json: { schema: { $ref: "#/components/schemas/Room" } } }';
    const rooms = await loadYaml(`
paths:
  /rooms:
    get: { operationId: listRooms, responses: { '200': { description: All., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Room' } } } } } } }
    post: { operationId: addRoom, requestBody: { ${room} }, responses: { '201': { description: Added., ${room} } } }
  /rooms/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { operationId: readRoom, responses: { '200': { description: The room., ${room} } } }
    patch:
      operationId: changeRoom
      requestBody: { ${room} }
      responses: { '200': { description: Changed., content: { application/json: { schema: { type: object, properties: { id: { type: integer }, name: { type: string }${size} } } } } } }
components:
  schemas:
    Room: { type: object, properties: { id: { type: integer, readOnly: true }, name: { type: string }, size: { type: integer } } }
`);
    const log: readonly LogEntry[] = [
      {
        operation: 'addRoom',
        target: '/rooms',
        body: { size: 3 },
        answer: { id: 1, size: 3 },
        status: 201,
      },
      { operation: 'changeRoom', target: '/rooms/1', body: { name: 'Hall' }, answer },
    ];
    const id = 'changeRoom/state.others-kept';
    expect(judgeLog(rooms, log, [id])[id]).toBe(verdict);
  },
);
