import { type Socket, connect } from 'node:net';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Contract } from '../contract/contract.ts';
import { type JsonObject, isJsonObject, parseJson } from '../contract/json/value.ts';
import { createRandom } from '../contract/sample/random.ts';
import type { JournalEntry } from './sandbox/journal-entry.ts';
import { type Mock, createMock } from './mock.ts';
import type { MockOptions } from './served-document/options.ts';
import { type Listening, listen } from './integrations/node/server.ts';
import { judgeResponse } from '../test/mock/response-judge.ts';
import { loadInventory, loadPetstore } from '../test/mock/contracts.ts';
import { createTestClient } from '../test/mock/test-client.ts';

let contract: Contract;
let seed: JsonObject;
const opened: Listening[] = [];

beforeAll(async () => {
  [contract, seed] = await Promise.all([loadPetstore(), loadInventory()]);
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
});

const faults: unknown[] = [];
const open = async (
  options: MockOptions = {},
): Promise<{ readonly mock: Mock; readonly port: number }> => {
  const mock = createMock(contract, { seed, onFault: (fault) => faults.push(fault), ...options });
  const listening = await mock.listen();
  opened.push(listening);
  return { mock, port: listening.port };
};

const line = (method: string, target: string): string =>
  `${method} ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer demo-enterprise\r\n`;
const get = (target: string, headers = ''): string => `${line('GET', target)}${headers}\r\n`;
const post = (body: string | Buffer, headers = 'Content-Type: application/json\r\n'): Buffer =>
  Buffer.concat([
    Buffer.from(
      `${line('POST', '/v1/pets')}${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`,
    ),
    Buffer.from(body),
  ]);
const pet = '{"name":"Rex","categoryId":1}';

/** Connects and collects what comes; a reset counts as an end. */
const dial = (port: number): { readonly socket: Socket; readonly ended: Promise<Buffer> } => {
  const chunks: Buffer[] = [];
  const socket = connect(port, '127.0.0.1');
  const ended = new Promise<Buffer>((resolve, reject) => {
    socket.on('data', (chunk) => chunks.push(Buffer.from(chunk)));
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE'
        ? resolve(Buffer.concat(chunks))
        : reject(error),
    );
    socket.on('close', () => resolve(Buffer.concat(chunks)));
  });
  return { socket, ended };
};

interface Received {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
}

/**
 * The responses in what came over one connection, interim ones left out. Throws for anything else.
 */
const readResponses = (bytes: Buffer): readonly Received[] => {
  const responses: Received[] = [];
  for (let at = 0; at < bytes.length;) {
    const headEnd = bytes.indexOf('\r\n\r\n', at);
    const [start = '', ...lines] = bytes.toString('latin1', at, headEnd).split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(start)?.[1]);
    const headers = lines.flatMap((text) => [
      text.slice(0, text.indexOf(':')),
      text.slice(text.indexOf(':') + 1).trim(),
    ]);
    const length =
      Number(headers[headers.findIndex((text) => /^content-length$/i.test(text)) + 1]) || 0;
    if (headEnd < 0 || Number.isNaN(status))
      throw new Error(`No response: ${bytes.toString('latin1', at, at + 200)}`);
    at = headEnd + 4 + length;
    if (status !== 100)
      responses.push({ status, headers, body: bytes.toString('utf8', headEnd + 4, at) });
  }
  return responses;
};

/** Sends bytes, then closes that half of the connection, and reads to the end. */
const exchange = async (port: number, bytes: string | Buffer): Promise<readonly Received[]> => {
  const { socket, ended } = dial(port);
  socket.end(bytes);
  return readResponses(await ended);
};

/**
 * What is wrong with a refusal; a response to who knows what is a success or keeps the error shape.
 */
const judge = (response: Received): readonly string[] =>
  response.status < 400
    ? []
    : judgeResponse(
        contract,
        { method: 'GET', target: '/', headers: {}, content: undefined },
        response,
      );

