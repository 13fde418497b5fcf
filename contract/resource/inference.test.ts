import { expect, test } from 'vitest';
import { loadSample, refusalOf, sampleText } from '../../test/contract/sample.ts';
import type { Contract } from '../contract.ts';
import { type JsonObject, type JsonValue, objectOf } from '../json/value.ts';
import { idNamesFor } from './names.ts';

const item = { $ref: '#/components/schemas/Item' };

function response(schema: JsonValue): JsonObject {
  return { description: 'The response.', content: { 'application/json': { schema } } };
}

interface Collection {
  readonly path?: string;
  readonly properties: JsonObject;
  readonly query?: readonly JsonObject[];
  /** Name and schema of the item parameter. */
  readonly parameter?: readonly [string, JsonObject];
  readonly overrule?: JsonValue;
  readonly schemas?: JsonObject;
}

function collection({
  path = '/items',
  properties,
  query = [],
  parameter,
  overrule,
  schemas = {},
}: Collection): JsonObject {
  const parameters = query.map((one) => ({ in: 'query', ...one }));
  const list = {
    get: { parameters, responses: { 200: response({ type: 'array', items: item }) } },
    ...(overrule === undefined ? {} : { 'x-resource': overrule }),
  };
  const single = parameter && {
    parameters: [{ name: parameter[0], in: 'path', required: true, schema: parameter[1] }],
    get: { responses: { 200: response(item) } },
  };
  const paths = { [path]: list, ...(single ? { [`${path}/{${parameter?.[0]}}`]: single } : {}) };
  return { paths, components: { schemas: { Item: { type: 'object', properties }, ...schemas } } };
}

async function resourceOf(members: Collection): Promise<Contract['resources'][number] | undefined> {
  return (await loadSample(collection(members))).resources[0];
}

const integer = { type: 'integer' };
const text = { type: 'string' };

test.each<[string, string, JsonObject, string]>([
  ['/pets', 'petId', { id: integer }, 'id'],
  ['/pets', 'pet_id', { id: integer }, 'id'],
  ['/pets', 'pet-ID', { id: integer }, 'id'],
  ['/categories', 'categoryId', { name: integer, id: integer }, 'id'],
  ['/boxes', 'boxNumber', { id: integer, number: integer }, 'number'],
  ['/people', 'personId', { id: integer }, 'id'],
  ['/policies', 'heat_policy_name', { id: integer, name: integer }, 'name'],
  ['/books', 'isbn', { id: integer, isbn: integer }, 'isbn'],
  ['/books', 'id', { bookId: integer, title: text }, 'bookId'],
  ['/sheep', 'sheepId', { id: integer }, 'id'],
  ['/apps', 'number', { meta: { type: 'object', properties: { number: integer } } }, 'meta.number'],
])('in %s the parameter %s of %j identifies %s', async (path, parameter, properties, expected) => {
  const resource = await resourceOf({ path, properties, parameter: [parameter, integer] });
  expect([resource?.idPlace.join('.'), resource?.idParameter?.name, resource?.itemPath]).toEqual([
    expected,
    parameter,
    `${path}/{${parameter}}`,
  ]);
});

test('a string in the path may identify an integer, but not under another name', async () => {
  const named = async (parameter: string): Promise<string | undefined> =>
    (await resourceOf({ properties: { id: integer }, parameter: [parameter, text] }))?.idPlace[0];
  expect(await named('itemId')).toBe('id');
  expect(await named('slug')).toBeUndefined();
});

test('a text that is not named as an id does not identify an item by a number', async () => {
  const named = async (properties: JsonObject): Promise<string | undefined> => {
    const document = collection({ properties, parameter: ['itemId', integer] });
    const [inferred] = (await loadSample(document)).inferredResources;
    const [shown] = inferred?.showing ?? [];
    return shown && inferred?.viewOf(shown)?.idPlace?.join('.');
  };
  expect(await named({ name: text })).toBeUndefined();
  expect(await named({ name: integer })).toBe('name');
  expect(await named({ id: text })).toBe('id');
});

test('a collection without an item path is named by its id', async () => {
  expect(await resourceOf({ properties: { id: text } })).toMatchObject({
    idPlace: ['id'],
    itemPath: undefined,
    create: undefined,
    get: undefined,
  });
  for (const name of ['itemId', 'gid', 'uuid'])
    expect(await resourceOf({ properties: { name: text, [name]: text } })).toMatchObject({
      idPlace: [name],
    });
});

test('a collection without a certain id is only inferred', async () => {
  const contract = await loadSample(
    collection({ properties: { colour: text }, parameter: ['key', integer] }),
  );
  expect(contract.resources).toEqual([]);
  expect(contract.inferredResources).toMatchObject([
    { path: '/items', certain: undefined, doubts: ['no member of its items surely names one'] },
  ]);
});

