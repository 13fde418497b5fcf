import { expect, test } from 'vitest';
import { loadContract } from '../../../contract/load.ts';
import { loadInventory } from '../../../test/mock/contracts.ts';
import { ControlError } from '../../control/client.ts';
import { type OpenMock, openMock } from '../../../test/mock/control/open-mock.ts';

const sandbox = 'a';
const collection = '/pets';
const pet = { name: 'Rex', categoryId: 1 };

const openPets = async (): Promise<OpenMock> =>
  await openMock(undefined, { seed: await loadInventory() });
const refusal = async (call: Promise<unknown>): Promise<unknown> => {
  const error = await call.catch((reason: unknown) => reason);
  return error instanceof ControlError ? [error.status, error.message] : error;
};
const answered = async ({ url }: OpenMock, path: string, key = 'free_a'): Promise<string> =>
  await (await fetch(url + path, { headers: { authorization: `Bearer ${key}` } })).text();

test('describes the collections and their items, with a sample that can be added', async () => {
  await using open = await openPets();
  const [pets] = await open.control.call('listCollections', { sandbox });
  expect(pets).toMatchObject({
    path: '/pets',
    id: 'id',
    count: 30,
    pointer: '#/components/schemas/Pet',
  });
  expect(pets?.members).toContainEqual({
    name: 'status',
    type: 'string',
    required: false,
    readOnly: false,
    enum: ['available', 'pending', 'sold'],
    description: 'Availability of the pet.',
  });
  const body = { ...pets?.sample };
  expect(await open.control.call('addItem', { sandbox, collection, body })).toEqual({
    id: '31',
    item: { id: 31, ...body },
  });
});

test('adds, replaces and removes items, which the service then serves', async () => {
  await using open = await openPets();
  const { control } = open;
  expect(await control.call('addItem', { sandbox, collection, body: pet })).toMatchObject({
    id: '31',
  });
  expect(await answered(open, '/pets/31')).toBe('{"id":31,"name":"Rex","categoryId":1}');
  const body = { name: 'Bob', categoryId: 2 };
  expect(await control.call('replaceItem', { sandbox, collection, item: '31', body })).toEqual({
    id: '31',
    item: { id: 31, ...body },
  });
  expect(await answered(open, '/pets/31')).toBe('{"id":31,"name":"Bob","categoryId":2}');
  await control.call('removeItem', { sandbox, collection, item: '31' });
  expect(await answered(open, '/pets/31')).toContain('"not_found"');
  expect(await control.call('addItem', { sandbox, collection, body: pet })).toMatchObject({
    id: '32',
  });
  expect((await control.call('listItems', { sandbox: 'b', collection })).total).toBe(30);
});

test('rejects an invalid item with the reason and its pointer, and changes nothing', async () => {
  await using open = await openPets();
  const { control } = open;
  const add = (body: object): Promise<unknown> =>
    refusal(control.call('addItem', { sandbox, collection, body: { ...body } }));
  expect([await add({ name: 3 }), await add({ ...pet, id: 5 })]).toEqual([
    [
      400,
      'The item breaks the contract: categoryId is required (at /categoryId); name must be a string, not 3 (at /name).',
    ],
    [400, 'An item with the id 5 already exists.'],
  ]);
  const replace = (item: string, body: object): Promise<unknown> =>
    refusal(control.call('replaceItem', { sandbox, collection, item, body: { ...body } }));
  expect([
    await replace('1', {}),
    await replace('1', { ...pet, id: 2 }),
    await replace('99', pet),
    await refusal(control.call('removeItem', { sandbox, collection, item: '01' })),
    await refusal(control.call('listItems', { sandbox, collection: '/cats' })),
  ]).toEqual([
    [400, expect.stringContaining('name is required (at /name)')],
    [400, 'The id of an item cannot change: it is 1, not 2.'],
    [404, 'There is no item "99".'],
    [404, 'There is no item "01".'],
    [404, 'There is no collection "/cats"; known: /pets.'],
  ]);
  expect((await control.call('listItems', { sandbox, collection })).total).toBe(30);
  expect(await control.call('addItem', { sandbox, collection, body: pet })).toMatchObject({
    id: '31',
  });
});

test('keeps integers beyond 2^53 exact', async () => {
  await using open = await openPets();
  const items = `${open.origin}/_mock/sandboxes/a/items`;
  const send = async (method: string, path: string, body?: string): Promise<string> => {
    const headers = { 'content-type': 'application/json' };
    const init = { method, headers, ...(body === undefined ? {} : { body }) };
    return await (await fetch(`${items}${path}?collection=/pets`, init)).text();
  };
  const text = (id: string, name: string): string =>
    `{"id":"${id}","item":{"id":${id},"name":"${name}","categoryId":9007199254740993}}`;
  const big = '{"id":9007199254740993,"name":"Big","categoryId":9007199254740993}';
  expect(await send('POST', '', big)).toBe(text('9007199254740993', 'Big'));
  const more = '{"name":"More","categoryId":9007199254740993}';
  expect(await send('PUT', '/9007199254740993', more)).toBe(text('9007199254740993', 'More'));
  expect(await send('POST', '', more)).toBe(text('9007199254740994', 'More'));
  expect(await send('DELETE', '/9007199254740993')).toBe('');
});

test('lists items by page and by text', async () => {
  await using open = await openPets();
  const list = async (query: object): Promise<unknown> => {
    const { total, items } = await open.control.call('listItems', {
      sandbox,
      collection,
      ...query,
    });
    return [total, items.map(({ id }) => id)];
  };
  expect([
    await list({ offset: 28 }),
    await list({ offset: 1, limit: 2 }),
    await list({ text: 'REX' }),
    await list({ text: '"categoryid":3,', limit: 1 }),
  ]).toEqual([
    [30, ['29', '30']],
    [30, ['2', '3']],
    [1, ['1']],
    [expect.any(Number), [expect.any(String)]],
  ]);
});

test('has nested collections of existing items', async () => {
  const file = new URL('../../../fixtures/documents/shapes/nested.yaml', import.meta.url).pathname;
  await using open = await openMock(await loadContract({ file }));
  const { control } = open;
  const main = { sandbox: 'main' };
  const pathsOf = async (): Promise<readonly string[]> =>
    (await control.call('listCollections', main)).map(({ path }) => path);
  const initial = ['/hostels', '/hostels/1/beds', '/hostels/2/beds'];
  expect(await pathsOf()).toEqual(initial);
  await control.call('addItem', { ...main, collection: '/hostels', body: { name: 'Home' } });
  expect(await pathsOf()).toEqual([...initial, '/hostels/3/beds']);
  const beds = { ...main, collection: '/hostels/1/beds' };
  const { id, item } = await control.call('addItem', { ...beds, body: { label: 'By the window' } });
  expect(item).toMatchObject({ label: 'By the window' });
  expect(JSON.parse(await answered(open, `/hostels/1/beds/${id}`))).toEqual(item);
  await control.call('replaceItem', { ...beds, item: id, body: { label: 'By the door' } });
  expect(await answered(open, `/hostels/1/beds`)).toContain('By the door');
  expect(await refusal(control.call('addItem', { ...beds, body: { label: 3 } }))).toEqual([
    400,
    'The item breaks the contract: label must be a string, not 3 (at /label).',
  ]);
  await control.call('removeItem', { ...beds, item: id });
  expect(await answered(open, `/hostels/1/beds/${id}`)).not.toContain('By the');
});
