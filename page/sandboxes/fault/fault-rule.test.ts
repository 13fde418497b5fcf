import { expect, test } from 'vitest';
import type { FaultRule } from '../../session/types.ts';
import { readRule } from './fault-rule.ts';
import { describeRule, describeUse } from './fault-text.ts';

test.for<[Record<string, string>, FaultRule, string]>([
  [
    { operation: 'listPets', status: '503', retryAfter: '2', count: '3' },
    { operation: 'listPets', status: 503, retryAfter: 2, count: 3 },
    'listPets responds 503 with Retry-After 2.',
  ],
  [{ to: '200' }, { delay: { from: 200, to: 200 } }, 'Every operation waits 200 milliseconds.'],
  [
    { from: '5', to: '10', percent: '12.5', seed: '7' },
    { delay: { from: 5, to: 10 }, probability: 0.125, seed: 7 },
    'Every operation waits 5 to 10 milliseconds, in 12.5 % of its requests.',
  ],
  [
    { connection: 'reset', body: '' },
    { connection: 'reset' },
    'Every operation does its work, then resets the connection.',
  ],
  [
    { body: 'malformed', bytes: '10', milliseconds: '50' },
    { body: 'malformed', drip: { bytes: 10, milliseconds: 50 } },
    'Every operation sends a body that is no JSON and sends 10 bytes every 50 milliseconds.',
  ],
])('%j is a rule', ([fields, rule, sentence]) => {
  expect(readRule(new Map(Object.entries(fields)))).toEqual({ rule });
  expect(describeRule(rule)).toBe(sentence);
});

test.for<[Record<string, string>, string, string]>([
  [{}, 'status', 'Say what is to happen.'],
  [{ count: '3' }, 'status', 'Say what is to happen.'],
  [{ status: '200' }, 'status', 'The status is a whole number from 400 to 599.'],
  [{ status: 'abc' }, 'status', 'The status is a whole number from 400 to 599.'],
  [{ status: '500', count: '0' }, 'count', 'The number of requests is a whole number from 1 on.'],
  [{ from: '10', to: '5' }, 'to', 'The longest delay is at least the shortest.'],
  [{ bytes: '10' }, 'milliseconds', 'Give the pause between the pieces.'],
  [{ milliseconds: '10' }, 'bytes', 'Give the bytes of a piece.'],
  [{ retryAfter: '1' }, 'status', 'Retry-After goes with a status.'],
  [{ status: '500', percent: '0' }, 'percent', 'The share is above 0 and at most 100 percent.'],
])('%j is refused at %s', ([fields, field, message]) => {
  expect(readRule(new Map(Object.entries(fields)))).toEqual({ field, message });
});

test('counters are told', () => {
  expect(describeUse({ id: 'a', applied: 1 })).toBe('applied 1 time');
  expect(describeUse({ id: 'a', applied: 1, count: 3 })).toBe('applied to 1 of 3');
  expect(describeUse({ id: 'a', applied: 3, count: 3 })).toBe('applied to 3 of 3, spent');
});
