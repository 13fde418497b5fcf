import { describe, expect, test } from 'vitest';
import { readHar } from './har.ts';
import type { RecordedExchange } from './recorded.ts';

interface Parts {
  readonly entry?: object;
  readonly request?: object;
  readonly response?: object;
}

const entryOf = ({ entry, request, response }: Parts): object => ({
  startedDateTime: '2026-06-01T12:00:00.000Z',
  time: 12.5,
  request: { method: 'GET', url: 'https://api.example/v1/pets', headers: [], ...request },
  response: {
    status: 200,
    headers: [],
    content: { size: 2, mimeType: 'application/json', text: '[]' },
    bodySize: -1,
    ...response,
  },
  ...entry,
});

const read = (...parts: readonly Parts[]): readonly RecordedExchange[] =>
  readHar(JSON.stringify({ log: { version: '1.2', entries: parts.map(entryOf) } }));

const readOne = (parts: Parts): RecordedExchange => {
  const [one] = read(parts);
  if (one === undefined) throw new Error('no entry');
  return one;
};

describe('a HAR', () => {
  test('returns exchanges ordered by time, each with its position', () => {
    const found = read(
      { entry: { startedDateTime: '2026-06-01T14:00:01.000+02:00' } },
      { entry: { startedDateTime: '2026-06-01T12:00:00.250Z' } },
      { entry: { startedDateTime: undefined, time: null } },
    );
    expect(found.map(({ place, sentAt, endedAt }) => [place, sentAt, endedAt])).toEqual([
      ['/log/entries/2', 0, 0],
      ['/log/entries/1', Date.UTC(2026, 5, 1, 12) + 250, Date.UTC(2026, 5, 1, 12) + 262.5],
      ['/log/entries/0', Date.UTC(2026, 5, 1, 12) + 1000, Date.UTC(2026, 5, 1, 12) + 1012.5],
    ]);
  });

  test('has fields without pseudo-headers, splits combined values, and drops the URL fragment', () => {
    const { request } = readOne({
      request: {
        url: 'https://api.example/v1/pets?limit=1#top',
        headers: [
          { name: ':authority', value: 'api.example' },
          { name: 'accept', value: '*/*' },
          { name: 'x-many', value: 'a\nb' },
          { name: 'x-odd', value: null },
        ],
      },
    });
    expect([request.url, request.headers]).toEqual([
      'https://api.example/v1/pets?limit=1',
      [
        ['accept', '*/*'],
        ['x-many', 'a'],
        ['x-many', 'b'],
        ['x-odd', ''],
      ],
    ]);
  });

  test('may begin with a byte order mark', () => {
    expect(readHar('\uFEFF{"log":{"entries":[]}}')).toEqual([]);
  });

  test.each<readonly [object, RecordedExchange['request']['body']]>([
    [{ content: { size: 4, text: '"é"' } }, { kind: 'whole', text: '"é"', utf8: true }],
    [
      { content: { size: 3, text: 'eyJ9', encoding: 'base64' } },
      { kind: 'whole', text: '{"}', utf8: true },
    ],
    [
      { content: { size: 2, text: '/w==', encoding: 'base64' } },
      { kind: 'whole', text: '\uFFFD', utf8: false },
    ],
    [
      { content: { size: 900, text: '[1,' } },
      { kind: 'unknown', reason: 'is truncated: 3 of 900 bytes are recorded' },
    ],
    [{ content: { size: 2 } }, { kind: 'unknown', reason: 'is not recorded' }],
    [{ content: { size: 2, text: '' } }, { kind: 'unknown', reason: 'is not recorded' }],
    [{ content: undefined }, { kind: 'unknown', reason: 'is not recorded' }],
    [
      { content: { size: 2, _file: 'a1.json' } },
      { kind: 'unknown', reason: 'is in another file that is not next to the archive' },
    ],
    [{ content: { size: 0 } }, { kind: 'whole', text: '', utf8: true }],
    [
      { status: 204, content: { size: -1 } },
      { kind: 'whole', text: '', utf8: true },
    ],
    // Compressed on its way: the text is as it was before.
    [
      { content: { size: 2, text: '[]', compression: -20 }, bodySize: 22 },
      { kind: 'whole', text: '[]', utf8: true },
    ],
  ])('%j has the body %j', (response, body) => {
    expect(readOne({ response }).response?.body).toEqual(body);
  });

  test.each<readonly [object, RecordedExchange['request']['body']]>([
    [{}, { kind: 'whole', text: '', utf8: true }],
    [
      { method: 'POST', bodySize: 0 },
      { kind: 'whole', text: '', utf8: true },
    ],
    [
      { method: 'POST', bodySize: -1 },
      { kind: 'unknown', reason: 'is not recorded' },
    ],
    [
      { method: 'POST', headers: [{ name: 'Content-Length', value: '9' }] },
      { kind: 'unknown', reason: 'is not recorded' },
    ],
    [
      { method: 'POST', postData: { text: '{}' } },
      { kind: 'whole', text: '{}', utf8: true },
    ],
    [
      { method: 'POST', bodySize: 70, postData: { text: '{}' } },
      { kind: 'unknown', reason: 'is truncated: 2 of 70 bytes are recorded' },
    ],
    [
      { method: 'POST', postData: { params: [{ name: 'a', value: 'b' }] } },
      { kind: 'unknown', reason: 'is only partly recorded' },
    ],
  ])('a request %j has the body %j', (request, body) => {
    expect(readOne({ request }).request.body).toEqual(body);
  });

  test.each<readonly [Parts, string | undefined]>([
    [{}, undefined],
    [{ entry: { _fromCache: 'disk' } }, 'it came from the disk cache of the browser'],
    [{ entry: { _fetchedViaServiceWorker: true } }, 'a service worker responded to it'],
    [{ entry: { _wasFulfilled: true } }, 'the test responded to it'],
    [
      { response: { bodySize: 0 } },
      'it came from a cache: according to the archive nothing was transferred',
    ],
    [{ response: { status: 304, bodySize: 0 } }, undefined],
    [
      {
        response: {
          status: 307,
          headers: [{ name: 'Non-Authoritative-Reason', value: 'HSTS' }],
        },
      },
      'the browser responded to it itself (HSTS)',
    ],
    [
      { response: { status: 0, _error: 'net::ERR_ABORTED' } },
      'no response is recorded (net::ERR_ABORTED)',
    ],
    [{ response: { status: -1 } }, 'no response is recorded'],
    [{ response: { status: null } }, 'no response is recorded'],
    [{ entry: { response: null } }, 'no response is recorded'],
    [{ entry: { response: undefined } }, 'no response is recorded'],
  ])('%j is not the server: %s', (parts, reason) => {
    expect(readOne(parts).foreign).toBe(reason);
  });

  test.each([
    ['{', 'line 1, column 2'],
    ['[]', 'the whole has to be an object'],
    ['{"log":{}}', '/log/entries is missing'],
    ['{"log":{"entries":[{"request":{}}]}}', '/log/entries/0/request/method is missing'],
    [
      '{"log":{"entries":[{"request":{"method":"GET","url":7},"response":{"status":200}}]}}',
      '/log/entries/0/request/url has to be a text',
    ],
  ])('%s is not valid', (text, reason) => {
    expect(() => readHar(text)).toThrow(reason);
  });
});