test('a query parameter with the name and schema of a property filters', async () => {
  const kind = { type: 'string', enum: ['a', 'b'] };
  const properties = {
    id: integer,
    size: integer,
    kind,
    shade: { $ref: '#/components/schemas/Shade' },
    note: { type: ['string', 'null'] },
    name: text,
    state: kind,
    tone_kind: kind,
  };
  const query = [
    { name: 'size', schema: text },
    { name: 'kind', schema: { type: 'string', enum: ['a', 'b'] } },
    { name: 'shade', schema: { $ref: '#/components/schemas/Shade' } },
    { name: 'note', schema: text },
    { name: 'Name', schema: text },
    { name: 'state', schema: { type: 'string', enum: ['a'] } },
    { name: 'ToneKind', schema: kind },
    { name: 'toneKind<', schema: kind },
  ];
  const resource = await resourceOf({
    properties,
    query,
    schemas: { Shade: { type: 'string', enum: ['dark'] } },
  });
  expect(resource?.filters.map(({ parameter, property }) => [parameter.name, property])).toEqual([
    ['kind', 'kind'],
    ['shade', 'shade'],
    ['note', 'note'],
    ['ToneKind', 'tone_kind'],
  ]);
});

test.each(['limit', 'page_size', 'pageSize', 'per_page', 'perPage', 'max', 'size', 'count'])(
  'an integer %s pages',
  async (name) => {
    const resource = await resourceOf({
      properties: { id: integer },
      query: [{ name, schema: { ...integer, exclusiveMinimum: 0, maximum: 9.5, default: 5 } }],
    });
    expect(resource?.limit).toMatchObject({
      parameter: { name },
      minimum: 1,
      maximum: 9,
      default: 5,
    });
  },
);

test('a number, or a property of the items, does not page', async () => {
  const resource = await resourceOf({
    properties: { id: integer, size: integer },
    query: [
      { name: 'limit', schema: { type: 'number' } },
      { name: 'size', schema: integer },
    ],
  });
  expect(resource?.limit).toBeUndefined();
  expect(resource?.filters.map(({ property }) => property)).toEqual(['size']);
});

test('of two page limits the likelier is used', async () => {
  const resource = await resourceOf({
    properties: { id: integer },
    query: [
      { name: 'count', schema: integer },
      { name: 'limit', schema: integer },
    ],
  });
  expect(resource?.limit?.parameter.name).toBe('limit');
});

test('a page size with an ambiguous name is not certain', async () => {
  const resource = await resourceOf({
    properties: { id: integer },
    query: [{ name: 'first', schema: integer }],
  });
  expect(resource?.limit).toBeUndefined();
});

test('a create must return the item with 201 or 200', async () => {
  const base = collection({ properties: { id: integer } });
  const withPost = (status: string, schema: JsonValue): JsonObject => ({
    ...base,
    paths: {
      '/items': {
        get: { responses: { 200: response({ type: 'array', items: item }) } },
        post: { responses: { [status]: response(schema) } },
      },
    },
  });
  expect((await loadSample(withPost('201', item))).resources[0]?.create?.id).toBe('POST /items');
  expect((await loadSample(withPost('200', item))).resources[0]?.create?.id).toBe('POST /items');
  expect((await loadSample(withPost('202', item))).resources[0]?.create).toBeUndefined();
  expect(
    (await loadSample(withPost('201', { type: 'object' }))).resources[0]?.create,
  ).toBeUndefined();
});

test('a change needs no list or object that neither items nor additions have', async () => {
  const properties = { id: integer, name: text };
  const { paths, ...rest } = collection({ properties, parameter: ['id', integer] });
  const sending = (sent: JsonObject): JsonObject => ({
    requestBody: { content: { 'application/json': { schema: sent } } },
  });
  const body = (required: readonly string[], members: JsonObject): JsonObject => ({
    type: 'object',
    required,
    properties: { name: text, ...members },
  });
  const updateWith = async (sent: JsonObject): Promise<string | undefined> => {
    const { '/items': list, '/items/{id}': one } = objectOf(paths);
    const added = { ...sending(body(['secrets'], { secrets: objects })), responses: ok };
    const changed = { ...sending(sent), responses: ok };
    const items = { ...objectOf(list), post: { ...added, responses: { 201: response(item) } } };
    const both = { '/items': items, '/items/{id}': { ...objectOf(one), patch: changed } };
    return (await loadSample({ ...rest, paths: both })).resources[0]?.update?.id;
  };
  const objects = { type: 'array', items: { type: 'object' } };
  const ok = { 200: response(item) };
  expect(await updateWith(body(['operations'], { operations: objects }))).toBeUndefined();
  for (const [required, member, schema] of [
    ['name', 'operations', objects],
    ['secrets', 'secrets', objects],
    ['reason', 'reason', text],
  ] as const)
    expect(await updateWith(body([required], { [member]: schema }))).toBe('PATCH /items/{id}');
});

