import { beforeAll, describe, expect, test } from 'vitest';
import type { Contract } from '../../contract/contract.ts';
import { type JsonValue, isJsonObject } from '../../contract/json/value.ts';
import { createMock } from '../mock.ts';
import { loadInventory, loadPetstore } from '../../test/mock/contracts.ts';
import {
  type TestResponse,
  type TestClient,
  createTestClient,
} from '../../test/mock/test-client.ts';

let contract: Contract;
let seed: Awaited<ReturnType<typeof loadInventory>>;
beforeAll(async () => {
  contract = await loadPetstore();
  seed = await loadInventory();
});

const open = (question: string, choice: string): TestClient =>
  createTestClient(contract, { seed, choices: { [question]: choice } });
const status = (client: TestClient, method: string, path: string, request = {}): number =>
  client.send(method, path, request).status;
const list = (client: TestClient, query = ''): readonly JsonValue[] => {
  const { json } = client.send('GET', `/pets${query}`);
  return Array.isArray(json) ? json : [];
};
const ids = (client: TestClient, query = ''): readonly unknown[] =>
  list(client, query).map((item) => member(item, 'id'));
const member = (value: JsonValue, name: string): JsonValue | undefined =>
  isJsonObject(value) ? value[name] : undefined;
const create = (client: TestClient, json: JsonValue): TestResponse =>
  client.send('POST', '/pets', { json });
const pet = { name: 'x', categoryId: 1 };
const range = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => index + 1);

