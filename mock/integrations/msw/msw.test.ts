import { setupServer } from 'msw/node';
import { http } from 'msw';
import { expect, onTestFinished, test } from 'vitest';
import { createMock } from '../../index.ts';
import { loadInventory, loadPetstore } from '../../../test/mock/contracts.ts';
import { mockHandlers } from './msw.ts';

const [contract, seed] = await Promise.all([loadPetstore(), loadInventory()]);
const headers = { authorization: 'Bearer demo-free', 'content-type': 'application/json' };

const serve = (...handlers: Parameters<typeof setupServer>): void => {
  const server = setupServer(...handlers);
  server.listen({ onUnhandledFrame: 'error' });
  onTestFinished(() => server.close());
};

test.each([
  ['an address without a path', 'https://api.example.com', 'https://api.example.com/v1/pets'],
  ['a slash at the end', 'https://api.example.com/v1/', 'https://api.example.com/v1/pets'],
  ['a port', 'http://127.0.0.1:4010/v1', 'http://127.0.0.1:4010/v1/pets'],
  ['a path of its own', 'https://staging.example/api/v2', 'https://staging.example/api/v2/pets'],
])('answers under a base URL with %s', async (_name, baseUrl, url) => {
  serve(...mockHandlers(createMock(contract, { seed }), baseUrl));
  const response = await fetch(`${url}?limit=2`, { headers });
  expect([response.status, await response.json()]).toEqual([
    200,
    [expect.anything(), expect.anything()],
  ]);
});

test('every method and path under the base URL is answered, in the error shape if nothing matches', async () => {
  serve(...mockHandlers(createMock(contract, { seed }), 'https://api.example.com/v1'));
  const statuses = async (...paths: readonly string[]): Promise<readonly number[]> =>
    await Promise.all(
      paths.map(
        async (path) => (await fetch(`https://api.example.com/v1${path}`, { headers })).status,
      ),
    );
  expect(await statuses('', '/', '/nothing', '/pets/1')).toEqual([404, 404, 404, 200]);
  const [refused, head] = await Promise.all(
    ['DELETE', 'HEAD'].map((method) =>
      fetch('https://api.example.com/v1/pets', { method, headers }),
    ),
  );
  expect([
    refused?.status,
    refused?.headers.get('allow'),
    head?.status,
    await head?.text(),
  ]).toEqual([405, expect.stringContaining('GET'), 200, '']);
});

test('other URLs are left to other handlers', async () => {
  serve(
    ...mockHandlers(createMock(contract, { seed }), 'https://api.example.com/v1'),
    http.get('https://api.example.com/v10/pets', () => new Response('other')),
  );
  expect(await (await fetch('https://api.example.com/v10/pets')).text()).toBe('other');
});

test('two mocks behind one server share nothing', async () => {
  serve(
    ...['https://one.example', 'https://other.example'].flatMap((origin) =>
      mockHandlers(createMock(contract, { seed: {} }), origin),
    ),
  );
  const added = await fetch('https://one.example/v1/pets', {
    method: 'POST',
    headers,
    body: '{"name":"Rex","categoryId":9007199254740993}',
  });
  expect([added.status, await added.text()]).toEqual([
    201,
    expect.stringContaining('9007199254740993'),
  ]);
  const list = await fetch('https://other.example/v1/pets', { headers });
  expect([await list.json(), list.headers.get('x-ratelimit-remaining')]).toEqual([[], '59']);
});

test('an invalid base URL is rejected at once', () => {
  expect(() => mockHandlers(createMock(contract), 'ftp://api.example.com')).toThrow(
    'is not a base URL',
  );
});