test('items in nested wrappers have the name of the collection', async () => {
  const inner = { type: 'object', properties: { pets: { type: 'array', items: item } } };
  const outer = { type: 'object', properties: { _embedded: inner } };
  const whole = collection({
    path: '/pets',
    properties: { id: integer },
    parameter: ['id', integer],
  });
  const list = { get: { responses: { 200: response(outer) } } };
  const { resources } = await loadSample({
    ...whole,
    paths: { ...objectOf(whole['paths']), '/pets': list },
  });
  expect(resources[0]?.shown.get('GET /pets')?.place).toEqual(['_embedded', 'pets']);
});

test('an array that only one operation returns is a list if it is named after the collection', async () => {
  const certainWith = async (path: string, name: string): Promise<readonly string[]> => {
    const outer = { type: 'object', properties: { [name]: { type: 'array', items: item } } };
    const { components } = collection({ properties: { id: integer } });
    const [get, post] = [outer, text].map((schema) => ({ responses: { 200: response(schema) } }));
    const { resources } = await loadSample({ components, paths: { [path]: { get, post } } });
    return resources.map(({ collectionPath }) => collectionPath);
  };
  expect(await certainWith('/pet-owners', 'petOwners')).toEqual(['/pet-owners']);
  expect(await certainWith('/errands', 'errors')).toEqual([]);
  expect(await certainWith('/pets', 'items')).toEqual([]);
});

test('two lists of the same items are two resources; a nested one is a third', async () => {
  const list = { get: { responses: { 200: response({ type: 'array', items: item }) } } };
  const single = {
    parameters: [
      { name: 'owner', in: 'path', required: true, schema: text },
      { name: 'id', in: 'path', required: true, schema: integer },
    ],
    get: { responses: { 200: response(item) } },
  };
  const nested = {
    ...list,
    parameters: [{ name: 'owner', in: 'path', required: true, schema: text }],
  };
  const components = { schemas: { Item: { type: 'object', properties: { id: integer } } } };
  const contract = await loadSample({
    paths: {
      '/items': list,
      '/others': list,
      '/owners/{owner}/items': nested,
      '/owners/{owner}/items/{id}': single,
    },
    components,
  });
  expect(
    contract.resources.map(({ collectionPath, parents }) => [collectionPath, parents]),
  ).toEqual([
    ['/items', []],
    ['/others', []],
    ['/owners/{owner}/items', ['owner']],
  ]);
  expect(contract.inferredResources.map(({ path, doubts }) => [path, doubts])).toEqual([
    ['/items', []],
    ['/others', []],
    ['/owners/{owner}/items', []],
  ]);
});

test('x-resource overrides inference', async () => {
  const properties = { id: integer, code: text, kind: text };
  const query = [
    { name: 'limit', schema: integer },
    { name: 'type', schema: text },
    { name: 'kind', schema: text },
    { name: 'most', schema: integer },
  ];
  const overruled = await resourceOf({
    properties,
    query,
    overrule: { idProperty: 'code', limit: 'most', filters: { type: 'kind' } },
  });
  expect([
    overruled?.idPlace.join('.'),
    overruled?.limit?.parameter.name,
    overruled?.filters.map((filter) => filter.parameter.name),
  ]).toEqual(['code', 'most', ['type']]);
  expect(
    (await resourceOf({ properties, query, overrule: { limit: false } }))?.limit,
  ).toBeUndefined();
  expect(await resourceOf({ properties, query, overrule: false })).toBeUndefined();
});

test.each<[JsonValue, string]>([
  [true, '#/paths/~1items/x-resource: has to be an object'],
  [{ idProperty: 'nope' }, '#/paths/~1items/x-resource/idProperty: there is no property nope'],
  [{ limit: 'nope' }, '#/paths/~1items/x-resource/limit: there is no query parameter nope'],
  [{ limit: 1 }, '#/paths/~1items/x-resource/limit: has to be a text or false'],
  [
    { filters: { nope: 'id' } },
    '#/paths/~1items/x-resource/filters/nope: there is no query parameter nope',
  ],
  [{ filters: { q: 'nope' } }, '#/paths/~1items/x-resource/filters/q: there is no property nope'],
  [
    { idProperty: 'id', other: 1 },
    '#/paths/~1items/x-resource/other: is unknown here; there are idProperty, limit, filters',
  ],
])('x-resource as %j is an error', async (overrule, line) => {
  const members = collection({
    properties: { id: integer },
    query: [{ name: 'q', schema: text }],
    overrule,
  });
  expect(await refusalOf({ text: sampleText(members) })).toEqual([line]);
});

