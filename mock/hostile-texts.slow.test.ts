import { beforeAll, expect, test } from 'vitest';
import type { Contract } from '../contract/contract.ts';
import type { JsonObject } from '../contract/json/value.ts';
import { createRandom } from '../contract/sample/random.ts';
import { loadContract } from '../contract/load.ts';
import type { MockRequest } from './http/message.ts';
import { createMock } from './mock.ts';

const tree = { $ref: '#/components/schemas/Tree' };
const text = (format: string): JsonObject => ({ type: 'string', format });
const query = (name: string, schema: JsonObject, more: JsonObject = {}): JsonObject => ({
  name,
  in: 'query',
  schema,
  ...more,
});
const formats = ['email', 'uri', 'date-time', 'ipv6', 'idn-hostname', 'uri-template', 'regex'];
const responses: JsonObject = {
  200: {
    description: 'Good.',
    content: { 'application/json': { schema: { type: 'array' } }, 'text/plain': {} },
  },
};

/** Every place of a request that is parsed. */
const document: JsonObject = {
  openapi: '3.1.0',
  info: { title: 'Places', version: '1' },
  security: [{ basic: [] }, { digest: [] }, { cookie: [] }],
  paths: {
    '/a/{x}-{y}-{z}.{w}': {
      get: {
        operationId: 'path',
        parameters: ['x', 'y', 'z', 'w'].map((name) => ({
          name,
          in: 'path',
          required: true,
          schema: { type: 'string' },
        })),
        responses,
      },
    },
    '/m/{id}': {
      get: {
        operationId: 'matrix',
        parameters: [
          { name: 'id', in: 'path', required: true, style: 'matrix', explode: true, schema: tree },
        ],
        responses,
      },
    },
    '/q': {
      get: {
        operationId: 'query',
        parameters: [
          query('deep', tree, { style: 'deepObject', explode: true }),
          query('list', { type: 'array', items: { type: 'integer' } }, { explode: false }),
          query('number', { type: 'number', multipleOf: 0.1 }),
          query('unique', { type: 'array', uniqueItems: true, items: { type: 'string' } }),
          ...formats.map((format) => query(format, text(format))),
          { name: 'X-List', in: 'header', schema: { type: 'array', items: { type: 'string' } } },
          { name: 'plate', in: 'cookie', schema: tree },
        ],
        responses,
      },
    },
    '/f': {
      post: {
        operationId: 'form',
        requestBody: {
          content: {
            'application/x-www-form-urlencoded': { schema: tree },
            'multipart/form-data': { schema: tree },
            'application/json': { schema: tree },
            'text/plain': { schema: { type: 'integer' } },
          },
        },
        responses,
      },
    },
  },
  components: {
    securitySchemes: {
      basic: { type: 'http', scheme: 'basic' },
      digest: { type: 'http', scheme: 'digest' },
      cookie: { type: 'apiKey', in: 'cookie', name: 'key' },
    },
    schemas: {
      Tree: {
        type: 'object',
        properties: {
          a: tree,
          b: { type: 'array', items: tree },
          n: { type: 'integer', multipleOf: 3 },
          u: { type: 'array', uniqueItems: true },
        },
      },
    },
  },
};

let contract: Contract;
beforeAll(async () => {
  contract = await loadContract({ text: JSON.stringify(document) });
});

const pieces =
  String.raw`" ' , ; = a % %25 %2 a= a=b; a=b, [ ] [] [a] [0][b] b[ - . / + 1 0 \ \" q=1, */*, a/b;q=0, { } ( ) < > @ : :: & &a a&
  a=1& ,username=" boundary= é -. P1 {"a": [" "" "",`
    .split(/\s+/)
    .concat(' ', '\t', '\r\n');
const fields =
  'prefer accept authorization cookie x-list content-type content-encoding if-none-match range forwarded host origin'.split(
    ' ',
  );
const parameters = ['deep', 'deep[a]', 'list', 'number', 'unique', 'other', ...formats];
const types = [
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json',
  'text/plain',
];
const frames = [
  ['', ''],
  ['a[b]=', ''],
  ['b', '=1'],
  ['x', '=1'],
  ['{"n":', '}'],
  ['{"b":[""', '""]}'],
  ['--x\r\nContent-Disposition: form-data; name="', '"\r\n\r\n1\r\n--x--'],
] as const;

const known = { authorization: `Basic ${btoa('demo:x')}` };
const get = (target: string, headers = {}): MockRequest => ({
  method: 'GET',
  target,
  headers: { ...known, ...headers },
  content: undefined,
});
const post = (type: string, body: string): MockRequest => ({
  method: 'POST',
  target: '/f',
  headers: { ...known, 'content-type': type },
  content: Buffer.from(body),
});

/** As long as the wire lets it through, or an eighth of that. */
const long = 16_000;
const longBody = 256_000;

function* requestsOf(piece: string): Generator<MockRequest, undefined> {
  const many = piece.repeat(Math.ceil(long / piece.length));
  const more = piece.repeat(Math.ceil(longBody / piece.length));
  for (const field of fields) yield get('/q', { [field]: many });
  yield get('/q', { authorization: `Digest ${many}` });
  yield get('/q', { cookie: `plate=${many}` });
  for (const name of parameters) yield get(`/q?${name}=${many}`);
  for (const target of [`/q?${many}`, `/q?deep${many}=1`, `/a/${many}.`, `/m/;a=1${many}`, many])
    yield get(target);
  yield post(`multipart/form-data; boundary=${many}`, '--x');
  for (const type of types) for (const [start, end] of frames) yield post(type, start + more + end);
}

/** Where a text is read more than once for each of its characters, this does not end. */
test.each(pieces)('many of %j are handled in any position', { timeout: 60_000 }, (piece) => {
  const faults: unknown[] = [];
  const mock = createMock(contract, { onFault: (fault) => faults.push(fault) });
  const statuses = [...requestsOf(piece)].map((request) => mock.handle(request).status);
  expect(faults).toEqual([]);
  expect(statuses.filter((status) => status >= 500)).toEqual([]);
});

test('mixtures of them are handled too', { timeout: 120_000 }, () => {
  const random = createRandom(14);
  const faults: unknown[] = [];
  const mock = createMock(contract, { onFault: (fault) => faults.push(fault) });
  const pick = (): string => pieces[Math.floor(random() * pieces.length)] ?? '';
  for (let count = 0; count < 12; count += 1) {
    const mixture = Array.from({ length: 1 + (count % 9) }, pick).join('');
    for (const request of requestsOf(mixture))
      expect(mock.handle(request).status).toBeLessThan(500);
  }
  expect(faults).toEqual([]);
});
