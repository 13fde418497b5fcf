import { describe, expect, test } from 'vitest';
import {
  type JsonObject,
  type JsonValue,
  isJsonObject,
  renderJson,
} from '../../contract/json/value.ts';
import { valueAt } from '../../contract/json/place.ts';
import { loadContract } from '../../contract/load.ts';
import { createTestClient } from '../../test/mock/test-client.ts';

const json = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } });
const ok = (schema: JsonObject): JsonObject => ({ description: 'OK.', ...json(schema) });
const inPath = (name: string, type = 'integer'): JsonObject => ({
  name,
  in: 'path',
  required: true,
  schema: { type },
});
const none: JsonObject = { description: 'None.' };
const list = (items: JsonObject): JsonObject => ({ type: 'array', items });

const book: JsonObject = {
  type: 'object',
  required: ['title'],
  properties: {
    id: { type: 'integer', readOnly: true },
    title: { type: 'string' },
    price: { type: 'integer' },
    currency: { type: 'string', default: 'EUR' },
    addedBy: { type: 'string', readOnly: true },
  },
};

const books: JsonObject = {
  '/books': {
    get: { responses: { 200: ok(list(book)) } },
    post: { requestBody: json(book), responses: { 201: ok(book) } },
  },
  '/books/{id}': {
    parameters: [inPath('id')],
    get: { responses: { 200: ok(book), 404: none } },
    put: { requestBody: json(book), responses: { 200: ok(book), 404: none } },
    patch: {
      requestBody: {
        content: {
          'application/merge-patch+json': { schema: {} },
          'application/json-patch+json': { schema: { type: 'array' } },
        },
      },
      responses: { 200: ok(book), 404: none, 409: none, 422: none },
    },
  },
};

const members = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});

const open = async (paths: JsonObject, options: Parameters<typeof createTestClient>[1] = {}) =>
  createTestClient(
    await loadContract({
      text: renderJson({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths }),
    }),
    options,
  );

describe('members that a client did not send are not invented', () => {
  test('in a new or replaced item; defaults and members set by the service are present', async () => {
    const client = await open(books);
    const made = client.send('POST', '/books', { json: { title: 'A', price: 12_000 } }).json;
    expect(made).toEqual({
      id: 3,
      title: 'A',
      price: 12_000,
      currency: 'EUR',
      addedBy: expect.any(String),
    });
    const replaced = client.send('PUT', '/books/3', { json: { title: 'B' } }).json;
    expect(replaced).toEqual({ id: 3, title: 'B', currency: 'EUR', addedBy: expect.any(String) });
    expect(client.send('GET', '/books/3').json).toEqual(replaced);
  });

  test('within a new item', async () => {
    const note: JsonObject = { type: 'object', properties: { text: { type: 'string' } } };
    const client = await open({
      ...books,
      '/books/{id}/notes': {
        parameters: [inPath('id')],
        get: { responses: { 200: ok(list(note)) } },
        post: { requestBody: json(note), responses: { 201: ok(note) } },
      },
    });
    client.send('POST', '/books', { json: { title: 'A' } });
    expect(client.send('GET', '/books/3/notes').json).toEqual([]);
    client.send('POST', '/books/3/notes', { json: { text: 'x' } });
    expect(client.send('GET', '/books/3/notes').json).toEqual([
      expect.objectContaining({ text: 'x' }),
    ]);
    expect(client.send('GET', '/books/1/notes').json).toHaveLength(2);
  });
});

