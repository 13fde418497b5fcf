import { expect, test } from 'vitest';
import {
  isJsonArray,
  isJsonObject,
  parseJson,
  renderJson,
  type JsonObject,
  type JsonValue,
} from '../../contract/json/value.ts';
import { requirementsOf } from '../family/requirements.ts';
import {
  judgeDocument,
  listIds,
  loadYaml,
  serveDocument,
  type Change,
} from '../../test/conformance/judge-document.ts';

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const item = `{ $ref: '#/components/schemas/Book' }`;
const body = `requestBody: { required: true, ${json("{ $ref: '#/components/schemas/NewBook' }")} }`;
const members = `title: { type: string, maxLength: 200 }, due: { type: string, format: date-time }, price: { type: string, format: decimal }, weight: { type: number }, copies: { type: integer }, note: { type: [string, 'null'] }`;

const load = async () =>
  await loadYaml(`paths:
  /books:
    get: { operationId: listBooks, responses: { '200': { description: All., ${json(`{ type: array, items: ${item} }`)} } } }
    post: { operationId: addBook, ${body}, responses: { '200': { description: Added., ${json(item)} }, '422': { description: Refused. } } }
  /books/{bookId}:
    parameters: [{ name: bookId, in: path, required: true, schema: { type: string } }]
    get: { operationId: getBook, responses: { '200': { description: One., ${json(item)} }, '404': { description: None. } } }
    put: { operationId: putBook, ${body}, responses: { '200': { description: Changed., ${json(item)} }, '404': { description: None. }, '422': { description: Refused. } } }
components:
  schemas:
    NewBook: { type: object, required: [title, due, price], properties: { ${members} } }
    Book: { type: object, required: [id, title, views], properties: { id: { type: integer }, views: { type: integer }, ${members} } }
`);

/** Books without refusals. `operation`: one more of an item; `sent`, `shown`: members besides the title. */
const loadPlain = async (operation = '', sent = '', shown = '') =>
  await loadYaml(`paths:
  /books:
    get: { operationId: listBooks, responses: { '200': { description: All., ${json(`{ type: array, items: ${item} }`)} } } }
    post: { operationId: addBook, ${body}, responses: { '201': { description: Added., ${json(item)} } } }
  /books/{bookId}:
    parameters: [{ name: bookId, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getBook, responses: { '200': { description: One., ${json(item)} } } }
    ${operation}
components:
  schemas:
    NewBook: { type: object, required: [title], properties: { title: { type: string }, ${sent} } }
    Book: { type: object, required: [id, title], properties: { id: { type: integer }, title: { type: string }, ${shown} } }
`);

/** Changes each book of each response. */
function eachBook(change: (book: JsonObject) => JsonObject): Change {
  const changed = (value: JsonValue): JsonValue =>
    isJsonArray(value)
      ? value.map(changed)
      : isJsonObject(value) && 'title' in value
        ? change(value)
        : value;
  return (response) =>
    response.status === 200
      ? { ...response, body: renderJson(changed(parseJson(response.body))) }
      : response;
}

function timeOf(book: JsonObject, offset = 0): JsonObject {
  const { due } = book;
  return typeof due === 'string'
    ? { ...book, due: new Date(Date.parse(due) + offset).toISOString() }
    : book;
}

function priceOf(book: JsonObject): JsonObject {
  const { price } = book;
  return typeof price === 'string' ? { ...book, price: Number(price).toFixed(4) } : book;
}

function weightOf(book: JsonObject): JsonObject {
  const { weight } = book;
  return typeof weight === 'bigint' ? { ...book, weight: Number(weight) } : book;
}

async function failedBy(change: Change): Promise<readonly string[]> {
  return listIds(await judgeDocument(await load(), { requests: 200 }, change), 'failed');
}

test('a server that normalises values without changing their meaning, and counts views, conforms', async () => {
  let views = 0;
  const change = eachBook((book) => {
    views += 1;
    return { ...timeOf(priceOf(weightOf(book))), views };
  });
  // What the service sets itself is recommended to stay, no more.
  expect(await failedBy(change)).toEqual([
    'listBooks/state.read.views',
    'getBook/state.read.views',
  ]);
  expect(requirementsOf(await load()).get('getBook/state.read.views')?.level).toBe('should');
});

test('a server may show null for a value that its responses cannot show', async () => {
  const contract = await loadPlain(
    '',
    'cover: { type: string }',
    "cover: { type: [string, 'null'], format: uri }",
  );
  const hide = eachBook((book) => ('cover' in book ? { ...book, cover: null } : book));
  const change: Change = (response, request) =>
    response.status === 201
      ? { ...hide({ ...response, status: 200 }, request), status: 201 }
      : hide(response, request);
  expect(listIds(await judgeDocument(contract, {}, change), 'failed')).toEqual([]);
});

