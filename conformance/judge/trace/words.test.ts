import { expect, test } from 'vitest';
import type { ReceivedResponse } from '../../transport/exchange.ts';
import { describeResponse, quote } from './words.ts';

/** Counts how often a member is read. */
function counted<Value extends object>(value: Value, name: string & keyof Value) {
  const text = value[name];
  let reads = 0;
  Object.defineProperty(value, name, {
    enumerable: true,
    get: () => {
      reads += 1;
      return text;
    },
  });
  return { value, reads: () => reads };
}

test('a body is read once, however many sentences quote it', () => {
  const response: ReceivedResponse = {
    status: 200,
    headers: [['content-type', 'application/json']],
    body: `{"a":"${'b \n'.repeat(1_000)}"}`,
    utf8: true,
  };
  const { value, reads } = counted(response, 'body');
  const first = describeResponse(value);
  const after = reads();
  expect(first).toMatch(/^200 \{"a":"b b b .*… \(2008 characters\)$/);
  for (let time = 0; time < 100; time += 1) expect(describeResponse(value)).toBe(first);
  expect(reads()).toBe(after);
});

test('a value is rendered once, no matter how many of its members are missing', () => {
  const { value, reads } = counted({ a: 'b'.repeat(1_000) }, 'a');
  const first = quote(value);
  const after = reads();
  expect(first).toMatch(/… \(1008 characters\)$/);
  for (let time = 0; time < 100; time += 1) expect(quote(value)).toBe(first);
  expect(reads()).toBe(after);
});