const isAlive = async (port: number): Promise<number | undefined> =>
  (await exchange(port, get('/v1/pets?limit=1')))[0]?.status;

describe('a client over HTTP', () => {
  test('that closes its half of the connection is answered', async () => {
    const { port } = await open();
    expect((await exchange(port, get('/v1/pets?limit=2'))).map(({ status }) => status)).toEqual([
      200,
    ]);
    expect((await exchange(port, post(pet))).map(({ status }) => status)).toEqual([201]);
    const cut = await exchange(port, post(pet).subarray(0, -5));
    expect([cut.map(({ status }) => status), cut.flatMap(judge)]).toEqual([[400], []]);
  });

  test('that pipelines is answered in order', async () => {
    const { port } = await open();
    const requests = Array.from({ length: 100 }, (_, index) =>
      index % 10 === 9 ? post(pet) : Buffer.from(get(`/v1/pets?limit=${1 + (index % 10)}`)),
    );
    const responses = await exchange(port, Buffer.concat(requests));
    const counts = responses.map(({ status, body }) => {
      const value = parseJson(body);
      return Array.isArray(value) ? value.length : status;
    });
    expect(counts).toEqual(
      Array.from({ length: 100 }, (_, index) => (index % 10 === 9 ? 201 : 1 + (index % 10))),
    );
  });

  test('that does not read its responses blocks nobody, and gets everything in the end', async () => {
    const { port } = await open();
    const { socket, ended } = dial(port);
    socket.pause();
    socket.write(get('/v1/pets?limit=100').repeat(3000));
    for (let count = 0; count < 20; count += 1) expect(await isAlive(port)).toBe(200);
    socket.resume().end();
    const responses = readResponses(await ended);
    expect(responses.every(({ status }) => status === 200)).toBe(true);
    expect(responses.length).toBeGreaterThan(0);
  });

  test('that reads nothing and disconnects does no harm', async () => {
    const { port } = await open();
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        const { socket, ended } = dial(port);
        socket.pause();
        await new Promise<void>(
          (resolve) => void socket.write(get('/v1/pets?limit=100').repeat(300), () => resolve()),
        );
        socket.resetAndDestroy();
        await ended;
      }),
    );
    expect([await isAlive(port), faults]).toEqual([200, []]);
  });

  test('whose body arrives too slowly gets a 408', async () => {
    const listening = await listen(
      createMock(contract),
      {},
      { headersTimeout: 40, requestTimeout: 40, connectionsCheckingInterval: 10 },
    );
    opened.push(listening);
    const { socket, ended } = dial(listening.port);
    socket.write(post(pet).subarray(0, -5));
    const responses = readResponses(await ended);
    expect([responses.map(({ status }) => status), responses.flatMap(judge)]).toEqual([[408], []]);
  });

  test.each<readonly [string, string | Buffer, number]>([
    ['a target of 40 KB', get(`/v1/pets?${'x'.repeat(40_000)}`), 431],
    ['3,000 headers', get('/v1/pets', 'A: b\r\n'.repeat(3000)), 431],
    ['a header on two lines', get('/v1/pets', 'X: a\r\n b\r\n'), 400],
    ['a line end within a header', get('/v1/pets', 'X: a\rSet-Cookie: b\r\n'), 400],
    ['a space in the target', get('/v1/pets ?limit=1'), 400],
    [
      'a body packed with gzip, as it says',
      post(gzipSync(pet), 'Content-Type: application/json\r\nContent-Encoding: gzip\r\n'),
      415,
    ],
    ['a body packed with gzip that does not say so', post(gzipSync(pet)), 400],
    [
      'a body in UTF-16',
      post(Buffer.from(pet, 'utf16le'), 'Content-Type: application/json; charset=utf-16\r\n'),
      400,
    ],
    ['one key twice, the last wrong', post('{"name":"x","categoryId":1,"name":5}'), 400],
    ['one key twice, the last right', post('{"name":5,"categoryId":1,"name":"x"}'), 201],
    [
      'one key twice, written in two ways',
      post('{"name":"x","categoryId":1,"n\\u0061me":"y"}'),
      201,
    ],
    ['a body of 100,000 levels', post(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`), 400],
    [
      'a body of 900 levels',
      post(`{"name":"x","categoryId":1,"a":${'['.repeat(900)}${']'.repeat(900)}}`),
      201,
    ],
    ['a number of 500,000 digits', post(`{"name":"x","categoryId":${'9'.repeat(500_000)}}`), 400],
    ['backslashes in the path', get('/v1\\pets'), 404],
    ['an encoded slash', get('/v1%2Fpets'), 404],
    ['an encoded dot-dot', get('/v1/nowhere/%2e%2e/pets'), 404],
    ['an encoded zero', get('/v1/pets%00'), 404],
  ])('that sends %s gets a response', async (_, bytes, expected) => {
    const { port } = await open();
    const responses = await exchange(port, bytes);
    expect([responses[0]?.status, responses.flatMap(judge), await isAlive(port), faults]).toEqual([
      expected,
      [],
      200,
      [],
    ]);
  });

  test('that sends 400 requests with bytes changed at random gets no 5XX, and every response keeps the contract', async () => {
    const { port } = await open();
    const random = createRandom(20_301_205);
    const bases = [
      Buffer.from(get('/v1/pets?limit=5&status=sold', 'Accept: */*\r\nConnection: close\r\n')),
      Buffer.from(get('/v1/pets/7', 'Prefer: code=404, wait=0\r\n')),
      post(pet),
      post(pet, 'Content-Type: application/json\r\nExpect: 100-continue\r\n'),
      Buffer.from(
        `${line('POST', '/v1/pets')}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1d\r\n${pet}\r\n0\r\n\r\n`,
      ),
    ];
    const statuses = new Set<number>();
    for (let round = 0; round < 40; round += 1) {
      const sent = Array.from({ length: 10 }, () =>
        mutate(bases[Math.floor(random() * bases.length)] ?? Buffer.alloc(0), random),
      );
      const responses = (await Promise.all(sent.map((bytes) => exchange(port, bytes)))).flat();
      expect(
        responses.flatMap((response) => [
          ...judge(response),
          ...(response.status >= 500 ? [response.body] : []),
        ]),
      ).toEqual([]);
      for (const { status } of responses) statuses.add(status);
    }
    expect([...statuses]).toEqual(expect.arrayContaining([200, 201, 400, 401, 404]));
    expect([await isAlive(port), faults]).toEqual([200, []]);
  });
});

/** One to four bytes changed, left out, doubled or put in. */
const mutate = (bytes: Buffer, random: () => number): Buffer => {
  let changed = [...bytes];
  const byte = (): number =>
    random() < 0.4
      ? (Buffer.from('\r\n :/%"{}\\\0,;\uFEFF')[Math.floor(random() * 15)] ?? 0)
      : Math.floor(random() * 256);
  for (let count = 1 + Math.floor(random() * 4); count > 0; count -= 1) {
    const at = Math.floor(random() * changed.length);
    const way = Math.floor(random() * 4);
    if (way === 0) changed[at] = byte();
    else if (way === 1) changed.splice(at, 1 + Math.floor(random() * 8));
    else if (way === 2) changed.splice(at, 0, byte());
    else changed = [...changed.slice(0, at), ...changed.slice(at, at + 40), ...changed.slice(at)];
  }
  return Buffer.from(changed);
};

describe('what a client sends', () => {
  /** The judge of the client refuses any header that could split a response. */
  test.each([
    ['/pets?limit=1&x=%0d%0aSet-Cookie:%20a=b', {}],
    ['/pets?limit=1&x=\r\nSet-Cookie: a=b&y=é🐢', {}],
    ['/pets?limit=1&status=sold&%0d%0a', {}],
    ['/nowhere%0d%0aX:%20y', {}],
    ['/pets/1%0d%0aX:%20y', {}],
    ['/pets', { prefer: 'example="two\r\nX: y", wait=0.001🐢, code=401\r\nX: y' }],
    [
      '/pets',
      { origin: 'https://x.example\r\nX: y', 'access-control-request-headers': 'a\r\nX: y' },
    ],
    ['/pets', { authorization: 'Bearer free_a\r\nX: y' }],
  ])('never gets into headers: %j %j', (path, headers) => {
    for (const paging of ['none', 'link-header', 'query-parameters']) {
      const client = createTestClient(contract, {
        seed,
        choices: { paging, 'unknown-status': 'ignored' },
      });
      for (const method of ['GET', 'OPTIONS', 'PUT'])
        expect(client.send(method, path, { headers }).headers.has('x')).toBe(false);
    }
  });

  test('is quoted only in part, in responses and in the journal', () => {
    const exchanges: JournalEntry[] = [];
    const client = createTestClient(contract, {
      choices: { 'unknown-properties': 'refused' },
      onEntry: (one) => exchanges.push(one),
    });
    const long = '🐢'.repeat(200_000);
    const responses = [
      client.send('POST', '/pets', { json: { name: 'x', categoryId: 1, [long]: 1 } }),
      client.send('POST', '/pets', {
        json: {
          name: 'x',
          categoryId: 1,
          ...Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`x${index}`, 1])),
        },
      }),
      client.send('GET', `/pets/${'x'.repeat(15_000)}`),
      client.send('POST', '/pets', {
        content: '{}',
        headers: { 'content-type': `a/${'x'.repeat(15_000)}` },
      }),
    ];
    for (const { json } of responses)
      expect(isJsonObject(json) ? json['message'] : '').toSatisfy(
        (message: string) => message.length > 0 && message.length <= 1003,
      );
    for (const { refusal, target } of exchanges)
      expect(
        [refusal?.message.length ?? 0, target.length].every(
          (length) => length > 0 && length <= 1003,
        ),
      ).toBe(true);
    expect(exchanges[0]?.refusal?.message.isWellFormed()).toBe(true);
  });
});

test('the journal keeps a small body without the large buffer that contained it', () => {
  const exchanges: JournalEntry[] = [];
  const client = createTestClient(contract, { onEntry: (one) => exchanges.push(one) });
  const buffer = Buffer.alloc(65_536, pet);
  for (const content of [buffer.subarray(0, pet.length), buffer.subarray(0, 10_000)])
    client.send('POST', '/pets', { content });
  expect(exchanges.map(({ content }) => content?.buffer.byteLength)).toEqual([pet.length, 4096]);
});

test('memory returns to its level after a flood', { timeout: 60_000 }, async () => {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  const { mock, port } = await open({ choices: { 'unknown-properties': 'refused' } });
  const heap = async (): Promise<number> => {
    (await mock.control()).sandbox('main').resetState();
    // What a connection held goes in steps, each after a turn of the event loop.
    for (let turn = 0; turn < 5; turn += 1) {
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      if (typeof collect === 'function') Reflect.apply(collect, undefined, []);
    }
    const { used_heap_size: used, external_memory: external } = getHeapStatistics();
    return used + external;
  };
  const flood = async (size: number): Promise<void> => {
    await Promise.all(
      Array.from({ length: 20 }, () => exchange(port, post('{"n":1}').toString().repeat(60))),
    );
    const long = 'x'.repeat(size);
    const bodies = [
      `{"name":"${long}","categoryId":1}`,
      `{"name":"x","categoryId":1,"${long}":1}`,
      `{"name":"${long}`,
      '['.repeat(size),
      `{"name":1,"categoryId":"${long}"}`,
    ];
    for (let round = 0; round < 10; round += 1)
      await Promise.all(bodies.map((body) => exchange(port, post(body))));
  };
  for (let count = 0; count < 3; count += 1) await flood(50);
  const before = await heap();
  for (let count = 0; count < 3; count += 1) await flood(500_000);
  // A late garbage collection is not a leak: memory must be released, but not at once.
  await expect.poll(async () => ((await heap()) - before) / 2 ** 20).toBeLessThan(3);
});
