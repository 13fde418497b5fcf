import { connect } from 'node:net';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Contract } from '../../../contract/contract.ts';
import { parseJson } from '../../../contract/json/value.ts';
import { type Mock, createMock } from '../../mock.ts';
import type { MockOptions } from '../../served-document/options.ts';
import { type Listening, listen } from './server.ts';
import { judgeResponse } from '../../../test/mock/response-judge.ts';
import { loadInventory, loadPetstore } from '../../../test/mock/contracts.ts';

let contract: Contract;
let options: MockOptions;
let mock: Mock;
const opened: Listening[] = [];

beforeAll(async () => {
  contract = await loadPetstore();
  options = { seed: await loadInventory() };
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
});

const open = async (more: MockOptions = {}): Promise<Listening> => {
  mock = createMock(contract, { ...options, ...more });
  const listening = await mock.listen();
  opened.push(listening);
  return listening;
};

const authorization = 'Bearer demo-business';
const post = (url: string, body: string, headers = {}): Promise<Response> =>
  fetch(`${url}/pets`, {
    method: 'POST',
    body,
    headers: { authorization, 'content-type': 'application/json', ...headers },
  });

/** Sends bytes and gives all that comes back until the server closes, or until `enough` matches. */
const exchange = (port: number, sent: readonly string[], enough?: RegExp): Promise<string> =>
  new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => {
      for (const part of sent) socket.write(part, 'latin1');
    });
    const done = (): void => {
      socket.destroy();
      resolve(received);
    };
    socket.setEncoding('utf8').setTimeout(60_000, done);
    socket.on('data', (text) => {
      received += String(text);
      if (enough?.test(received)) done();
    });
    socket
      .on('close', done)
      .on('error', (error: NodeJS.ErrnoException) =>
        error.code === 'ECONNRESET' ? done() : reject(error),
      );
  });

/** The raw answer judged by the contract, like any other. */
const judge = (raw: string): readonly string[] => {
  const [head = '', body = ''] = raw.split('\r\n\r\n');
  const [line = '', ...lines] = head.split('\r\n');
  const headers = lines.flatMap((one) => [
    one.slice(0, one.indexOf(':')),
    one.slice(one.indexOf(':') + 1).trim(),
  ]);
  return judgeResponse(
    contract,
    { method: 'GET', target: '/', headers: {}, content: undefined },
    { status: Number(line.split(' ')[1]), headers, body },
  );
};

