import { expect, test } from 'vitest';
import { isJsonObject, type JsonObject } from '../../contract/json/value.ts';
import {
  listIds,
  loadYaml,
  serveDocument,
  type Change,
} from '../../test/conformance/judge-document.ts';
import { judgeTwice, type Answer, type PlainRequest } from '../../test/conformance/judge-server.ts';

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const ref = (name: string): string => json(`{ $ref: '#/components/schemas/${name}' }`);

/** @param status of a list of authors, in words */
const load = async (about = '') =>
  await loadYaml(`
paths:
  /authors:
    get: { operationId: listAuthors, ${about} responses: { '200': { description: All., ${json("{ type: array, items: { $ref: '#/components/schemas/Author' } }")} } } }
    post: { operationId: addAuthor, requestBody: { required: true, ${ref('NewAuthor')} }, responses: { '201': { description: Added., headers: { Location: { schema: { type: string } } }, ${ref('Author')} }, '422': { description: Refused. }, default: { description: Failed. } } }
  /authors/{slug}:
    parameters: [{ name: slug, in: path, required: true, schema: { $ref: '#/components/schemas/Slug' } }]
    get: { operationId: getAuthor, responses: { '200': { description: One., headers: { ETag: { required: true, schema: { type: string } } }, ${ref('Author')} }, '404': { description: None. } } }
    put: { operationId: putAuthor, parameters: [{ name: If-Match, in: header, schema: { type: string } }], requestBody: { required: true, ${ref('AuthorText')} }, responses: { '200': { description: Changed., ${ref('Author')} }, '404': { description: None. }, '412': { description: Stale. }, '422': { description: Refused. }, '428': { description: No If-Match. } } }
  /books:
    get: { operationId: listBooks, parameters: [{ name: shelf, in: query, schema: { type: string } }], responses: { '200': { description: All., ${json("{ type: array, items: { $ref: '#/components/schemas/Book' } }")} } } }
    post: { operationId: addBook, requestBody: { required: true, ${ref('NewBook')} }, responses: { '201': { description: Added., ${ref('Book')} }, '422': { description: Refused. } } }
  /books/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getBook, responses: { '200': { description: One., ${ref('Book')} }, '404': { description: None. } } }
components:
  schemas:
    Slug: { type: string, pattern: '^[a-z]{2,40}$', examples: [verne] }
    AuthorText: { type: object, required: [name], properties: { name: { type: string, minLength: 1 } } }
    NewAuthor: { type: object, required: [slug, name], properties: { slug: { $ref: '#/components/schemas/Slug' }, name: { type: string, minLength: 1 }, kind: { type: string, enum: [poet, novelist], default: poet } } }
    Author: { type: object, required: [slug, name, kind], properties: { slug: { $ref: '#/components/schemas/Slug' }, name: { type: string }, kind: { type: string, enum: [poet, novelist] } } }
    NewBook: { type: object, required: [author, title], properties: { author: { type: string, pattern: '^[a-z]{2,40}$' }, title: { type: string, minLength: 1 }, shelf: { type: string }, binding: { oneOf: [{ type: object, properties: { cloth: { type: string }, key: { type: string, writeOnly: true } } }, { type: object, properties: { size: { type: integer } } }] } } }
    Book: { allOf: [{ $ref: '#/components/schemas/NewBook' }, { type: object, required: [id], properties: { id: { type: integer, readOnly: true } } }] }
`);

interface Library {
  readonly authors: Map<string, JsonObject>;
  readonly books: Map<string, JsonObject>;
}

const isKind = (kind: unknown): boolean =>
  kind === undefined || kind === 'poet' || kind === 'novelist';