describe('open questions', () => {
  test.each([
    ['refused', '?limit=101', 400],
    ['clamped', '?limit=101', 200],
    ['ignored', '?limit=101', 200],
  ])('invalid-limit=%s', (choice, query, expected) => {
    expect(status(open('invalid-limit', choice), 'GET', `/pets${query}`)).toBe(expected);
  });

  test('invalid-limit: clamped takes the nearest, ignored the default', () => {
    const clamped = open('invalid-limit', 'clamped');
    expect([
      ids(clamped, '?limit=0'),
      ids(clamped, '?limit=101').length,
      ids(clamped, '?limit=99999999999999999999').length,
    ]).toEqual([[1], 30, 30]);
    expect(ids(clamped, '?limit=abc').length).toBe(20);
    expect(ids(open('invalid-limit', 'ignored'), '?limit=0').length).toBe(20);
  });

  test('unknown-status', () => {
    expect(status(open('unknown-status', 'refused'), 'GET', '/pets?status=gone')).toBe(400);
    expect(ids(open('unknown-status', 'empty'), '?status=gone')).toEqual([]);
    expect(ids(open('unknown-status', 'ignored'), '?status=gone')).toEqual(range(20));
  });

  test('status-default', () => {
    for (const choice of ['available', 'pending', 'sold'])
      expect(create(open('status-default', choice), pet).json).toMatchObject({ status: choice });
    expect(create(open('status-default', 'absent'), pet).json).toEqual({ id: 31, ...pet });
    expect(
      create(open('status-default', 'pending'), { ...pet, status: 'sold' }).json,
    ).toMatchObject({ status: 'sold' });
  });

  test('list-order', () => {
    expect(ids(open('list-order', 'id-descending'), '?limit=3')).toEqual([30, 29, 28]);
    expect(
      list(open('list-order', 'name-ascending'), '?limit=3').map((item) => member(item, 'name')),
    ).toEqual(['A', 'Bella', 'Bubbles']);
    const client = open('list-order', 'none');
    expect(ids(client, '?limit=100')).not.toEqual(ids(client, '?limit=100'));
    expect(ids(client, '?limit=100').toSorted((a, b) => Number(a) - Number(b))).toEqual(range(30));
  });

  test('name-limits', () => {
    const statuses = (choice: string): readonly number[] => {
      const client = open('name-limits', choice);
      return ['', 'x', '🐢'.repeat(255), 'x'.repeat(256), 'a\u0007'].map(
        (name) => create(client, { ...pet, name }).status,
      );
    };
    expect(statuses('none')).toEqual([201, 201, 201, 201, 201]);
    expect(statuses('not-empty')).toEqual([400, 201, 201, 201, 201]);
    expect(statuses('at-most-255')).toEqual([400, 201, 201, 400, 201]);
    expect(statuses('printable')).toEqual([400, 201, 201, 400, 400]);
  });

  test('category-existence', () => {
    const client = open('category-existence', 'must-exist');
    expect(create(client, { ...pet, categoryId: 9007199254740993n }).status).toBe(201);
    const refused = create(client, { ...pet, categoryId: 77 });
    expect([refused.status, member(refused.json, 'message')]).toEqual([
      400,
      'categoryId names a record that does not exist (at /categoryId)',
    ]);
    expect(create(open('category-existence', 'any'), { ...pet, categoryId: 77 }).status).toBe(201);
  });

  test('unknown-properties', () => {
    const body = { ...pet, collar: 'red' };
    expect(create(open('unknown-properties', 'ignored'), body).json).toEqual({
      id: 31,
      ...pet,
      status: 'available',
    });
    expect(create(open('unknown-properties', 'kept'), body).json).toEqual({
      id: 31,
      ...body,
      status: 'available',
    });
    expect(member(create(open('unknown-properties', 'refused'), body).json, 'message')).toBe(
      'collar is not allowed (at /collar)',
    );
  });

  test('unknown-properties=kept stores __proto__ as an ordinary member', () => {
    const response = open('unknown-properties', 'kept').send('POST', '/pets', {
      content: '{"name":"x","categoryId":1,"__proto__":{"a":1}}',
    });
    expect(response.text).toContain('"__proto__":{"a":1}');
  });

  test('client-id', () => {
    const body = { id: 7, ...pet };
    expect(create(open('client-id', 'ignored'), body).json).toMatchObject({ id: 31 });
    expect(create(open('client-id', 'refused'), body)).toMatchObject({ status: 400 });
    expect(create(open('client-id', 'refused'), pet)).toMatchObject({ status: 201 });
  });

  test('invalid-pet-id', () => {
    for (const [choice, expected] of [
      ['not-found', 404],
      ['refused', 400],
    ] as const) {
      const client = open('invalid-pet-id', choice);
      expect([
        status(client, 'GET', '/pets/abc'),
        status(client, 'GET', '/pets/9223372036854775808'),
        status(client, 'GET', '/pets/99'),
      ]).toEqual([expected, expected, 404]);
    }
  });

  test('request-media-type', () => {
    const send = (choice: string): number =>
      status(open('request-media-type', choice), 'POST', '/pets', {
        content: '{"name":"x","categoryId":1}',
        headers: { 'content-type': 'text/plain' },
      });
    expect(['unsupported', 'refused', 'accepted'].map(send)).toEqual([415, 400, 201]);
  });

  test('accept-header', () => {
    const send = (choice: string, accept: string): number =>
      status(open('accept-header', choice), 'GET', '/pets', { headers: { accept } });
    expect(send('ignored', 'text/html')).toBe(200);
    const strict = (accept: string): number => send('not-acceptable', accept);
    expect(
      ['text/html', 'application/json;q=0', 'application/json;q=0, */*', 'text/*'].map(strict),
    ).toEqual([406, 406, 406, 406]);
    expect(
      [
        'application/json',
        '*/*',
        'application/*;q=0.1',
        '',
        'text/html, application/json;q=0.5',
      ].map(strict),
    ).toEqual([200, 200, 200, 200, 200]);
  });

  test('malformed-body', () => {
    expect(status(open('malformed-body', 'refused'), 'POST', '/pets', { content: '{' })).toBe(400);
    expect(status(open('malformed-body', 'unprocessable'), 'POST', '/pets', { content: '{' })).toBe(
      422,
    );
  });

  test('order-of-checks', () => {
    const send = (choice: string, json: JsonValue): number =>
      status(open('order-of-checks', choice), 'POST', '/pets', { key: 'wrong', json });
    expect([send('credential-first', {}), send('body-first', {}), send('body-first', pet)]).toEqual(
      [401, 400, 401],
    );
  });

  test('order-of-checks=body-first stores nothing for a wrong key', () => {
    const client = open('order-of-checks', 'body-first');
    client.send('POST', '/pets', { key: 'wrong', json: pet });
    expect(ids(client, '?limit=100')).toEqual(range(30));
  });

  test('undescribed-requests', () => {
    expect(status(open('undescribed-requests', 'http'), 'PUT', '/pets')).toBe(405);
    expect(status(open('undescribed-requests', 'not-found'), 'PUT', '/pets')).toBe(404);
  });

  test('error-codes', () => {
    const codeOf = (choice: string): JsonValue | undefined =>
      member(create(open('error-codes', choice), {}).json, 'code');
    expect(['reason', 'status-phrase', 'status-number'].map(codeOf)).toEqual([
      'invalid_body',
      'BAD_REQUEST',
      '400',
    ]);
  });
});

