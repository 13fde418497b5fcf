import { expect, test } from 'vitest';
import { loadContract } from '../contract/load.ts';
import { createMock, type Mock } from './mock.ts';
import { sandboxOfKey } from './sandbox/keyring.ts';

const securitySchemes = {
  token: { type: 'http', scheme: 'Bearer' },
  password: { type: 'http', scheme: 'basic' },
  digest: { type: 'http', scheme: 'digest' },
  oauth: { type: 'oauth2', flows: {} },
  header: { type: 'apiKey', in: 'header', name: 'X-Key' },
  query: { type: 'apiKey', in: 'query', name: 'api key' },
  cookie: { type: 'apiKey', in: 'cookie', name: 'session' },
  connection: { type: 'mutualTLS' },
};

async function mockWith(security: object): Promise<Mock> {
  const contract = await loadContract({
    text: JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Guarded', version: '1' },
      paths: { '/x': { get: { responses: { 204: { description: 'Done.' } }, security } } },
      components: { securitySchemes },
    }),
  });
  return createMock(contract);
}

/** The status of a request, and the sandbox that it reached. */
async function reach(
  security: object,
  headers: Readonly<Record<string, string>>,
  query = '',
): Promise<string> {
  const mock = await mockWith(security);
  const { status } = mock.handle({
    method: 'GET',
    target: `/x${query}`,
    headers,
    content: undefined,
  });
  const control = await mock.control();
  const last = control.sandboxes.at(-1);
  return `${status} ${last}`;
}

test.each<[object, Readonly<Record<string, string>>, string, string]>([
  [[{ token: [] }], { authorization: 'bearer demo' }, '', '204 main'],
  [[{ token: [] }], { authorization: 'Bearer alice' }, '', '204 alice'],
  [[{ token: [] }], { authorization: 'Bearer demo_alice' }, '', '204 alice'],
  [[{ token: [] }], { authorization: 'Bearer a+b' }, '', `204 ${sandboxOfKey('a+b')}`],
  [[{ token: [] }], { authorization: 'Bearer a b' }, '', '401 no-key'],
  [[{ token: [] }], {}, '', '401 no-key'],
  [[{ token: [] }], { authorization: 'Bearer invalid' }, '', '401 no-key'],
  [[{ oauth: ['read'] }], { authorization: 'Bearer alice' }, '', '204 alice'],
  [[{ password: [] }], { authorization: `Basic ${btoa('alice:secret')}` }, '', '204 alice'],
  [[{ password: [] }], { authorization: 'Basic !' }, '', '401 no-key'],
  [[{ password: [] }], { authorization: 'Bearer alice' }, '', '401 no-key'],
  [[{ digest: [] }], { authorization: 'Digest username="alice", uri="/"' }, '', '204 alice'],
  [[{ header: [] }], { 'x-key': 'alice' }, '', '204 alice'],
  [[{ query: [] }], {}, '?api+key=alice', '204 alice'],
  [[{ cookie: [] }], { cookie: 'a=b; session=alice' }, '', '204 alice'],
  [[{ connection: [] }], {}, '', '204 main'],
  [[{ connection: [], header: [] }], { 'x-key': 'alice' }, '', '204 alice'],
  [[{ header: [] }, { token: [] }], { authorization: 'Bearer alice' }, '', '204 alice'],
  [[{ header: [], query: [] }], { 'x-key': 'alice' }, '', '401 no-key'],
  [[{ header: [], query: [] }], { 'x-key': 'alice' }, '?api%20key=other', '204 alice'],
  [[{ token: [], password: [] }], { authorization: 'Bearer alice' }, '', '204 alice'],
  [[{ token: [] }, {}], {}, '', '204 main'],
  [[{ token: [] }, {}], { authorization: 'Bearer alice' }, '', '204 alice'],
  [[], {}, '', '204 main'],
])(
  'security %j reads headers %j and query %j as %s',
  async (security, headers, query, expected) => {
    expect(await reach(security, headers, query)).toBe(expected);
  },
);

test('a refusal names every scheme', async () => {
  const mock = await mockWith([{ token: [] }, { password: [] }, { header: [] }]);
  const { headers } = mock.handle({ method: 'GET', target: '/x', headers: {}, content: undefined });
  expect(headers[headers.indexOf('WWW-Authenticate') + 1]).toBe(
    'Bearer realm="Guarded", Basic realm="Guarded", charset="UTF-8", ApiKey realm="Guarded", in="header", name="X-Key"',
  );
});

test('each response has nosniff, unless the document defines the header', async () => {
  const headersOf = async (headers: object): Promise<readonly string[]> => {
    const contract = await loadContract({
      text: JSON.stringify({
        openapi: '3.1.0',
        info: { title: 'Guarded', version: '1' },
        paths: { '/x': { get: { responses: { 204: { description: 'Done.', headers } } } } },
      }),
    });
    const request = { method: 'GET', target: '/x', headers: {}, content: undefined };
    return createMock(contract).handle(request).headers;
  };
  expect(await headersOf({})).toEqual(
    expect.arrayContaining(['X-Content-Type-Options', 'nosniff']),
  );
  const own = { required: true, schema: { type: 'string', const: 'none' } };
  const headers = await headersOf({ 'x-content-type-options': own });
  expect(headers).toEqual(expect.arrayContaining(['x-content-type-options', 'none']));
  expect(headers).not.toContain('nosniff');
});
