import { expect, test } from 'vitest';
import { loadYaml } from '../../test/conformance/judge-document.ts';
import { composeLog } from '../../test/conformance/log.ts';
import { createCounterexample } from './counterexample.ts';

test('an id from a list inside a member refers to its place in the list', async () => {
  const schema = '{ type: object, properties: { id: { type: integer } } }';
  const contract = await loadYaml(`
paths:
  /notes:
    get: { operationId: listNotes, responses: { '200': { description: All., content: { application/json: { schema: { type: object, properties: { data: { type: array, items: ${schema} } } } } } } } }
  /notes/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getNote, responses: { '200': { description: One., content: { application/json: { schema: ${schema} } } } } }
`);
  const log = composeLog(contract, [
    { operation: 'listNotes', target: '/notes', answer: { data: [{ id: 4 }, { id: 7 }] } },
    { operation: 'getNote', target: '/notes/7', answer: { id: 7 } },
  ]);
  const { steps } = createCounterexample(contract, 'getNote/status.200', log, 'Pcaaaa', undefined);
  expect(steps.at(-1)?.path).toEqual({ id: { step: 0, item: 1 } });
});

const book = "content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } }";

test('an id that is unique only within its parent identifies the item of that parent', async () => {
  const contract = await loadYaml(`
paths:
  /shelves/{shelf}/books:
    parameters: [{ name: shelf, in: path, required: true, schema: { type: string } }]
    get: { operationId: listBooks, responses: { '200': { description: All., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Book' } } } } } } }
    post: { operationId: addBook, requestBody: { ${book} }, responses: { '201': { description: Added., ${book} } } }
  /shelves/{shelf}/books/{number}:
    parameters:
      - { name: shelf, in: path, required: true, schema: { type: string } }
      - { name: number, in: path, required: true, schema: { type: integer } }
    get: { operationId: getBook, responses: { '200': { description: One., ${book} } } }
components:
  schemas:
    Book: { type: object, required: [number], properties: { number: { type: integer }, title: { type: string } } }
`);
  const answer = { number: 1 };
  const add = (shelf: string) => {
    const target = `/shelves/${shelf}/books`;
    return { operation: 'addBook', target, body: {}, status: 201, answer };
  };
  const get = { operation: 'getBook', target: '/shelves/b/books/1', answer };
  const log = composeLog(contract, [add('a'), add('b'), get]);
  const of = (exchanges: typeof log) =>
    createCounterexample(contract, 'getBook/status.200', exchanges, 'Pcaaaa', undefined).steps.at(
      -1,
    );
  expect(of(log)?.path).toEqual({ shelf: 'b', number: { step: 1 } });
  expect(of(log.filter(({ index }) => index !== 1))?.path).toEqual({ shelf: 'b', number: '1' });
});