/** Authors, and books that must have one of them. Its faults are switched by name. */
function createLibrary(fault = '') {
  const { authors, books }: Library = {
    authors: new Map([['verne', { slug: 'verne', name: 'Verne', kind: 'novelist' }]]),
    books: new Map(),
  };
  const versions = new Map<string, number>();
  const addAuthor = (body: PlainRequest['body']): Answer => {
    if (body === undefined) return [400];
    if (!isJsonObject(body)) return [422];
    const { slug, name } = body;
    const kind = typeof body['kind'] === 'string' ? body['kind'].trim() : body['kind'];
    const isText = typeof name === 'string' && name !== '';
    if (typeof slug !== 'string' || !/^[a-z]{2,40}$/.test(slug) || !isText || !isKind(kind))
      return [422];
    if (kind !== undefined && typeof kind !== 'string') return [422];
    const usual = fault === 'default' ? 'novelist' : 'poet';
    const author = { slug, name, kind: kind ?? usual };
    authors.set(slug, author);
    return [201, author, { location: `/authors/${slug}${fault === 'location' ? 'x' : ''}` }];
  };
  const ofAuthor = (
    { method, steps: [, slug = ''], body }: PlainRequest,
    match: boolean,
  ): Answer => {
    const known = authors.get(slug);
    if (known === undefined) return [404];
    const version = versions.get(slug) ?? 1;
    if (method === 'GET') return [200, known, { ETag: `"${fault === 'etag' ? slug : version}"` }];
    if (!match) return [428];
    if (!isJsonObject(body) || typeof body['name'] !== 'string' || body['name'] === '')
      return [422];
    authors.set(slug, { ...known, name: body['name'] });
    versions.set(slug, version + 1);
    return [200, authors.get(slug)];
  };
  const addBook = (body: PlainRequest['body']): Answer => {
    if (!isJsonObject(body) || typeof body['title'] !== 'string' || body['title'] === '')
      return [422];
    const { author, shelf, binding = null } = body;
    if (typeof author !== 'string' || !authors.has(author)) return [422];
    if ((shelf !== undefined && typeof shelf !== 'string') || typeof binding !== 'object')
      return [422];
    const { key, ...shown } = isJsonObject(binding) ? binding : {};
    if (Object.values({ ...shown, key: key ?? '' }).some((one) => typeof one === 'object'))
      return [422];
    if (fault === 'none') return [422];
    const book = { ...body, id: books.size + 1, ...(binding !== null && { binding: shown }) };
    books.set(String(book.id), book);
    return [201, book];
  };
  return (request: PlainRequest): Answer => {
    const {
      method,
      steps: [at, id],
      query,
      body,
    } = request;
    if (at === 'authors' && id === undefined)
      return method === 'GET' ? [200, [...authors.values()]] : addAuthor(body);
    if (at === 'authors') return ofAuthor(request, true);
    if (id !== undefined) return books.has(id) ? [200, books.get(id)] : [404];
    if (method === 'POST') return addBook(body);
    const shelf = fault === 'filter' ? null : query.get('shelf');
    return [200, [...books.values()].filter((each) => shelf === null || each['shelf'] === shelf)];
  };
}

const all = { requests: 400 };

test('a server may refuse references to nothing, trim values, and hide write-only members', async () => {
  const failed = await judgeTwice(await load(), createLibrary(), all);
  expect(failed.filter((id) => !id.includes('/state.spaces.'))).toEqual([]);
});

test.for([
  ['default', 'addAuthor/state.echo.kind'],
  ['location', 'addAuthor/response.201.header.Location'],
  ['etag', 'getAuthor/response.200.header.ETag'],
  ['filter', 'listBooks/parameter.shelf.filter'],
])('a wrong %s fails %s', async ([fault, requirement]) => {
  expect(await judgeTwice(await load(), createLibrary(fault), all)).toContain(requirement);
});

test('objects that items show are not sent where requests have ids', async () => {
  const contract = await loadYaml(`
paths:
  /groups:
    get: { operationId: listGroups, responses: { '200': { description: All., ${json("{ type: array, items: { $ref: '#/components/schemas/Group' } }")} } } }
    post: { operationId: addGroup, requestBody: { required: true, ${ref('Group')} }, responses: { '201': { description: Added., ${ref('Group')} }, '422': { description: Refused. } } }
  /users:
    get: { operationId: listUsers, responses: { '200': { description: All., ${json("{ type: array, items: { $ref: '#/components/schemas/User' } }")} } } }
    post: { operationId: addUser, requestBody: { required: true, ${json('{ type: object, required: [name], properties: { name: { type: string, minLength: 1 }, groups: { type: array, items: { type: integer } } } }')} }, responses: { '201': { description: Added., ${ref('User')} }, '422': { description: Refused. } } }
components:
  schemas:
    Group: { type: object, required: [name], properties: { id: { type: integer, readOnly: true }, name: { type: string, minLength: 1 } } }
    User: { type: object, required: [id, name], properties: { id: { type: integer }, name: { type: string }, groups: { type: array, items: { $ref: '#/components/schemas/Group' } } } }
`);
  const groups = 'addUser/request.body.groups.taken';
  const report = await (await serveDocument(contract))(contract, { requests: 120 });
  expect(listIds(report, 'failed')).toEqual([]);
  expect(listIds(report, 'passed')).toContain(groups);
  const refuses: Change = (response, { method, body = '' }) =>
    method === 'POST' && body.includes('"groups":[') ? { ...response, status: 403 } : response;
  const other = await (await serveDocument(contract, refuses))(contract, { requests: 120 });
  expect(listIds(other, 'failed')).toContain(groups);
});
