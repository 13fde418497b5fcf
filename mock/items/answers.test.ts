import { describe, expect, test } from 'vitest';
import { valueAt } from '../../contract/json/place.ts';
import { isJsonObject } from '../../contract/json/value.ts';
import { loadContract } from '../../contract/load.ts';
import { type TestClient, createTestClient } from '../../test/mock/test-client.ts';
import { isTotalHeader } from '../operation/response/representation.ts';
import type { MockOptions } from '../served-document/options.ts';

const json = (schema: string): string =>
  `description: ok, content: { application/json: { schema: ${schema} } }`;
const ref = (name: string): string => `{ $ref: '#/components/schemas/${name}' }`;

const cars = (code = 'type: integer', upsert = 201): string => `openapi: 3.1.0
info: { title: T, version: '1' }
components:
  schemas:
    Car: { type: object, required: [id], properties: { id: { type: integer, format: int64 }, model: { type: string } } }
    NewCar: { type: object, properties: { model: { type: string } } }
    Envelope: { type: object, required: [code, data], properties: { code: { ${code} }, data: ${ref('Car')} } }
    Cars: { type: object, properties: { code: { ${code} }, data: { type: array, items: ${ref('Car')} } } }
    Error: { type: object, required: [code, msg], properties: { code: { type: integer }, msg: { type: string } } }
paths:
  /cars:
    get:
      parameters: [{ name: page, in: query, schema: { type: integer } }, { name: limit, in: query, schema: { type: integer } }]
      responses: { 200: { ${json(ref('Cars'))} } }
    post:
      requestBody: { content: { application/json: { schema: ${ref('NewCar')} } } }
      responses: { 201: { ${json(ref('Envelope'))} } }
  /cars/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer, format: int64 } }]
    get: { responses: { 200: { ${json(ref('Envelope'))} }, 404: { ${json(ref('Error'))} } } }
    put:
      requestBody: { content: { application/json: { schema: { type: object, properties: { data: { type: object } } } } } }
      responses: { 200: { ${json(ref('Envelope'))} }, ${upsert}: { ${json(ref('Envelope'))} } }
  /cars/{id}/wheels:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer, format: int64 } }]
    get: { responses: { 200: { ${json(`{ type: array, items: { type: object, properties: { id: { type: integer }, carId: { type: integer, format: int64 } } } }`)} } } }
    post:
      requestBody: { content: { application/json: { schema: { type: object, properties: { size: { type: integer } } } } } }
      responses: { 201: { ${json('{ type: object, properties: { id: { type: integer }, carId: { type: integer, format: int64 }, size: { type: integer } } }')} } }
`;

const open = async (text: string, options: MockOptions = {}): Promise<TestClient> =>
  createTestClient(await loadContract({ text }), options);

describe('the code of an envelope', () => {
  test('is the status, in successes and in errors', async () => {
    const client = await open(cars());
    expect(client.send('POST', '/cars', { json: { model: 'A' } }).json).toMatchObject({
      code: 201,
    });
    expect(client.send('GET', '/cars').json).toMatchObject({ code: 200 });
    expect(client.send('GET', '/cars/77').json).toMatchObject({ code: 404 });
    expect(client.send('POST', '/cars', { json: { model: 1 } }).json).toMatchObject({ code: 400 });
  });

  test.each(['type: integer, enum: [0]', 'type: integer, default: 0', 'type: integer, example: 0'])(
    'is as the document says: %s',
    async (code) => {
      const client = await open(cars(code));
      expect(client.send('GET', '/cars').json).toMatchObject({ code: 0 });
    },
  );
});

describe('PUT to an unused id', () => {
  test('returns 201 if documented, and 200 the next time', async () => {
    const client = await open(cars());
    const put = { json: { data: { model: 'A' } } };
    for (const status of [201, 200]) {
      const response = client.send('PUT', '/cars/500', put);
      expect([response.status, response.json]).toEqual([
        status,
        { code: status, data: { id: 500, model: 'A' } },
      ]);
    }
  });

  test('is treated as an update if 201 is not documented', async () => {
    const client = await open(cars(undefined, 202));
    expect(client.send('PUT', '/cars/1', { json: { data: { model: 'A' } } }).status).toBe(200);
  });
});

test('an envelope without a described content wraps the item in requests too', async () => {
  const client = await open(cars());
  client.send('PUT', '/cars/1', { json: { data: { model: 'A' } } });
  expect(client.send('GET', '/cars/1').json).toMatchObject({ data: { id: 1, model: 'A' } });
});

