import { expect, test } from 'vitest';
import type { Contract } from '../../contract/contract.ts';
import { renderJson, type JsonValue } from '../../contract/json/value.ts';
import {
  listIds,
  loadYaml,
  serveDocument,
  type Change,
} from '../../test/conformance/judge-document.ts';

const content = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const book = content("{ $ref: '#/components/schemas/Book' }");
const sent = `requestBody: { required: true, ${content("{ $ref: '#/components/schemas/NewBook' }")} }`;

/** Books, which their list shows in short form, beside a count that only the list has. */
const load = (added: string): Promise<Contract> =>
  loadYaml(`paths:
  /books:
    get: { operationId: listBooks, responses: { '200': { description: All., ${content("{ type: object, required: [data], properties: { data: { type: array, items: { $ref: '#/components/schemas/Summary' } } } }")} } } }
    post: { operationId: addBook, ${sent}, responses: { '201': { description: Added., ${content(added)} }, '400': { description: Refused. } } }
  /books/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getBook, responses: { '200': { description: One., ${book} }, '404': { description: None. } } }
    delete: { operationId: removeBook, responses: { '204': { description: Removed. }, '404': { description: None. } } }
components:
  schemas:
    NewBook: { type: object, required: [title, about], properties: { title: { type: string, minLength: 1 }, about: { type: string } } }
    Book: { type: object, required: [id, title, about], properties: { id: { type: integer }, title: { type: string }, about: { type: string } } }
    Summary: { type: object, required: [id, title, views], properties: { id: { type: integer }, title: { type: string }, views: { type: integer } } }
`);

const contract = await load("{ $ref: '#/components/schemas/Book' }");

/** The requirements that fail in two runs against one server. */
async function failedBy(change?: Change, document = contract): Promise<readonly string[]> {
  const judge = await serveDocument(document, change);
  const failed: string[] = [];
  for (const seed of [1, 2])
    failed.push(...listIds(await judge(document, { requests: 150, fuzz: 40, seed }), 'failed'));
  return failed;
}

/** Other books in the place of those that a list holds. */
function relist(change: (books: readonly Record<string, JsonValue>[]) => JsonValue): Change {
  return (response, { method, url }) =>
    method === 'GET' && url.endsWith('/books') && response.status === 200
      ? { ...response, body: renderJson({ data: change(JSON.parse(response.body).data) }) }
      : response;
}

test('a list of summaries is compared in the members that it shares with its items', async () => {
  expect(contract.resources.map(({ create, get }) => [create?.id, get?.id])).toEqual([
    ['addBook', 'getBook'],
  ]);
  expect(await failedBy()).toEqual([]);
  const busier = relist((books) => books.map((each) => ({ ...each, views: 7 })));
  expect(await failedBy(busier)).toEqual([]);
});

test.for<readonly [string, Change]>([
  ['listBooks/state.listed', relist((books) => books.slice(0, -1))],
  [
    'listBooks/state.read.title',
    relist((books) => books.map((each) => ({ ...each, title: 'Another' }))),
  ],
  [
    'listBooks/response.200.body.data[].views.required',
    relist((books) => books.map(({ id, title }) => ({ id, title }))),
  ],
])('a fault of a list of summaries is found: %s', async ([id, change]) => {
  expect(await failedBy(change)).toContain(id);
});

test('sent values are looked up elsewhere if the response has only the id', async () => {
  const bare = await load(
    '{ type: object, required: [id], properties: { id: { type: integer } } }',
  );
  expect(bare.resources.map(({ create }) => create?.id)).toEqual(['addBook']);
  expect(await failedBy(undefined, bare)).toEqual([]);
  const change: Change = (response, { method, url }) =>
    method === 'GET' && /books\/\d+$/.test(url) && response.status === 200
      ? { ...response, body: renderJson({ ...JSON.parse(response.body), about: 'Another' }) }
      : response;
  expect(await failedBy(change, bare)).toContain('getBook/state.read.about');
  const empty = relist(() => []);
  expect(await failedBy(empty, bare)).toContain('listBooks/state.listed');
});