describe('a JSON Patch', () => {
  const patched = async (patch: JsonValue) => {
    const client = await open(books);
    client.send('POST', '/books', { json: { title: 'A', price: 1 } });
    const headers = { 'content-type': 'application/json-patch+json' };
    const { status } = client.send('PATCH', '/books/3', { headers, json: patch });
    const { json: item } = client.send('GET', '/books/3');
    return { status, item };
  };

  test('is applied atomically', async () => {
    const { status, item } = await patched([
      { op: 'test', path: '/title', value: 'A' },
      { op: 'replace', path: '/title', value: 'B' },
      { op: 'remove', path: '/price' },
    ]);
    expect(status).toBe(200);
    expect(item).toEqual({ id: 3, title: 'B', currency: 'EUR', addedBy: expect.any(String) });
  });

  test.for<readonly [number, JsonValue]>([
    [422, [{ op: 'add', path: '/~2', value: 1 }]],
    [422, [{ op: 'add', path: 'title', value: 1 }]],
    [422, [{ op: 'replace', path: '/title' }]],
    [422, [{ op: 'bend', path: '/title' }]],
    [422, [{ path: '/title' }]],
    [422, [7]],
    [422, [{ op: 'move', path: '/title', from: 'price' }]],
    [409, [{ op: 'remove', path: '/none' }]],
    [409, [{ op: 'remove', path: '/title' }]],
    [409, [{ op: 'replace', path: '/title', value: 7 }]],
    [409, [{ op: 'replace', path: '', value: null }]],
    [409, [{ op: 'replace', path: '/id', value: 7 }]],
    [409, [{ op: 'add', path: '/__proto__/x', value: 7 }]],
    [409, [{ op: 'replace', path: '/none/deeper', value: 1 }]],
    [409, [{ op: 'add', path: '/title/0', value: 1 }]],
    [409, [{ op: 'copy', path: '/title', from: '/none' }]],
    [
      409,
      [
        { op: 'replace', path: '/title', value: 'B' },
        { op: 'test', path: '/title', value: 'C' },
      ],
    ],
  ])('%i, and nothing changes: %j', async ([expected, patch]) => {
    const { status, item } = await patched(patch);
    expect(status).toBe(expected);
    expect(item).toMatchObject({ title: 'A', price: 1 });
  });
});

describe('an unused id', () => {
  const missing: JsonObject = { 404: none };
  const open404 = (by: Readonly<Record<string, JsonObject>>, post: JsonObject) => {
    const responses = (method: string): JsonObject => ({ 200: ok(book), ...by[method] });
    return open({
      '/books': { get: { responses: { 200: ok(list(book)) } }, post },
      '/books/{id}': {
        parameters: [inPath('id')],
        get: { responses: responses('GET') },
        put: { requestBody: json(book), responses: responses('PUT') },
        patch: { requestBody: json({ type: 'object' }), responses: responses('PATCH') },
        delete: { responses: { 204: none, ...by['DELETE'] } },
      },
    });
  };
  const posts = {
    'is certain': { requestBody: json(book), responses: { 201: ok(book) } },
    'is inferred': { requestBody: json(book), responses: { 200: ok(book) } },
  };

  test.for(
    Object.entries(posts).flatMap(([kind, post]) =>
      ['PUT', 'PATCH', 'DELETE'].map((method) => [method, kind, post] as const),
    ),
  )(
    'is refused by %s only where that documents 404, in a collection that %s',
    async ([method, , post]) => {
      const send = async (by: Readonly<Record<string, JsonObject>>): Promise<number> => {
        const client = await open404(by, post);
        const sent = method === 'DELETE' ? {} : { json: { title: 'A' } };
        return client.send(method, '/books/77', sent).status;
      };
      expect(await send({ [method]: missing })).toBe(404);
      expect(await send({ GET: missing })).toBe(method === 'DELETE' ? 204 : 200);
    },
  );

  test('identifies an item once it was put there', async () => {
    const client = await open404({ GET: missing }, posts['is certain']);
    client.send('PUT', '/books/77', { json: { title: 'A' } });
    expect(client.send('GET', '/books/77').json).toMatchObject({ id: 77, title: 'A' });
  });
});

test('a name in use is a conflict if the document has one', async () => {
  const branch: JsonObject = { type: 'object', properties: { name: { type: 'string' } } };
  const client = await open({
    '/branches': {
      get: { responses: { 200: ok(list(branch)) } },
      post: { requestBody: json(branch), responses: { 201: ok(branch), 409: none } },
    },
    '/branches/{name}': {
      get: { parameters: [inPath('name', 'string')], responses: { 200: ok(branch), 404: none } },
    },
  });
  const add = () => client.send('POST', '/branches', { json: { name: 'dev' } }).status;
  expect([add(), add()]).toEqual([201, 409]);
});

