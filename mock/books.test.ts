import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Contract } from '../contract/contract.ts';
import { type JsonValue, isJsonObject } from '../contract/json/value.ts';
import { loadBooks } from '../test/mock/contracts.ts';
import { type TestResponse, type TestClient, createTestClient } from '../test/mock/test-client.ts';

let contract: Contract;
let client: TestClient;
beforeAll(async () => {
  contract = await loadBooks();
});
beforeEach(() => {
  client = createTestClient(contract, {}, (key) => ({ 'x-api-key': key }));
});

const key = 'demo-branch';
const book = { title: 'Home', language: 'fr', lendable: true, price: 0.5 };
const send = (method: string, path: string, json?: JsonValue, headers = {}): TestResponse =>
  client.send(method, path, { key, headers, ...(json === undefined ? {} : { json }) });
const patch = (path: string, json: JsonValue): TestResponse =>
  send('PATCH', path, json, { 'content-type': 'application/merge-patch+json' });
const numbers = ({ json }: TestResponse): readonly unknown[] =>
  Array.isArray(json)
    ? json.map((item: JsonValue) => (isJsonObject(item) ? item['bookNumber'] : null))
    : [];

describe('a second document, without code changes', () => {
  test('starts with its examples and accepts additions', () => {
    expect(numbers(send('GET', '/books'))).toEqual([1, 7]);
    const added = send('POST', '/books', book);
    expect([added.status, added.json, added.headers.get('location')]).toEqual([
      201,
      { bookNumber: 8, ...book },
      '/api/v2/books/8',
    ]);
    expect(send('GET', '/books/8').text).toBe(added.text);
  });

  test('pages by its own parameter and default, and filters by each property and both', () => {
    for (let count = 0; count < 12; count += 1)
      send('POST', '/books', {
        ...book,
        lendable: count % 2 === 0,
        language: count % 3 === 0 ? 'de' : 'fr',
      });
    expect(numbers(send('GET', '/books')).length).toBe(10);
    expect(numbers(send('GET', '/books?pageSize=2'))).toEqual([1, 7]);
    expect(numbers(send('GET', '/books?language=de'))).toEqual([8, 11, 14, 17]);
    expect(numbers(send('GET', '/books?language=de&lendable=false'))).toEqual([11, 17]);
    expect(send('GET', '/books?lendable=yes').status).toBe(400);
    expect(send('GET', '/books?pageSize=51').status).toBe(400);
  });

  test('returns errors in its own shape', () => {
    const refused = send('POST', '/books', { ...book, price: 1000 });
    expect(refused.json).toEqual({
      statusCode: 400,
      error: 'invalid_body',
      detail: expect.stringMatching(/^price .* \(at \/price\)$/),
    });
    expect(send('GET', '/books/99').json).toMatchObject({ statusCode: 404 });
    expect(send('POST', '/books', { ...book, shelf: { room: 'Z', row: 1 } }).json).toMatchObject({
      detail: expect.stringContaining('(at /shelf/room)'),
    });
  });

  test('recognises its key header in any case', () => {
    expect(
      client.send('GET', '/books', { key: undefined, headers: { authorization: `Bearer ${key}` } })
        .status,
    ).toBe(401);
    const refused = client.send('GET', '/books', { key: 'wrong' });
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringMatching(/^ApiKey realm="Library", in="header", name="X-Api-Key"/),
    ]);
    expect(
      client
        .send('OPTIONS', '/books/1', { key: undefined })
        .headers.get('access-control-allow-headers'),
    ).toContain('X-Api-Key');
  });

  test('replaces: members that are not sent are removed', () => {
    expect(send('PUT', '/books/1', book).json).toEqual({ bookNumber: 1, ...book });
    expect(send('GET', '/books/1').json).toEqual({ bookNumber: 1, ...book });
    expect(numbers(send('GET', '/books?language=en'))).toEqual([]);
    expect([send('PUT', '/books/99', book).status, send('PUT', '/books/1', {}).status]).toEqual([
      404, 400,
    ]);
  });

  test('updates: members that are not sent stay, and null removes (RFC 7396)', () => {
    const before = send('GET', '/books/1').json;
    const { shelf: _, ...rest } = isJsonObject(before) ? before : {};
    expect(patch('/books/1', { shelf: null, price: 3 }).json).toEqual({ ...rest, price: 3 });
    expect([
      patch('/books/99', { price: 1 }).status,
      patch('/books/1', {}).status,
      patch('/books/1', { price: -1 }).status,
    ]).toEqual([404, 400, 400]);
    expect(send('PATCH', '/books/1', { price: 1 }).status).toBe(415);
  });

  test('refuses a change after which the item would break the contract', () => {
    expect(patch('/books/1', { title: null }).status).toBe(400);
    expect(send('GET', '/books/1').json).toMatchObject({ title: 'The Sea' });
  });

  test('removes, and never reuses an id', () => {
    const removed = send('DELETE', '/books/1');
    expect([removed.status, removed.text]).toEqual([204, '']);
    expect([send('DELETE', '/books/1').status, send('GET', '/books/1').status]).toEqual([404, 404]);
    expect(numbers(send('GET', '/books'))).toEqual([7]);
    expect(send('POST', '/books', book).json).toMatchObject({ bookNumber: 8 });
  });

  test('enforces int32 in the path', () => {
    expect(send('GET', '/books/2147483648').status).toBe(404);
  });
});
