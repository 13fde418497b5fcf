import { expect, test } from 'vitest';
import {
  type JsonObject,
  type JsonValue,
  isJsonObject,
  objectOf,
  renderJson,
  wordOf,
} from '../../contract/json/value.ts';
import { loadSample } from '../../test/contract/sample.ts';
import { type TestClient, createTestClient } from '../../test/mock/test-client.ts';

const text = { type: 'string' };
const integer = { type: 'integer' };
const pet = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: integer, name: text, size: integer, owner_id: text },
};
const ofBody = (schema: JsonValue): JsonObject => ({ 'application/json': { schema } });
const answer = (schema: JsonValue): JsonObject => ({
  description: 'An answer.',
  content: ofBody(schema),
});
const inPath = (name: string, schema: JsonObject): JsonObject => ({
  name,
  in: 'path',
  required: true,
  schema,
});
const inQuery = (name: string, schema: JsonObject = text): JsonObject => ({
  name,
  in: 'query',
  schema,
});
const requestBody = { content: ofBody({ type: 'object' }) };
const missing = { 404: { description: 'There is none.' } };

async function open(paths: JsonObject): Promise<TestClient> {
  return createTestClient(await loadSample({ paths }));
}

/** A collection of pets whose list has the given query parameters and envelope. */
function pets(
  query: readonly JsonObject[],
  envelope: JsonObject,
  get: JsonObject = {},
): JsonObject {
  return {
    '/pets': {
      get: { parameters: query, responses: { 200: answer(envelope) }, ...get },
      post: { requestBody, responses: { 200: answer(pet) } },
    },
    '/pets/{petId}': {
      parameters: [inPath('petId', integer)],
      get: { responses: { 200: answer(pet), ...missing } },
      delete: { responses: { 204: { description: 'Removed.' }, ...missing } },
    },
  };
}

const items = { type: 'array', items: pet };

function namesIn(value: JsonValue, member?: string): readonly JsonValue[] {
  const list = member === undefined ? value : isJsonObject(value) ? value[member] : [];
  return (Array.isArray(list) ? list : []).map((one: JsonValue) =>
    isJsonObject(one) ? (one['name'] ?? null) : null,
  );
}

function createPets(client: TestClient, count: number): void {
  for (let index = 0; index < count; index += 1)
    client.send('POST', '/pets', { json: { name: `pet ${index}`, size: index % 3 } });
}

interface Way {
  readonly query: readonly JsonObject[];
  readonly envelope: JsonObject;
  readonly first: string;
  /** The path of the next page; undefined after the last one. */
  readonly next: (body: JsonObject, headers: ReadonlyMap<string, string>) => string | undefined;
}

const nullable = { type: ['string', 'null'] };
const linkOf = (link: JsonValue | undefined): string | undefined =>
  typeof link === 'string'
    ? URL.parse(link)?.pathname.concat(URL.parse(link)?.search ?? '')
    : undefined;