test('a documented OPTIONS lists the methods of the path', async () => {
  const headers = { 'Access-Control-Allow-Methods': { schema: { type: 'string' } } };
  const client = await open({
    '/open': {
      get: { responses: { 200: none } },
      options: { responses: { 200: { description: 'OK.', headers } } },
    },
  });
  const response = client.send('OPTIONS', '/open', {
    headers: { 'access-control-request-method': 'GET' },
  });
  expect(response.headers.get('access-control-allow-methods')).toBe('GET, OPTIONS, HEAD');
});

describe('pages', () => {
  const page: JsonObject = {
    type: 'object',
    properties: {
      results: list(book),
      has_more: { type: 'boolean' },
      next: { type: ['string', 'null'] },
      next_offset: { type: ['integer', 'null'] },
    },
  };
  const withParameters = (...parameters: readonly JsonObject[]) =>
    open({ ...books, '/books': { get: { parameters, responses: { 200: ok(page) } } } });
  const inQuery = (name: string, type = 'integer'): JsonObject => ({
    name,
    in: 'query',
    schema: { type },
  });

  test.for([['amount'], ['limit'], ['take']])(
    'have %s items, and link to the next page',
    async ([size]) => {
      const client = await withParameters(inQuery(size ?? ''), inQuery('offset'));
      expect(client.send('GET', `/books?${size}=1`).json).toMatchObject({
        results: [{ id: 1 }],
        has_more: true,
        next_offset: 1,
      });
      expect(client.send('GET', `/books?${size}=1&offset=1`).json).toMatchObject({
        results: [{ id: 2 }],
        has_more: false,
        next_offset: null,
      });
    },
  );

  test('have the number of items in a header', async () => {
    const headers = { 'X-Total-Count': { schema: { type: 'integer' } } };
    const paged = {
      parameters: [inQuery('limit')],
      responses: { 200: { ...ok(list(book)), headers } },
    };
    const client = await open({ ...books, '/books': { ...members(books['/books']), get: paged } });
    const total = (): string | undefined =>
      client.send('GET', '/books?limit=1').headers.get('x-total-count');
    expect(total()).toBe('2');
    client.send('POST', '/books', { json: { title: 'A' } });
    expect(total()).toBe('3');
  });

  test('have links with the host of the request', async () => {
    const client = await withParameters(inQuery('limit'), inQuery('offset'));
    const nextFor = (host: string): JsonValue =>
      client.send('GET', '/books?limit=1', { headers: { host } }).json;
    for (const host of ['one.example', 'two.example'])
      expect(nextFor(host)).toMatchObject({ next: `http://${host}/books?limit=1&offset=1` });
  });
});

test('an envelope with a code is not the item', async () => {
  const wrapped = (data: JsonObject): JsonObject =>
    ok({
      type: 'object',
      properties: { code: { type: 'integer' }, data, message: { type: 'string' } },
    });
  const client = await open({
    '/books': {
      get: { responses: { 200: wrapped(list(book)) } },
      post: { requestBody: json(book), responses: { 200: wrapped(book) } },
    },
    '/books/{id}': { get: { parameters: [inPath('id')], responses: { 200: wrapped(book) } } },
  });
  const made = client.send('POST', '/books', { json: { title: 'A' } }).json;
  expect(made).toMatchObject({ data: { id: 3, title: 'A' } });
  expect(client.send('GET', '/books/3').json).toEqual(made);
});

