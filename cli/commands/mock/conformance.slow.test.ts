import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, type ServerResponse, createServer, request } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ControlError } from '../../../mock/control/client.ts';
import { packageFile } from '../../package/package-root.ts';
import { startCommand } from '../../../test/cli/command.ts';
import { type MockOfPage, startJudgingMock } from '../../../test/cli/judging-mock.ts';
import { startPlainServer } from '../../../test/cli/plain-server.ts';

const start = async (...argv: readonly string[]): Promise<MockOfPage> => {
  const mock = await startJudgingMock(...argv);
  onTestFinished(() => mock[Symbol.asyncDispose]());
  return mock;
};

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server that answers every request, once it is read, in one way; gives its base URL. */
const serve = (answer: Answer): Promise<string> =>
  startPlainServer((request, response) => {
    request.resume();
    request.on('end', () => answer(request, response));
  });

/** A URL where nothing listens. */
const deadUrl = async (): Promise<string> => {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  await once(server.close(), 'close');
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1`;
};

const refusal = async (call: Promise<unknown>): Promise<unknown> => {
  const error = await call.catch((reason: unknown) => reason);
  return error instanceof ControlError ? [error.status, error.message] : error;
};

const send = async (
  { origin }: MockOfPage,
  path: string,
  init?: RequestInit,
): Promise<readonly [number, string, Headers]> => {
  const response = await fetch(`${origin}/_mock${path}`, init);
  return [response.status, await response.text(), response.headers];
};

const post = (body: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body,
});

/** Announces a body of this many bytes without sending it. @returns status and message */
const announce = async (
  { origin }: MockOfPage,
  path: string,
  length: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<readonly [number | undefined, string]> => {
  const sent = request(`${origin}/_mock${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': length, ...headers },
  });
  sent.flushHeaders();
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  sent.on('response', resolve).on('error', reject);
  const response = await promise;
  const refused: { readonly message: string } = JSON.parse(await readText(response));
  sent.destroy();
  return [response.statusCode, refused.message];
};

describe('a mock judged from its page', () => {
  test('is a copy, so its items, counts and journal do not change', async () => {
    const mock = await start();
    const { control } = mock;
    const before = await control.call('listSandboxes', {});
    const run = await control.call('startRun', { body: {} });
    expect(run).toMatchObject({ kind: 'run', state: 'running', target: 'a copy of this mock' });
    const ended = await mock.endOf(run);
    expect(ended).toMatchObject({
      state: 'done',
      verdict: 'conforms',
      sentence: 'A copy of this mock conforms to Petstore 1.0.0, as far as was tested.',
      counts: { failed: 0, 'not-tested': 0 },
    });
    expect(await control.call('listRuns', {})).toEqual([ended]);
    const after = await control.call('listSandboxes', {});
    expect(after.map((one) => [one.name, one.requests, one.items])).toEqual(
      before.map((one) => [one.name, one.requests, one.items]),
    );
    expect(mock.printed()).not.toMatch(/GET|POST \/v1/);
  });

  test('reports its progress in events', async () => {
    const mock = await start();
    const run = await mock.control.call('startRun', { body: { requests: 100 } });
    const { progress } = await mock.endOf(run);
    const moves = mock.movesOf(run.id);
    expect(moves[0]).toMatchObject({ state: 'running', progress: { sent: 0 } });
    expect(moves.at(-1)).toMatchObject({ state: 'done', progress: { sent: progress?.planned } });
    expect(moves.map((move) => move.progress?.sent)).toEqual(
      moves.map((move) => move.progress?.sent).toSorted((a = 0, b = 0) => a - b),
    );
  });

  test('is judged with its current choices', async () => {
    const mock = await start('--choice', 'invalid-limit=clamped');
    const run = await mock.endOf(await mock.control.call('startRun', { body: {} }));
    const report = JSON.stringify(await mock.control.call('readReport', { run: run.id }));
    expect(report.includes('"choice":"clamped"')).toBe(true);
  });

  test('may have the choices and limits of a sandbox', async () => {
    const mock = await start('--limit', 'free.minute=50');
    const { control } = mock;
    const choices = { 'invalid-limit': 'clamped' };
    await control.call('setChoices', { sandbox: 'alice', body: choices });
    const limits = { minute: 40 };
    await control.call('setQuota', { sandbox: 'alice', plan: 'Free', body: { limits } });
    const judge = async (sandbox: string): Promise<readonly boolean[]> => {
      const body = { sandbox };
      const { text } = await control.call('planRun', { body });
      const run = await mock.endOf(await control.call('startRun', { body }));
      const report = JSON.stringify(await control.call('readReport', { run: run.id }));
      return [
        text.includes(
          `Tests a copy of the mock, with the choices and limits of the sandbox ${sandbox}.`,
        ),
        report.includes('"choice":"clamped"'),
        ...['40', '50'].map((limit) => new RegExp(`limit\\W{1,12}${limit}"`, 'i').test(report)),
      ];
    };
    expect(await judge('alice')).toEqual([true, true, true, false]);
    expect(await judge('main')).toEqual([true, false, false, true]);
    const baseUrl = { baseUrl: mock.url, sandbox: 'alice' };
    expect(await refusal(control.call('planRun', { body: baseUrl }))).toEqual([
      400,
      'A sandbox cannot be combined with a base URL.',
    ]);
  });

  test.each([['books.yaml'], ['shelves.yaml'], ['odd/no-resource.yaml']])(
    'may have another document: %s',
    async (name) => {
      const mock = await start('--contract', packageFile(`fixtures/documents/${name}`));
      const before = await mock.control.call('readState', { sandbox: 'main' });
      const run = await mock.endOf(await mock.control.call('startRun', { body: {} }));
      expect([run.state, run.verdict]).toEqual(['done', expect.not.stringContaining('failed')]);
      expect(await mock.control.call('readState', { sandbox: 'main' })).toEqual(before);
    },
  );

  test('without operations there is nothing to judge', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'judged-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'empty.yaml');
    await writeFile(file, 'openapi: 3.1.0\ninfo: { title: Empty, version: "1" }\npaths: {}\n');
    const { control } = await start('--contract', file);
    expect(await refusal(control.call('startRun', { body: {} }))).toEqual([
      400,
      'Nothing to test: with this document and these settings, the suite sends no request.',
    ]);
  });
});