test.each<[string, Way]>([
  [
    'cursors',
    {
      query: [inQuery('limit', integer), inQuery('cursor')],
      envelope: {
        type: 'object',
        required: ['data'],
        properties: { data: items, next_cursor: nullable },
      },
      first: '/pets?limit=4',
      next: ({ next_cursor: cursor }) =>
        typeof cursor === 'string' ? `/pets?limit=4&cursor=${cursor}` : undefined,
    },
  ],
  [
    'cursors that are UUIDs',
    {
      query: [inQuery('limit', integer), inQuery('cursor', { ...text, format: 'uuid' })],
      envelope: {
        type: 'object',
        required: ['data'],
        properties: { data: items, next_cursor: { ...nullable, format: 'uuid' } },
      },
      first: '/pets?limit=4',
      next: ({ next_cursor: cursor }) =>
        typeof cursor === 'string' ? `/pets?limit=4&cursor=${cursor}` : undefined,
    },
  ],
  [
    'links to pages',
    {
      query: [inQuery('page', integer), inQuery('per_page', integer)],
      envelope: {
        type: 'object',
        properties: {
          data: items,
          links: { type: 'object', properties: { next: { ...nullable, format: 'uri' } } },
        },
      },
      first: '/pets?per_page=4',
      next: ({ links }) => linkOf(isJsonObject(links) ? links['next'] : undefined),
    },
  ],
  [
    'offsets and a total',
    {
      query: [inQuery('offset', integer), inQuery('limit', integer)],
      envelope: {
        type: 'object',
        properties: { data: items, total: integer, offset: integer, limit: integer },
      },
      first: '/pets?limit=4',
      next: ({ total, offset }) =>
        Number(offset) + 4 < Number(total)
          ? `/pets?limit=4&offset=${Number(offset) + 4}`
          : undefined,
    },
  ],
  [
    'the last id',
    {
      query: [inQuery('limit', integer), inQuery('starting_after', integer)],
      envelope: { type: 'object', properties: { data: items, has_more: { type: 'boolean' } } },
      first: '/pets?limit=4',
      next: ({ data, has_more: hasMore }) => {
        const last = Array.isArray(data) ? data.at(-1) : undefined;
        return hasMore === true && isJsonObject(last)
          ? `/pets?limit=4&starting_after=${renderJson(last['id'] ?? null)}`
          : undefined;
      },
    },
  ],
])('pages are followed by %s, each item once', async (_name, { query, envelope, first, next }) => {
  const client = await open(pets(query, envelope));
  createPets(client, 9);
  const seen: JsonValue[] = [];
  let pages = 0;
  for (let path: string | undefined = first; path !== undefined && pages < 9; pages += 1) {
    const { json, headers } = client.send('GET', path);
    seen.push(...(isJsonObject(json) ? namesIn(json, 'data') : []));
    path = isJsonObject(json) ? next(json, headers) : undefined;
  }
  expect(pages).toBe(3);
  expect(new Set(seen.slice(2)).size).toBe(9);
  expect(seen).toHaveLength(11);
});

test('lists filter by members and sort', async () => {
  const client = await open(
    pets([inQuery('size', integer), inQuery('sort')], {
      type: 'object',
      properties: { pets: items },
    }),
  );
  createPets(client, 5);
  expect(namesIn(client.send('GET', '/pets?size=2&sort=name').json, 'pets')).toContain('pet 2');
  expect(namesIn(client.send('GET', '/pets?size=2').json, 'pets')).not.toContain('pet 1');
  expect(namesIn(client.send('GET', '/pets?sort=-name').json, 'pets').slice(0, 2)).toEqual([
    'pet 4',
    'pet 3',
  ]);
});

test('examples of the document are there from the start', async () => {
  const example = { data: [{ id: 41, name: 'Rex' }] };
  const envelope = { type: 'object', properties: { data: items } };
  const list = {
    description: 'All.',
    content: { 'application/json': { schema: envelope, example } },
  };
  const client = await open(pets([], envelope, { responses: { 200: list } }));
  expect(client.send('GET', '/pets/41').json).toMatchObject({ id: 41, name: 'Rex' });
  expect(client.send('GET', '/pets/40').status).toBe(404);
});

test('PUT creates an item if nothing else does', async () => {
  const client = await open({
    '/flags/{key}': {
      parameters: [inPath('key', text)],
      get: {
        responses: {
          200: answer({ type: 'object', properties: { key: text, on: { type: 'boolean' } } }),
          ...missing,
        },
      },
      put: { requestBody, responses: { 204: { description: 'Set.' } } },
      delete: { responses: { 204: { description: 'Removed.' }, ...missing } },
    },
  });
  expect(client.send('PUT', '/flags/dark', { json: { on: true } }).status).toBe(204);
  expect(client.send('GET', '/flags/dark').json).toMatchObject({ key: 'dark', on: true });
  expect(client.send('DELETE', '/flags/dark').status).toBe(204);
  expect(client.send('GET', '/flags/dark').status).toBe(404);
  expect(client.send('PUT', '/flags/dark', { json: { on: false } }).status).toBe(204);
  expect(client.send('GET', '/flags/dark').json).toMatchObject({ on: false });
});

function owners(): JsonObject {
  const within = { parameters: [inPath('ownerId', text)] };
  return {
    '/owners/{ownerId}': {
      ...within,
      get: { responses: { 200: answer({ type: 'object', properties: { id: text } }), ...missing } },
      delete: { responses: { 204: { description: 'Removed.' } } },
    },
    '/owners/{ownerId}/pets': {
      ...within,
      get: { responses: { 200: answer(items) } },
      post: { requestBody, responses: { 200: answer(pet) } },
    },
    '/owners/{ownerId}/pets/{petId}': {
      parameters: [inPath('ownerId', text), inPath('petId', integer)],
      get: { responses: { 200: answer(pet), ...missing } },
      delete: { responses: { 204: { description: 'Removed.' }, ...missing } },
    },
  };
}

