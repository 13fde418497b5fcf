import { expect, test } from 'vitest';
import type { StubRule } from '../session/types.ts';
import { describeStub } from './stub.ts';

test.for<[StubRule, string]>([
  [{}, 'Every request: the success status.'],
  [
    { request: { operation: 'getPet', path: '/pets/7' }, response: { status: 404, delay: 5 } },
    'getPet, /pets/7: 404 after 5 ms.',
  ],
  [
    {
      request: { query: { a: '1', b: ['2', '3'] }, body: { contains: { name: 'Tom' } } },
      response: { example: 'two' },
    },
    'query a, b, some bodies: the status of its example with the example two.',
  ],
  [
    { response: { text: 'Hello', headers: { A: 'b', C: 'd' } } },
    'Every request: the success status with your body with A, C.',
  ],
  [{ responses: [{ status: 500 }, { status: 200 }] }, 'Every request: 500, then 200.'],
])('%j is described', ([rule, sentence]) => {
  expect(describeStub(rule)).toBe(sentence);
});