test('items are added by the singular path and listed by the plural', async () => {
  const client = await open({
    '/books': { get: { responses: { 200: ok(list(book)) } } },
    '/book': { post: { requestBody: json(book), responses: { 201: ok(book) } } },
    '/book/{id}': { get: { parameters: [inPath('id')], responses: { 200: ok(book) } } },
  });
  const { json: made, headers } = client.send('POST', '/book', { json: { title: 'A' } });
  expect(headers.get('location')).toBe('/book/3');
  expect(client.send('GET', '/book/3').json).toEqual(made);
  expect(client.send('GET', '/books').json).toContainEqual(made);
});

test('the default of a filter excludes no item, whatever the query is', async () => {
  const query = { name: 'title', in: 'query', schema: { type: 'string', default: 'Sea' } };
  const size = { name: 'limit', in: 'query', schema: { type: 'integer' } };
  const client = await open({
    '/books': { get: { parameters: [query, size], responses: { 200: ok(list(book)) } } },
  });
  const shown = client.send('GET', '/books').json;
  expect(shown).not.toEqual([]);
  expect(client.send('GET', '/books?limit=50').json).toEqual(shown);
  expect(client.send('GET', '/books?title=Sea').json).toEqual([]);
});

test('what a response cannot show is kept for those that can', async () => {
  const order = (lines: JsonObject, day: JsonObject): JsonObject => ({
    type: 'object',
    required: ['id', 'lines', 'day'],
    properties: { id: { type: 'string' }, lines, day },
  });
  const day = { type: 'string', format: 'date' };
  const whole = order(list({ type: 'string' }), day);
  const summary = order({ type: 'integer' }, { type: 'string', format: 'date-time' });
  const client = await open({
    '/orders': {
      get: { responses: { 200: ok(list(whole)) } },
      post: { requestBody: json(whole), responses: { 201: ok(summary) } },
    },
    '/orders/{id}': {
      parameters: [inPath('id', 'string')],
      get: { responses: { 200: ok(whole), 404: none } },
    },
  });
  const sent = { id: 'o-1', lines: ['a', 'b'], day: '2020-02-02' };
  expect(client.send('POST', '/orders', { json: sent }).json).toMatchObject({ lines: 1 });
  expect(client.send('GET', '/orders/o-1').json).toEqual(sent);
});

test('a value that a response does not list is replaced in all responses', async () => {
  const field = (kind: JsonObject): JsonObject => ({ type: 'object', properties: { kind } });
  const shown = field({ type: 'string', enum: ['date', 'text'] });
  const $ref = '#/paths/~1fields/post/responses/201/content/application~1json/schema';
  const client = await open({
    '/fields': {
      get: { responses: { 200: ok({ ...list({ $ref }), example: [{ kind: 'text' }] }) } },
      post: {
        requestBody: json(field({ type: 'string' })),
        responses: { 201: ok({ ...shown, example: { kind: 'date' } }) },
      },
    },
  });
  for (const kind of ['', 'text']) {
    const made = client.send('POST', '/fields', { json: { kind } }).json;
    expect(made).toMatchObject({ kind: kind || 'date' });
    expect(client.send('GET', '/fields').json).toContainEqual(made);
  }
});

test('a list shows what its schema and the example of a single item have', async () => {
  const text: JsonObject = { type: 'string' };
  const part = { id: text, name: text, size: text };
  const [listed, whole] = [part, { ...part, note: text }].map((properties): JsonObject => ({
    type: 'object',
    properties,
  }));
  const example = { id: 'a', name: 'Other', size: 'L', note: 'Whole.' };
  const client = await open({
    '/things': {
      get: {
        responses: { 200: ok({ ...list({ ...listed }), example: [{ id: 'a', name: 'A' }] }) },
      },
    },
    '/things/{id}': {
      parameters: [inPath('id', 'string')],
      get: { responses: { 200: ok({ ...whole, example }), 404: none } },
    },
  });
  expect(client.send('GET', '/things').json).toEqual([{ id: 'a', name: 'A', size: 'L' }]);
  expect(client.send('GET', '/things/a').json).toEqual({ ...example, name: 'A' });
});

