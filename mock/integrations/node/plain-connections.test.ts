import { connect } from 'node:net';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Contract } from '../../../contract/contract.ts';
import { createRandom } from '../../../contract/sample/random.ts';
import type { MockRequest } from '../../http/message.ts';
import { createMock } from '../../mock.ts';
import { loadInventory, loadPetstore } from '../../../test/mock/contracts.ts';
import type { MockOptions } from '../../served-document/options.ts';
import { readPlainRequest } from './plain-connections.ts';
import { type Listening, listen } from './server.ts';

let contract: Contract;
let options: MockOptions;
const opened: Listening[] = [];

beforeAll(async () => {
  contract = await loadPetstore();
  const limits = { Enterprise: { minute: 1e6, day: 1e6 } };
  options = { seed: await loadInventory(), clock: { now: () => 1e12 }, limits };
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
});

/** A mock and what its pipeline was handed. One that watches connections leaves all to `node:http`. */
const open = async (watches: boolean): Promise<{ port: number; seen: MockRequest[] }> => {
  const mock = createMock(contract, options);
  const seen: MockRequest[] = [];
  const nobody = { opened: () => {}, closed: () => {} };
  const listening = await listen({
    ...mock,
    handle(request) {
      seen.push(request);
      return mock.handle(request);
    },
    ...(watches && { connections: nobody }),
  });
  opened.push(listening);
  return { port: listening.port, seen };
};

/** The end of a connection, which is left to `node:http`. */
const last = Buffer.from('GET /v1/none HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');

/** All that comes back on a connection of its own for some requests, each sent after a response. */
const exchange = (port: number, ...requests: readonly Buffer[]): Promise<string> =>
  new Promise((resolve) => {
    let received = '';
    let heads = 0;
    const left = [...requests, last];
    const socket = connect({ port, host: '127.0.0.1' }, () => {
      socket.write(left.shift() ?? last);
    });
    socket.setEncoding('latin1').on('data', (text) => {
      received += String(text);
      const count = received.split('HTTP/1.1 ').length - 1;
      if (count > heads) socket.write(left.shift() ?? '');
      heads = count;
    });
    socket.on('error', () => {}).on('close', () => resolve(received));
  });

const describeRequest = ({ method, target, headers, content }: MockRequest): unknown => [
  method,
  target,
  Object.entries(headers),
  content instanceof Uint8Array ? Buffer.from(content).toString('latin1') : content,
];

const authorization = 'Host: x\r\nAuthorization: Bearer demo-enterprise\r\n';
const pet = '{"name":"Rex \u00e9","categoryId":1}';
const plain = [
  `GET /v1/pets?limit=3 HTTP/1.1\r\n${authorization}\r\n`,
  `GET /v1/pets/7 HTTP/1.1\r\n${authorization}Connection: keep-alive\r\nAccept: */*\r\n\r\n`,
  `HEAD /v1/pets/7 HTTP/1.1\r\n${authorization}\r\n`,
  `GET /v1/pets/7 HTTP/1.1\r\nHost: x\r\n\r\n`,
  `POST /v1/pets HTTP/1.1\r\n${authorization}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(pet)}\r\n\r\n${pet}`,
  `POST /v1/pets HTTP/1.1\r\n${authorization}Content-Length: 2\r\ncontent-type: application/json\r\n\r\n{}`,
  `DELETE /v1/pets/9 HTTP/1.1\r\n${authorization}\r\n`,
  `PUT /v1/nowhere HTTP/1.1\r\n${authorization}Content-Length: 0\r\n\r\n`,
].map((text) => Buffer.from(text));

const get = (lines: string, line = 'GET /v1/pets/7 HTTP/1.1'): string =>
  `${line}\r\n${authorization}${lines}\r\n`;

/** One to three bytes changed, left out, doubled or put in. */
const mutate = (bytes: Buffer, random: () => number): Buffer => {
  const changed = [...bytes];
  const bits = Buffer.from('\r\n :\t,0Cc-/%#\0\x7f\xe9', 'latin1');
  for (let count = 1 + Math.floor(random() * 3); count > 0; count -= 1) {
    const at = Math.floor(random() * changed.length);
    const way = Math.floor(random() * 4);
    const bit = bits[Math.floor(random() * bits.length)] ?? 0;
    if (way === 0) changed[at] = bit;
    else if (way === 1) changed.splice(at, 1 + Math.floor(random() * 4));
    else if (way === 2) changed.splice(at, 0, bit);
    else changed.splice(at, 0, ...changed.slice(at, at + 30));
  }
  return Buffer.from(changed);
};