test('a list of summaries shows what the response to POST did', async () => {
  const item = (example: string, more = ''): string =>
    `{ type: object, properties: { id: { type: integer }, plan: { type: string, example: ${example} }${more} } }`;
  const client = await open(`openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /tickets:
    get: { responses: { 200: { ${json(`{ type: array, items: ${item('gold')} }`)} } } }
    post:
      requestBody: { content: { application/json: { schema: { type: object } } } }
      responses: { 201: { ${json(item('silver', ', note: { type: string }'))} } }
`);
  const added = client.send('POST', '/tickets', { json: {} }).json;
  const [first, ...others] = [client.send('GET', '/tickets').json].flat();
  expect([first, ...others]).toContainEqual(
    isJsonObject(added) ? { id: added['id'], plan: added['plan'] } : undefined,
  );
});

test('a page beyond the last is empty, however large its number is', async () => {
  const client = await open(cars());
  for (const page of ['3', '9999999999', '99999999999999999999'])
    expect(client.send('GET', `/cars?limit=2&page=${page}`).json).toMatchObject({ data: [] });
  expect(client.send('GET', '/cars?limit=2&page=1').json).toMatchObject({
    data: [{ id: 1 }, { id: 2 }],
  });
});

test.each([
  ['the member of an envelope', '{ note: { type: string }, pack: PACK }', ['pack']],
  ['a part of an item', '{ id: { type: integer }, name: { type: string }, base: PACK }', []],
])('what lists show is %s', async (_name, members, place) => {
  const one = ref('One');
  const client = await open(`openapi: 3.1.0
info: { title: T, version: '1' }
components:
  schemas:
    One: { type: object, properties: ${members.replace('PACK', ref('Pack'))} }
    Pack: { type: object, required: [id, name], properties: { id: { type: integer }, name: { type: string } } }
paths:
  /policy-packs:
    get: { responses: { 200: { ${json(`{ type: object, properties: { packs: { type: array, items: ${ref('Pack')} } } }`)} } } }
    post:
      requestBody: { content: { application/json: { schema: { type: object, properties: { name: { type: string } } } } } }
      responses: { 201: { ${json(one)} } }
  /policy-packs/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses: { 200: { ${json(one)} } }
`);
  const added = { id: 3, name: 'new' };
  expect(valueAt(client.send('POST', '/policy-packs', { json: added }).json, place)).toMatchObject(
    added,
  );
  expect(valueAt(client.send('GET', '/policy-packs/3').json, place)).toMatchObject(added);
  expect(client.send('GET', '/policy-packs').json).toMatchObject({ packs: [{}, {}, added] });
});

test('a page of no items has a number', async () => {
  const meta =
    '{ type: object, required: [page, pages], properties: { page: { type: number }, pages: { type: number } } }';
  const client = await open(`openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /cars:
    get:
      parameters: [{ name: page, in: query, schema: { type: number } }, { name: limit, in: query, schema: { type: number } }]
      responses: { 200: { ${json(`{ type: object, properties: { meta: ${meta}, data: { type: array, items: { type: object, properties: { id: { type: integer } } } } } }`)} } }
`);
  for (const [limit, pages] of [
    [0, 1],
    [1, 2],
  ])
    expect(client.send('GET', `/cars?limit=${limit}`).json).toMatchObject({
      meta: { page: 1, pages },
    });
});

test('ids beyond 2^53 are exact, including those of parents', async () => {
  const client = await open(cars());
  const [id, other] = ['9007199254740993', '9007199254740992'];
  client.send('PUT', `/cars/${id}`, { json: { data: { model: 'A' } } });
  expect(client.send('GET', `/cars/${id}`).text).toContain(`"id":${id}`);
  expect(client.send('GET', `/cars/${other}`).status).toBe(404);
  // What is within an item that a client created is created by clients too.
  expect(client.send('GET', `/cars/${id}/wheels`).text).toBe('[]');
  expect(client.send('POST', `/cars/${id}/wheels`, { json: { size: 3 } }).text).toContain(
    `"carId":${id}`,
  );
});

test('a nested item shows the id of its parent, whatever the parameter is called', async () => {
  const client = await open(cars());
  expect(client.send('GET', '/cars/2/wheels').json).toMatchObject([{ carId: 2 }, { carId: 2 }]);
});