test('a server that omits null and has 32-bit integers conforms', async () => {
  const bare = eachBook((book) => {
    const kept = Object.entries(book).filter(([, value]) => value !== null);
    return Object.fromEntries(kept);
  });
  const refusal = { status: 422, headers: [], body: '', utf8: true };
  const change: Change = (response, request) => {
    const book = response.status === 200 ? parseJson(request.body ?? 'null') : null;
    const copies = isJsonObject(book) ? Number(book['copies'] ?? 0) : 0;
    return copies >= -(2 ** 31) && copies < 2 ** 31 ? bare(response, request) : refusal;
  };
  expect(await failedBy(change)).toEqual([]);
});

test.for([
  ['note', eachBook((book) => ('note' in book ? { ...book, note: 'x' } : book))],
  ['due', eachBook((book) => timeOf(book, 3_600_000))],
  ['price', eachBook((book) => (book['price'] === undefined ? book : { ...book, price: '1.25' }))],
  ['weight', eachBook((book) => (book['weight'] === undefined ? book : { ...book, weight: 3 }))],
] as const)('another %s fails', async ([name, change]) => {
  expect(await failedBy(change)).toContain(`addBook/state.echo.${name}`);
});

test('a removed item is requested and must be gone, even if the document has no 404', async () => {
  const contract = await loadPlain(
    "delete: { operationId: removeBook, responses: { '204': { description: Gone. } } }",
  );
  const seen = new Map<string, ReturnType<Change>>();
  const keep: Change = (response, { method, url }) => {
    const made = response.status === 201 ? parseJson(response.body) : null;
    const id = isJsonObject(made) ? made['id'] : undefined;
    if (typeof id === 'number') seen.set(`${url}/${id}`, { ...response, status: 200 });
    return (method === 'GET' && response.status === 404 && seen.get(url)) || response;
  };
  expect(listIds(await judgeDocument(contract), 'failed')).toEqual([]);
  const report = await judgeDocument(contract, { requests: 100, disposable: false }, keep);
  expect(listIds(report, 'failed')).toContain('removeBook/state.removed');
});

test('a server that trims strings sent by PUT and responds with 204 only ignores a recommendation', async () => {
  const contract = await loadYaml(`paths:
  /books:
    get: { operationId: listBooks, responses: { '200': { description: All., ${json(`{ type: array, items: ${item} }`)} } } }
    post: { operationId: addBook, ${body}, responses: { '201': { description: Added., ${json(item)} } } }
  /books/{bookId}:
    parameters: [{ name: bookId, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getBook, responses: { '200': { description: One., ${json(item)} }, '404': { description: None. } } }
    put: { operationId: putBook, ${body}, responses: { '204': { description: Changed. }, '404': { description: None. } } }
components:
  schemas:
    NewBook: { type: object, required: [title], properties: { title: { type: string } } }
    Book: { type: object, required: [id, title], properties: { id: { type: integer }, title: { type: string } } }
`);
  const shown = (value: JsonValue): JsonValue =>
    isJsonArray(value)
      ? value.map(shown)
      : isJsonObject(value) && typeof value['title'] === 'string'
        ? { ...value, title: value['title'].trim() }
        : value;
  const trim: Change = (response) =>
    response.body === ''
      ? response
      : { ...response, body: renderJson(shown(parseJson(response.body))) };
  const report = await judgeDocument(contract, { requests: 200, disposable: false }, trim);
  const failed = listIds(report, 'failed');
  expect(failed).toContain('addBook/state.spaces.title');
  const levels = failed.map((id) => requirementsOf(contract).get(id)?.level);
  expect(new Set(levels)).toEqual(new Set(['should']));
});

/** Sizes within books, prices without a format, and a refusal for what a body means. */
const loadSized = async () =>
  await loadYaml(`paths:
  /books:
    get: { operationId: listBooks, responses: { '200': { description: All., ${json(`{ type: array, items: ${item} }`)} } } }
    post: { operationId: addBook, ${body}, responses: { '201': { description: Added., ${json(item)} }, '400': { description: Malformed. }, '422': { description: Refused. } } }
  /books/{bookId}:
    parameters: [{ name: bookId, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getBook, responses: { '200': { description: One., ${json(item)} }, '404': { description: None. } } }
components:
  schemas:
    Size: { type: object, properties: { width: { type: integer, minimum: 1, maximum: 99 }, height: { type: integer, minimum: 1, maximum: 99 }, unit: { type: string, enum: [cm, mm] } } }
    NewBook: { type: object, required: [title], properties: { title: { type: string }, due: { type: string, format: date }, price: { type: number, minimum: 0, maximum: 100 }, size: { $ref: '#/components/schemas/Size' } } }
    Book: { allOf: [{ $ref: '#/components/schemas/NewBook' }, { type: object, required: [id], properties: { id: { type: integer, readOnly: true } } }] }
`);