describe('a request that is read from the connection', () => {
  test.each(plain.map((bytes) => [bytes.toString().split('\r\n', 1)[0], bytes] as const))(
    '%s is plain',
    (_, bytes) => {
      expect(readPlainRequest(bytes)).toBeDefined();
    },
  );

  test('gets the same response as one read by `node:http`, byte for byte', async () => {
    const random = createRandom(13);
    const [own, other] = [await open(false), await open(true)];
    const mutants = Array.from({ length: 2000 }, (_, round) =>
      mutate(plain[round % plain.length] ?? last, random),
    ).filter((bytes) => readPlainRequest(bytes) !== undefined);
    expect(mutants.length).toBeGreaterThan(200);
    for (const sent of [...plain, ...mutants]) {
      const [one, two] = await Promise.all([exchange(own.port, sent), exchange(other.port, sent)]);
      expect([sent.toString('latin1'), one]).toEqual([sent.toString('latin1'), two]);
    }
    expect(own.seen.map(describeRequest)).toEqual(other.seen.map(describeRequest));
  }, 60_000);

  test('may be followed by others on its connection, plain or not', async () => {
    const chunks = [
      ...plain,
      Buffer.from(get('Prefer: wait=0.01\r\n')),
      Buffer.from(get('X-One: 1\t2\r\n')),
      ...plain,
    ];
    const [own, other] = [await open(false), await open(true)];
    const [one, two] = [await exchange(own.port, ...chunks), await exchange(other.port, ...chunks)];
    expect(one).toBe(two);
    expect(own.seen.map(describeRequest)).toEqual(other.seen.map(describeRequest));
  });

  test('is served once even if its response is delayed', async () => {
    const { port, seen } = await open(false);
    const late = Buffer.from(get('Prefer: wait=0.01\r\n'));
    expect(await exchange(port, late)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(seen.map(({ target }) => target)).toEqual(['/v1/pets/7', '/v1/none']);
  });
});

describe('a connection', () => {
  const patience = {
    headersTimeout: 60,
    requestTimeout: 60,
    connectionsCheckingInterval: 20,
    keepAliveTimeout: 60,
    keepAliveTimeoutBuffer: 0,
  };
  const openWith = async (more: object): Promise<Listening> => {
    const listening = await listen(createMock(contract, options), {}, { ...patience, ...more });
    opened.push(listening);
    return listening;
  };
  /** All that comes back for some bytes until the server closes. */
  const receive = (port: number, sent: string): Promise<string> =>
    new Promise((resolve) => {
      let received = '';
      const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(sent));
      socket.setEncoding('latin1').on('data', (text) => (received += String(text)));
      socket.on('error', () => {}).on('close', () => resolve(received));
    });

  test('without a request gets a 408', async () => {
    const { port } = await openWith({ keepAliveTimeout: 60_000 });
    expect(await receive(port, '')).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('without further requests is closed', async () => {
    const { port } = await openWith({ headersTimeout: 60_000, requestTimeout: 60_000 });
    expect(await receive(port, get(''))).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*"status":"sold"\}$/);
  });

  test('that is open when the server closes is closed', async () => {
    const listening = await openWith({
      headersTimeout: 60_000,
      requestTimeout: 60_000,
      keepAliveTimeout: 60_000,
    });
    const silent = receive(listening.port, '');
    const closed = await new Promise<boolean>((resolve) => {
      const socket = connect({ port: listening.port, host: '127.0.0.1' }, () =>
        socket.write(get('')),
      );
      socket.once('data', () => void listening.close()).on('close', () => resolve(true));
    });
    expect([closed, await silent]).toEqual([true, '']);
  });

  test('whose client half-closes is answered and closed', async () => {
    const { port } = await openWith({});
    const received = await new Promise((resolve) => {
      let text = '';
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () =>
        socket.end(get('')),
      );
      socket.on('data', (chunk) => (text += String(chunk))).on('close', () => resolve(text));
    });
    expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });
});

describe('handled by `node:http` is', () => {
  test.each([
    ['part of a head', get('').slice(0, -2)],
    ['part of a body', `${get('Content-Length: 3\r\n', 'POST /v1/pets HTTP/1.1')}{}`],
    ['more than one request', get('') + get('')],
    ['a body of GET', `${get('Content-Length: 2\r\n')}{}`],
    ['HTTP/1.0', get('', 'GET /v1/pets HTTP/1.0')],
    ['another method', get('', 'OPTIONS /v1/pets HTTP/1.1')],
    ['an absolute target', get('', 'GET http://x/v1/pets HTTP/1.1')],
    ['a fragment', get('', 'GET /v1/pets#x HTTP/1.1')],
    ['no Host', 'GET /v1/pets HTTP/1.1\r\nAccept: */*\r\n\r\n'],
    ['two Hosts', get('host: y\r\n')],
    ['a field twice', get('X-One: 1\r\nx-one: 2\r\n')],
    ['chunks', get('Transfer-Encoding: chunked\r\n')],
    ['an expectation', get('Expect: 100-continue\r\n')],
    ['an upgrade', get('Upgrade: websocket\r\n')],
    ['the end of a connection', get('Connection: close\r\n')],
    ['a length with a sign', get('Content-Length: +0\r\n')],
    ['a length with a zero before it', get('Content-Length: 00\r\n')],
    ['a folded line', get('X-One: 1\r\n 2\r\n')],
    ['space before the colon', get('X-One : 1\r\n')],
    ['no space after it', get('X-One:1\r\n')],
    ['more space than one', get('X-One:  1\r\n')],
    ['space at the end', get('X-One: 1 \r\n')],
    ['no value', get('X-One: \r\n')],
    ['a tab', get('X-One: 1\t2\r\n')],
    ['Latin-1', get('X-One: \u00e9\r\n')],
    ['a bare line feed', get('X-One: 1\n')],
    ['a bare carriage return', get('X-One: 1\r2\r\n')],
    ['a name with an underscore', get('X_One: 1\r\n')],
    ['a member of every object as a name', get('Constructor: 1\r\n')],
    ['many fields', get(Array.from({ length: 120 }, (_, at) => `X-${at}: 1\r\n`).join(''))],
    ['a long head', get(`X: ${'x'.repeat(4096)}\r\n`)],
    [
      'a long body',
      `${get('Content-Length: 16384\r\n', 'POST /v1/pets HTTP/1.1')}${'x'.repeat(16_384)}`,
    ],
  ])('%s', (_, text) => {
    expect(readPlainRequest(Buffer.from(text, 'latin1'))).toBeUndefined();
  });
});