describe('open questions about other operations, keys and versions', () => {
  test('store-operations', () => {
    expect(status(open('store-operations', 'not-served'), 'GET', '/store/orders')).toBe(404);
    const served = open('store-operations', 'served');
    const response = served.mock.handle({
      method: 'GET',
      target: '/v1/store/orders',
      headers: { authorization: 'Bearer demo-free' },
      content: undefined,
    });
    expect([
      response.status,
      response.body,
      response.headers.includes('X-RateLimit-Remaining'),
    ]).toEqual([200, '[]', true]);
    expect([
      status(served, 'GET', '/store/orders', { key: 'wrong' }),
      status(served, 'POST', '/store/orders'),
    ]).toEqual([401, 405]);
  });

  test('category-records=served works if the question names paths, and is rejected if it does not', () => {
    const pathless = contract.openQuestions.map((question) => ({ ...question, details: {} }));
    expect(() =>
      createTestClient(
        { ...contract, openQuestions: pathless },
        { choices: { 'category-records': 'served' } },
      ),
    ).toThrow(
      'The mock cannot play the choice "served" of the question category-records: the document names no paths for it (`paths` of the question).',
    );
    const openQuestions = contract.openQuestions.map((question) =>
      question.id === 'category-records'
        ? { ...question, details: { paths: ['/categories', '/categories/{categoryId}'] } }
        : question,
    );
    const { mock } = createTestClient(
      { ...contract, openQuestions },
      { choices: { 'category-records': 'served' } },
    );
    const get = (path: string): string =>
      mock.handle({
        method: 'GET',
        target: `/v1${path}`,
        headers: { authorization: 'Bearer demo-free' },
        content: undefined,
      }).body;
    expect([get('/categories'), get('/categories/7')]).toEqual(['[]', '{}']);
  });

  test('experimental-operations', () => {
    const marks = (client: TestClient): readonly unknown[] =>
      [create(client, pet), client.send('GET', '/pets')].map(({ headers }) =>
        headers.get('x-experimental'),
      );
    expect([
      marks(open('experimental-operations', 'none')),
      marks(open('experimental-operations', 'marked')),
    ]).toEqual([
      [undefined, undefined],
      ['true', undefined],
    ]);
  });

  test('key-issuance', () => {
    const add = (choice: string, key: string): number =>
      status(open('key-issuance', choice), 'POST', '/pets', { key, json: pet });
    expect([
      add('full-access', 'free_a-readonly'),
      add('scoped', 'free_a-readonly'),
      add('scoped', 'free_a'),
      add('scoped', 'demo-free'),
    ]).toEqual([201, 403, 201, 201]);
    expect(status(open('key-issuance', 'scoped'), 'GET', '/pets', { key: 'free_a-readonly' })).toBe(
      200,
    );
  });

  test('events', () => {
    const eventsOf = (choice: string): readonly unknown[] => {
      const seen: unknown[] = [];
      const client = createTestClient(contract, {
        seed,
        choices: { events: choice },
        onEntry: ({ event }) => seen.push(event),
      });
      for (const json of [pet, {}]) create(client, json);
      client.send('GET', '/pets');
      return seen;
    };
    expect([eventsOf('none'), eventsOf('sent')]).toEqual([
      [undefined, undefined, undefined],
      ['createPet', undefined, undefined],
    ]);
  });

  test('status-transitions=elsewhere changes nothing on its own', () => {
    const client = open('status-transitions', 'elsewhere');
    expect(client.send('GET', '/pets').text).toBe(
      open('status-transitions', 'never').send('GET', '/pets').text,
    );
  });

  test('versioning', () => {
    const get = (choice: string, target: string): number =>
      open('versioning', choice).mock.handle({
        method: 'GET',
        target,
        headers: { authorization: 'Bearer demo-free' },
        content: undefined,
      }).status;
    expect([
      get('one-version', '/v2/pets'),
      get('several-versions', '/v2/pets?limit=1'),
      get('several-versions', '/v2'),
      get('several-versions', '/v22/pets'),
      get('several-versions', '/v1/pets'),
    ]).toEqual([404, 200, 404, 404, 200]);
  });
});

