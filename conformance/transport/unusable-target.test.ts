import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { hasCode } from '../../contract/error/petstore-error.ts';
import { runConformance } from '../index.ts';
import { petstore as contract } from '../../test/contract/petstore.ts';

const close: (() => void)[] = [];

afterEach(() => {
  for (const each of close.splice(0)) each();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return urlOf(server.address());
}

function urlOf(address: AddressInfo | string | null): string {
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/v1`;
}

async function complaint(baseUrl: string, timeout = 2000): Promise<string> {
  const error: unknown = await runConformance(
    contract,
    { baseUrl, apiKey: 'key' },
    { timeout },
  ).catch((reason: unknown) => reason);
  if (!hasCode(error, 'inconclusive')) throw new Error('the run was not failed', { cause: error });
  return error.message;
}

test.for<[string, RequestListener, RegExp]>([
  [
    'redirects',
    (_request, response) =>
      response.writeHead(301, { Location: 'https://elsewhere.example/v1' }).end(),
    /redirects to https:\/\/elsewhere\.example\/v1/,
  ],
  [
    'a wrong key',
    (_request, response) =>
      response.writeHead(401, { 'Content-Type': 'application/json' }).end('{}'),
    /request was rejected \(401\)/,
  ],
  [
    'a wrong base path',
    (_request, response) => response.writeHead(404).end('not here'),
    /does not exist \(404\).*\/v1/,
  ],
  [
    "a proxy's web page",
    (_request, response) =>
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!DOCTYPE html><html></html>'),
    /web page/,
  ],
  [
    'a gateway without its service',
    (_request, response) => response.writeHead(503).end(),
    /503.*down/,
  ],
])('a target with %s is reported in one sentence, not judged', async ([, listener, expected]) => {
  expect(await complaint(await serve(listener))).toMatch(expected);
});

test('a target that does not respond is reported', async () => {
  expect(await complaint(await serve(() => undefined), 100)).toMatch(/did not respond in time/);
});

test('a target that does not exist is reported', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = urlOf(server.address());
  await new Promise((resolve) => server.close(resolve));
  expect(await complaint(baseUrl)).toMatch(/No server responds/);
});

test('a target that does not speak HTTP is reported', async () => {
  const server = createTcpServer((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close.push(() => server.close());
  expect(await complaint(urlOf(server.address()))).toMatch(/does not speak HTTP/);
});

test('plain HTTP instead of TLS is reported', async () => {
  const baseUrl = (await serve((_request, response) => response.end())).replace('http:', 'https:');
  expect(await complaint(baseUrl)).toMatch(/secure connection|closed the connection/);
});

test('a 304 without Location is judged, not treated as a redirect', async () => {
  const baseUrl = await serve((_request, response) => response.writeHead(304).end());
  const { outcome } = await runConformance(contract, { baseUrl, apiKey: 'key' }, { requests: 5 });
  expect(outcome).toBe('failed');
});
