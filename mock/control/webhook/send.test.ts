import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { type JsonObject, renderJson } from '../../../contract/json/value.ts';
import { loadContract } from '../../../contract/load.ts';
import { PetstoreError } from '../../../contract/error/petstore-error.ts';
import { createMock, type Mock } from '../../index.ts';
import { sendWebhook } from './send.ts';

const responses = { 200: { description: 'Taken.' } };
const json = (schema: JsonObject): JsonObject => ({
  content: { 'application/json': { schema } },
});
const event = json({
  type: 'object',
  required: ['kind'],
  properties: {
    kind: { enum: ['added', 'removed'] },
    id: { type: 'integer', readOnly: true },
    name: { type: 'string', example: 'Rex' },
  },
});

const document: JsonObject = {
  openapi: '3.1.0',
  info: { title: 'Events', version: '1.0.0' },
  webhooks: {
    'pet changed': {
      post: {
        parameters: [
          { name: 'X-Event', in: 'header', required: true, schema: { const: 'pet' } },
          { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
        ],
        requestBody: event,
        responses,
      },
    },
    ping: { get: { responses } },
    form: {
      post: {
        requestBody: {
          content: {
            'application/x-www-form-urlencoded': {
              schema: { type: 'object', properties: { a: { const: 'b c' } } },
            },
          },
        },
        responses,
      },
    },
  },
  paths: {
    '/subscriptions/{topic}': {
      post: {
        operationId: 'subscribe',
        parameters: [
          { name: 'topic', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'to', in: 'query', schema: { type: 'string' } },
        ],
        requestBody: json({ type: 'object', properties: { url: { type: 'string' } } }),
        responses: {
          201: { description: 'Subscribed.', ...json({ const: { id: 7 } }) },
        },
        callbacks: {
          onEvent: { '{$request.body#/url}/{$request.path.topic}': { post: { responses } } },
          onEnd: { '$request.query.to': { post: { requestBody: event, responses } } },
          onOther: {
            '{$request.header.x-to}?id={$response.body#/id}&by={$method}': { post: { responses } },
          },
        },
      },
    },
  },
};

const openMock = async (): Promise<Mock> =>
  createMock(await loadContract({ text: renderJson(document) }, { strict: true }));

interface Seen {
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A receiver that keeps what it is sent; closed at the end of the test. */
const openReceiver = async (
  respond: (response: ServerResponse) => unknown = (response) =>
    response.writeHead(202, { 'x-seen': 'yes' }).end('thanks'),
) => {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      seen.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
      respond(response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return { url: `http://127.0.0.1:${port}`, seen, server };
};

const open = async () => {
  const [mock, receiver] = await Promise.all([openMock(), openReceiver()]);
  const control = await mock.control();
  return { mock, receiver, sandbox: control.sandbox('main') };
};

const errorOf = async (attempt: Promise<unknown>): Promise<readonly [string, string]> => {
  const error: unknown = await attempt.catch((cause: unknown) => cause);
  return error instanceof PetstoreError ? [error.code, error.message] : ['none', String(error)];
};

test('a webhook sends a sample of its schema to a URL, and returns the response', async () => {
  const { receiver, sandbox } = await open();
  const { url } = receiver;
  const delivery = await sandbox.sendWebhook('pet changed', { url: `${url}/hook?a=b` });
  expect(receiver.seen).toMatchObject([
    { line: 'POST /hook?a=b', headers: { 'content-type': 'application/json', 'x-event': 'pet' } },
  ]);
  expect(receiver.seen[0]?.headers).not.toHaveProperty('x-trace');
  expect(JSON.parse(receiver.seen[0]?.body ?? '')).toEqual({ kind: 'added', name: 'Rex' });
  expect(delivery).toMatchObject({
    request: { method: 'POST', url: `${url}/hook?a=b`, body: receiver.seen[0]?.body },
    response: { status: 202, headers: { 'x-seen': 'yes' }, body: 'thanks', isCut: false },
    warnings: [],
  });
});

test('a given body is sent unchanged; a mismatch is a warning', async () => {
  const { receiver, sandbox } = await open();
  const { url } = receiver;
  const sent = await sandbox.sendWebhook('pet changed', { url, body: { kind: 'sold' } });
  expect(sent.warnings).toEqual(['kind must be one of "added", "removed" (at /kind)']);
  await sandbox.sendWebhook('form', { url });
  await sandbox.sendWebhook('form', { url, body: 'as=it+is' });
  await sandbox.sendWebhook('ping', { url, body: {} });
  expect(receiver.seen.map(({ line, body }) => [line, body])).toEqual([
    ['POST /', '{"kind":"sold"}'],
    ['POST /', 'a=b+c'],
    ['POST /', 'as=it+is'],
    ['GET /', ''],
  ]);
});

test('a callback goes to the address in the last granted request of the journal', async () => {
  const { mock, receiver, sandbox } = await open();
  const { url } = receiver;
  const subscribe = (to: string, body: string) =>
    mock.fetch(`http://mock/subscriptions/pets${to}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'X-To': `${url}/x` },
      body,
    });
  const none = ['webhook', expect.stringMatching(/^No request to subscribe in the journal of the/)];
  expect(await errorOf(sandbox.sendWebhook('onEvent'))).toEqual(none);
  await subscribe('', `{"url":"${url}/old"}`);
  await subscribe(`?to=${encodeURIComponent(`${url}/end`)}`, `{"url":"${url}/new"}`);
  await subscribe('', '{"url":1}');
  await subscribe('', '{}');
  expect(sandbox.journal().map(({ status }) => status)).toEqual([201, 201, 400, 201]);
  for (const name of ['onEvent', 'onEnd', 'onOther']) await sandbox.sendWebhook(name);
  expect(receiver.seen.map(({ line }) => line)).toEqual([
    'POST /new/pets',
    'POST /end',
    'POST /x?id=7&by=POST',
  ]);
  sandbox.clearJournal();
  expect(await errorOf(sandbox.sendWebhook('onEvent'))).toEqual(none);
});

test('a long response is cut, and a redirect is not followed', async () => {
  const { url } = await openReceiver((response) =>
    response.writeHead(307, { location: '/elsewhere' }).end('é'.repeat(70_000)),
  );
  const control = await (await openMock()).control();
  const { response } = await control.sandbox('main').sendWebhook('ping', { url });
  expect(response).toMatchObject({ status: 307, isCut: true, body: 'é'.repeat(65_536) });
});

test('a receiver that is missing or silent is reported', async () => {
  const mock = await openMock();
  const sandbox = (await mock.control()).sandbox('main');
  const closed = await openReceiver();
  closed.server.close();
  await once(closed.server, 'close');
  expect(await errorOf(sandbox.sendWebhook('ping', { url: closed.url }))).toEqual([
    'receiver',
    `The webhook could not be delivered to ${closed.url}: connect ECONNREFUSED ${new URL(closed.url).host}.`,
  ]);
  const rude = await openReceiver((response) => response.destroy());
  expect(await errorOf(sandbox.sendWebhook('ping', { url: rude.url }))).toEqual([
    'receiver',
    `The webhook could not be delivered to ${rude.url}: other side closed.`,
  ]);
  const silent = await openReceiver(() => {});
  const [ping] = mock.contract.webhooks.filter(({ name }) => name === 'ping');
  if (ping === undefined) throw new Error('ping is missing');
  expect(await errorOf(sendWebhook(ping, silent.url, undefined, 20))).toEqual([
    'receiver',
    `The webhook could not be delivered to ${silent.url}: there was no response within 0.02 seconds.`,
  ]);
});

test.each([
  ['ping', {}, 'The webhook "ping" needs a "url" to send it to.'],
  ['nothing', {}, 'There is no webhook "nothing".'],
  ['ping', { url: '/hook' }, '"/hook" is not an http: or https: URL.'],
  ['ping', { url: 'file:///a' }, '"file:///a" is not an http: or https: URL.'],
])('%s is not sent with %j', async (name, order, reason) => {
  const sandbox = (await (await openMock()).control()).sandbox('main');
  expect(await errorOf(sandbox.sendWebhook(name, order))).toEqual(['webhook', reason]);
});

test('the receiver is this machine or an allowed host', async () => {
  const { sandbox } = await open();
  const refused = (host: string) => [
    'webhook',
    `Webhooks go to this machine only, not to ${host}. Start the mock with --webhook-host ${host} to allow it.`,
  ];
  for (const host of ['10.0.0.1', 'example.invalid', '127.0.0.1.example.invalid', '[fd00::1]'])
    expect(await errorOf(sandbox.sendWebhook('ping', { url: `http://${host}/` }))).toEqual(
      refused(host),
    );
  const hosts = ['Example.Invalid'];
  expect(
    (await errorOf(sandbox.sendWebhook('ping', { url: 'http://example.invalid/', hosts })))[0],
  ).toBe('receiver');
});

test('an API client cannot direct a callback to another host', async () => {
  const { mock, sandbox } = await open();
  await mock.fetch('http://mock/subscriptions/pets', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"url":"http://192.168.0.1/admin"}',
  });
  expect((await errorOf(sandbox.sendWebhook('onEvent')))[1]).toContain('not to 192.168.0.1');
});
