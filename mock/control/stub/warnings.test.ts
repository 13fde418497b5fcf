import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadPetstore } from '../../../test/mock/contracts.ts';
import { ControlError } from '../client.ts';
import { type OpenMock, contractOf, openMock } from '../../../test/mock/control/open-mock.ts';
import type { StubRule } from '../declaration/schemas.ts';

let open: OpenMock;
beforeAll(async () => {
  open = await openMock(undefined, { seed: {} });
});
afterAll(async () => {
  await open.close();
});

const list = { operation: 'listPets' };
const pet = { operation: 'getPet' };
const item = { id: 1, name: 'Tom', categoryId: 1 };

const breaks: readonly (readonly [StubRule, string, string | undefined])[] = [
  [
    { request: pet, response: { status: 418 } },
    'getPet does not document status 418, only 200, 401, 404, 429.',
    '#/paths/~1pets~1{petId}/get/responses',
  ],
  [
    { request: pet, response: { body: { id: 1, name: 'Tom' } } },
    'The body does not match its schema: categoryId is required (at /categoryId).',
    '#/components/schemas/NewPet/required',
  ],
  [
    { request: list, response: { text: 'none' } },
    'The body is text/plain, but the 200 of listPets must be application/json.',
    '#/paths/~1pets/get/responses/200/content',
  ],
  [
    { request: list, response: { text: 'none', headers: { 'content-type': 'application/json' } } },
    'The body is not JSON.',
    '#/paths/~1pets/get/responses/200/content/application~1json',
  ],
  [
    { request: list, response: { text: '' } },
    'The body is empty, but the 200 of listPets must be application/json.',
    '#/paths/~1pets/get/responses/200/content',
  ],
  [
    { request: list, response: { headers: { 'X-RateLimit-Limit': null } } },
    'X-RateLimit-Limit is missing; the 200 of listPets requires it.',
    '#/components/headers/RateLimitLimit',
  ],
  [
    { request: list, response: { headers: { 'X-RateLimit-Remaining': '5000' } } },
    'X-RateLimit-Remaining is above X-RateLimit-Limit.',
    '#/x-rate-limit',
  ],
  [
    { request: pet, response: { status: 404, body: { code: 'a', message: 'b', status: 400 } } },
    'status in the body must be 404, the status of the response (at /status).',
    '#/components/responses/NotFound',
  ],
  [
    { request: { ...list, query: { limt: '1' } }, response: {} },
    'listPets: There is no query parameter "limt"; did you mean limit? There are limit, status.',
    '#/paths/~1pets/get',
  ],
  [
    { request: { ...pet, body: { text: 'a' } }, response: {} },
    'The stub expects a body, but getPet has none.',
    '#/paths/~1pets~1{petId}/get',
  ],
  [
    { request: list, response: { example: 'three' } },
    'listPets: There is no example "three"; there are two, none, missingKey, usual.',
    '#/paths/~1pets/get',
  ],
  [
    { request: { method: 'GET', path: '/toys' }, response: {} },
    'The document has no GET /toys. Without the stub, the mock refuses this request.',
    '#/paths',
  ],
  [
    { request: { ...pet, path: '/v1/toys' }, response: {} },
    'No request matches getPet, /toys, so the stub never applies.',
    '#/paths',
  ],
];

