import { expect, test } from 'vitest';
import type { Contract } from '../contract/contract.ts';
import type { InferredResource } from '../contract/resource/resource.ts';
import type { JsonObject } from '../contract/json/value.ts';
import type { Operation } from '../contract/openapi/operation.ts';
import { loadContract } from '../contract/load.ts';
import { loadSample, sampleText } from '../test/contract/sample.ts';
import type { MockResponse } from './http/message.ts';
import { createMock } from './mock.ts';
/** A list, and how often any of its items was read. */
interface CountedList<Item> {
  readonly list: readonly Item[];
  readonly reads: () => number;
}

/** Counts reads of a list, so that work is measured without a clock. */
function countReads<Item>(items: readonly Item[]): CountedList<Item> {
  let reads = 0;
  const list = new Proxy(items, {
    get(target, name, receiver) {
      if (typeof name === 'string' && /^\d+$/.test(name)) reads += 1;
      const value: unknown = Reflect.get(target, name, receiver);
      return value;
    },
  });
  return { list, reads: () => reads };
}

const item = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
};
const answer = (schema: JsonObject): JsonObject => ({
  description: 'ok',
  content: { 'application/json': { schema } },
});

/** Collections, each with four operations; half of them without a role, and one replaced by another. */
function wideDocument(count: number): JsonObject {
  const paths: [string, JsonObject][] = Array.from({ length: count }, (_, at) => {
    const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }];
    return [
      [
        `/things${at}`,
        {
          get: { responses: { 200: answer({ type: 'array', items: item }) } },
          post: {
            operationId: `create${at}`,
            requestBody: { content: { 'application/json': { schema: item } } },
            responses: { 201: answer(item) },
          },
        },
      ],
      [`/things${at}/{id}`, { parameters, get: { responses: { 200: answer(item) } } }],
      [
        `/do${at}`,
        {
          head: { responses: { 204: { description: 'ok' } } },
          get: {
            deprecated: true,
            'x-successor': `create${at}`,
            responses: { 204: { description: 'ok' } },
          },
        },
      ],
    ] satisfies [string, JsonObject][];
  }).flat();
  return { paths: Object.fromEntries(paths) };
}

/** How often operations are read on the way from a contract to a response of each. */
async function countWork(count: number): Promise<readonly number[]> {
  const contract = await loadSample(wideDocument(count));
  const { list, reads } = countReads<Operation>(contract.operations);
  const inferred = countReads<InferredResource>(contract.inferredResources);
  const counted: Contract = Object.create(contract, {
    operations: { value: list },
    inferredResources: { value: inferred.list },
  });
  const mock = createMock(counted);
  const atStart = reads() / contract.operations.length;
  for (const { method, path } of contract.operations) {
    const target = path.replace('{id}', '1');
    const response: MockResponse = mock.handle({ method, target, headers: {}, content: undefined });
    expect(response.status).toBeLessThan(500);
  }
  const { length } = contract.operations;
  return [atStart, reads() / length, inferred.reads() / contract.inferredResources.length];
}

test('a mock reads each operation equally often in wide and narrow documents', async () => {
  const narrow = await countWork(10);
  const wide = await countWork(80);
  for (const [index, count] of wide.entries())
    expect(count).toBeLessThanOrEqual(narrow[index] ?? 0);
  // The service is compiled with the first request, not with the mock.
  expect(narrow.map((count) => count > 0)).toEqual([false, true, true]);
});

test('an operation is compiled by its first request', async () => {
  const contract = await loadSample(wideDocument(3));
  const read: string[] = [];
  const operations = contract.operations.map((operation) =>
    Object.create(operation, {
      requestBody: {
        get() {
          read.push(operation.id);
          return operation.requestBody;
        },
      },
    }),
  );
  const mock = createMock(Object.create(contract, { operations: { value: operations } }));
  const send = (target: string) =>
    mock.handle({ method: 'GET', target, headers: {}, content: undefined }).status;
  expect(read).toEqual([]);
  expect(send('/do1')).toBe(204);
  expect(new Set(read)).toEqual(new Set(['GET /do1']));
});

/** Characters of names and values; Node.js and undici refuse a response with more than 16 KiB. */
async function headerSize(document: JsonObject): Promise<readonly [status: number, size: number]> {
  // `loadSample` rejects errors, and this many headers are an error.
  const mock = createMock(await loadContract({ text: sampleText(document) }));
  const { status, headers } = mock.handle({
    method: 'GET',
    target: '/wide',
    headers: { origin: 'http://localhost' },
    content: undefined,
  });
  const lines = headers.map(
    ([name, value]) => `${name}: ${value}
`,
  );
  return [status, lines.join('').length];
}

test('clients accept the headers of a document that has thousands', async () => {
  const many = Array.from({ length: 5000 }, (_, at) => `x-${at}`);
  const header = { required: true, schema: { type: 'string', minLength: 20 } };
  const headers = Object.fromEntries(many.map((name) => [name, header]));
  const answered = { description: 'x', headers };
  const get = { responses: { 200: answered, 401: answered } };
  const [status, size] = await headerSize({ paths: { '/wide': { get } } });
  expect([status, size < 16_000]).toEqual([200, true]);
  const securitySchemes = Object.fromEntries(
    many.map((name) => [name, { type: 'apiKey', in: 'header', name }]),
  );
  const locked = { get: { ...get, security: many.map((name) => ({ [name]: [] })) } };
  const refused = await headerSize({
    paths: { '/wide': locked },
    components: { securitySchemes },
  });
  expect([refused[0], refused[1] < 16_000]).toEqual([401, true]);
});