test('nested items belong to their parents, show their ids, and are removed with them', async () => {
  const client = await open(owners());
  const made = client.send('POST', '/owners/ann/pets', { json: { name: 'Rex' } }).json;
  expect(made).toMatchObject({ name: 'Rex', owner_id: 'ann' });
  const path = `/owners/ann/pets/${isJsonObject(made) ? renderJson(made['id'] ?? null) : ''}`;
  expect(namesIn(client.send('GET', '/owners/ann/pets').json)).toContain('Rex');
  expect(namesIn(client.send('GET', '/owners/bob/pets').json)).not.toContain('Rex');
  expect(client.send('DELETE', '/owners/ann').status).toBe(204);
  expect(client.send('GET', path).status).toBe(404);
  expect(client.send('DELETE', path).status).toBe(204);
  expect(client.send('DELETE', path).status).toBe(404);
  expect(client.send('GET', '/owners/ann/pets').json).toEqual([]);
});

test('a parent has the same nested items by each of its ids, and none when it is created', async () => {
  const owner = {
    type: 'object',
    required: ['key', 'uuid'],
    properties: { key: text, uuid: text },
  };
  const client = await open({
    ...owners(),
    '/owners': { post: { requestBody, responses: { 201: answer(owner) } } },
  });
  const { json } = client.send('POST', '/owners', { json: { key: 'ann' } });
  const [key, uuid] = ['key', 'uuid'].map((name) => wordOf(objectOf(json)[name]));
  expect(key).toBe('ann');
  expect(client.send('GET', `/owners/${uuid}/pets/77`).status).toBe(404);
  client.send('POST', '/owners/ann/pets', { json: { name: 'Rex' } });
  for (const one of [key, uuid])
    expect(namesIn(client.send('GET', `/owners/${one}/pets`).json)).toEqual(['Rex']);
});

test('an item of an unknown parent is generated once it is requested, and stays', async () => {
  const client = await open(owners());
  const made = client.send('GET', '/owners/zoe/pets/77');
  expect(made.json).toMatchObject({ id: 77 });
  expect(client.send('GET', '/owners/zoe/pets').text).toContain('77');
  expect(client.send('GET', '/owners/zoe/pets/77').json).toEqual(made.json);
  expect(client.send('GET', '/owners/zoe/pets/78').status).toBe(404);
});

test('a PUT that adds a nested item shows which ids its parent has', async () => {
  const paths = owners();
  const path = '/owners/{ownerId}/pets/{petId}';
  const put = { requestBody, responses: { 201: answer(pet), 204: { description: 'Changed.' } } };
  const client = await open({ ...paths, [path]: { ...objectOf(paths[path]), put } });
  expect(client.send('PUT', '/owners/zoe/pets/77', { json: { name: 'Rex' } }).status).toBe(201);
  expect(client.send('DELETE', '/owners/zoe/pets/78').status).toBe(404);
  expect(client.send('DELETE', '/owners/zoe/pets/77').status).toBe(204);
});

test('a sandbox is reset and restored from its snapshot', async () => {
  const client = await open(pets([], { type: 'object', properties: { data: items } }));
  const control = (await client.mock.control()).sandbox('main');
  createPets(client, 1);
  control.takeSnapshot('one');
  createPets(client, 2);
  control.restoreSnapshot('one');
  const names = namesIn(client.send('GET', '/pets').json, 'data');
  expect(names.filter((name) => name === 'pet 0' || name === 'pet 1')).toEqual(['pet 0']);
  expect(control.itemCounts).toEqual({ '/pets': names.length });
  control.resetState();
  expect(control.itemCounts).toEqual({});
  expect(namesIn(client.send('GET', '/pets').json, 'data')).not.toContain('pet 0');
});