test('a list of objects is shown with the constants of the response', async () => {
  const groups = (type: string): JsonObject => {
    const properties = { type: { type: 'string', enum: [type] }, id: { type: 'string' } };
    const member = list({ type: 'object', required: ['type', 'id'], properties });
    return { type: 'object', properties: { id: { type: 'string' }, groups: member } };
  };
  const client = await open({
    '/users': {
      get: { responses: { 200: ok(list(groups('group'))) } },
      post: { requestBody: json(groups('groups')), responses: { 201: ok(groups('group')) } },
    },
  });
  const sent = { id: 'ann', groups: [{ type: 'groups', id: 'g-7' }] };
  const shown = { groups: [{ type: 'group', id: 'g-7' }] };
  expect(client.send('POST', '/users', { json: sent }).json).toMatchObject(shown);
});

test('an object is completed where the example of the response lacks it', async () => {
  const card = (required: string[], more: JsonObject = {}): JsonObject => ({
    type: 'object',
    properties: {
      id: { type: 'integer' },
      card: {
        type: 'object',
        required,
        properties: {
          label: { type: 'string' },
          kind: { type: 'string', enum: ['a', 'b'] },
          ...more,
        },
        additionalProperties: false,
      },
    },
  });
  const shown = { content: { 'application/json': { schema: card(['kind']), example: { id: 1 } } } };
  const client = await open({
    '/cards/{id}': {
      parameters: [inPath('id')],
      get: { responses: { 200: { description: 'OK.', ...shown } } },
      patch: {
        requestBody: json(card([], { days: { type: 'integer' } })),
        responses: { 200: { description: 'OK.', ...shown } },
      },
    },
  });
  const changed = { card: { label: 'Mine', kind: 'a' } };
  // Responses have no `days`.
  for (const card of [{ label: 'Mine' }, { label: 'Mine', days: 3 }])
    expect(client.send('PATCH', '/cards/1', { json: { card } }).json).toEqual({
      id: 1,
      ...changed,
    });
});

test('a wide item shows what fits, however many of the members do not', async () => {
  const form = (part: JsonObject): JsonObject => {
    const parts = Array.from({ length: 60 }, (_, at) => [`part${at}`, part] as const);
    const last = { last: { type: 'string' } };
    const properties = { id: { type: 'integer' }, ...Object.fromEntries(parts), ...last };
    return { type: 'object', properties };
  };
  const shown = form({ type: 'object', properties: { size: { type: 'integer' } } });
  const client = await open({
    '/forms/{id}': {
      parameters: [inPath('id')],
      get: { responses: { 200: ok(shown) } },
      put: {
        requestBody: json(form({ type: 'object', properties: { size: { type: 'string' } } })),
        responses: { 200: ok(shown) },
      },
    },
  });
  const parts = Array.from({ length: 60 }, (_, at) => [`part${at}`, { size: 'big' }]);
  const sent = { ...Object.fromEntries(parts), last: 'here' };
  expect(client.send('PUT', '/forms/1', { json: sent }).json).toMatchObject({ last: 'here' });
});

test('a POST of an item whose only success is 201 does not add missing items', async () => {
  const client = await open({
    '/books': { get: { responses: { 200: ok(list(book)) } } },
    '/books/{id}': {
      parameters: [inPath('id')],
      get: { responses: { 200: ok(book), 404: none } },
      post: { requestBody: json(book), responses: { 201: ok(book), 404: none } },
    },
  });
  client.send('GET', '/books');
  const change = { json: { title: 'Sea' } };
  expect(client.send('POST', '/books/1', change).status).toBe(201);
  expect(client.send('POST', '/books/987', change).status).toBe(404);
});

test('a member of the item is no wrapper, though it is called as the path', async () => {
  const form = { type: 'object', properties: { label: { type: 'string' } } };
  const properties = { id: { type: 'integer', readOnly: true }, form };
  const item = { type: 'object', required: ['form'], properties };
  const client = await open({
    '/forms': {
      get: { responses: { 200: ok(list(item)) } },
      post: {
        requestBody: json({ type: 'object', properties: { form } }),
        responses: { 201: ok(item) },
      },
    },
    '/forms/{id}': { parameters: [inPath('id')], get: { responses: { 200: ok(item) } } },
  });
  const sent = { form: { label: 'Name' } };
  expect(client.send('POST', '/forms', { json: sent }).json).toMatchObject(sent);
});

