import { describe, expect, test } from 'vitest';
import { createMock, type Mock } from '../../mock/index.ts';
import { createMockSender } from '../../selftest/generated/server.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Sender } from '../index.ts';
import { judgeDocument, listIds, loadYaml } from '../../test/conformance/judge-document.ts';
import { createStillClock } from '../../test/conformance/still-clock.ts';

/** Books at a path, and one of them at another. */
const loadBooks = (collection: string, item: string) =>
  loadYaml(`
paths:
  ${collection}:
    get:
      operationId: listBooks
      responses: { '200': { description: All., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Book' } } } } } }
    post:
      operationId: addBook
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/NewBook' } } } }
      responses:
        '201': { description: Added., headers: { Location: { schema: { type: string } } }, content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }
        '400': { description: Refused. }
  ${item}:
    parameters: [{ name: bookId, in: path, required: true, schema: { type: integer } }]
    get:
      operationId: getBook
      responses:
        '200': { description: One., content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }
        '404': { description: None. }
    put:
      operationId: replaceBook
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/NewBook' } } } }
      responses:
        '200': { description: Changed., content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }
        '400': { description: Refused. }
        '404': { description: None. }
    delete:
      operationId: removeBook
      responses: { '204': { description: Gone. }, '404': { description: None. } }
components:
  schemas:
    NewBook: { type: object, required: [title], properties: { title: { type: string } } }
    Book: { type: object, required: [id, title], properties: { id: { type: integer, readOnly: true }, title: { type: string } } }
`);

type Send = Sender['send'];

/** Makes a faulty server of a correct one. `again` makes one more correct server. */
type Fault = (send: Send, again: () => Send) => Send;

const servers: readonly (readonly [what: string, fault: Fault, failed: string | undefined])[] = [
  ['is correct', (send) => send, undefined],
  [
    'never stores',
    (send, again) => async (request) => await (request.method === 'POST' ? again() : send)(request),
    'addBook/state.stored',
  ],
  [
    'never deletes',
    (send) => async (request) => {
      if (request.method !== 'DELETE') return await send(request);
      const read = await send({ ...request, method: 'GET' });
      if (read.kind !== 'answered' || read.response.status !== 200) return await send(request);
      return {
        kind: 'answered',
        response: { ...read.response, status: 204, headers: [], body: '' },
      };
    },
    'removeBook/state.removed',
  ],
  [
    'returns another item',
    (send) => async (request) => {
      const read = await send(request);
      const isItem = request.method === 'GET' && read.kind === 'answered';
      if (!isItem || !read.response.body.startsWith('{')) return read;
      const body = read.response.body.replace(/"title":"/, '"title":"x');
      return { kind: 'answered', response: { ...read.response, body } };
    },
    'getBook/state.read.title',
  ],
  [
    'never replaces',
    (send) => async (request) =>
      await send(
        request.method === 'PUT' ? { ...request, method: 'GET', body: undefined } : request,
      ),
    'replaceBook/state.echo.title',
  ],
];

async function judge(contract: Contract, fault: Fault) {
  const clock = createStillClock();
  const mocks: Mock[] = [];
  const create = (): Send => {
    const mock = createMock(contract, { clock });
    mocks.push(mock);
    return createMockSender(mock).send;
  };
  const sender: Sender = {
    send: fault(create(), create),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  return await judgeDocument(contract, { clock, sender });
}

describe.each([
  ['/books', '/books/{bookId}'],
  ['/books/', '/books/{bookId}/'],
  ['/books/', '/books/{bookId}'],
  ['/books', '/books/{bookId}/'],
  ['/', '/{bookId}'],
  ['/', '/{bookId}/'],
])('of items of %s at %s', (collection, item) => {
  test.each(servers)(
    'a server that %s is judged as without trailing slashes',
    async (_what, fault, failed) => {
      const contract = await loadBooks(collection, item);
      const report = await judge(contract, fault);
      const plain = await judge(await loadBooks('/books', '/books/{bookId}'), fault);
      expect(report.outcome).toBe(failed === undefined ? 'conforms' : 'failed');
      expect(listIds(report, 'failed')).toEqual(listIds(plain, 'failed'));
      expect(listIds(report, 'failed')).toEqual(
        expect.arrayContaining(failed === undefined ? [] : [failed]),
      );
    },
  );
});
