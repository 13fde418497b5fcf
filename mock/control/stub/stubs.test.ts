import { beforeAll, describe, expect, test } from 'vitest';
import type { Contract } from '../../../contract/contract.ts';
import { type JsonValue, parseJson, renderJson } from '../../../contract/json/value.ts';
import { type Mock, createMock } from '../../index.ts';
import { headerMap } from '../../../test/mock/response-judge.ts';
import { loadInventory, loadPetstore } from '../../../test/mock/contracts.ts';
import { createTestClock } from '../../../test/mock/test-client.ts';
import type { SandboxControl } from '../sandbox-control.ts';
import type { StubRequest, StubRule } from '../declaration/schemas.ts';
import { maxRules } from '../rule/rules.ts';

let contract: Contract;
let seed: Awaited<ReturnType<typeof loadInventory>>;
beforeAll(async () => {
  contract = await loadPetstore();
  seed = await loadInventory();
});

interface Sent {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly content?: string;
  readonly json?: JsonValue;
}

const send = (mock: Mock, method: string, target: string, sent: Sent = {}) => {
  const { key = 'free_a', headers = {}, json } = sent;
  const content = sent.content ?? (json === undefined ? undefined : renderJson(json));
  const response = mock.handle({
    method,
    target: `/v1${target}`,
    headers: {
      authorization: `Bearer ${key}`,
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    content: content === undefined ? undefined : new TextEncoder().encode(content),
  });
  return { ...response, fields: headerMap(response.headers) };
};

const open = async (
  ...rules: readonly StubRule[]
): Promise<{ readonly mock: Mock; readonly sandbox: SandboxControl }> => {
  const mock = createMock(contract, { seed, clock: createTestClock() });
  const sandbox = (await mock.control()).sandbox('a');
  sandbox.stubs.addAll(rules);
  return { mock, sandbox };
};

const get = (mock: Mock, target: string, key?: string) =>
  send(mock, 'GET', target, key === undefined ? {} : { key });

describe('a stub', () => {
  test('answers matching requests only in its sandbox, and is in the journal', async () => {
    const body = { id: 7, name: 'Rex', categoryId: 9_007_199_254_740_993n };
    const { mock, sandbox } = await open({
      name: 'Rex',
      request: { operation: 'getPet', path: '/pets/7' },
      response: { body },
    });
    const stubbed = get(mock, '/pets/7');
    expect([stubbed.status, parseJson(stubbed.body)]).toEqual([200, body]);
    expect(stubbed.fields.get('content-type')).toBe('application/json');
    expect(get(mock, '/pets/8').body).not.toContain('Rex');
    expect(get(mock, '/pets/7', 'free_b').body).not.toContain('Rex');
    expect(sandbox.journal().map(({ stub }) => stub?.kind === 'applied' && stub.name)).toEqual([
      'Rex',
      false,
    ]);
    expect(sandbox.stubs.all).toMatchObject([{ id: 'stub-1', applied: 1, warnings: [] }]);
  });

  test('may require a header named like a member of every object', async () => {
    for (const name of ['__proto__', 'constructor']) {
      const { mock } = await open({
        request: { headers: Object.fromEntries([[name, 'x']]) },
        response: { status: 404 },
      });
      expect(get(mock, '/pets').status).toBe(200);
    }
  });

  test('is counted, and answers over the limit and before validation', async () => {
    const { mock, sandbox } = await open({
      request: { operation: 'createPet' },
      response: { status: 201, body: { id: 1, name: 'x', categoryId: 1 } },
    });
    sandbox.changeQuota('Free', { used: { minute: 59 } });
    const first = send(mock, 'POST', '/pets', { content: 'no JSON' });
    expect([first.status, first.fields.get('x-ratelimit-remaining')]).toEqual([201, '0']);
    expect(send(mock, 'POST', '/pets', { content: 'no JSON' }).status).toBe(201);
    expect(get(mock, '/pets').status).toBe(429);
    expect(sandbox.itemCounts['/pets']).toBe(30);
  });

  test('answers requests without a valid key in their sandbox', async () => {
    const { mock } = await open();
    (await mock.control()).sandbox('no-key').stubs.add({ response: { status: 204 } });
    expect([get(mock, '/pets', 'wrong').status, get(mock, '/pets').status]).toEqual([204, 200]);
  });

  test('answers a number of times, in turn; then the next matching stub does, or the mock', async () => {
    const request = { operation: 'listPets' };
    const { mock } = await open(
      { request, responses: [{ status: 500 }, { status: 503 }], times: 3 },
      { request, response: { body: [] }, times: 1 },
    );
    const statuses = Array.from({ length: 5 }, () => get(mock, '/pets'));
    expect(statuses.map(({ status }) => status)).toEqual([500, 503, 503, 200, 200]);
    expect([statuses[3]?.body, (statuses[4]?.body ?? '').length > 2]).toEqual(['[]', true]);
  });

  test('that was added later is tried first, except for a higher priority', async () => {
    const { mock, sandbox } = await open({ response: { status: 201 } }, { response: {} });
    expect(get(mock, '/pets').status).toBe(201);
    sandbox.stubs.add({ response: { status: 202 } });
    expect(get(mock, '/pets').status).toBe(202);
    sandbox.stubs.add({ response: { status: 203 }, priority: -1 });
    expect(get(mock, '/pets').status).toBe(202);
    expect(sandbox.stubs.all.map(({ id }) => id)).toEqual(['stub-3', 'stub-1', 'stub-2', 'stub-4']);
  });

  test('advances a scenario, and waits for its state', async () => {
    const request = { operation: 'getPet' };
    const { mock } = await open(
      {
        request: { operation: 'createPet' },
        response: { status: 201 },
        scenario: { name: 'login', from: 'start', to: 'in' },
      },
      { request, response: { status: 401 }, scenario: { name: 'login', from: 'start' } },
    );
    expect(get(mock, '/pets/1').status).toBe(401);
    expect(send(mock, 'POST', '/pets').status).toBe(201);
    expect([get(mock, '/pets/1').status, send(mock, 'POST', '/pets').status]).toEqual([200, 400]);
  });

  test('sets and removes headers, and delays', async () => {
    const { mock } = await open({
      response: {
        text: 'Hello',
        headers: { 'X-Own': ['1', '2'], 'x-ratelimit-limit': null, date: 'today' },
        delay: 250,
      },
    });
    const { headers, fields, delivery } = get(mock, '/pets');
    expect(headers.filter((_, at) => headers[at - 1] === 'X-Own')).toEqual(['1', '2']);
    expect([fields.get('x-ratelimit-limit'), fields.get('date')]).toEqual([undefined, 'today']);
    expect([fields.get('content-type'), delivery?.delay]).toEqual([
      'text/plain; charset=utf-8',
      250,
    ]);
    const waiting = send(mock, 'GET', '/pets', { headers: { prefer: 'wait=1' } });
    expect(waiting.delivery?.delay).toBe(1250);
  });

  test('with the rate-limit status has the matching headers', async () => {
    const { mock } = await open({ response: { status: 429 } });
    const { status, fields } = get(mock, '/pets');
    expect([status, fields.get('x-ratelimit-remaining'), fields.get('retry-after')]).toEqual([
      429,
      '0',
      '60',
    ]);
  });

  test('yields to a fault with a status, and combines with other faults', async () => {
    const { mock, sandbox } = await open({ response: { body: [] } });
    sandbox.addFault({ status: 503, count: 1 });
    sandbox.addFault({ body: 'malformed' });
    expect([get(mock, '/pets').status, get(mock, '/pets').body]).toEqual([503, '[{"']);
    expect(sandbox.stubs.all[0]?.applied).toBe(1);
  });

  test("does not match a browser's own requests", async () => {
    const { mock } = await open();
    (await mock.control()).sandbox('main').stubs.add({ response: { status: 500 } });
    const headers = { origin: 'http://a', 'access-control-request-method': 'GET' };
    expect(send(mock, 'OPTIONS', '/pets', { key: 'x', headers }).status).toBe(204);
  });

  test('is gone once removed or after a reset; a snapshot restores it', async () => {
    const { mock, sandbox } = await open({ response: { status: 500 }, times: 3 });
    expect(get(mock, '/pets').status).toBe(500);
    sandbox.takeSnapshot('s');
    expect([sandbox.stubs.remove('stub-2'), sandbox.stubs.remove('stub-1')]).toEqual([false, true]);
    expect(get(mock, '/pets').status).toBe(200);
    const control = await mock.control();
    control.useStubs([{ request: { path: '/x' }, response: { status: 250 } }]);
    for (const name of ['a', 'b']) {
      sandbox.restoreSnapshot('s', control.sandbox(name));
      expect(control.sandbox(name).stubs.all).toMatchObject([
        { id: 'stub-1', applied: 1 },
        { id: 'file-1', applied: 0 },
      ]);
    }
    sandbox.stubs.clear();
    sandbox.stubs.add({ response: { status: 500 } });
    sandbox.reset();
    expect(get(mock, '/pets').status).toBe(200);
    sandbox.takeSnapshot('none');
    sandbox.stubs.add({ response: { status: 500 } });
    sandbox.restoreSnapshot('none');
    expect(get(mock, '/pets').status).toBe(200);
  });
});

describe('without a body', () => {
  test.each([
    [{ example: 'two' }, '/pets', 200, '"name":"Tom"'],
    [{ status: 404 }, '/pets/1', 404, 'No pet has the identifier 404.'],
    [{ status: 503 }, '/pets', 503, '"code":"stubbed"'],
    [{ status: 202 }, '/pets', 202, ''],
    [{ text: '' }, '/pets', 200, ''],
  ])('%j comes from the document', async (response, target, status, text) => {
    const { mock } = await open({ response });
    const got = get(mock, target);
    expect([got.status, got.body.includes(text), text === '' && got.body]).toEqual([
      status,
      true,
      text === '' && '',
    ]);
  });
});

const yes: readonly (readonly [StubRequest, string, Sent?])[] = [
  [{}, 'GET /pets'],
  [{ method: 'GET' }, 'HEAD /pets'],
  [{ path: '/pets/{id}' }, 'GET /pets/7'],
  [{ path: '/pets/7' }, 'GET /pets/%37'],
  [{ path: '/v1/pets/7' }, 'GET /pets/7'],
  [{ path: '/pets/{name}.{form}' }, 'GET /pets/a.b.json'],
  [{ path: '/nowhere' }, 'GET /nowhere'],
  [{ operation: 'listPets' }, 'GET /pets?limit=1'],
  [{ query: { limit: '5' } }, 'GET /pets?limit=5&status=sold'],
  [{ query: { limit: 5 } }, 'GET /pets?limit=5'],
  [{ query: { tag: ['a', 'b c'] } }, 'GET /pets?tag=a&tag=b+c'],
  [{ query: { q: { present: true } } }, 'GET /pets?q='],
  [{ query: { q: { present: false } } }, 'GET /pets'],
  [{ query: { q: { contains: 'ell' } } }, 'GET /pets?q=Hello'],
  [{ headers: { 'X-Trace': 'a' } }, 'GET /pets', { headers: { 'x-trace': 'a' } }],
  [{ headers: { 'x-trace': { present: false } } }, 'GET /pets'],
  [{ body: { equals: { b: 1, a: [1] } } }, 'POST /pets', { json: { a: [1], b: 1 } }],
  [
    { body: { contains: { a: [{ b: 1 }] } } },
    'POST /pets',
    { json: { c: 2, a: [{ b: 1, d: 1 }] } },
  ],
  [{ body: { members: { '/0': 1, '': [1] } } }, 'POST /pets', { json: [1] }],
  [{ body: { text: 'a=1' } }, 'POST /pets', { content: 'a=1' }],
  [{ body: { textContains: 'ell' } }, 'POST /pets', { content: 'Hello' }],
  [
    { body: { contains: { a: '1 2' } } },
    'POST /pets',
    { content: 'a=1+2&b=3', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  ],
];

const no: readonly (readonly [StubRequest, string, Sent | undefined, string | undefined])[] = [
  [{ method: 'POST' }, 'GET /pets', {}, undefined],
  [{ method: 'HEAD' }, 'GET /pets', {}, undefined],
  [{ path: '/pets/{id}' }, 'GET /pets', {}, undefined],
  [{ path: '/pets/{id}' }, 'GET /pets/', {}, undefined],
  [{ path: '/pets/{id}' }, 'GET /pets/1/2', {}, undefined],
  [{ path: '/pets/{a}-{b}' }, 'GET /pets/a-', {}, undefined],
  [{ operation: 'getPet' }, 'GET /pets', {}, undefined],
  [{ query: { limit: '5' } }, 'GET /pets?limit=6', {}, undefined],
  [
    { path: '/pets', query: { limit: '5' } },
    'GET /pets?limit=6',
    {},
    'the query parameter limit does not match',
  ],
  [{ path: '/pets', query: { q: ['a'] } }, 'GET /pets', {}, 'the query parameter q does not match'],
  [
    { path: '/pets', query: { q: { present: true } } },
    'GET /pets',
    {},
    'the query parameter q does not match',
  ],
  [
    { path: '/pets', query: { q: { present: false } } },
    'GET /pets?q',
    {},
    'the query parameter q does not match',
  ],
  [
    { path: '/pets', headers: { 'x-a': { contains: 'b' } } },
    'GET /pets',
    { headers: { 'x-a': 'a' } },
    'the header x-a does not match',
  ],
  [{ path: '/pets', body: { equals: 1 } }, 'POST /pets', {}, 'the body does not match'],
  [
    { path: '/pets', body: { equals: 1 } },
    'POST /pets',
    { content: '{' },
    'the body does not match',
  ],
  [{ path: '/pets', body: { equals: 1 } }, 'POST /pets', { json: 2 }, 'the body does not match'],
  [
    { path: '/pets', body: { contains: { a: { 'b/c': 1 } } } },
    'POST /pets',
    { json: { a: {} } },
    'the body does not match',
  ],
  [
    { path: '/pets', body: { contains: { a: [1] } } },
    'POST /pets',
    { json: { a: [1, 2] } },
    'the body does not match',
  ],
  [
    { path: '/pets', body: { members: { '/a': 1 } } },
    'POST /pets',
    { json: {} },
    'the body does not match',
  ],
];

describe('a request', () => {
  const matched = async (request: StubRequest, line: string, sent: Sent = {}) => {
    const { mock, sandbox } = await open({ request, response: { status: 299 } });
    const [method = '', target = ''] = line.split(' ');
    const { status } = send(mock, method, target, sent);
    return { isMatched: status === 299, stub: sandbox.journal().at(-1)?.stub };
  };

  test.for(yes)('%j matches %s', async ([request, line, sent]) => {
    expect((await matched(request, line, sent)).isMatched).toBe(true);
  });

  test.for(no)('%j does not match %s', async ([request, line, sent, reason]) => {
    const { isMatched, stub } = await matched(request, line, sent);
    expect([isMatched, stub?.kind === 'missed' ? stub.reason : undefined]).toEqual([false, reason]);
  });

  test('is matched with exact integers', async () => {
    const request = { path: '/pets', body: { members: { '/a': 9_007_199_254_740_993n } } };
    const sent = (a: bigint) => matched(request, 'POST /pets', { json: { a } });
    expect([
      (await sent(9_007_199_254_740_993n)).isMatched,
      (await sent(9_007_199_254_740_992n)).stub,
    ]).toEqual([
      true,
      {
        kind: 'missed',
        id: 'stub-1',
        reason: 'the body does not match',
      },
    ]);
  });

  test('that a stub does not match has a hint that says why', async () => {
    const { mock } = await open({
      request: { operation: 'listPets', query: { limit: '5' } },
      response: {},
    });
    get(mock, '/pets');
    const control = await mock.control();
    const [entry] = control.sandbox('a').journal();
    expect(entry && control.present(entry)['hints']).toEqual([
      {
        kind: 'stub',
        message: 'stub-1 was not applied: the query parameter limit does not match.',
      },
    ]);
  });
});

test('matching takes time in proportion to what is sent, whatever the stub', async () => {
  const { mock } = await open({
    request: { path: `/${'{a}a'.repeat(200)}{z}b` },
    response: { status: 299 },
  });
  expect(get(mock, `/${'a'.repeat(6000)}`).status).toBe(404);
});

describe('the state of stubs', () => {
  test('is JSON that recreates them, with uses and scenarios', async () => {
    const { mock, sandbox } = await open(
      {
        request: { operation: 'listPets', body: { equals: 9_007_199_254_740_993n } },
        response: { body: null, headers: { a: null } },
      },
      { responses: [{ status: 500 }, { status: 501 }], scenario: { name: 's', to: 'x' }, times: 2 },
    );
    get(mock, '/pets');
    const text = renderJson(sandbox.stubs.state ?? null);
    const other = (await mock.control()).sandbox('b');
    other.stubs.restore(parseJson(text));
    expect(renderJson(other.stubs.state ?? null)).toBe(text);
    expect(get(mock, '/pets', 'free_b').status).toBe(501);
    expect([get(mock, '/pets', 'free_b').status, other.stubs.add({ response: {} }).id]).toEqual([
      200,
      'stub-3',
    ]);
  });

  test('stays if there are too many to replace them', async () => {
    const { sandbox } = await open({ response: { status: 250 } });
    const rules = Array.from({ length: maxRules + 1 }, () => ({ response: {} }));
    expect(() => sandbox.stubs.replace(rules)).toThrow('at most 1000 stubs');
    expect(sandbox.stubs.count).toBe(1);
  });

  test('that is invalid is rejected', async () => {
    const { sandbox } = await open();
    expect(() => sandbox.stubs.restore({ stubs: [] })).toThrow('is missing');
  });
});

describe('stubs for all sandboxes', () => {
  test('are in each sandbox, return after a reset, and can be replaced', async () => {
    const { mock, sandbox } = await open({ request: { path: '/own' }, response: {} });
    const control = await mock.control();
    const first = { request: { path: '/x' }, response: { status: 250 } };
    control.useStubs([first, { ...first, response: { status: 251 }, priority: 1, sandbox: 'b' }]);
    const statuses = () =>
      ['free_a', 'free_b', 'free_c', 'demo-free'].map((key) => get(mock, '/x', key).status);
    expect(statuses()).toEqual([250, 251, 250, 250]);
    expect(sandbox.stubs.all.map(({ id, applied }) => [id, applied])).toEqual([
      ['stub-1', 0],
      ['file-1', 1],
    ]);
    sandbox.reset();
    expect(sandbox.stubs.all.map(({ origin }) => origin)).toEqual(['file']);
    sandbox.stubs.clear();
    expect(statuses()).toEqual([404, 251, 250, 250]);
    control.forget('b');
    control.useStubs([{ ...first, response: { status: 252 } }]);
    expect(statuses()).toEqual([252, 252, 252, 252]);
    control.useStubs([]);
    expect(statuses()).toEqual([404, 404, 404, 404]);
  });

  test('with one invalid stub change nothing', async () => {
    const { mock } = await open();
    const control = await mock.control();
    control.useStubs([{ response: { status: 250 } }]);
    expect(() => control.useStubs([{ request: { operation: 'no' }, response: {} }])).toThrow(
      'There is no operation "no"',
    );
    expect(get(mock, '/pets', 'free_new').status).toBe(250);
  });
});
