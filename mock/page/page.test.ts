import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Contract } from '../../contract/contract.ts';
import { loadContract } from '../../contract/load.ts';
import { createMock, type ListenOptions } from '../index.ts';
import type { Listening } from '../integrations/node/server.ts';
import { loadPetstore } from '../../test/mock/contracts.ts';
import { loadPageFiles } from './page.ts';

const html = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

async function start(options: ListenOptions = {}): Promise<Listening> {
  return await createMock(await loadPetstore()).listen(options);
}

describe('the page', () => {
  let server: Listening;
  let origin: string;
  beforeAll(async () => {
    server = await start();
    ({ origin } = new URL(server.url));
  });
  afterAll(async () => await server.close());

  test.for(['/', '/?a=b', '/_mock', '/_mock/'])('is served to a browser at %s', async (path) => {
    const response = await fetch(origin + path, { headers: html });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect(await response.text()).toContain('/_mock/page/page.js');
  });

  test.for([
    {},
    { accept: '*/*' },
    { accept: 'application/json' },
    { accept: 'text/html;q=0.1, application/json' },
  ])('is not served to a tool: %j', async (headers) => {
    const response = await fetch(`${origin}/`, { headers });
    expect(response.headers.get('content-type')).toBe('application/json');
  });

  test('loads only its own files, and runs no inline script', async () => {
    const response = await fetch(`${origin}/`, { headers: html });
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/default-src 'none'.*script-src 'self';.*frame-ancestors 'none'/);
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    const text = await response.text();
    const sources = [...text.matchAll(/<(?:script|link)[^>]* (?:src|href)="([^"]*)"/g)].map(
      ([, source]) => source,
    );
    expect(sources.filter((source) => source?.startsWith('/_mock/page/'))).toHaveLength(2);
    expect(text).not.toMatch(/<script(?![^>]* src=)/);
    for (const source of sources.filter((one) => one?.startsWith('/'))) {
      const file = await fetch(origin + source);
      expect([file.status, file.headers.get('x-content-type-options')]).toEqual([200, 'nosniff']);
    }
  });

  test.for([
    '/_mock/page/',
    '/_mock/page/none.js',
    '/_mock/page/%2e%2e/files.ts',
    '/_mock/page/..%2Ffiles.ts',
  ])('has no file %s', async (path) => {
    expect((await fetch(origin + path, { headers: html })).status).toBe(404);
  });
});

test('is at most 120 kB compressed', async () => {
  const files = await loadPageFiles();
  const sizes = [...files].map(([name, text]) => [name, gzipSync(text).length] as const);
  expect(sizes.map(([name]) => name)).toEqual(
    expect.arrayContaining(['index.html', 'page.css', 'page.js']),
  );
  expect(sizes.reduce((sum, [, size]) => sum + size, 0)).toBeLessThan(120_000);
});

test('is served without the token, but its data is not', async () => {
  await using server = await closing(start({ control: { token: 'secret' } }));
  const { origin } = new URL(server.url);
  expect((await fetch(`${origin}/`, { headers: html })).status).toBe(200);
  expect((await fetch(`${origin}/`)).status).toBe(401);
});

test('serves the favicon of the origin, without logging it', async () => {
  const mock = createMock(await loadPetstore());
  await using server = await closing(mock.listen());
  const { origin } = new URL(server.url);
  expect((await fetch(`${origin}/favicon.ico`)).status).toBe(204);
  expect((await mock.control()).sandbox('main').requests).toBe(0);
  await using other = await closing(createMock(await contractOf('/favicon.ico')).listen());
  expect(await (await fetch(`${new URL(other.url).origin}/favicon.ico`)).text()).toBe('1');
});

test('is linked at the base URL of the service', async () => {
  await using server = await closing(start());
  const response = await fetch(server.url, { headers: html });
  expect([response.status, await response.text()]).toEqual([
    404,
    expect.stringContaining('In a browser, open /_mock/'),
  ]);
});

test('yields to a document with the same path', async () => {
  await using server = await closing(createMock(await contractOf('/')).listen());
  const { origin } = new URL(server.url);
  expect(await (await fetch(`${origin}/`, { headers: html })).text()).toBe('1');
  expect(
    (await fetch(`${origin}/_mock/`, { headers: html })).headers.get('content-type'),
  ).toContain('html');
});

/** A document with one path, at the root of the origin. */
async function contractOf(path: string): Promise<Contract> {
  const operation = {
    responses: { 200: { description: 'ok', content: { 'application/json': { example: 1 } } } },
  };
  const document = {
    openapi: '3.1.0',
    info: { title: 'a', version: '1' },
    paths: { [path]: { get: operation } },
  };
  return await loadContract({ text: JSON.stringify(document), name: 'a.json' });
}

test('the served document yields to a path of a single segment', async () => {
  const responses = {
    200: { description: 'ok', content: { 'application/json': { example: 'own' } } },
  };
  const parameters = [{ name: 'name', in: 'path', required: true, schema: { type: 'string' } }];
  const document = {
    openapi: '3.1.0',
    info: { title: 'a', version: '1' },
    paths: { '/{name}.json': { get: { parameters, responses } } },
  };
  const contract = await loadContract({ text: JSON.stringify(document), name: 'a.json' });
  await using server = await closing(createMock(contract).listen());
  const { origin } = new URL(server.url);
  expect(await (await fetch(`${origin}/openapi.json`)).text()).toBe('"own"');
  expect(await (await fetch(`${origin}/openapi.yaml`)).text()).toContain('openapi: 3.1.0');
});

async function closing(opened: Promise<Listening>): Promise<Listening & AsyncDisposable> {
  const server = await opened;
  return { ...server, [Symbol.asyncDispose]: async () => await server.close() };
}
