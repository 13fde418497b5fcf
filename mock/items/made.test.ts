import { expect, test } from 'vitest';
import { loadContract } from '../../contract/load.ts';
import { createTestClient } from '../../test/mock/test-client.ts';

const content = (example: string, schema = '{ $ref: "#/components/schemas/Car" }'): string =>
  `description: ok, content: { application/json: { schema: ${schema}, example: ${example} } }`;

const text = `openapi: 3.1.0
info: { title: T, version: '1' }
components:
  schemas:
    Car: { type: object, properties: { id: { type: integer }, model: { type: string }, color: { type: string }, note: { type: string } } }
paths:
  /cars:
    get: { responses: { 200: { ${content('[{ id: 1, model: A }]', '{ type: array, items: { $ref: "#/components/schemas/Car" } }')} } } }
    post:
      requestBody: { content: { application/json: { schema: { properties: { color: { type: string }, note: { type: string } } } } } }
      responses: { 200: { ${content('{ id: 1, model: B }')} } }
  /cars/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { responses: { 200: { ${content('{ id: 1, model: C }')} } } }
    patch:
      requestBody: { content: { application/json: { schema: {} } } }
      responses: { 200: { ${content('{ id: 1, model: D }')} } }
`;

test('members added by the service to a new item stay; members a client could have sent are absent', async () => {
  const client = createTestClient(await loadContract({ text }));
  const car = { id: 2, model: 'B', color: 'red' };
  expect(client.send('POST', '/cars', { json: { color: 'red' } }).json).toEqual(car);
  expect(client.send('GET', '/cars/2').json).toEqual(car);
  expect(client.send('GET', '/cars').json).toEqual([{ id: 1, model: 'A' }, car]);
  client.send('PATCH', '/cars/2', { json: { model: null } });
  expect(client.send('GET', '/cars/2').json).toEqual({ id: 2, color: 'red' });
});

test('a new item has a value for each required readOnly member', async () => {
  const item = '{ $ref: "#/components/schemas/Booking" }';
  const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
  const contract = await loadContract({
    text: `openapi: 3.1.0
info: { title: T, version: '1' }
components:
  schemas:
    Booking:
      type: object
      required: [id, seat, status, created_at, owner, changes, notes]
      properties:
        id: { type: integer, readOnly: true }
        seat: { type: string }
        status: { type: string, readOnly: true }
        created_at: { type: string, readOnly: true }
        owner: { type: object, readOnly: true, required: [name], properties: { name: { type: string } } }
        changes: { type: integer, readOnly: true }
        notes: { type: array, items: { type: string }, readOnly: true }
paths:
  /bookings:
    get: { responses: { 200: { description: ok, ${json(`{ type: array, items: ${item} }`)} } } }
    post:
      requestBody: { required: true, ${json(item)} }
      responses: { 201: { description: ok, ${json(item)} } }
  /bookings/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { responses: { 200: { description: ok, ${json(item)} } } }
`,
  });
  const client = createTestClient(contract, { seed: {} });
  const made = client.send('POST', '/bookings', { json: { seat: '7A' } }).json;
  expect(made).toEqual({
    id: 1,
    seat: '7A',
    status: expect.stringMatching(/./),
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    owner: { name: expect.stringMatching(/./) },
    changes: 0,
    notes: [],
  });
  expect(client.send('GET', '/bookings/1').json).toEqual(made);
});

test('what only the creation must show stays', async () => {
  const members = '{ id: { type: integer }, title: { type: string }, pages: { type: number } }';
  const [item, whole] = ['', 'required: [id, title, pages],'].map(
    (required) => `{ type: object, ${required} properties: ${members} }`,
  );
  const json = (schema = ''): string =>
    `description: ok, content: { application/json: { schema: ${schema} } }`;
  const contract = await loadContract({
    text: `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /books:
    get: { responses: { 200: { ${json(`{ type: array, items: ${item} }`)} } } }
    post:
      requestBody: { ${json('{ type: object, properties: { title: { type: string }, pages: { type: number } } }')} }
      responses: { 201: { ${json(whole)} } }
  /books/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { responses: { 200: { ${json(item)} } } }
`,
  });
  const client = createTestClient(contract, { seed: {} });
  const made = client.send('POST', '/books', { json: { title: 'Home' } }).json;
  expect(made).toEqual({ id: 1, title: 'Home', pages: expect.any(Number) });
  expect(client.send('GET', '/books/1').json).toEqual(made);
  expect(client.send('GET', '/books').json).toEqual([made]);
});

