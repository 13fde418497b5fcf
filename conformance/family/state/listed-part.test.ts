import { expect, test } from 'vitest';
import {
  isJsonArray,
  isJsonObject,
  type JsonValue,
  parseJson,
  renderJson,
} from '../../../contract/json/value.ts';
import { judgeDocument, listIds, loadYaml } from '../../../test/conformance/judge-document.ts';

/** Items whose members are all optional, at any depth, but for what a test would notice as malformed. */
const contract = await loadYaml(`
paths:
  /books:
    get:
      operationId: listBooks
      parameters:
        - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 500, default: 100 } }
      responses:
        '200':
          description: Books.
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Book' } } } }
    post:
      operationId: addBook
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/NewBook' } } }
      responses:
        '201':
          description: The book.
          content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } }
        '400': { description: Refused. }
  /books/{id}:
    parameters:
      - { name: id, in: path, required: true, schema: { type: integer } }
    get:
      operationId: getBook
      responses:
        '200':
          description: The book.
          content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } }
        '404': { description: Nothing there. }
    patch:
      operationId: changeBook
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/Change' } } }
      responses:
        '200':
          description: The book.
          content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } }
        '400': { description: Refused. }
        '404': { description: Nothing there. }
components:
  schemas:
    Members: &members
      title: { type: string }
      pages: { type: integer }
      tags: { type: array, items: { type: string } }
      author: { type: object, properties: { name: { type: string }, born: { type: integer } } }
      parts: { type: array, items: { type: object, properties: { from: { type: integer }, to: { type: integer } } } }
    Change: { type: object, properties: *members }
    NewBook:
      type: object
      required: [title, pages, tags, author, parts]
      properties:
        <<: *members
        author: { type: object, required: [name, born], properties: { name: { type: string }, born: { type: integer } } }
        parts: { type: array, minItems: 1, items: { type: object, required: [from, to], properties: { from: { type: integer }, to: { type: integer } } } }
    Book:
      type: object
      required: [id]
      properties: { id: { type: integer }, <<: *members }
`);

type Alter = (item: JsonValue, place: number) => JsonValue;

/** What is answered to lists, with each item altered. */
const lists = (alter: Alter) =>
  judgeDocument(contract, { requests: 150, seed: 3 }, (response, request) => {
    const path = new URL(request.url).pathname;
    const body = path === '/books' && request.method === 'GET' ? parseJson(response.body) : null;
    return isJsonArray(body) ? { ...response, body: renderJson(body.map(alter)) } : response;
  });

/** A value without the member at a place, in every item of the arrays on the way. */
function leaveOut(value: JsonValue, [name = '', ...rest]: readonly string[]): JsonValue {
  if (isJsonArray(value)) return value.map((item) => leaveOut(item, [name, ...rest]));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => {
      if (key !== name) return [[key, member]];
      return rest.length === 0 ? [] : [[key, leaveOut(member ?? null, rest)]];
    }),
  );
}

const places = [
  ['title'],
  ['pages'],
  ['tags'],
  ['author'],
  ['author', 'name'],
  ['author', 'born'],
  ['parts'],
  ['parts', 'from'],
  ['parts', 'to'],
];

test.each(places)('lists may omit %s %s', async (...place) => {
  const report = await lists((item) => leaveOut(item, place));
  expect(listIds(report, 'failed')).toEqual([]);
});

test('lists may show only the identifier', async () => {
  const report = await lists((item) => ({ id: isJsonObject(item) ? (item['id'] ?? 0) : 0 }));
  expect(listIds(report, 'failed')).toEqual([]);
});

test.each(places)('a list that shows %s %s of only some items fails', async (...place) => {
  const report = await lists((item, index) => (index % 2 === 0 ? item : leaveOut(item, place)));
  expect(listIds(report, 'failed')).toContain(`listBooks/state.read.${place[0] ?? ''}`);
});

test.each(places.filter(({ length }) => length === 1))(
  'a list that shows another %s fails, whatever else it omits',
  async (name) => {
    const other: Readonly<Record<string, JsonValue>> = {
      title: 'other',
      pages: 77_123,
      tags: ['other'],
      author: { name: 'other' },
      parts: [{ from: 77_123 }],
    };
    const report = await lists((item) => ({
      id: isJsonObject(item) ? (item['id'] ?? 0) : 0,
      [name]: other[name] ?? null,
    }));
    expect(listIds(report, 'failed')).toContain(`listBooks/state.read.${name}`);
  },
);