describe('paging', () => {
  const next = (client: TestClient, path: string): string | undefined =>
    /^<\/v1(.*)>; rel="next"$/.exec(client.send('GET', path).headers.get('link') ?? '')?.[1];

  test('none sends no links', () => {
    expect(next(open('paging', 'none'), '/pets?limit=2')).toBeUndefined();
  });

  test('link-header leads through all items with filters kept, and ends', () => {
    const client = open('paging', 'link-header');
    const pages: number[][] = [];
    for (
      let path: string | undefined = '/pets?limit=12';
      path !== undefined;
      path = next(client, path)
    )
      pages.push(ids(client, path.slice('/pets'.length)).map(Number));
    expect([pages.map(({ length }) => length), pages.flat()]).toEqual([[12, 12, 6], range(30)]);
    expect(next(client, '/pets?status=sold&limit=1')).toMatch(
      /^\/pets\?status=sold&limit=1&cursor=\w+$/,
    );
    expect(next(client, '/pets?limit=30')).toBeUndefined();
    expect(status(client, 'GET', '/pets?cursor=x')).toBe(400);
  });

  test('link-header leads through all items once, even if the order changes', () => {
    const client = createTestClient(contract, {
      seed,
      choices: { paging: 'link-header', 'list-order': 'none' },
    });
    const pages: number[] = [];
    for (let path: string | undefined = '/pets?limit=7'; path !== undefined;) {
      const response = client.send('GET', path);
      pages.push(
        ...(Array.isArray(response.json) ? response.json : []).map((item) =>
          Number(member(item, 'id')),
        ),
      );
      path = /^<\/v1(.*)>/.exec(response.headers.get('link') ?? '')?.[1];
    }
    expect([pages.length, new Set(pages).size]).toEqual([30, 30]);
  });

  test('query-parameters counts pages', () => {
    const client = open('paging', 'query-parameters');
    expect([
      ids(client, '?limit=2'),
      ids(client, '?limit=2&page=2'),
      ids(client, '?limit=20&page=2').length,
      ids(client, '?page=99'),
    ]).toEqual([[1, 2], [3, 4], 10, []]);
    expect(
      ['0', '-1', 'x', '1.5'].map((page) => status(client, 'GET', `/pets?page=${page}`)),
    ).toEqual([400, 400, 400, 400]);
  });
});