describe('the integration over HTTP', () => {
  test('responds with exact length, type, date and rate limit', async () => {
    const { url } = await open();
    const response = await fetch(`${url}/pets?limit=7`, { headers: { authorization } });
    const text = await response.text();
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'application/json',
    ]);
    expect(response.headers.get('content-length')).toBe(`${Buffer.byteLength(text)}`);
    expect(Math.abs(Date.parse(response.headers.get('date') ?? '') - Date.now())).toBeLessThan(
      60_000,
    );
    expect(response.headers.get('x-ratelimit-remaining')).toBe('999');
  });

  test('stores exactly what is sent', async () => {
    const { url } = await open();
    const response = await post(url, '{"name":"ポチ","categoryId":9007199254740993}');
    expect([response.status, await response.text()]).toEqual([
      201,
      '{"id":31,"name":"ポチ","categoryId":9007199254740993,"status":"available"}',
    ]);
    const location = response.headers.get('location') ?? '';
    expect((await fetch(new URL(location, url), { headers: { authorization } })).status).toBe(200);
  });

  test('gives unique ids to parallel requests', async () => {
    const { url } = await open();
    const responses = await Promise.all(
      Array.from({ length: 40 }, () => post(url, '{"name":"x","categoryId":1}')),
    );
    const texts = await Promise.all(responses.map((response) => response.text()));
    expect(new Set(texts.map((text) => JSON.stringify(parseJson(text)))).size).toBe(40);
  });

  test('responds to HEAD with the headers of GET and no body', async () => {
    const { url } = await open();
    const response = await fetch(`${url}/pets`, { method: 'HEAD', headers: { authorization } });
    expect([
      response.status,
      await response.text(),
      Number(response.headers.get('content-length')) > 1000,
    ]).toEqual([200, '', true]);
  });

  test('sends 204 without Content-Length', async () => {
    const { url } = await open();
    const response = await fetch(`${url}/pets`, { method: 'OPTIONS' });
    expect([response.status, response.headers.has('content-length')]).toEqual([204, false]);
  });

  test('accepts a body of 1 MiB and refuses one byte more, with Content-Length or chunked', async () => {
    const { url, port } = await open();
    const frame = '{"name":"","categoryId":1}'.length;
    const body = (size: number): string => `{"name":"${'x'.repeat(size - frame)}","categoryId":1}`;
    expect((await post(url, body(1024 * 1024))).status).toBe(201);
    const messages = await exchange(
      port,
      [
        `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\nContent-Length: 1048577\r\n\r\n`,
      ],
      /"status":413\}/,
    );
    expect([messages.startsWith('HTTP/1.1 413'), judge(messages)]).toEqual([true, []]);
    const chunk = `40000\r\n${'x'.repeat(0x40000)}\r\n`;
    const chunked = await exchange(
      port,
      [
        `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
        chunk,
        chunk,
        chunk,
        chunk,
        chunk,
      ],
      /"status":413\}/,
    );
    expect([chunked.startsWith('HTTP/1.1 413'), judge(chunked)]).toEqual([true, []]);
  });

  test('serves the next request on the connection after one with a body that was not read', async () => {
    const { port } = await open();
    const first = `GET /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Length: 5\r\n\r\nhello`;
    const second = `GET /v1/pets/1 HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nConnection: close\r\n\r\n`;
    const text = await exchange(port, [first + second]);
    expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
  });

  test('reports a port in use', async () => {
    const { port } = await open();
    await expect(createMock(contract).listen({ port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
  });
});

describe('a malformed request', () => {
  test.each([
    ['garbage', 'garbage\r\n\r\n', 400],
    ['an unknown method', 'BREW /v1/pets HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['a header without a name', 'GET /v1/pets HTTP/1.1\r\nHost: x\r\n: x\r\n\r\n', 400],
    [
      'a control character in a header',
      'GET /v1/pets HTTP/1.1\r\nHost: x\r\nX: a\u0000b\r\n\r\n',
      400,
    ],
    [
      'two lengths',
      'POST /v1/pets HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
      400,
    ],
    [
      'a length and chunks',
      'POST /v1/pets HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    [
      'a bad chunk',
      'POST /v1/pets HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      400,
    ],
    ['a large header', `GET /v1/pets HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`, 431],
    ['no Host', 'GET /v1/pets HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['two Hosts', 'GET /v1/pets HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n', 400],
    ['the same Host twice', 'GET /v1/pets HTTP/1.1\r\nHost: x\r\nhost: x\r\n\r\n', 400],
    ['two Hosts of HTTP/1.0', 'GET /v1/pets HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n', 400],
    [
      'two Hosts for the control interface',
      'GET /_mock/ HTTP/1.1\r\nHost: localhost\r\nHost: y\r\n\r\n',
      400,
    ],
    ['a list of Hosts', 'GET /v1/pets HTTP/1.1\r\nHost: x, y\r\n\r\n', 400],
    ['a Host with a user', 'GET /v1/pets HTTP/1.1\r\nHost: x@y\r\n\r\n', 400],
    ['CONNECT', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', 405],
  ])('%s gets an error in the error shape', async (_, sent, status) => {
    const { port, url } = await open();
    const raw = await exchange(port, [sent]);
    expect([raw.slice(0, 12), judge(raw)]).toEqual([`HTTP/1.1 ${status}`, []]);
    expect((await fetch(`${url}/pets`, { headers: { authorization } })).status).toBe(200);
  });

  test.each([
    ['HTTP/1.0', 'GET /v1/pets HTTP/1.0\r\nAuthorization: Bearer demo-pro\r\n\r\n', 200],
    [
      'another expectation',
      'GET /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer demo-pro\r\nExpect: tea\r\nConnection: close\r\n\r\n',
      200,
    ],
    [
      'an upgrade',
      'GET /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer demo-pro\r\nConnection: upgrade, close\r\nUpgrade: websocket\r\n\r\n',
      200,
    ],
    [
      'an empty Host',
      'GET /v1/pets HTTP/1.1\r\nHost:\r\nAuthorization: Bearer demo-pro\r\nConnection: close\r\n\r\n',
      200,
    ],
    ['OPTIONS *', 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 204],
    [
      'an absolute target',
      'GET http://x/v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer demo-pro\r\nConnection: close\r\n\r\n',
      200,
    ],
    [
      'a path with two slashes',
      'GET //v1/pets HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      404,
    ],
    [
      'bad percent-encoding',
      'GET /v1/pets/%E0%A4%A HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer demo-pro\r\nConnection: close\r\n\r\n',
      404,
    ],
  ])('%s is served', async (_, sent, status) => {
    const { port } = await open();
    const raw = await exchange(port, [sent]);
    expect(raw.slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
  });

  test('100-continue is granted, and then the body is read', async () => {
    const { port } = await open();
    const head = `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\nContent-Length: 27\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`;
    const raw = await exchange(port, [head, '{"name":"xy","categoryId":1']);
    expect(raw).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 /);
  });

  test('a client that is too slow gets a 408', async () => {
    const listening = await listen(
      createMock(contract, options),
      {},
      { headersTimeout: 40, requestTimeout: 40, connectionsCheckingInterval: 10 },
    );
    opened.push(listening);
    const raw = await exchange(listening.port, ['GET /v1/pets HTTP/1.1\r\nHost:']);
    expect([raw.slice(0, 12), judge(raw)]).toEqual(['HTTP/1.1 408', []]);
  });

  test('a client that disconnects within its body does no harm', async () => {
    const { port, url } = await open();
    await new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(
          `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
          () => {
            socket.resetAndDestroy();
            resolve();
          },
        );
      });
    });
    expect((await fetch(`${url}/pets/31`, { headers: { authorization } })).status).toBe(404);
  });
});