test('an item with its id in metadata is no envelope', async () => {
  const payload = { type: 'object', properties: { text: { type: 'string' } } };
  const metadata = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
  const message = { type: 'object', required: ['metadata'], properties: { metadata, payload } };
  const client = await open({
    '/messages': {
      get: { responses: { 200: ok(list(message)) } },
      post: {
        requestBody: json({ type: 'object', properties: { payload } }),
        responses: { 201: ok(message) },
      },
    },
    '/messages/{id}': {
      parameters: [inPath('id', 'string')],
      get: { responses: { 200: ok(message), 404: none } },
    },
  });
  const { headers, json: made } = client.send('POST', '/messages', { json: { payload: {} } });
  const location = headers.get('location') ?? '';
  expect(made).toMatchObject({ metadata: { id: location.split('/').at(-1) } });
  expect(client.send('GET', location).json).toEqual(made);
});

test('only a page of items with ids is a collection by itself', async () => {
  const limit = { name: 'limit', in: 'query', schema: { type: 'integer' } };
  const page = (items: JsonObject): JsonObject => ({
    type: 'object',
    properties: { entries: list({ type: 'object', properties: items }) },
  });
  const entries = [{ name: 'login' }, { name: 'login' }];
  const shown = (schema: JsonObject): JsonObject => ({
    description: 'OK.',
    content: { 'application/json': { schema, example: { entries } } },
  });
  const text = { type: 'string' };
  const client = await open({
    '/log': { get: { parameters: [limit], responses: { 200: shown(page({ name: text })) } } },
    '/playlist': {
      get: { parameters: [limit], responses: { 200: ok(page({ id: text })) } },
      put: { requestBody: json(page({ id: text })), responses: { 200: ok(page({ id: text })) } },
    },
    '/news': { get: { parameters: [limit], responses: { 200: ok(page({ id: text })) } } },
  });
  expect(client.send('GET', '/log?limit=1').json).toEqual({ entries });
  const mine = { entries: [{ id: 'x' }, { id: 'y' }] };
  client.send('PUT', '/playlist', { json: mine });
  expect(client.send('GET', '/playlist?limit=1').json).toEqual(mine);
  expect(client.send('GET', '/news?limit=1').json).toMatchObject({ entries: [{}] });
});

test('links in examples stay cheap and possible, whatever the ids are', async () => {
  const self = { type: 'string', readOnly: true };
  const item = { type: 'object', properties: { id: { type: 'string' }, self } };
  const ids = ['\ud800', ...Array.from({ length: 300 }, (_, nth) => `p${nth}`)];
  const example = { id: '\ud800', self: '/things/p7', all: ids.map((id) => `/things/${id}`) };
  const examples = Object.fromEntries(ids.map((value, nth) => [`e${nth}`, { value }]));
  const shown = {
    description: 'OK.',
    content: { 'application/json': { schema: item, example } },
  };
  const client = await open({
    '/things': {
      get: { responses: { 200: ok(list(item)) } },
      post: { requestBody: json(item), responses: { 201: shown } },
    },
    '/things/{id}': {
      get: {
        parameters: [{ ...inPath('id', 'string'), examples }],
        responses: { 200: shown, 404: none },
      },
    },
  });
  expect(client.send('POST', '/things', { json: { id: 'new' } }).status).toBe(201);
  expect(client.send('GET', '/things/new').json).toMatchObject({ id: 'new', self: '/things/new' });
});