test('a plan matches the run that follows, and sends nothing', async () => {
  const requests: unknown[] = [];
  const baseUrl = await serve((request, response) => {
    requests.push(request.url);
    response.end();
  });
  const { control } = await start();
  const body = { baseUrl, plan: 'free', requests: 100 };
  const planned = await control.call('planRun', { body });
  expect(planned).toMatchObject({
    requests: 100,
    seconds: 61,
    text: expect.stringMatching(
      /^100 requests of at most 100: 1 for existing items, .*60 seconds/s,
    ),
  });
  expect(planned.needed).toBeGreaterThan(body.requests);
  expect(planned.text).toContain('may be tested less thoroughly');
  const whole = { ...body, requests: planned.needed ?? 0 };
  expect(await control.call('planRun', { body: whole })).toMatchObject({
    needed: planned.needed,
    text: expect.not.stringContaining('may be tested less thoroughly'),
  });
  expect(await control.call('planRun', { body: { baseUrl, readOnly: true } })).toMatchObject({
    text: expect.not.stringMatching(/concurrent additions|invalid bodies/),
  });
  expect(requests).toEqual([]);
  const own = await control.call('planRun', { body: { requests: 90 } });
  expect(await control.call('startRun', { body: { requests: 90 } })).toMatchObject({
    progress: { sent: 0, planned: own.requests },
  });
});

test.each([
  [{ baseUrl: 'nonsense' }, '"nonsense" is not a base URL: it has to be an http or https URL'],
  [{ baseUrl: 'http://127.0.0.1/v1?a=b' }, 'it must not have a query or a fragment'],
  [{ baseUrl: 'http://127.0.0.1/v1', plan: 'Gold' }, '"Gold" is not a plan of the contract: Free'],
  [{ plan: 'Gold' }, '"Gold" is not a plan of the contract: Free'],
  [
    { key: 'secret' },
    'An API key needs a base URL: without one, the mock is tested with one of its own keys.',
  ],
  [
    { baseUrl: 'http://127.0.0.1/secret-key/v1', key: 'secret-key' },
    'The base URL contains the API key, which would leak into the report',
  ],
])('%j is refused, and no run is kept', async (body, reason) => {
  const { control } = await start();
  for (const id of ['planRun', 'startRun'] as const)
    expect(await refusal(control.call(id, { body }))).toEqual([
      400,
      expect.stringContaining(reason),
    ]);
  expect(await control.call('listRuns', {})).toEqual([]);
});

