import { expect, test } from 'vitest';
import { openMock } from '../../../test/mock/control/open-mock.ts';

const key = 'sk_live_51Habcdef';
const json = { 'content-type': 'application/json' };
const body = `{"name":"${key}","categoryId":1}`;

test.each<[string, string, RequestInit]>([
  ['a query, by its name', `/pets?limit=1&api_key=${key}`, {}],
  ['another name of a query', `/pets?access_token=${key}`, {}],
  ['a header that is not a credential of the document', '/pets', { headers: { 'x-api-key': key } }],
  ['a cookie without a name', '/pets', { headers: { cookie: `a=b; ${key}` } }],
  [
    'the body beside the header',
    '/pets',
    { method: 'POST', headers: { ...json, authorization: `Bearer ${key}` }, body },
  ],
  [
    'another header beside the header',
    '/pets',
    { headers: { authorization: `Bearer ${key}`, 'x-from': `http://a/?k=${key}` } },
  ],
  ['a path that is not there', `/${key}`, { headers: { authorization: `Bearer ${key}` } }],
])('an unknown key is shown nowhere: in %s', async (name, path, init) => {
  await using open = await openMock();
  await (await fetch(open.url + path, init)).text();
  // A request outside of all operations needs no key.
  const sandbox = name === 'a path that is not there' ? 'main' : 'no-key';
  const journal = await open.control.call('readJournal', { sandbox });
  const detail = await open.control.call('readExchange', { sandbox, index: 0 });
  expect(journal.exchanges).toHaveLength(1);
  expect(JSON.stringify([journal, detail])).not.toContain(key);
});

test('a valid key appears neither in the reason of a refusal nor in a hint', async () => {
  await using open = await openMock();
  const headers = { authorization: 'Bearer free_alice', prefer: 'example=free_alice' };
  for (const path of ['/free_alice', '/pets/free_alice', '/pets'])
    await (await fetch(open.url + path, { headers })).text();
  const { exchanges } = await open.control.call('readJournal', { sandbox: 'alice' });
  expect(exchanges.map(({ status }) => status)).toEqual([404, 404, 200]);
  expect(JSON.stringify(exchanges)).not.toContain('free_alice');
});
