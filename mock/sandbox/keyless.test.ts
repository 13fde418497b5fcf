import { expect, test } from 'vitest';
import { loadContract } from '../../contract/load.ts';
import { loadPetstore } from '../../test/mock/contracts.ts';
import { createTestClient } from '../../test/mock/test-client.ts';

test.each([
  ['no key', undefined],
  ['a wrong key', 'nonsense'],
  ['a key that would name the sandbox', 'free_no-key'],
])('%s: changes to main do not affect such a request', async (_what, key) => {
  const client = createTestClient(await loadPetstore());
  const control = await client.mock.control();
  const before = client.send('GET', '/pets', { key });
  const main = control.sandbox('main');
  main.clock.set(Date.UTC(2031, 0));
  main.addFault({ status: 503 });
  main.stubs.add({ response: { status: 418 } });
  const after = client.send('GET', '/pets', { key });
  expect([before.status, after.status]).toEqual([401, 401]);
  const [reset, earlier] = [after, before].map(({ headers }) =>
    Number(headers.get('x-ratelimit-reset')),
  );
  expect(reset).toBe(earlier);
  expect(main.journal()).toEqual([]);
  expect(control.sandbox('no-key').journal()).toHaveLength(2);
});

test('changes to the sandbox of keyless requests do not affect keys', async () => {
  const client = createTestClient(await loadPetstore());
  (await client.mock.control()).sandbox('no-key').addFault({ status: 503 });
  expect(() => client.send('GET', '/pets', { key: undefined })).toThrow('answered 503');
  for (const key of ['demo-free', 'free_alice'])
    expect(client.send('GET', '/pets', { key }).status).toBe(200);
});

test('if no key is required, all requests belong to main', async () => {
  const contract = await loadContract({
    text: "{ openapi: 3.1.0, info: { title: A, version: '1' }, paths: { /a: { get: { responses: { '200': { description: A. } } } } } }",
  });
  const client = createTestClient(contract);
  expect(client.send('GET', '/a', { key: undefined }).status).toBe(200);
  const control = await client.mock.control();
  expect(control.sandboxes).toEqual(['main']);
  expect(control.sandbox('main').journal()).toHaveLength(1);
});