describe('a run that cannot continue says why and loses nothing', () => {
  test('no server responds; then the key is wrong', async () => {
    const mock = await start();
    const { control } = mock;
    const first = await mock.endOf(await control.call('startRun', { body: { requests: 20 } }));
    const baseUrl = await deadUrl();
    const dead = await mock.endOf(await control.call('startRun', { body: { baseUrl } }));
    expect(dead).toMatchObject({
      state: 'failed',
      sentence: expect.stringMatching(/^No server responds at 127\.0\.0\.1:\d+\. Is it running/),
    });
    expect(dead.verdict).toBeUndefined();
    const body = { baseUrl: mock.url, key: 'wrong-key' };
    const denied = await mock.endOf(await control.call('startRun', { body }));
    expect(denied.sentence).toBe(
      'The first request was rejected (401). Is the API key correct for this server?',
    );
    expect(await control.call('listRuns', {})).toEqual([denied, dead, first]);
    expect(await refusal(control.call('readReport', { run: dead.id }))).toEqual([
      400,
      `${dead.id} has no report.`,
    ]);
  });

  test('the certificate is not trusted, unless insecure is set', async () => {
    const mock = await start();
    const { control } = mock;
    const [key, cert] = ['key', 'cert'].map((name) => packageFile(`fixtures/tls/${name}.pem`));
    const tls = ['--tls-key', `${key}`, '--tls-cert', `${cert}`];
    const secure = startCommand('mock', '--port', '0', '--no-watch', '--quiet', ...tls);
    onTestFinished(() => secure.stop());
    const [baseUrl = ''] = await secure.printed(/https:\/\/\S+\/v1/);
    const body = { baseUrl, key: 'demo-free', requests: 10 };
    const untrusted = await mock.endOf(await control.call('startRun', { body }));
    expect(untrusted.sentence).toContain('its certificate or protocol is not accepted');
    const insecure = { ...body, insecure: true };
    const run = await mock.endOf(await control.call('startRun', { body: insecure }));
    expect(run.state).toBe('done');
  });

  test('it is stopped at once although the server is silent, and another run may start', async () => {
    const arrived = Promise.withResolvers<void>();
    const baseUrl = await serve(() => arrived.resolve());
    const mock = await start();
    const { control } = mock;
    const run = await control.call('startRun', { body: { baseUrl } });
    await arrived.promise;
    expect(await refusal(control.call('startRun', { body: {} }))).toEqual([
      409,
      'A run is in progress. Stop it first, or wait until it ends.',
    ]);
    expect(await refusal(control.call('readReport', { run: run.id }))).toEqual([
      400,
      `${run.id} is still running: it has no report yet.`,
    ]);
    await control.call('dropRun', { run: run.id });
    expect(await refusal(control.call('readRun', { run: run.id }))).toEqual([
      404,
      `There is no run "${run.id}".`,
    ]);
    const next = await mock.endOf(await control.call('startRun', { body: { requests: 20 } }));
    expect(next.state).toBe('done');
    expect(mock.movesOf(run.id).map(({ state }) => state)).toEqual(['running']);
  });

  test('the mock exits: a silent server does not delay it', async () => {
    const arrived = Promise.withResolvers<void>();
    const baseUrl = await serve(() => arrived.resolve());
    const mock = await startJudgingMock();
    await mock.control.call('startRun', { body: { baseUrl } });
    await arrived.promise;
    await mock[Symbol.asyncDispose]();
    expect(mock.movesOf('run-1').at(-1)?.state).toBe('running');
  });
});

test('the mock never reveals the key, even if the server echoes it', async () => {
  const key = 'k3y-of-the-partner';
  const baseUrl = await serve(({ headers, url }, response) => {
    const { authorization = 'none' } = headers;
    response.setHeader('x-echo', authorization);
    response.statusCode = url === '/v1/pets' ? 200 : 500;
    response.end(JSON.stringify({ authorization, base64: btoa(authorization), url }));
  });
  const mock = await start();
  const { control } = mock;
  const body = { baseUrl, key, requests: 40 };
  await control.call('planRun', { body });
  const run = await mock.endOf(await control.call('startRun', { body }));
  expect(run).toMatchObject({ state: 'done', verdict: 'failed' });
  await control.call('readRun', { run: run.id });
  await control.call('listRuns', {});
  await control.call('readReport', { run: run.id });
  await control.call('readReport', { run: run.id, format: 'html' });
  const other = { baseUrl: `${baseUrl}#${key}`, key };
  await refusal(control.call('startRun', { body: other }));
  expect(mock.reported()).toContain('[redacted]');
  for (const text of [mock.reported(), mock.printed()])
    for (const secret of [key, btoa(`Bearer ${key}`), key.slice(0, -1)])
      expect(text).not.toContain(secret);
});