describe('items that a nested collection lists and adds, and whose own path is not in it', () => {
  const task: JsonObject = {
    type: 'object',
    required: ['title'],
    properties: {
      id: { type: 'integer', readOnly: true },
      title: { type: 'string' },
      projectId: { type: 'integer', readOnly: true },
    },
  };
  const project: JsonObject = {
    type: 'object',
    properties: { id: { type: 'integer' }, name: { type: 'string' } },
  };
  const tasks: JsonObject = {
    '/v1/projects/{projectId}/tasks': {
      parameters: [inPath('projectId')],
      get: { responses: { 200: ok(list(task)) } },
      post: { requestBody: json(task), responses: { 201: ok(task) } },
    },
    '/v1/tasks/{id}': {
      parameters: [inPath('id')],
      get: { responses: { 200: ok(task), 404: none } },
      delete: { responses: { 204: none, 404: none } },
    },
  };
  const projects: JsonObject = {
    '/v1/projects': {
      get: { responses: { 200: ok(list(project)) } },
      post: { requestBody: json(project), responses: { 201: ok(project) } },
    },
    '/v1/projects/{id}': {
      parameters: [inPath('id')],
      get: { responses: { 200: ok(project), 404: none } },
      delete: { responses: { 204: none, 404: none } },
    },
  };

  test('have one state: they are found, changed and removed by it', async () => {
    const client = await open({ ...projects, ...tasks });
    const { json: made, headers } = client.send('POST', '/v1/projects/2/tasks', {
      json: { title: 'A' },
    });
    expect(made).toEqual({ id: 3, title: 'A', projectId: 2 });
    expect(headers.get('location')).toBe('/v1/tasks/3');
    expect(client.send('GET', '/v1/tasks/3').json).toEqual(made);
    expect(client.send('GET', '/v1/projects/2/tasks').json).toContainEqual(made);
    expect(client.send('GET', '/v1/projects/1/tasks').json).not.toContainEqual(made);
    expect(client.send('DELETE', '/v1/tasks/3').status).toBe(204);
    expect(client.send('GET', '/v1/projects/2/tasks').json).not.toContainEqual(made);
  });

  test('at first each is of one initial item of the parent collection', async () => {
    const client = await open({ ...projects, ...tasks });
    const [first, second] = [1, 2].map((id) => client.send('GET', `/v1/projects/${id}/tasks`).json);
    expect([first, second]).toMatchObject([[{ id: 1, projectId: 1 }], [{ id: 2, projectId: 2 }]]);
    expect([first, second]).toEqual(
      [1, 2].map((id) => [client.send('GET', `/v1/tasks/${id}`).json]),
    );
    expect(client.send('POST', '/v1/projects', { json: { name: 'new' } }).json).toMatchObject({
      id: 3,
    });
    expect(client.send('GET', '/v1/projects/3/tasks').json).toEqual([]);
    client.send('DELETE', '/v1/projects/1');
    expect(client.send('GET', '/v1/projects/1/tasks').json).toEqual([]);
  });

  test('a list within a parent has the items that name it', async () => {
    const order: JsonObject = {
      type: 'object',
      properties: {
        id: { type: 'integer' },
        customer: { type: 'integer' },
        customers: list({ type: 'object', properties: { id: { type: 'integer' } } }),
      },
    };
    const customer: JsonObject = { type: 'object', properties: { id: { type: 'integer' } } };
    const collection = (name: string, schema: JsonObject): JsonObject => ({
      [`/${name}`]: {
        get: { responses: { 200: ok(list(schema)) } },
        post: { requestBody: json(schema), responses: { 201: ok(schema) } },
      },
      [`/${name}/{id}`]: {
        parameters: [inPath('id')],
        get: { responses: { 200: ok(schema), 404: none } },
        patch: { requestBody: json(schema), responses: { 200: ok(schema), 404: none } },
      },
    });
    const client = await open({
      ...collection('customers', customer),
      ...collection('orders', order),
      '/customers/{id}/orders': {
        parameters: [inPath('id')],
        get: { responses: { 200: ok(list(order)), 404: none } },
      },
    });
    const of = (id: number) => client.send('GET', `/customers/${id}/orders`).json;
    expect([of(1), of(2)]).toMatchObject([
      [{ id: 1 }, { id: 2 }],
      [{ id: 1 }, { id: 2 }],
    ]);
    client.send('POST', '/customers', { json: {} });
    expect(of(3)).toEqual([]);
    const { json: made } = client.send('POST', '/orders', { json: { customer: 3 } });
    expect(of(3)).toEqual([made]);
    expect(of(1)).toMatchObject([{ id: 1 }, { id: 2 }]);
    client.send('PATCH', '/orders/3', { json: { customer: 1 } });
    expect([of(1), of(3)]).toMatchObject([[{ id: 1 }, { id: 2 }, { id: 3 }], []]);
    client.send('PATCH', '/orders/3', { json: { customers: [{ id: 2 }, { id: 3 }] } });
    expect([of(1), of(3)]).toMatchObject([[{ id: 1 }, { id: 2 }, { id: 3 }], [{ id: 3 }]]);
  });

  test('a list within a parent that shows other ids is an example', async () => {
    const key: JsonObject = { type: 'object', properties: { id: { type: 'integer' } } };
    const use: JsonObject = { type: 'object', properties: { use_id: { type: 'string' } } };
    const paths: JsonObject = {
      '/keys': {
        get: { responses: { 200: ok(list(key)) } },
        post: { responses: { 201: ok(key) } },
      },
      '/keys/{id}': { parameters: [inPath('id')], get: { responses: { 200: ok(key) } } },
      '/agents/{id}': { parameters: [inPath('id')], get: { responses: { 200: ok(key) } } },
      '/agents/{id}/keys': {
        parameters: [inPath('id')],
        get: { responses: { 200: ok(list(use)) } },
      },
    };
    const client = await open(paths);
    const shown = client.send('GET', '/agents/1/keys').json;
    expect(shown).toMatchObject([{ use_id: expect.any(String) }]);
    client.send('POST', '/keys', { json: {} });
    expect(client.send('GET', '/agents/1/keys').json).toEqual(shown);
  });

  test('in a seed, a member may name the parent', async () => {
    const seed: JsonObject = {
      '/v1/projects': [{ id: 1 }, { id: 2 }],
      '/v1/tasks': [
        { id: 8, title: 'any', constructor: 'a name that every object has' },
        { id: 9, title: 'A', projectId: 2 },
      ],
    };
    const client = await open({ ...projects, ...tasks }, { seed });
    const of = (id: number) => client.send('GET', `/v1/projects/${id}/tasks`).json;
    expect([of(1), of(2)]).toMatchObject([[{ id: 8 }], [{ id: 8 }, { id: 9 }]]);
  });

  test.each([tasks, { ...projects, ...tasks }])(
    'unknown parents have the initial items',
    async (paths) => {
      const client = await open(paths);
      expect(client.send('GET', '/v1/projects/7/tasks').json).toMatchObject([{ id: 1 }, { id: 2 }]);
    },
  );
});

test.each([
  ['id', 'slug', true],
  ['user_id', 'id', false],
])('if the path has %s, each item is found by its %s: %s', async (named, other, isFound) => {
  const member: JsonObject = {
    type: 'object',
    required: [named, other],
    properties: { [named]: { type: 'string' }, [other]: { type: 'string', example: 'a7' } },
  };
  const client = await open({
    '/members': { get: { responses: { 200: ok(list(member)) } } },
    [`/members/{${named}}`]: {
      parameters: [inPath(named, 'string')],
      get: { responses: { 200: ok(member), 404: none } },
    },
  });
  const members = [client.send('GET', '/members').json].flat();
  const ids = members.map((one) => renderJson(valueAt(one, [other]) ?? null).replaceAll('"', ''));
  expect(new Set(ids).size).toBe(2);
  const found = ids.map((id) => client.send('GET', `/members/${id}`));
  const notFound = found.filter(({ status }) => status === 404);
  expect(isFound ? found.map(({ json: one }) => one) : notFound).toEqual(isFound ? members : found);
});
