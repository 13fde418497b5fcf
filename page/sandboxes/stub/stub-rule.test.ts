import { expect, test } from 'vitest';
import type { StubRule } from '../../session/types.ts';
import { readStub } from './stub-rule.ts';
import { describeStub, describeStubUse } from './stub-text.ts';

test.for<[Record<string, string>, StubRule, string]>([
  [{}, { request: {}, response: {} }, 'Every request: the usual status.'],
  [
    { operation: 'getPet', path: '/pets/7', status: '404', times: '2', delay: '5', label: 'a' },
    {
      name: 'a',
      request: { operation: 'getPet', path: '/pets/7' },
      response: { status: 404, delay: 5 },
      times: 2,
    },
    'getPet, path /pets/7: 404 after 5 ms.',
  ],
  [
    { query: 'a=1&b=2&b=3', sent: '{"name":"Tom"}', example: 'two' },
    {
      request: { query: { a: '1', b: ['2', '3'] }, body: { contains: { name: 'Tom' } } },
      response: { example: 'two' },
    },
    'query a, b, some bodies: the status of its example with the example two.',
  ],
  [
    { body: 'Hello', headers: 'A: b\n\nC:d' },
    { request: {}, response: { text: 'Hello', headers: { A: 'b', C: 'd' } } },
    'Every request: the usual status with a body of its own with A, C.',
  ],
  [
    { body: 'null' },
    { request: {}, response: { body: null } },
    'Every request: the usual status with a body of its own.',
  ],
])('%j is a stub', ([fields, rule, sentence]) => {
  expect(readStub(new Map(Object.entries(fields)))).toEqual({ rule });
  expect(describeStub(rule)).toBe(sentence);
});

test.for<[Record<string, string>, string]>([
  [{ status: '199' }, 'status'],
  [{ times: '0' }, 'times'],
  [{ delay: 'x' }, 'delay'],
  [{ path: 'pets' }, 'path'],
  [{ sent: '{' }, 'sent'],
  [{ headers: 'A' }, 'headers'],
])('%j is refused at %s', ([fields, field]) => {
  expect(readStub(new Map(Object.entries(fields)))).toMatchObject({ field });
});

test('a sequence and uses are told', () => {
  expect(describeStub({ responses: [{ status: 500 }, { status: 200 }] })).toBe(
    'Every request: 500, then 200.',
  );
  const stub = { id: 'a', warnings: [], applied: 1 };
  expect(describeStubUse({ ...stub, origin: 'file' })).toBe('used 1 time, from the file');
  expect(describeStubUse({ ...stub, origin: 'control', applied: 0 })).toBe('never used');
  expect(describeStubUse({ ...stub, origin: 'control', times: 1 })).toBe('used 1 of 1, spent');
});