describe('a stub that breaks the contract is accepted, with a warning', () => {
  test.for(breaks)('%j', async ([body, message, pointer]) => {
    const added = await open.control.call('addStub', {
      sandbox: 'a',
      body: JSON.parse(JSON.stringify(body)),
    });
    expect(added.warnings.map((one) => one.message)).toContain(message);
    expect(added.warnings.find((one) => one.message === message)?.pointer).toBe(pointer);
  });

  test.for<readonly [string, StubRule]>([
    ['a list', { request: list, response: { body: [item] } }],
    ['an example', { request: list, response: { example: 'none' } }],
    ['a refusal', { request: pet, response: { status: 404 } }],
    ['a spent limit', { request: list, response: { status: 429 } }],
    ['no key', { request: list, response: { status: 401 } }],
    ['an addition', { request: { operation: 'createPet' }, response: { status: 201, body: item } }],
    ['any header', { request: list, response: { headers: { 'X-Own': 'a' }, delay: 1 } }],
  ])('%s keeps the contract', async ([, rule]) => {
    const sandbox = (await open.mock.control()).sandbox('b');
    expect(sandbox.stubs.add(rule).warnings).toEqual([]);
  });

  test('which is a hint for each request that it answers', async () => {
    const { control, url } = open;
    await control.call('addStub', {
      sandbox: 'c',
      body: { name: 'Teapot', request: list, responses: [{ status: 418 }, { body: [] }] },
    });
    const headers = { authorization: 'Bearer free_c' };
    const statuses = [
      (await fetch(`${url}/pets`, { headers })).status,
      (await fetch(`${url}/pets`, { headers })).status,
    ];
    const { exchanges } = await control.call('readJournal', { sandbox: 'c' });
    expect([statuses, exchanges.map(({ stub, hints }) => ({ stub, hints }))]).toEqual([
      [418, 200],
      [
        {
          stub: { id: 'stub-1', name: 'Teapot' },
          hints: [
            {
              kind: 'stub',
              message:
                'stub-1 breaks the contract: listPets does not document status 418, only 200, 401, 429.',
            },
          ],
        },
        { stub: { id: 'stub-1', name: 'Teapot' } },
      ],
    ]);
    const [shown] = await control.call('listStubs', { sandbox: 'c' });
    expect([shown?.applied, shown?.warnings.length]).toEqual([2, 1]);
    expect(await control.call('getSandbox', { sandbox: 'c' })).toMatchObject({ stubs: 1 });
  });

  test('names only a few of many operations', async () => {
    const paths = Object.fromEntries(
      Array.from({ length: 5 }, (_, at) => [
        `/p${at}`,
        { get: { operationId: `get${at}`, responses: { 204: { description: 'Done.' } } } },
      ]),
    );
    await using other = await openMock(await contractOf({ paths }));
    const sandbox = (await other.mock.control()).sandbox('main');
    expect(
      sandbox.stubs.add({ response: { status: 500 } }).warnings.map((one) => one.message),
    ).toEqual([
      'get0 does not document status 500, only 204.',
      'get1 does not document status 500, only 204.',
      'get2 does not document status 500, only 204.',
      'The same applies to 2 more operations.',
    ]);
    expect(
      sandbox.stubs.add({ response: { text: 'a' }, request: { path: '/p0' } }).warnings,
    ).toEqual([
      { message: 'A 204 response has no body (RFC 9110), so the body of the stub is not sent.' },
    ]);
  });
});

describe('an invalid stub is rejected', () => {
  const refused = async (body: object): Promise<unknown> => {
    const text = JSON.stringify(body);
    return await open.control
      .call('addStub', { sandbox: 'r', body: JSON.parse(text) })
      .catch((error: unknown) => (error instanceof ControlError ? error.message : error));
  };

  test.for<readonly [object, string]>([
    [{}, 'A stub needs either response or responses.'],
    [{ response: {}, responses: [{}] }, 'A stub needs either response or responses.'],
    [{ responses: [] }, 'at least 1'],
    [{ response: { status: 700 } }, 'status must be at most 599 (at /response/status)'],
    [{ response: { body: 1, text: 'a' } }, 'A response can have only one of body, text.'],
    [{ response: { base64: '?' } }, 'base64 must be Base64'],
    [{ response: { headers: { 'a b': 'c' } } }, '"a b" is not a valid header name.'],
    [{ response: { headers: { a: 'b\r\nc: d' } } }, 'The header a must be on one line.'],
    [{ response: { headers: { 'Content-Length': '1' } } }, 'A stub cannot set the header'],
    [{ response: {}, request: { operation: 'getPets' } }, 'did you mean getPet?'],
    [{ response: {}, request: { path: 'pets' } }, 'path'],
    [{ response: {}, request: { path: '/pets?limit=1' } }, 'path'],
    [{ response: {}, request: { body: { members: { a: 1 } } } }, '"a" is not a JSON pointer'],
    [{ response: {}, request: { query: { a: null } } }, 'query'],
    [{ response: {}, often: 1 }, 'often'],
  ])('%j', async ([body, message]) => {
    expect(await refused(body)).toContain(message);
    expect(await open.control.call('listStubs', { sandbox: 'r' })).toEqual([]);
  });

  test('and so is one too many', async () => {
    const sandbox = (await open.mock.control()).sandbox('many');
    sandbox.stubs.addAll(Array.from({ length: 1000 }, () => ({ response: {} })));
    expect(() => sandbox.stubs.add({ response: {} })).toThrow('at most 1000 stubs');
  });
});