describe('items that are only inferred', () => {
  const seed = { '/cars': [{ id: 7, model: 'Beetle' }], '/cars/7/wheels': [{ id: 1, carId: 7 }] };

  test('come from a seed, also nested ones; other collections have the examples of the document', async () => {
    const contract = await loadContract({ text: cars() });
    const client = createTestClient(contract, { seed });
    expect(client.send('GET', '/cars').json).toMatchObject({ data: [{ id: 7, model: 'Beetle' }] });
    expect(client.send('GET', '/cars/7/wheels').json).toEqual([{ id: 1, carId: 7 }]);
    expect(client.send('GET', '/cars/8/wheels').json).toHaveLength(2);
    expect(client.send('POST', '/cars', { json: {} }).json).toMatchObject({ data: { id: 1 } });
  });

  test('of a seed that do not fit are rejected', async () => {
    const contract = await loadContract({ text: cars() });
    const bad = { '/cars': [{ id: 'seven' }] };
    expect(() => createTestClient(contract, { seed: bad }).send('GET', '/cars')).toThrow(
      'Seed item 0 of /cars breaks the contract',
    );
  });

  test('are in the state, which can be restored', async () => {
    const contract = await loadContract({ text: cars() });
    const client = createTestClient(contract, { seed });
    const control = (await client.mock.control()).sandbox('main');
    client.send('POST', '/cars', { json: { model: 'Mini' } });
    const state = control.readState();
    expect(state['/cars']).toMatchObject([{ id: 7 }, { id: 1, model: 'Mini' }]);
    control.resetState();
    control.replaceState(state);
    expect(control.readState()).toEqual(state);
    expect(client.send('GET', '/cars/1').json).toMatchObject({ data: { model: 'Mini' } });
  });
});

test('a seed replaces all items: of certain, inferred and nested collections', async () => {
  const keys = `{ type: array, items: { type: object, required: [id], properties: { id: { type: string } } } }`;
  const text = `${cars()}  /keys:\n    get: { responses: { 200: { ${json(keys)} } } }\n`;
  const contract = await loadContract({ text });
  const seed = { '/keys': [{ id: 'a' }], '/cars': [{ id: 7, model: 'Beetle' }] };
  const client = createTestClient(contract, { seed });
  const shown = () =>
    ['/keys', '/cars', '/cars/7/wheels'].map((path) => client.send('GET', path).json);
  const atFirst = [[{ id: 'a' }], { code: 200, data: [{ id: 7, model: 'Beetle' }] }, []];
  expect(shown()).toEqual(atFirst);
  const control = (await client.mock.control()).sandbox('main');
  control.takeSnapshot('first');
  const state = control.readState();
  expect(state).toMatchObject(seed);
  client.send('POST', '/cars/7/wheels', { json: { size: 3 } });
  control.replaceState({});
  expect(shown().slice(0, 2)).toEqual([[], { code: 200, data: [] }]);
  control.replaceState(state);
  expect(shown()).toEqual(atFirst);
  client.send('PUT', '/cars/7', { json: { data: { model: 'Mini' } } });
  control.restoreSnapshot('first');
  expect(shown()).toEqual(atFirst);
  control.resetState();
  expect(shown()).toEqual(atFirst);
  const empty = createTestClient(contract, { seed: {} });
  expect(empty.send('GET', '/cars').json).toEqual({ code: 200, data: [] });
});