describe('reports', () => {
  test('are JSON, or sandboxed HTML that only the page may frame', async () => {
    const mock = await start();
    const run = await mock.endOf(await mock.control.call('startRun', { body: { requests: 20 } }));
    const path = `/conformance/runs/${run.id}/report`;
    const [, json] = await send(mock, path);
    expect(JSON.parse(json)).toMatchObject({ format: 'petstore-conformance-report/1' });
    for (const [address, accept] of [
      [path, 'text/html,*/*;q=0.8'],
      [`${path}?format=html`, 'application/json'],
    ] as const) {
      const [status, text, headers] = await send(mock, address, { headers: { accept } });
      expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(text).toMatch(/^<!doctype html>/);
      expect(headers.get('content-security-policy')).toMatch(
        /^default-src 'none';.*frame-ancestors 'self'; sandbox allow-scripts$/,
      );
    }
    const [, again] = await send(mock, `${path}?format=json`, { headers: { accept: 'text/html' } });
    expect(again).toBe(json);
  });

  test('of files are opened, shown again, and compared with runs', async () => {
    const mock = await start();
    const { control } = mock;
    const run = await mock.endOf(await control.call('startRun', { body: {} }));
    const [, text] = await send(mock, `/conformance/runs/${run.id}/report`);
    const [status, opened] = await send(mock, '/conformance/reports', post(text));
    const file: { readonly id: string } = JSON.parse(opened);
    expect([status, file]).toEqual([
      201,
      expect.objectContaining({ kind: 'file', state: 'done', verdict: 'conforms' }),
    ]);
    expect((await send(mock, `/conformance/runs/${file.id}/report`))[1]).toBe(text);
    expect(await control.call('compareRuns', { one: run.id, other: file.id })).toEqual({
      // A run that starts with a minute does not show how windows begin.
      sentence: expect.stringMatching(
        /^No difference in 196 requirements and 1[56] open questions that both runs tested\.$/,
      ),
      differences: [],
    });
    const clamping = await start('--choice', 'invalid-limit=clamped');
    const clamped = await clamping.endOf(await clamping.control.call('startRun', { body: {} }));
    const [, other] = await send(clamping, `/conformance/runs/${clamped.id}/report`);
    const [, second] = await send(mock, '/conformance/reports', post(other));
    const { id }: { readonly id: string } = JSON.parse(second);
    const { differences } = await control.call('compareRuns', { one: run.id, other: id });
    expect(differences.filter(({ kind }) => kind !== 'untested')).toEqual([
      {
        kind: 'choice',
        requirement: '*/open.invalid-limit',
        sentence: expect.any(String),
        one: 'refused',
        other: 'clamped',
      },
    ]);
    expect(await refusal(control.call('compareRuns', { one: run.id, other: 'none' }))).toEqual([
      404,
      'There is no run "none".',
    ]);
  });

  test('from invalid files are rejected, with the position', async () => {
    const mock = await start();
    for (const [text, message] of [
      ['{}', 'This is not a report.json of conform --report: /format is missing.'],
      ['{"format":"petstore-conformance-report/1"}', '/outcome is missing'],
      ['[]', 'object'],
      ['{', 'JSON'],
    ] as const) {
      const [status, body] = await send(mock, '/conformance/reports', post(text));
      const refused: { readonly message: string } = JSON.parse(body);
      expect([status, refused.message]).toEqual([400, expect.stringContaining(message)]);
    }
    expect(await mock.control.call('listRuns', {})).toEqual([]);
  });

  test('may have up to 32 MiB; everything else has up to 1 MiB', async () => {
    const mock = await start();
    const run = await mock.endOf(await mock.control.call('startRun', { body: { requests: 20 } }));
    const [, text] = await send(mock, `/conformance/runs/${run.id}/report`);
    const pad = (mebibytes: number): string => text + ' '.repeat(mebibytes * 1024 * 1024);
    expect((await send(mock, '/conformance/reports', post(pad(2))))[0]).toBe(201);
    const most = 32 * 1024 * 1024;
    expect(await announce(mock, '/conformance/reports', most + 1)).toEqual([
      413,
      'The file is larger than 32 MiB.',
    ]);
    expect(await announce(mock, '/conformance/runs', 1024 * 1024 + 1)).toEqual([
      413,
      expect.stringContaining('1048576 bytes'),
    ]);
    const elsewhere = { host: 'elsewhere.example' };
    expect(await announce(mock, '/conformance/reports', most, elsewhere)).toEqual([
      403,
      expect.stringContaining('elsewhere.example'),
    ]);
  });

  test('are kept for the last 20 runs', async () => {
    const mock = await start();
    const { control } = mock;
    const run = await mock.endOf(await control.call('startRun', { body: { requests: 20 } }));
    const report = await control.call('readReport', { run: run.id });
    const text = JSON.stringify({ ...Object(report), verdicts: [], exchanges: [] });
    for (let count = 0; count < 20; count += 1)
      await send(mock, '/conformance/reports', post(text));
    const kept = await control.call('listRuns', {});
    expect(kept.map(({ id }) => id)).toEqual(
      Array.from({ length: 20 }, (_, index) => `file-${21 - index}`),
    );
  });
});