describe('closing', () => {
  test('lets a pending request finish, and then closes its connection', async () => {
    const listening = await open();
    const { port } = listening;
    const head = `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\nContent-Length: 28\r\nExpect: 100-continue\r\n\r\n`;
    let received = '';
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(head);
    });
    const ended = new Promise<void>((resolve) => {
      socket.on('close', () => resolve());
    });
    await new Promise<void>((resolve) => {
      socket.once('data', (text) => {
        received += String(text);
        resolve();
      });
    });
    socket.on('data', (text) => {
      received += String(text);
    });
    const closed = listening.close();
    socket.write('{"name":"xy","categoryId":1}');
    await Promise.all([closed, ended]);
    expect(received).toMatch(/HTTP\/1\.1 201 [^]*Connection: close/);
  });
});

describe('an internal error of the mock', () => {
  test('is contained and reported', async () => {
    const faults: unknown[] = [];
    const { url } = await open({
      onFault: (fault) => {
        faults.push(fault);
      },
      onEntry: ({ target }) => {
        if (target.endsWith('=13')) throw new Error('unlucky');
      },
    });
    const response = await fetch(`${url}/pets?limit=13`, { headers: { authorization } });
    expect([response.status, await response.json()]).toEqual([
      500,
      expect.objectContaining({ code: 'internal_fault', status: 500 }),
    ]);
    expect(faults).toHaveLength(1);
    expect((await fetch(`${url}/pets`, { headers: { authorization } })).status).toBe(200);
  });
});

describe('the journal', () => {
  test('has an entry for each request, with the reason and without the key', async () => {
    const exchanges: unknown[] = [];
    const { url } = await open({
      onEntry: (one) => {
        exchanges.push(one);
      },
    });
    await fetch(`${url}/pets?limit=0`, { headers: { authorization } });
    await fetch(`${url}/nowhere`);
    expect(exchanges).toMatchObject([
      {
        method: 'GET',
        target: '/v1/pets?limit=0',
        operation: 'listPets',
        status: 400,
        plan: 'Business',
        sandbox: 'main',
        rate: { remaining: 999 },
        refusal: { reason: 'invalid_parameter' },
      },
      { target: '/v1/nowhere', operation: undefined, status: 404, plan: undefined },
    ]);
    expect(JSON.stringify(exchanges)).not.toContain('demo-business');
  });
});
