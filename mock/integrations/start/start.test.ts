import { fileURLToPath, pathToFileURL } from 'node:url';
import { request } from 'undici';
import { expect, test } from 'vitest';
import { loadBooks, loadTlsIdentity } from '../../../test/mock/contracts.ts';
import { createMock } from '../../mock.ts';
import { createFetchHandler } from '../handler/handler.ts';
import { createDispatcher } from '../undici/undici.ts';
import { createTestSandbox } from '../vitest/test-sandbox.ts';
import { type StartOptions, loadBundledContract, startMock } from './start.ts';

const books = fileURLToPath(new URL('../../../fixtures/documents/books.yaml', import.meta.url));

test('one line starts the mock of this package, with its inventory', async () => {
  let url = '';
  {
    await using mock = await startMock();
    ({ url } = mock);
    expect([mock.key, mock.port > 0]).toEqual(['demo-free', true]);
    const response = await fetch(`${url}/pets`, {
      headers: { Authorization: `Bearer ${mock.key}` },
    });
    expect([response.status, await response.text()]).toEqual([
      200,
      expect.stringContaining('"name":"Rex"'),
    ]);
    const inProcess = await mock.mock.fetch(`${url}/pets/1`, {
      headers: { Authorization: `Bearer ${mock.key}` },
    });
    expect(inProcess.headers.get('x-ratelimit-remaining')).toBe('58');
  }
  await expect(fetch(url)).rejects.toThrow('fetch failed');
});

test('every integration starts with the inventory', async () => {
  const contract = await loadBundledContract();
  await using started = await startMock({ contract });
  await using sandbox = await createTestSandbox({ contract });
  const { fetch: served } = await createFetchHandler({ contract });
  const url = 'https://api.example.com/v1/pets?limit=100';
  const init = { headers: { authorization: 'Bearer demo-free' } };
  const dispatcher = createDispatcher(createMock(contract), 'https://api.example.com/v1');
  const responses = await Promise.all([
    fetch(`${started.url}/pets?limit=100`, init),
    sandbox.fetch('/pets?limit=100', init),
    served(new Request(url, init)),
    createMock(contract).fetch(url, init),
    request(url, { ...init, dispatcher }).then(({ body }) => body),
  ]);
  for (const response of responses) expect(await response.json()).toHaveLength(30);
  expect((await createMock(contract, { seed: {} }).control()).sandbox('main').itemCounts).toEqual({
    '/pets': 0,
  });
});

test.each<[string, () => Promise<StartOptions['contract']>]>([
  ['a path', async () => books],
  ['an address of a file', async () => pathToFileURL(books)],
  ['the text of such an address', async () => pathToFileURL(books).href],
  ['a contract that is loaded', () => loadBooks()],
])('serves the document of %s', async (_name, find) => {
  const contract = await find();
  await using mock = await startMock(contract === undefined ? {} : { contract });
  const { status } = await fetch(`${mock.url}/books`);
  expect([mock.mock.contract.title, status]).toEqual(['Library', 401]);
});

test('serves the document at a URL', async () => {
  await using other = await startMock();
  const contract = new URL('/_mock/openapi.yaml', other.url);
  await using mock = await startMock({ contract });
  expect(mock.mock.contract.digest).not.toBe(other.mock.contract.digest);
  await expect(startMock({ contract: `${other.url}/nothing` })).rejects.toThrow(
    '/v1/nothing responds with status 404.',
  );
});

test('accepts the options of the mock and of the server', async () => {
  await using mock = await startMock({
    seed: {},
    limits: { free: { minute: 2 } },
    control: false,
    tls: await loadTlsIdentity(),
  });
  const { protocol, origin } = new URL(mock.url);
  const list = await mock.mock.fetch(`${mock.url}/pets`, {
    headers: { Authorization: `Bearer ${mock.key}` },
  });
  expect([protocol, await list.json(), list.headers.get('x-ratelimit-limit')]).toEqual([
    'https:',
    [],
    '2',
  ]);
  expect((await mock.mock.fetch(`${origin}/_mock/sandboxes`)).status).toBe(404);
});

test('rejects an invalid document, and starts nothing', async () => {
  await expect(startMock({ contract: 'no-such-file.yaml' })).rejects.toThrow('no-such-file.yaml');
});