test.for<readonly [name: string, schema: JsonObject, isCertain: boolean]>([
  ['api-version', text, true],
  ['scheme', { type: 'string', enum: ['https'] }, true],
  ['owner', text, false],
])('a list that requires %s', async ([name, schema, isCertain]) => {
  const whole = collection({
    path: '/pets',
    properties: { id: integer },
    parameter: ['id', integer],
  });
  const inner = { type: 'object', properties: { pets: { type: 'array', items: item } } };
  const parameters = [{ name, in: 'query', required: true, schema }];
  const list = { get: { parameters, responses: { 200: response(inner) } } };
  const { resources } = await loadSample({
    ...whole,
    paths: { ...objectOf(whole['paths']), '/pets': list },
  });
  expect(resources.length > 0).toBe(isCertain);
});

test('maxpagesize is the page size together with $top, which alone is not certain', async () => {
  const query = ['$top', 'maxpagesize'].map((name) => ({ name, schema: integer }));
  const nameOf = async (some: readonly JsonObject[]) =>
    (await resourceOf({ properties: { id: integer }, query: some }))?.limit?.parameter.name;
  expect(await nameOf(query)).toBe('maxpagesize');
  expect(await nameOf(query.slice(0, 1))).toBeUndefined();
});

const answer = { 200: { description: 'An answer.' } };
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };

function notes(collection: JsonObject, post: JsonObject): JsonObject {
  const paths = {
    '/notes': { ...collection, get: { responses: answer }, post: { responses: answer, ...post } },
    '/notes/{id}': { parameters: [id], get: { responses: answer } },
  };
  return { paths };
}

test('x-resource-role gives an operation another role, or none', async () => {
  const rolesWith = async (post: JsonObject): Promise<readonly string[]> => {
    const { inferredResources } = await loadSample(notes({}, post));
    return inferredResources.flatMap(({ operations }) =>
      operations.map(({ operation, role }) => `${role} ${operation.method} ${operation.path}`),
    );
  };
  expect(await rolesWith({})).toContain('create POST /notes');
  expect(await rolesWith({ 'x-resource-role': 'bulk' })).toContain('bulk POST /notes');
  expect((await rolesWith({ 'x-resource-role': 'none' })).join()).not.toContain('POST');
});

test('a path parameter identifies a member by its name without the name of the item', () => {
  const inPath = (path: string, parameter: string) => idNamesFor(path, parameter).inPath;
  expect(inPath('/customers', 'external_customer_id')).toEqual([
    'externalcustomerid',
    'externalid',
    'id',
  ]);
  expect(inPath('/pets', 'petId')).toEqual(['petid', 'id']);
  // Without the name of the item, this is the parameter of the parent.
  expect(inPath('/guilds/{guild_id}/events', 'guild_event_id')).toEqual(['guildeventid', 'id']);
});

test('x-resource: false is not a resource, and idProperty identifies items', async () => {
  expect((await loadSample(notes({ 'x-resource': false }, {}))).inferredResources).toEqual([]);
  const named = await loadSample(notes({ 'x-resource': { idProperty: 'code' } }, {}));
  expect(named.inferredResources[0]?.idNames[0]).toBe('code');
});

test.each([
  [undefined, ['list /notes', 'list /users/{id}/notes']],
  [false, ['list /notes']],
])('a list within a parent with x-resource: %s', async (overrule, lists) => {
  const one = { parameters: [id], get: { responses: answer } };
  const body = {
    200: response({ type: 'array', items: { type: 'object', properties: { id: text } } }),
  };
  const within = {
    ...(overrule === undefined ? {} : { 'x-resource': overrule }),
    parameters: [id],
    get: { responses: body },
  };
  const all = { '/notes': { get: { responses: body } }, '/notes/{id}': one };
  const users = { '/users/{id}': one, '/users/{id}/notes': within };
  const { inferredResources } = await loadSample({ paths: { ...all, ...users } });
  const found = inferredResources.flatMap(({ operations }) =>
    operations.flatMap(({ operation, role }) =>
      role === 'list' ? [`list ${operation.path}`] : [],
    ),
  );
  expect(found).toEqual(lists);
});

test('an unknown role is an error', async () => {
  const text = sampleText(notes({}, { 'x-resource-role': 'finder' }));
  expect(await refusalOf({ text })).toEqual([
    '#/paths/~1notes/post/x-resource-role: has to be one of list, create, get, replace, update, remove, action, view, bulk, none',
  ]);
});

test('the schema of the path parameter tells which of several members identifies an item', async () => {
  const Code = { type: 'string', pattern: '^[A-Z]{3}$' };
  const $ref = '#/components/schemas/Code';
  const properties = { name: text, code: { $ref } };
  const document = collection({
    properties,
    parameter: ['item', { $ref }],
    schemas: { Code, Item: { type: 'object', required: ['code'], properties } },
  });
  const [resource] = (await loadSample(document)).resources;
  expect(resource?.idPlace).toEqual(['code']);
});