test('readOnly members are set by the server, whatever clients send', async () => {
  const marked = {
    ...pet,
    properties: { ...pet.properties, created_at: { type: 'integer', readOnly: true } },
  };
  const client = await open({
    '/pets': {
      post: { requestBody: { content: ofBody(marked) }, responses: { 201: answer(marked) } },
    },
    '/pets/{petId}': {
      parameters: [inPath('petId', integer)],
      get: { responses: { 200: answer(marked), ...missing } },
      patch: { requestBody: { content: ofBody(marked) }, responses: { 200: answer(marked) } },
    },
  });
  const sent = { id: 5, name: 'Rex', created_at: 1999 };
  const made = client.send('POST', '/pets', { json: sent });
  expect(made.status).toBe(201);
  const [id, created] = isJsonObject(made.json) ? [made.json['id'], made.json['created_at']] : [];
  expect(created).not.toBe(1999);
  client.send('PATCH', `/pets/${renderJson(id ?? null)}`, { json: { ...sent, name: 'Max' } });
  const { json } = client.send('GET', `/pets/${renderJson(id ?? null)}`);
  expect(json).toMatchObject({ name: 'Max' });
  expect(json).not.toMatchObject({ created_at: 1999 });
});

const empty = { description: 'No body.' };

test.each([
  ['200 and 201 with an item', { 200: answer(pet), 201: answer(pet) }, [201, 200], 'Rex'],
  ['201 with an item, 204', { 201: answer(pet), 204: empty }, [201, 204], 'Rex'],
  ['200 with an item, 201', { 200: answer(pet), 201: empty }, [201, 200], undefined],
  ['201 and 204 without a body', { 201: empty, 204: empty }, [201, 204], 'Rex'],
  ['200 alone', { 200: answer(pet), ...missing }, [404, 404], undefined],
])('PUT of a missing item, then again: %s', async (_name, responses, statuses, name) => {
  const { '/pets': list, '/pets/{petId}': item } = pets([], items);
  const put = { requestBody: { content: ofBody(pet) }, responses };
  const client = await open({
    '/pets': list ?? {},
    '/pets/{petId}': { ...(isJsonObject(item) && item), put },
  });
  const json = { id: 977, name: 'Rex' };
  const first = client.send('PUT', '/pets/977', { json });
  const second = client.send('PUT', '/pets/977', { json });
  expect([first.status, second.status]).toEqual(statuses);
  expect(isJsonObject(first.json) ? first.json['name'] : undefined).toBe(name);
  const read = client.send('GET', '/pets/977');
  expect(read.status).toBe(statuses[0] === 201 ? 200 : 404);
  expect(read.status === 200 ? read.json : json).toMatchObject(json);
});

test('PUT adds an item to a certain collection if it documents 201', async () => {
  const created = { type: 'object', required: ['name'], properties: { name: text } };
  const described = loadSample({
    paths: {
      '/pets': {
        get: { responses: { 200: answer({ type: 'array', items: pet }) } },
        post: { requestBody: { content: ofBody(created) }, responses: { 201: answer(pet) } },
      },
      '/pets/{petId}': {
        parameters: [inPath('petId', integer)],
        get: { responses: { 200: answer(pet), ...missing } },
        put: {
          requestBody: { content: ofBody(created) },
          responses: { 200: answer(pet), 201: answer(pet) },
        },
      },
    },
  });
  const client = createTestClient(await described);
  const put = () => client.send('PUT', '/pets/41', { json: { name: 'Rex' } }).status;
  expect([put(), put(), client.send('GET', '/pets/41').status]).toEqual([201, 200, 200]);
});

test('every response shows all objects of a list that was sent, with the members it requires', async () => {
  const line = {
    type: 'object',
    required: ['sku', 'state'],
    properties: { sku: text, state: text },
  };
  const order = {
    type: 'object',
    properties: { id: integer, lines: { type: 'array', items: line } },
  };
  const shows = (count: number): JsonObject => ({
    description: 'The order.',
    content: {
      'application/json': {
        schema: order,
        example: {
          id: 9,
          lines: Array.from({ length: count }, () => ({ sku: 'z', state: 'new' })),
        },
      },
    },
  });
  const client = await open({
    '/orders': { post: { requestBody, responses: { 201: shows(3) } } },
    '/orders/{id}': {
      parameters: [inPath('id', integer)],
      get: { responses: { 200: shows(1), ...missing } },
    },
  });
  const sent = ['a', 'b'].map((sku) => ({ sku }));
  const made = client.send('POST', '/orders', { json: { lines: sent } }).json;
  const whole = sent.map((one) => ({ ...one, state: 'new' }));
  expect(made).toMatchObject({ lines: whole });
  expect(client.send('GET', `/orders/${wordOf(objectOf(made)['id'])}`).json).toEqual(made);
});