test('items start as samples, whether or not every response shows them alike', async () => {
  const item = '{ $ref: "#/components/schemas/Goal" }';
  const content = (schema: string): string =>
    `content: { application/json: { schema: ${schema} } }`;
  const contract = await loadContract({
    text: `openapi: 3.1.0
info: { title: T, version: '1' }
components:
  schemas:
    Goal:
      type: object
      required: [id, title, due, createdAt, owner]
      properties:
        id: { type: string, format: uuid, readOnly: true }
        title: { type: string }
        due: { type: string, format: date }
        note: { type: string }
        createdAt: { type: string, format: date-time, readOnly: true }
        owner: { type: [string, 'null'], format: uuid, readOnly: true }
paths:
  /goals:
    get: { responses: { 200: { description: ok, ${content(`{ type: array, items: ${item} }`)} } } }
    post:
      requestBody: { required: true, ${content(item)} }
      responses: { 201: { description: ok, ${content(item)} } }
  /goals/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string, format: uuid } }]
    get: { responses: { 200: { description: ok, ${content(item)} } } }
`,
  });
  const client = createTestClient(contract);
  const list = client.send('GET', '/goals').json;
  expect(list).toHaveLength(2);
  const unknown = 'c9bf9e57-1685-4c89-bafb-ff5af830be8a';
  const made = client.send('GET', `/goals/${unknown}`).json;
  expect(made).toMatchObject({ id: unknown });
  for (const goal of [...(Array.isArray(list) ? list : []), made])
    expect(goal).toMatchObject({
      title: expect.stringMatching(/./),
      due: expect.stringMatching(/^20/),
      note: expect.stringMatching(/./),
      createdAt: expect.stringMatching(/^20/),
      owner: expect.stringMatching(/./),
    });
  const json = { title: 'Run', due: '2026-07-01' };
  expect(client.send('POST', '/goals', { json }).json).toMatchObject({ ...json, owner: null });
});

test('a wide item keeps its id while it cannot show what was sent', async () => {
  const names = Array.from({ length: 120 }, (_, at) => `m${at}`);
  const [sent, shown] = ['{ type: [integer, "null"] }', '{ type: integer }'].map((type) =>
    names.map((name) => `${name}: ${type}`).join(', '),
  );
  const schema = `{ type: object, required: [id, m0], properties: { ${shown}, id: { type: integer } } }`;
  const ok = `responses: { 200: { description: ok, content: { application/json: { schema: ${schema} } } } }`;
  const contract = await loadContract({
    text: `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /cars/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { ${ok} }
    put:
      requestBody: { content: { application/json: { schema: { type: object, properties: { ${sent} } } } } }
      ${ok}
`,
  });
  const client = createTestClient(contract);
  const json = Object.fromEntries(names.map((name) => [name, null]));
  expect(client.send('PUT', '/cars/7', { json }).json).toMatchObject({ id: 7 });
  expect(client.send('GET', '/cars/7').json).toMatchObject({ id: 7 });
});

test('lists show the same deep members as single responses', async () => {
  const many = (count: number): string =>
    Array.from({ length: count }, (_, index) => `, more${index}: { type: string }`).join('');
  const json = (schema: string): string =>
    `description: ok, content: { application/json: { schema: ${schema} } }`;
  const order = '{ $ref: "#/components/schemas/Order" }';
  const contract = await loadContract({
    text: `openapi: 3.1.0
info: { title: T, version: '1' }
components:
  schemas:
    Order: { type: object, required: [id, lines], properties: { id: { type: integer }, lines: { type: array, items: { $ref: "#/components/schemas/Line" } }${many(14)} } }
    Line: { type: object, required: [amount], properties: { amount: { type: string, pattern: '^[0-9]+[.][0-9]{4}$' }, tags: { type: array, items: { type: object, required: [name], properties: { name: { type: string } } } }${many(11)} } }
paths:
  /orders:
    get: { responses: { 200: { ${json(`{ type: object, properties: { data: { type: array, items: ${order} } } }`)} } } }
    post:
      requestBody: { ${json('{ type: object, properties: { lines: { type: array, items: { type: object } } } }')} }
      responses: { 201: { ${json(`{ type: object, properties: { order: ${order}, a: {}, b: {} } }`)} } }
  /orders/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses: { 200: { ${json(order)} } }
`,
  });
  const client = createTestClient(contract);
  // No response can show the amount.
  const { json: made } = client.send('POST', '/orders', { json: { lines: [{ amount: '1.00' }] } });
  const { json: one } = client.send('GET', '/orders/3');
  expect(one).toMatchObject({ lines: [{ tags: [{ name: expect.any(String) }] }] });
  expect(made).toMatchObject({ order: one });
  expect(client.send('GET', '/orders').json).toMatchObject({ data: [{}, {}, one] });
});
