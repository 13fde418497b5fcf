import { brotliCompressSync, gzipSync } from 'node:zlib';
import { once } from 'node:events';
import { type Socket, connect, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { loadYaml } from '../test/conformance/judge-document.ts';
import { petstore } from '../test/contract/petstore.ts';
import { copied } from './message.ts';
import { type ProxyOptions, startProxy } from './proxy.ts';

/** A server that answers each request with bytes of a test, and keeps those that it was sent. */
interface WireServer extends AsyncDisposable {
  readonly origin: string;
  /** What came in, connection by connection, each byte as a character. */
  readonly received: () => readonly string[];
}

/** @param answer called with all that a connection has sent so far, whenever something came */
async function startWireServer(
  answer: (received: string, socket: Socket) => void,
): Promise<WireServer> {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const place = received.push('') - 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      received[place] += chunk.toString('latin1');
      answer(received[place] ?? '', socket);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return {
    origin: `http://127.0.0.1:${port}`,
    received: () => received,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A client that sends bytes, and reads what comes back, each byte as a character. */
interface WireClient extends Disposable {
  readonly send: (text: string) => void;
  /** Resolves with all that came, once it fits; rejects if the connection ends before. */
  readonly until: (pattern: RegExp) => Promise<string>;
  /** Resolves with all that came when the connection has ended. */
  readonly ended: Promise<string>;
}

async function openWireClient(origin: string): Promise<WireClient> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  const ended = once(socket, 'close').then(() => text);
  await once(socket, 'connect');
  return {
    send: (content) => void socket.write(content, 'latin1'),
    until: async (pattern) => {
      while (!pattern.test(text)) {
        const isOpen = await Promise.race([
          once(socket, 'data').then(() => true),
          ended.then(() => false),
        ]);
        if (!isOpen && !pattern.test(text)) throw new Error(`ended after ${JSON.stringify(text)}`);
      }
      return text;
    },
    ended,
    [Symbol.dispose]: () => void socket.destroy(),
  };
}

/** A proxy in front of a server that answers these bytes once a request is there to its end. */
async function open(
  answer: string | readonly string[],
  isWhole: (received: string) => boolean = (received) => received.includes('\r\n\r\n'),
  options: Partial<ProxyOptions> = {},
) {
  const server = await startWireServer((received, socket) => {
    if (isWhole(received)) for (const part of [answer].flat()) socket.write(part, 'latin1');
  });
  const proxy = await startProxy(petstore, { target: `${server.origin}/v1`, ...options });
  const client = await openWireClient(proxy.baseUrl);
  return {
    client,
    baseUrl: proxy.baseUrl,
    received: () => server.received().join('|').replaceAll(server.origin.slice(7), 'TARGET'),
    sum: () => proxy.sum(),
    failed: () =>
      proxy
        .sum()
        .verdicts.flatMap(({ kind, requirement }) => (kind === 'failed' ? [requirement.id] : [])),
    [Symbol.asyncDispose]: async () => {
      client[Symbol.dispose]();
      await proxy.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** The bytes of a message without the fields of its connection. */
const withoutConnection = (text: string): string =>
  text.replaceAll(/^(?:connection|keep-alive): .*\r\n/gim, '');

const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

test('a request is forwarded byte for byte, except host and connection fields', async () => {
  await using place = await open('HTTP/1.1 204 No Content\r\n\r\n', (received) =>
    received.endsWith('{"a":1}'),
  );
  place.client.send(
    'POST /v1/pets?b=2&a=%7e HTTP/1.1\r\nX-One: 1\r\nHOST: localhost\r\nx-ONE: \xe9\r\nTE: trailers\r\nConnection: keep-alive, X-Hop\r\nX-Hop: 1\r\nContent-type: application/json\r\ncontent-LENGTH: 7\r\nAccept: a\r\nAccept: b\r\n\r\n{"a":1}',
  );
  await place.client.until(/204/);
  expect(withoutConnection(place.received())).toBe(
    'POST /v1/pets?b=2&a=%7e HTTP/1.1\r\nX-One: 1\r\nHOST: TARGET\r\nx-ONE: \xe9\r\nContent-type: application/json\r\ncontent-LENGTH: 7\r\nAccept: a\r\nAccept: b\r\n\r\n{"a":1}',
  );
});

test('chunks and trailers are forwarded both ways', async () => {
  const answer = `HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\nx-a: 1\r\n\r\n${chunk('[')}${chunk(']')}0\r\nX-Sum: 7\r\n\r\n`;
  await using place = await open(answer, (received) => received.endsWith('X-T: 1\r\n\r\n'));
  place.client.send(
    `POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nTrailer: X-T\r\n\r\n${chunk('{"a"')}${chunk(':1}')}0\r\nX-T: 1\r\n\r\n`,
  );
  const text = await place.client.until(/X-Sum: 7\r\n\r\n$/);
  expect(withoutConnection(text).split('\r\n\r\n')[0]?.split('\r\n').toSorted()).toEqual([
    'HTTP/1.1 200 OK',
    'Trailer: X-Sum',
    'Transfer-Encoding: chunked',
    'x-a: 1',
  ]);
  expect(text.split('\r\n\r\n')[1]?.replaceAll(/\r\n[0-9a-f]+\r\n/g, '')).toContain('[');
  expect(place.received()).toMatch(/\{"a"[^]*:1\}[^]*\r\n0\r\nX-T: 1\r\n\r\n$/);
});

test('a response keeps its reason, and the order, case and repetitions of its fields', async () => {
  const head =
    'HTTP/1.1 299 Quite Fine\r\nset-cookie: a=1\r\nX-b: \xe9\r\nSet-Cookie: b=2\r\nx-B: 2\r\nContent-Length: 0\r\n';
  await using place = await open(`${head}Keep-Alive: timeout=9\r\n\r\n`);
  place.client.send('GET /v1/pets HTTP/1.1\r\nHost: localhost\r\n\r\n');
  expect(withoutConnection(await place.client.until(/\r\n\r\n/))).toBe(`${head}\r\n`);
});

test('HEAD, 304 and interim responses are forwarded', async () => {
  await using place = await open([
    'HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 40\r\nETag: "a"\r\n\r\n',
  ]);
  place.client.send('HEAD /v1/pets HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const text = await place.client.until(/ETag: "a"\r\n[^]*\r\n\r\n/);
  expect(text).toMatch(/^HTTP\/1.1 103 Early Hints\r\nlink: <\/a>; rel=preload\r\n/i);
  expect(text).toContain('Content-Length: 40');
});

test('a client that waits for 100 Continue gets it from the target', async () => {
  await using place = await open('', () => false);
  place.client.send(
    'POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n',
  );
  await expect.poll(place.received).toMatch(/Expect: 100-continue[^]*\r\n\r\n$/);
  expect(place.received()).not.toContain('{}');
});

test('a 100 is forwarded even to a client that does not wait for it', async () => {
  await using place = await open(
    ['HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 204 No Content\r\n\r\n'],
    (received) => received.endsWith('{}'),
  );
  place.client.send(
    'POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}',
  );
  expect(await place.client.until(/204/)).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 204/);
});

test('a body is streamed: each part arrives before the next is sent', async () => {
  const server = await startWireServer((received, socket) => {
    if (received.endsWith('\r\n\r\n'))
      socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunk('first')}`);
    if (received.endsWith('more')) socket.write(`${chunk('last')}0\r\n\r\n`);
  });
  const proxy = await startProxy(petstore, { target: `${server.origin}/v1` });
  const client = await openWireClient(proxy.baseUrl);
  client.send('POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\n');
  await client.until(/first/);
  client.send('more');
  expect(await client.until(/last/)).toMatch(/first[^]*last/);
  client[Symbol.dispose]();
  await proxy.close();
  await server[Symbol.asyncDispose]();
});

const json = (body: string, fields = ''): string =>
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${fields}Content-Length: ${body.length}\r\n\r\n${body}`;
const get =
  'GET /v1/pets HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer secret-key-1\r\n\r\n';

test.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
] as const)('a body in %s is forwarded unchanged, and judged', async (coding, compress) => {
  const body = compress('[{"id":"one"}]').toString('latin1');
  await using place = await open(json(body, `Content-Encoding: ${coding}\r\n`));
  place.client.send(get);
  expect(await place.client.until(/\r\n\r\n/)).toContain(`Content-Encoding: ${coding}`);
  await expect.poll(place.failed).toContain('listPets/response.200.body[].id.type');
});

test('a body that is too large to judge is forwarded, and not tested', async () => {
  const body = `[${' '.repeat(copied.bytes)}]`;
  await using place = await open(json(body));
  place.client.send(get);
  await place.client.until(/\]$/);
  await expect
    .poll(() => place.sum().notes)
    .toMatchObject([
      { sentence: `the body of a response is too large to judge: ${body.length} bytes` },
    ]);
  expect(place.failed().filter((id) => id.includes('.body'))).toEqual([]);
});

test('of a request that gets its response before it was sent, the body is not judged', async () => {
  await using place = await open(json('{}'), (received) => received.endsWith('{"name":'));
  const head = 'Host: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n';
  place.client.send(`POST /v1/pets HTTP/1.1\r\n${head}{"name":`);
  await place.client.until(/\{\}$/);
  const sentences = (): readonly string[] => place.sum().notes.map(({ sentence }) => sentence);
  await expect.poll(sentences).toContain('the body of a request was not received completely');
  expect(sentences().filter((sentence) => sentence.includes('must'))).toEqual([]);
});

test('a key is never reported', async () => {
  await using place = await open(
    json('[{"id":1,"name":"secret-key-1"}]', 'X-Key: secret-key-1\r\n'),
  );
  place.client.send(get);
  await place.client.until(/\]$/);
  await expect.poll(() => place.sum().judged).toBe(1);
  expect(JSON.stringify(place.sum())).not.toContain('secret-key-1');
  expect(JSON.stringify(place.sum())).toContain('[redacted]');
});

test.each([
  ['a list with a wrong item', json('[{"id":"one"}]'), 'listPets/response.200.body[].id.type'],
  ['a 500', 'HTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n', 'listPets/robustness.no-server-error'],
])('--errors returns 502 instead of %s', async (_, answer, requirement) => {
  await using place = await open(answer, undefined, { errors: true });
  place.client.send(get);
  const text = await place.client.until(/"findings":.*\}$/);
  expect(text).toMatch(/^HTTP\/1.1 502 [^]*application\/problem\+json/);
  expect(text).toContain(`"requirement":"${requirement}"`);
  expect(text).not.toContain('secret-key-1');
});

const post = (body: string, fields = ''): string =>
  `POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer secret-key-1\r\nContent-Type: application/json\r\n${fields}Content-Length: ${body.length}\r\n\r\n${body}`;

test.each([
  [
    'a query',
    'GET /v1/pets?limit=0 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer secret-key-1\r\n\r\n',
    400,
    'the query parameter limit must be at least 1',
  ],
  ['a missing key', 'GET /v1/pets HTTP/1.1\r\nHost: localhost\r\n\r\n', 401, 'the key is missing'],
  ['a body', post('{"name":"Rex","categoryId":"secret-key-1"}'), 400, '/categoryId of the body'],
  ['a body after 100', post('{', 'Expect: 100-continue\r\n'), 400, 'the body must be JSON'],
])('--errors does not forward %s that breaks the contract', async (_, request, status, finding) => {
  await using place = await open(json('[]'), undefined, { errors: true });
  place.client.send(request);
  const text = await place.client.until(/"findings":.*\}$/);
  expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `, 'm'));
  expect(text).toContain(finding);
  expect(text).not.toContain('secret-key-1');
  expect(place.received()).toBe('');
  expect(place.sum()).toMatchObject({ seen: 1, judged: 0, unread: undefined });
  expect(
    place
      .sum()
      .notes.map(({ kind }) => kind)
      .toSorted(),
  ).toEqual(['not-judged', 'request']);
});

test.each([
  ['a valid body', '{"name":"Rex","categoryId":1}'],
  ['a body that is too large to be judged', `{"name":"${'x'.repeat(copied.bytes)}"}`],
])('--errors forwards %s unchanged', async (_, body) => {
  await using place = await open(json('{}'), (received) => received.endsWith('}'), {
    errors: true,
  });
  place.client.send(post(body));
  await place.client.until(/\}$/);
  expect(place.received().split('\r\n\r\n')[1]).toBe(body);
});

test('--errors forwards a form, and judges it', async () => {
  const contract = await loadYaml(`
paths:
  /logins:
    post:
      operationId: logIn
      requestBody:
        required: true
        content: { application/x-www-form-urlencoded: { schema: { type: object } } }
      responses: { '204': { description: Done. } }
`);
  await using server = await startWireServer((received, socket) => {
    if (received.endsWith('user=ann')) socket.write('HTTP/1.1 204 No Content\r\n\r\n');
  });
  const proxy = await startProxy(contract, { target: `${server.origin}/v1`, errors: true });
  const type = 'application/x-www-form-urlencoded';
  const body = new URLSearchParams({ user: 'ann' });
  const headers = { 'content-type': type };
  const { status } = await fetch(`${proxy.baseUrl}/logins`, { method: 'POST', headers, body });
  expect([status, proxy.sum()]).toMatchObject([204, { judged: 1, notes: [] }]);
  await proxy.close();
});

test.each([false, true])(
  'a connection that breaks in a response breaks only this one (--errors: %j)',
  async (errors) => {
    await using server = await startWireServer((received, socket) => {
      const isSecond = received.split('\r\n\r\n').length > 2;
      socket.write(isSecond ? json('[]').replace('[]', '[').replace(': 2', ': 9') : json('[]'));
      if (isSecond) setImmediate(() => socket.resetAndDestroy());
    });
    const proxy = await startProxy(petstore, { target: `${server.origin}/v1`, errors });
    const ask = (): Promise<string> =>
      fetch(`${proxy.baseUrl}/pets`, { headers: { authorization: 'Bearer secret-key-1' } })
        .then((response) => response.text())
        .catch(() => 'broken');
    const [, second] = [await ask(), await ask()];
    expect(second).not.toBe('[]');
    await expect.poll(() => proxy.sum().seen).toBe(2);
    expect(server.received().join('').match(/GET/g)).toHaveLength(2);
    await proxy.close();
  },
);

test('a large response buffered by --errors is forwarded unchanged', async () => {
  const body = `[${' '.repeat(2 * copied.bytes)}]`;
  const reset = Math.floor(Date.now() / 1000) + 30;
  const limits = `X-RateLimit-Limit: 60\r\nX-RateLimit-Remaining: 59\r\nX-RateLimit-Reset: ${reset}\r\n`;
  await using place = await open(json(body, limits), undefined, { errors: true });
  place.client.send(get);
  expect((await place.client.until(/\]$/)).split('\r\n\r\n')[1]).toBe(body);
});

test('an unreachable target does not fail, and a truncated response does', async () => {
  await using away = await open('', () => false, { target: 'http://127.0.0.1:9/v1' });
  away.client.send(get);
  expect(await away.client.until(/\}$/)).toMatch(/^HTTP\/1.1 502 /);
  expect([away.failed(), away.sum().notes[0]?.sentence]).toEqual([
    [],
    'the target could not be reached (unreachable)',
  ]);
  const server = await startWireServer((_received, socket) => {
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n[');
  });
  const proxy = await startProxy(petstore, { target: `${server.origin}/v1` });
  const client = await openWireClient(proxy.baseUrl);
  client.send(get);
  expect(await client.ended).toMatch(/\r\n\r\n\[$/);
  const failed = proxy.sum().verdicts.filter(({ kind }) => kind === 'failed');
  expect(failed.map(({ requirement }) => requirement.id)).toEqual(['listPets/robustness.answered']);
  await proxy.close();
  await server[Symbol.asyncDispose]();
});

test('a response aborted by the client is not judged', async () => {
  await using place = await open('', () => false);
  place.client.send(get);
  await expect.poll(place.received).not.toBe('');
  place.client[Symbol.dispose]();
  await expect.poll(() => place.sum().notes[0]?.sentence).toBe('the client disconnected');
  expect([place.failed(), place.sum().unread]).toEqual([[], undefined]);
});

test.each([
  'GET /_mock/sandboxes/main',
  'DELETE /_mock/sandboxes/main/state',
  'GET /',
  'GET /v2/pets',
  'GET /v10/pets',
  'GET /v1/../_mock/sandboxes',
  'GET /v1/%2e%2e/_mock/sandboxes',
  'GET /v1/..%2f_mock/sandboxes',
  'GET /v1/..\\_mock/sandboxes',
  'GET http://127.0.0.1/_mock/sandboxes',
  'GET //v1/pets',
  'OPTIONS *',
])('%s is outside the base path and does not reach the target', async (line) => {
  await using place = await open(json('[]'));
  place.client.send(`${line} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  expect(await place.client.until(/\}$/)).toMatch(/^HTTP\/1.1 404 [^]*below \/v1\//);
  expect([place.received(), place.sum().notes.length]).toEqual(['', 1]);
});

test.each(['GET /_mock/', 'GET /./_mock', 'GET /%5fmock/sandboxes', 'GET //_mock/'])(
  '%s does not reach a target without a base path',
  async (line) => {
    const server = await startWireServer((_received, socket) => void socket.end(json('[]')));
    const proxy = await startProxy(petstore, { target: server.origin });
    const client = await openWireClient(proxy.baseUrl);
    client.send(`${line} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    expect(await client.until(/\}$/)).toMatch(/^HTTP\/1.1 404 /);
    expect(server.received()).toEqual([]);
    client[Symbol.dispose]();
    await proxy.close();
    await server[Symbol.asyncDispose]();
  },
);

test.each([
  ['Host: evil.example', 403],
  ['Host: evil.example:4010', 403],
  ['Host: localhost.evil.example', 403],
  ['Host: localhost\r\nOrigin: https://evil.example', 403],
  ['Host: localhost\r\nOrigin: null', 403],
  ['Host: localhost\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors', 403],
  ['Host: 127.0.0.1:4010', 200],
  ['Host: [::1]:4010\r\nOrigin: http://[::1]:4010', 200],
  ['Host: LOCALHOST\r\nOrigin: http://localhost:5173\r\nSec-Fetch-Site: same-site', 200],
] as const)('a request with %j gets %d', async (fields, status) => {
  await using place = await open(json('[]'));
  place.client.send(`GET /v1/pets HTTP/1.1\r\n${fields}\r\n\r\n`);
  expect(await place.client.until(/[\]}]$/)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(place.received() === '').toBe(status === 403);
});

const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]';

/** Malformed responses: each becomes a readable one, and the proxy continues. */
test.each([
  ['HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n', 502],
  ['HTTP/1.1 101 Switching Protocols\r\n\r\n', 502],
  ['HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\n[]', 204],
  ['HTTP/1.1 204 No Content\r\n\r\n[]', 204],
  ['HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\n\r\n', 204],
  ['HTTP/1.1 304 Not Modified\r\nContent-Length: 2\r\n\r\n[]', 304],
  [`${head}more`, 200],
  [`HTTP/1.1 103 Early Hints\r\nLink: garbage\r\n\r\n${head}`, 200],
  [`HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=a, </b>; rel=b\r\n\r\n${head}`, 200],
  [`HTTP/1.1 199 X\r\n\r\n${head}`, 200],
  ['HTTP/1.1 200 O\u0001K\r\nContent-Length: 0\r\n\r\n', 502],
  ['HTTP/1.1 099 X\r\nContent-Length: 0\r\n\r\n', 502],
  ['HTTP/1.1 000 X\r\nContent-Length: 0\r\n\r\n', 502],
  ['HTTP/1.1 999 X\r\nContent-Length: 0\r\n\r\n', 999],
  ['HTTP/1.1 200 OK\r\nX: a\u0001\r\nContent-Length: 0\r\n\r\n', 502],
  ['nonsense\r\n\r\n', 502],
] as const)('after %j the client gets %d', async (answer, status) => {
  for (const errors of [false, true]) {
    await using place = await open(answer, undefined, { errors });
    place.client.send(get);
    const text = await place.client.until(/^HTTP\/1\.1 (?!1)\d{3} [^]*\r\n\r\n/m);
    const statuses = [...text.matchAll(/^HTTP\/1\.1 (?!1)(\d{3})/gm)].map(([, found]) =>
      Number(found),
    );
    expect(errors ? [status, 502] : [status]).toContain(statuses[0]);
    using other = await openWireClient(place.baseUrl);
    other.send(get);
    await other.until(/^HTTP\/1\.1 (?!1)\d{3} [^]*\r\n\r\n/m);
  }
});