/** The requirements that fail in two long runs, the second against what the first one left. */
async function failedOfSized(
  size: (sent: JsonObject) => JsonObject,
  isRefused: (book: JsonObject) => boolean,
): Promise<readonly string[]> {
  const contract = await loadSized();
  const show = (book: JsonValue): JsonValue => {
    if (isJsonArray(book)) return book.map(show);
    if (!isJsonObject(book)) return book;
    const price = Math.round(Number(book['price'] ?? 0) * 100) / 100;
    const own = isJsonObject(book['size']) ? { size: size(book['size']) } : {};
    return { ...book, ...(book['price'] !== undefined && { price }), ...own };
  };
  const judge = await serveDocument(contract, (response, { method, body: sent = 'null' }) => {
    if (response.status >= 300) return response;
    const book = method === 'POST' ? parseJson(sent) : null;
    const refusal = { headers: [], body: '', utf8: true };
    if (sent.includes('\\u0000')) return { ...refusal, status: 400 };
    if (isJsonObject(book) && isRefused(book)) return { ...refusal, status: 422 };
    return { ...response, body: renderJson(show(parseJson(response.body))) };
  });
  const failed: string[] = [];
  for (const seed of [1, 2])
    failed.push(...listIds(await judge(contract, { requests: 200, fuzz: 100, seed }), 'failed'));
  return failed;
}

const isLate = ({ due }: JsonObject): boolean => typeof due === 'string' && due > '2030';
const withUnit = (sent: JsonObject): JsonObject => ({ unit: 'cm', ...sent });

test('a server may refuse NUL and semantically wrong bodies, fill nested objects and round money', async () => {
  expect(await failedOfSized(withUnit, isLate)).toEqual([]);
});

test('a server that refuses every body, or loses nested members, fails', async () => {
  expect(await failedOfSized(withUnit, () => true)).toContain('addBook/status.201');
  const lossy = ({ height: _height, ...sent }: JsonObject): JsonObject => sent;
  expect(await failedOfSized(lossy, isLate)).toContain('addBook/state.echo.size');
});

/** Books that a POST of an item changes, as the operation's name says or not. */
const loadPosted = async (name: string) =>
  await loadPlain(
    `post: { operationId: ${name}, ${body}, responses: { '200': { description: Done., ${json(item)} } } }
    delete: { operationId: removeBook, responses: { '200': { description: Gone., ${json(item)} } } }`,
    'copies: { type: integer }',
    'copies: { type: integer }',
  );

test.for([
  ['updateBook', 'must'],
  ['bookPost', 'should'],
] as const)('what %s sends %s be shown', async ([name, level]) => {
  const contract = await loadPosted(name);
  expect(listIds(await judgeDocument(contract, { requests: 120 }), 'failed')).toEqual([]);
  const add: Change = (response, { method, url }) => {
    const isOfItem = method === 'POST' && /\/books\/./.test(url);
    const book = isOfItem && response.status === 200 ? parseJson(response.body) : null;
    const copies = isJsonObject(book) ? (book['copies'] ?? 0) : 0;
    return isJsonObject(book)
      ? { ...response, body: renderJson({ ...book, copies: Number(copies) + 3 }) }
      : response;
  };
  const report = await judgeDocument(contract, { requests: 120 }, add);
  const failed = listIds(report, 'failed');
  expect(failed).toContain(`${name}/state.echo.copies`);
  const levels = failed.map((id) => requirementsOf(contract).get(id)?.level);
  expect(new Set(levels)).toEqual(new Set([level]));
});

test('a DELETE that returns another item than the removed one ignores a recommendation', async () => {
  const other: Change = (response, { method }) =>
    method === 'DELETE' && response.status === 200
      ? { ...response, body: '{"id":999999,"title":"x"}' }
      : response;
  const contract = await loadPosted('updateBook');
  const report = await judgeDocument(contract, { requests: 120 }, other);
  expect(listIds(report, 'failed')).toEqual(['removeBook/state.id-kept']);
  expect(requirementsOf(contract).get('removeBook/state.id-kept')?.level).toBe('should');
});