describe('items of certain collections', () => {
  const text = `openapi: 3.1.0
info: { title: T, version: '1' }
components:
  schemas:
    Key: { type: object, required: [id], properties: { id: { type: string, pattern: '^key_[a-z]{4}$' }, name: { type: string } } }
paths:
  /keys:
    get:
      parameters: [{ name: sort, in: query, schema: { type: string } }]
      responses: { 200: { ${json(`{ type: array, items: ${ref('Key')} }`)} } }
    post:
      requestBody: { content: { application/json: { schema: { type: object, properties: { name: { type: string } } } } } }
      responses: { 201: { ${json(ref('Key'))} } }
  /keys/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string }, example: key_abcd }]
    get: { responses: { 200: { ${json(ref('Key'))} }, 404: { description: none } } }
    patch:
      requestBody: { content: { application/json: { schema: { type: object } }, application/json-patch+json: { schema: { type: array, items: { type: object } } } } }
      responses: { 200: { ${json(ref('Key'))} } }
    delete: { responses: { 200: { ${json('{ type: object, required: [deleted], properties: { deleted: { type: boolean, const: true } } }')} } } }
`;

  test('get ids that fit a pattern, are patched, sorted, and removed as documented', async () => {
    const client = await open(text, { seed: {} });
    const names = ['b', 'a'];
    const ids = names.map((name) => {
      const { status, json: made } = client.send('POST', '/keys', { json: { name } });
      expect([status, made]).toEqual([201, { id: expect.stringMatching(/^key_[a-z]{4}$/), name }]);
      const id = isJsonObject(made) ? made['id'] : undefined;
      return typeof id === 'string' ? id : '';
    });
    expect(new Set(ids).size).toBe(2);
    expect(client.send('GET', '/keys?sort=name').json).toMatchObject([
      { name: 'a' },
      { name: 'b' },
    ]);
    const patched = client.send('PATCH', `/keys/${ids[0]}`, {
      json: [{ op: 'replace', path: '/name', value: 'c' }],
      headers: { 'content-type': 'application/json-patch+json' },
    });
    expect(patched.json).toEqual({ id: ids[0], name: 'c' });
    expect(client.send('DELETE', `/keys/${ids[0]}`).json).toEqual({ deleted: true });
    expect(client.send('GET', `/keys/${ids[0]}`).status).toBe(404);
  });
});

test('a member that items cannot have is omitted', async () => {
  const client = await open(
    `openapi: 3.1.0
info: { title: T, version: '1' }
components:
  schemas:
    Cup: { type: object, additionalProperties: false, required: [id], properties: { id: { type: integer }, name: { type: string } } }
paths:
  /cups:
    get: { responses: { 200: { ${json(`{ type: array, items: ${ref('Cup')} }`)} } } }
    post:
      requestBody: { content: { application/json: { schema: { type: object } } } }
      responses: { 201: { ${json(ref('Cup'))} } }
  /cups/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { responses: { 200: { ${json(ref('Cup'))} }, 404: { description: none } } }
    patch:
      requestBody: { content: { application/json: { schema: { type: object } } } }
      responses: { 200: { ${json(ref('Cup'))} }, 404: { description: none } }
`,
    { seed: {} },
  );
  const made = client.send('POST', '/cups', { json: { name: 'a', handle: 1 } });
  expect([made.status, made.json]).toEqual([201, { id: 1, name: 'a' }]);
  const changed = client.send('PATCH', '/cups/1', { json: { name: 'b', handle: 2 } });
  expect([changed.status, changed.json]).toEqual([200, { id: 1, name: 'b' }]);
});

test.each([
  ['X-Total-Count', true],
  ['X-WP-Total', true],
  ['X-Total-Rows', true],
  ['Content-Length', false],
  ['X-Subtotal', false],
  ['X-Total-Cost', false],
])('the header %s has the number of items: %s', (name, expected) => {
  expect(isTotalHeader(name)).toBe(expected);
});

test('an envelope with an id around a list of one item shows the id of the item', async () => {
  const schema = `{ type: object, properties: { Accounts: { type: array, items: ${ref('Account')} } } }`;
  const example = `{ Id: 'e997d6d7', Accounts: [{ AccountID: '99ce6032-0678-4aa0-8148-240c75fee33a', Name: 'Bank' }] }`;
  const envelope = `description: ok, content: { application/json: { schema: ${schema}, example: ${example} } }`;
  const client = await open(`openapi: 3.1.0
info: { title: T, version: '1' }
components:
  schemas:
    Account: { type: object, properties: { AccountID: { type: string, format: uuid }, Name: { type: string } } }
paths:
  /Accounts:
    get: { responses: { 200: { ${envelope} } } }
    post:
      requestBody: { content: { application/json: { schema: ${ref('Account')} } } }
      responses: { 200: { ${envelope} } }
  /Accounts/{AccountID}:
    parameters: [{ name: AccountID, in: path, required: true, schema: { type: string, format: uuid } }]
    get: { responses: { 200: { ${envelope} } } }
`);
  const { json: created } = client.send('POST', '/Accounts', { json: { Name: 'Cash' } });
  const id = isJsonObject(created) && typeof created['Id'] === 'string' ? created['Id'] : '';
  expect(created).toMatchObject({ Accounts: [{ AccountID: id, Name: 'Cash' }] });
  expect(client.send('GET', `/Accounts/${id}`).json).toMatchObject({
    Id: id,
    Accounts: [{ AccountID: id, Name: 'Cash' }],
  });
});
