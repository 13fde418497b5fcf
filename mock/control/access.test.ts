import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { createControlClient } from './client.ts';
import { type OpenMock, openMock } from '../../test/mock/control/open-mock.ts';

interface Received {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

/** Sends header fields that `fetch` would not. */
const ask = (
  { port }: OpenMock,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Received> =>
  new Promise((resolve) => {
    const sent = { host: `127.0.0.1:${port}`, ...headers };
    request({ port, host: '127.0.0.1', path, headers: sent }, (response) => {
      let body = '';
      response
        .setEncoding('utf8')
        .on('data', (chunk: string) => (body += chunk))
        .on('end', () => resolve({ status: response.statusCode, headers: response.headers, body }));
    }).end();
  });

const html = { accept: 'text/html' };
const places = [
  '/',
  '/_mock',
  '/_mock/',
  '/_mock/health',
  '/_mock/sandboxes',
  '/_mock/openapi.yaml',
];

describe('another site', () => {
  test('cannot read through a host name that resolves to this machine', async () => {
    await using open = await openMock();
    const host = { host: `evil.example:${open.port}` };
    const statuses = places.map(async (path) => (await ask(open, path, host)).status);
    expect(await Promise.all(statuses)).toEqual(places.map(() => 403));
    expect((await ask(open, '/', { ...host, ...html })).status).toBe(403);
    expect((await ask(open, '/_mock/page/page.js', host)).status).toBe(403);
  });

  test.each([
    [
      'a script or a fetch',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' },
    ],
    [
      'a page of another port',
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
    ],
    [
      'a frame',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
    ],
    [
      'a form',
      {
        origin: 'null',
        'sec-fetch-site': 'cross-site',
        'sec-fetch-mode': 'navigate',
        'sec-fetch-dest': 'document',
      },
    ],
    ['a page with its origin', { origin: 'http://evil.example' }],
  ])('cannot load anything by %s', async (_name, headers) => {
    await using open = await openMock();
    const statuses = places.map(async (path) => (await ask(open, path, headers)).status);
    expect(await Promise.all(statuses)).toEqual(places.map(() => 403));
  });

  test('may link to the mock', async () => {
    await using open = await openMock();
    const link = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    };
    const { status, headers } = await ask(open, '/_mock/health', link);
    expect([status, headers['content-security-policy']]).toEqual([
      200,
      "default-src 'none'; frame-ancestors 'none'",
    ]);
  });

  test('is allowed if its origin is', async () => {
    const origin = 'http://localhost:5173';
    await using open = await openMock(undefined, { listen: { control: { cors: origin } } });
    const headers = { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' };
    expect((await ask(open, '/_mock/health', { ...headers, origin })).status).toBe(200);
    expect((await ask(open, '/_mock/health', headers)).status).toBe(403);
  });
});

test('reading never creates a sandbox: by GET, HEAD, a link or an image', async () => {
  await using open = await openMock(undefined, { sandboxes: 2 });
  const { document } = await open.control.call('describeMock', {});
  expect(document).toBeDefined();
  const reads = [
    '',
    '/state',
    '/collections',
    '/items?collection=/pets',
    '/snapshots',
    '/clock',
    '/choices',
    '/faults',
    '/stubs',
    '/quotas',
    '/journal',
    '/journal/0',
  ];
  const link = {
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
  };
  const image = {
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'no-cors',
    'sec-fetch-dest': 'image',
  };
  for (const path of reads)
    for (const headers of [{}, link, image]) await ask(open, `/_mock/sandboxes/x${path}`, headers);
  await fetch(`${new URL(open.url).origin}/_mock/sandboxes/x`, { method: 'HEAD' });
  await ask(open, '/_mock/webhooks?sandbox=x');
  const names = (await open.control.call('listSandboxes', {})).map(({ name }) => name);
  expect(names).toEqual(['main']);
});

test('every response has nosniff and is never cached', async () => {
  await using open = await openMock();
  const responses = [...places, '/_mock/nothing', '/_mock/sandboxes/a/journal?wait=x'].map(
    async (path) => (await ask(open, path)).headers,
  );
  for (const headers of await Promise.all(responses))
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'same-origin',
    });
});

test('if there is a token, nothing is revealed without it', async () => {
  await using open = await openMock(undefined, { listen: { control: { token: 'secret' } } });
  const lan = { host: 'workstation.example:4010' };
  const statuses = places.map(async (path) => (await ask(open, path, lan)).status);
  expect(await Promise.all(statuses)).toEqual(places.map(() => 401));
  const authorization = 'Bearer secret';
  expect((await ask(open, '/', { ...lan, authorization })).body).toContain(
    '"url":"http://workstation.example:4010/v1"',
  );
});

test('reading a missing sandbox neither creates nor evicts one', async () => {
  await using open = await openMock(undefined, { sandboxes: 1 });
  const { control, url } = open;
  const get = async (key: string): Promise<void> => {
    await (await fetch(`${url}/pets`, { headers: { authorization: `Bearer ${key}` } })).text();
  };
  await get('free_kept');
  const sandbox = 'other';
  expect(await control.call('getSandbox', { sandbox })).toMatchObject({
    name: 'other',
    requests: 0,
  });
  await control.call('readState', { sandbox });
  await control.call('listCollections', { sandbox });
  await control.call('listItems', { sandbox, collection: '/pets' });
  await control.call('readJournal', { sandbox, wait: 1 });
  await control.call('listQuotas', { sandbox });
  const names = async (): Promise<readonly string[]> =>
    (await control.call('listSandboxes', {})).map(({ name }) => name);
  expect(await names()).toEqual(['main', 'kept']);
  const waiting = createControlClient(url).call('readJournal', { sandbox, count: 2, wait: 20_000 });
  await control.call('readHealth', {});
  await get('free_other');
  await get('free_other');
  expect((await waiting).count).toBe(2);
});
