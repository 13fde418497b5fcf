import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../contract/json/value.ts';
import { readJournalLog } from './journal.ts';
import { petstore } from '../test/contract/petstore.ts';

const record: JsonObject = {
  index: 7,
  at: '2026-06-01T12:00:00.000Z',
  method: 'GET',
  target: '/v1/pets?limit=2',
  credential: 'valid',
  keyElsewhere: false,
  bodyLength: 0,
  status: 200,
  sandbox: 'a',
  plan: 'Free',
  milliseconds: 1,
};
const read = (...changes: readonly JsonObject[]) =>
  readJournalLog(petstore, { exchanges: changes.map((change) => ({ ...record, ...change })) })
    .exchanges;
const rate = { limit: 60, remaining: 0, resetAt: '2026-06-01T12:00:30.500Z' };

describe('a journal', () => {
  test('is read as a log: operation, key, refusal, and the facts of the response', () => {
    const refusal = { check: 'rate-limit', reason: 'rate_limited', message: 'Too many.' };
    expect(read({ status: 429, retryAfter: '31', rate, refusal })[0]).toEqual({
      index: 0,
      probe: 'journal',
      intent: {
        kind: 'client',
        scenario: 'journal',
        key: 'a/Free',
        connection: undefined,
        refusal: { reason: 'rate_limited', message: 'Too many.' },
        isWhole: true,
      },
      request: {
        operation: 'listPets',
        method: 'GET',
        target: '/pets?limit=2',
        headers: [],
        credential: 'valid',
        body: undefined,
      },
      outcome: {
        kind: 'answered',
        response: {
          status: 429,
          headers: [
            ['X-RateLimit-Limit', '60'],
            ['X-RateLimit-Remaining', '0'],
            ['X-RateLimit-Reset', '1780315231'],
            ['Retry-After', '31'],
          ],
          body: '[not kept]',
          utf8: true,
        },
      },
      sentAt: Date.parse('2026-06-01T12:00:00.000Z'),
      endedAt: Date.parse('2026-06-01T12:00:00.000Z'),
      group: undefined,
    });
  });

  test('reports truncated, late and lost responses', () => {
    const [long, unread, far] = read(
      { body: 'x', bodyLength: 4097 },
      { bodyLength: undefined },
      { target: `/v1/pets?limit=${'1'.repeat(1000)}...` },
    );
    expect(
      [long, unread, far].map((each) => each?.intent.kind === 'client' && each.intent.isWhole),
    ).toEqual([false, false, false]);
    const [late, slow, reset, silent, whole] = read(
      { delay: 250, fault: { id: 'f', effect: 'status 503, delay of 10 to 90 ms' } },
      { delay: 2000, preferred: 'wait=2' },
      { lost: 'reset' },
      { lost: 'silence' },
      { fault: { id: 'f', effect: 'status 503, no response, delay of 90 ms' } },
    );
    expect([late, slow].map((each) => (each?.endedAt ?? 0) - (each?.sentAt ?? 0))).toEqual([
      250, 2000,
    ]);
    expect(
      [reset, silent, whole].map(
        (each) => each?.outcome.kind === 'no-response' && each.outcome.error.reason,
      ),
    ).toEqual(['cut', 'timeout', false]);
  });

  test('has a marker only where a key was', () => {
    expect(
      read({ target: '/v1/pets?a=[key]', keyElsewhere: true }, { target: '/v1/pets?a=[key]' }).map(
        ({ request }) => request.target,
      ),
    ).toEqual(['/pets?a=[redacted]', '/pets?a=[key]']);
  });

  test('is read for one plan, and without a key if none was valid', () => {
    const journal = {
      exchanges: [
        record,
        { ...record, plan: 'Pro' },
        { ...record, plan: undefined, credential: 'missing' },
      ],
    };
    const keys = (plan?: string): readonly unknown[] =>
      readJournalLog(petstore, journal, plan).exchanges.map(
        ({ intent }) => intent.kind === 'client' && intent.key,
      );
    expect([keys(), keys('Pro')]).toEqual([['a/Free', 'a/Pro', undefined], ['a/Pro']]);
  });

  test.each([
    [{ at: 'yesterday' }, '/exchanges/0 has a time that is not a date'],
    [{ method: 1 }, '/exchanges/0/method has to be a text'],
    [{ credential: 'stolen' }, '/exchanges/0/credential has to be one of valid, missing, invalid'],
    [{ keyElsewhere: 'no' }, '/exchanges/0/keyElsewhere has to be true or false'],
    [{ bodyLength: -1 }, '/exchanges/0/bodyLength has to be a whole number from 0'],
    [{ rate: [] }, '/exchanges/0/rate has to be an object'],
    [
      { refusal: { check: 'route', reason: 1, message: '' } },
      '/exchanges/0/refusal/reason has to be a text',
    ],
  ])('%j is not a journal', (change, reason) => {
    expect(() => read(change)).toThrow(reason);
  });
});
