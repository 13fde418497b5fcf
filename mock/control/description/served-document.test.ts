import SwaggerParser from '@apidevtools/swagger-parser';
import { globSync } from 'node:fs';
import type { OpenAPI } from 'openapi-types';
import { describe, expect, test } from 'vitest';
import { loadContract } from '../../../contract/load.ts';
import { readPetstoreAgain } from '../../../test/mock/contracts.ts';
import { contractOf, openMock } from '../../../test/mock/control/open-mock.ts';

const operation = { responses: { 204: { description: '' } } };
const documents = new URL('../../../fixtures/documents/', import.meta.url).pathname;
/** The package that reads them again knows no OpenAPI 3.2. */
const files = globSync('{folder,shapes,troubles,odd}/**/*.yaml', { cwd: documents }).filter(
  (file) => !/\/(?:paths|schemas|parts)\/|openapi-3\.2\.yaml$/.test(file),
);

test('serves the document with its own address as YAML and as JSON, for pages of any site', async () => {
  await using open = await openMock();
  const [yaml, json] = await Promise.all(
    ['yaml', 'json'].map((kind) =>
      fetch(`http://localhost:${open.port}/openapi.${kind}?v=1`, {
        headers: { origin: 'https://editor.example' },
      }),
    ),
  );
  const document = await json?.json();
  expect(document).toMatchObject({
    openapi: '3.1.0',
    servers: [{ url: `http://localhost:${open.port}/v1` }],
    'x-rate-limit': expect.anything(),
  });
  const read = await loadContract({ text: (await yaml?.text()) ?? '' });
  expect(read.document).toEqual(document);
  expect(
    [yaml, json].map((response) => [
      response?.headers.get('content-type'),
      response?.headers.get('access-control-allow-origin'),
      response?.headers.get('x-content-type-options'),
    ]),
  ).toEqual([
    ['application/yaml', '*', 'nosniff'],
    ['application/json', '*', 'nosniff'],
  ]);
});

test('answers HEAD, preflights and other methods', async () => {
  await using open = await openMock();
  const ask = async (method: string): Promise<readonly unknown[]> => {
    const response = await fetch(`${open.origin}/openapi.json`, { method });
    const { status, headers } = response;
    return [status, await response.text(), headers.get('access-control-allow-methods')];
  };
  expect(await Promise.all(['HEAD', 'OPTIONS', 'POST'].map(ask))).toEqual([
    [200, '', null],
    [204, '', 'GET, HEAD, OPTIONS'],
    [405, '', null],
  ]);
});

test('serves the new document after a reload, and gives way to a path of the document', async () => {
  await using open = await openMock();
  const titleOf = async (): Promise<unknown> => {
    const text = await (await fetch(`${open.origin}/openapi.json`)).text();
    return JSON.parse(text).info.title;
  };
  expect(await titleOf()).toBe('Petstore');
  await open.mock.reload(await readPetstoreAgain());
  expect(await titleOf()).toBe('Changed');
  const own = await contractOf({ paths: { '/openapi.json': { get: operation } } });
  await using other = await openMock(own);
  expect((await fetch(`${other.origin}/openapi.json`)).status).toBe(204);
  expect((await fetch(`${other.origin}/openapi.yaml`)).status).toBe(200);
});

test('omits the servers of paths and operations', async () => {
  const servers = [{ url: 'https://example.org/elsewhere' }];
  const contract = await contractOf({
    servers: [{ url: 'https://example.org/base' }],
    paths: { '/x': { servers, get: { ...operation, servers } } },
  });
  await using open = await openMock(contract);
  const text = await (await fetch(`${open.origin}/openapi.json`)).text();
  expect(text).not.toContain('example.org');
  expect(JSON.parse(text)).toMatchObject({
    servers: [{ url: `${open.origin}/base` }],
    paths: { '/x': { get: operation } },
  });
});

test('a host that is not valid in a URL is not repeated', async () => {
  await using open = await openMock();
  const { request } = await import('node:http');
  const text = await new Promise<string>((resolve) => {
    const headers = { host: 'a"b<c>' };
    request({ port: open.port, host: '127.0.0.1', path: '/openapi.json', headers }, (response) => {
      response.setEncoding('utf8').on('data', (chunk: string) => resolve(chunk));
    }).end();
  });
  expect(text).toContain('"servers":[{"url":"http://localhost/v1"}]');
});

/** What the parser of other tools has against a document. */
const faultOf = async (
  judge: 'validate' | 'bundle',
  document: OpenAPI.Document,
): Promise<unknown> =>
  await SwaggerParser[judge](document).then(
    () => undefined,
    (fault: unknown) => fault,
  );

describe('serves it readable for other origins', () => {
  test.each(files)('%s', async (file) => {
    const contract = await loadContract({ file: documents + file }).catch(() => undefined);
    if (contract === undefined) return;
    // What the parser takes for wrong is in the document itself.
    const isSound = !file.includes('bearer-in-capitals');
    // It has a reference to another host, which is not followed unless that is allowed.
    const isWhole = !file.includes('network-reference');
    await using open = await openMock(contract);
    const [yaml, json] = await Promise.all(
      ['yaml', 'json'].map(async (kind) => (await fetch(`${open.origin}/openapi.${kind}`)).text()),
    );
    const document = JSON.parse(json ?? '');
    expect((await loadContract({ text: yaml ?? '' })).document).toEqual(
      (await loadContract({ text: json ?? '' })).document,
    );
    const isJudged = isSound && /^3\.[01]/.test(document.openapi);
    const faults = [
      ...(isJudged && contract.diagnostics.length === 0
        ? [await faultOf('validate', document)]
        : []),
      ...(isWhole ? [await faultOf('bundle', document)] : []),
    ];
    expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
  });
});