describe('open questions about limits', () => {
  const limited = (question: string, choice: string): TestClient =>
    createTestClient(contract, {
      limits: { free: { minute: 2 } },
      choices: { [question]: choice },
    });
  const overLimit = (client: TestClient): TestResponse =>
    range(3)
      .map(() => client.send('GET', '/pets'))
      .at(-1) ?? client.send('GET', '/pets');

  test('rate-limit-body', () => {
    expect(member(overLimit(limited('rate-limit-body', 'error')).json, 'status')).toBe(429);
    expect(overLimit(limited('rate-limit-body', 'empty')).text).toBe('');
    const text = overLimit(limited('rate-limit-body', 'text'));
    expect([text.text, text.headers.get('content-type')]).toEqual([
      'The rate limit is exceeded. Try again in 60 s.',
      'text/plain; charset=utf-8',
    ]);
  });

  test('retry-after-format', () => {
    expect(overLimit(limited('retry-after-format', 'seconds')).headers.get('retry-after')).toBe(
      '60',
    );
    expect(overLimit(limited('retry-after-format', 'http-date')).headers.get('retry-after')).toBe(
      'Mon, 01 Jun 2026 12:01:00 GMT',
    );
  });

  test('counted-requests', () => {
    const remaining = (choice: string): readonly unknown[] => {
      const client = createTestClient(contract, { choices: { 'counted-requests': choice } });
      return ['/pets', '/pets/999', '/nowhere', '/pets'].map((path) =>
        client.send('GET', path).headers.get('x-ratelimit-remaining'),
      );
    };
    expect(remaining('within-limit')).toEqual(['59', '58', '57', '56']);
    expect(remaining('all')).toEqual(['59', '58', '57', '56']);
    expect(remaining('successful')).toEqual(['59', '59', '59', '58']);
  });

  test('window-kind', () => {
    const reset = (choice: string): string | undefined => {
      const client = limited('window-kind', choice);
      client.clock.advance(30);
      return client.send('GET', '/pets').headers.get('x-ratelimit-reset');
    };
    const noon = Date.UTC(2026, 5, 1, 12) / 1000;
    expect([reset('fixed'), reset('from-first-request'), reset('sliding')]).toEqual([
      `${noon + 60}`,
      `${noon + 90}`,
      `${noon + 90}`,
    ]);
  });

  test('window-kind=sliding admits a request once one has left the window', () => {
    const client = limited('window-kind', 'sliding');
    const get = (): readonly unknown[] => {
      const { status, headers } = client.send('GET', '/pets');
      return [status, headers.get('x-ratelimit-remaining'), headers.get('retry-after')];
    };
    expect(get()).toEqual([200, '1', undefined]);
    client.clock.advance(40);
    expect([get(), get()]).toEqual([
      [200, '0', undefined],
      [429, '0', '20'],
    ]);
    client.clock.advance(20);
    expect([get(), get()]).toEqual([
      [200, '0', undefined],
      [429, '0', '40'],
    ]);
  });

  test('plan-assignment', () => {
    const limits = (choice: string): readonly unknown[] => {
      const client = createTestClient(contract, { choices: { 'plan-assignment': choice } });
      return ['free_a', 'pro_a', 'free_b'].map((key) =>
        ['limit', 'remaining'].map((name) =>
          client.send('GET', '/pets', { key }).headers.get(`x-ratelimit-${name}`),
        ),
      );
    };
    expect(limits('per-key')).toEqual([
      ['60', '58'],
      ['300', '298'],
      ['60', '58'],
    ]);
    expect(limits('shared')).toEqual([
      ['60', '58'],
      ['60', '56'],
      ['60', '58'],
    ]);
  });
});

describe('a choice', () => {
  test.each([
    [
      { nothing: 'x' },
      /^The document does not ask the question "nothing"; it asks category-records, /,
    ],
    [
      { 'list-order': 'random' },
      'The question list-order has no choice "random"; it has id-ascending, id-descending, name-ascending, none.',
    ],
  ] as const)('%j is rejected', (choices, reason) => {
    expect(() => createMock(contract, { choices })).toThrow(reason);
  });

  test('that the mock cannot make is rejected', () => {
    const openQuestions = contract.openQuestions.map((question) =>
      question.id === 'events'
        ? {
            ...question,
            choices: [...question.choices, { id: 'by-post', description: '', details: {} }],
          }
        : question,
    );
    expect(() =>
      createMock({ ...contract, openQuestions }, { choices: { events: 'by-post' } }),
    ).toThrow('The mock cannot play the choice "by-post" of the question events.');
  });

  test('is the default of the document for every question', () => {
    const choices = Object.fromEntries(
      contract.openQuestions.map((question) => [question.id, question.default]),
    );
    expect(createTestClient(contract, { seed, choices }).send('GET', '/pets').text).toBe(
      createTestClient(contract, { seed }).send('GET', '/pets').text,
    );
  });
});

test('a sandbox with its own choice keeps the other choices of the mock', async () => {
  const mock = createMock(contract, { choices: { 'list-order': 'id-descending' } });
  const sandbox = (await mock.control()).sandbox('alice');
  sandbox.choose({ 'invalid-limit': 'clamped' });
  expect(sandbox.choices).toMatchObject({
    'list-order': 'id-descending',
    'invalid-limit': 'clamped',
  });
});