test('stubs are replaced, removed and cleared', async () => {
  const { control } = open;
  const sandbox = 'd';
  const rules = [
    { response: { status: 500 } },
    { name: 'two', response: { status: 501 }, times: 1 },
  ];
  const replaced = await control.call('replaceStubs', { sandbox, body: rules });
  expect(replaced.map(({ id, origin, response }) => [id, origin, response])).toEqual([
    ['stub-1', 'control', { status: 500 }],
    ['stub-2', 'control', { status: 501 }],
  ]);
  await control.call('removeStub', { sandbox, stub: 'stub-1' });
  await expect(control.call('removeStub', { sandbox, stub: 'stub-1' })).rejects.toThrow(
    'There is no stub "stub-1".',
  );
  expect((await control.call('listStubs', { sandbox })).map(({ name }) => name)).toEqual(['two']);
  await control.call('clearStubs', { sandbox });
  expect(await control.call('listStubs', { sandbox })).toEqual([]);
});

test('a reload judges stubs again, and keeps them', async () => {
  await using other = await openMock(await loadPetstore());
  const sandbox = (await other.mock.control()).sandbox('main');
  expect(sandbox.stubs.add({ request: pet, response: { status: 404 } }).warnings).toEqual([]);
  await other.mock.reload(
    await contractOf({
      paths: { '/': { get: { operationId: 'home', responses: { 200: { description: 'Ok.' } } } } },
    }),
  );
  expect(sandbox.stubs.all).toMatchObject([
    {
      id: 'stub-1',
      warnings: [{ message: 'No request matches getPet, so the stub never applies.' }],
    },
  ]);
});

describe('bytes', () => {
  const base64 = 'iVBORw0KGgD/';

  test('are sent unchanged by a server, in process and in pieces', async () => {
    const { mock, url } = open;
    const sandbox = (await mock.control()).sandbox('bytes');
    sandbox.stubs.add({
      request: list,
      response: { base64, headers: { 'Content-Type': 'image/png' } },
    });
    const headers = { authorization: 'Bearer free_bytes' };
    const sent = Buffer.from(base64, 'base64');
    for (const ask of [fetch, mock.fetch]) {
      const response = await ask(`${url}/pets`, { headers });
      expect(Buffer.from(await response.arrayBuffer())).toEqual(sent);
      expect([
        response.headers.get('content-length'),
        response.headers.get('content-type'),
      ]).toEqual(['9', 'image/png']);
    }
    sandbox.addFault({ drip: { bytes: 2, milliseconds: 0 } });
    const dripped = await fetch(`${url}/pets`, { headers });
    expect(Buffer.from(await dripped.arrayBuffer())).toEqual(sent);
    const head = await fetch(`${url}/pets`, { headers, method: 'HEAD' });
    expect([head.headers.get('content-length'), await head.text()]).toEqual(['9', '']);
  });

  test('reach undici too', async () => {
    const { fetch: ask } = await import('undici');
    const { createDispatcher } = await import('../../integrations/undici/undici.ts');
    const { mock } = open;
    const stub = { request: list, response: { base64 } };
    (await mock.control()).sandbox('undici').stubs.add(stub);
    const response = await ask('http://mock.example/v1/pets', {
      headers: { authorization: 'Bearer free_undici' },
      dispatcher: createDispatcher(mock, 'http://mock.example/v1'),
    });
    expect(Buffer.from(await response.arrayBuffer()).toString('base64')).toBe(base64);
  });
});
