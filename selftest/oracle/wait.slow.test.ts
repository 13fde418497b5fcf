import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { composeLog, list } from '../../test/conformance/log.ts';
import { createFakeSender, answered, quota } from '../../test/conformance/fake-sender.ts';
import { createStillClock } from '../../test/conformance/still-clock.ts';
import { createCarrier } from '../../conformance/transport/carrier.ts';
import type { CredentialUse } from '../../conformance/transport/exchange.ts';
import { untilEnd } from '../../conformance/transport/pacing.ts';
import { type Request, Session } from '../../conformance/transport/session.ts';
import { petstore as contract } from '../../test/contract/petstore.ts';
import { findImpatient } from './wait.ts';

const limited = (retryAfter: string) => ({
  status: 429,
  headers: { 'Retry-After': retryAfter },
});

test('finds requests sent within a wait, and not those pending or sent after it', () => {
  const early = composeLog(contract, [list('', limited('30')), list([]), list([])]);
  expect(findImpatient(contract, early)).toHaveLength(2);
  const back = { status: 503, headers: { 'Retry-After': '30' } };
  expect(findImpatient(contract, composeLog(contract, [list('', back), list([])]))).toHaveLength(1);
  const together = composeLog(contract, [
    list('', { ...limited('30'), group: 'a' }),
    list([], { group: 'a' }),
  ]);
  expect(findImpatient(contract, together)).toEqual([]);
  const unread = composeLog(contract, [list('', limited('soon')), list([])]);
  expect(findImpatient(contract, unread)).toEqual([]);
});

/** Seconds, a fraction, a Unix time, a date, nothing readable, nothing at all. */
const waits: readonly ((seconds: number, now: number) => string | undefined)[] = [
  (seconds) => String(seconds),
  (seconds) => `${seconds}.5`,
  (seconds, now) => String(Math.ceil(now / 1000) + seconds),
  (seconds, now) => new Date(now + seconds * 1000).toUTCString(),
  () => 'later',
  () => undefined,
];

const response = fc.record({
  status: fc.constantFrom(200, 429, 503),
  remaining: fc.nat(2),
  seconds: fc.nat(70),
  form: fc.constantFrom(...waits),
  skew: fc.constantFrom(undefined, 0, -86_400_000, 86_400_000),
  latency: fc.nat(40),
});

const credential = fc.constantFrom<CredentialUse>('valid', 'missing', 'invalid');

const action = fc.oneof(
  fc.record({ kind: fc.constant('send' as const), credential }),
  fc.record({ kind: fc.constant('beyond' as const), credential }),
  fc.record({ kind: fc.constant('together' as const), count: fc.integer({ min: 2, max: 4 }) }),
  fc.record({ kind: fc.constant('rest' as const), seconds: fc.nat(10) }),
);

const [operation] = contract.operations;

test('no session sends a request within a requested wait, whatever it has to send', async () => {
  const property = fc.asyncProperty(
    fc.array(response, { minLength: 1, maxLength: 20 }),
    fc.array(action, { minLength: 1, maxLength: 15 }),
    async (responses, actions) => {
      const clock = createStillClock();
      const sender = createFakeSender((_request, nth) => {
        const chosen = responses[nth % responses.length];
        if (chosen === undefined) throw new Error('There are some.');
        void clock.sleep(chosen.latency);
        const now = clock.now() + (chosen.skew ?? 0);
        const date = chosen.skew === undefined ? {} : { Date: new Date(now).toUTCString() };
        const wait = chosen.form(chosen.seconds, now);
        const retry = wait === undefined ? {} : { 'Retry-After': wait };
        const headers = {
          ...date,
          ...quota(60, chosen.remaining, Math.ceil(now / 1000) + chosen.seconds),
        };
        return chosen.status === 200
          ? answered(200, [], headers)
          : answered(chosen.status, undefined, { ...headers, ...retry });
      });
      const baseUrl = 'http://target.example/v1';
      const session = new Session(
        contract,
        createCarrier({ baseUrl, apiKey: 'secret-key' }, { clock, sender }),
        { baseUrl, budget: 40, longestWait: 1e12 },
      );
      for (const each of actions) await untilEnd(() => act(session, each, clock.now()));
      expect(findImpatient(contract, session.exchanges)).toEqual([]);
    },
  );
  await fc.assert(property, { seed: 23, numRuns: 300 });
});

async function act(
  session: Session,
  asked: typeof action extends fc.Arbitrary<infer Action> ? Action : never,
  now: number,
): Promise<void> {
  if (operation === undefined) throw new Error('no operation');
  const request = (use: CredentialUse): Request => ({
    operation,
    intent: { kind: 'unspecified', way: 'any' },
    credential: use,
  });
  if (asked.kind === 'send') await session.send(request(asked.credential));
  else if (asked.kind === 'beyond') await session.sendBeyond(request(asked.credential));
  else if (asked.kind === 'rest') session.rest(now + asked.seconds * 1000);
  else await session.sendTogether(Array.from({ length: asked.count }, () => request('valid')));
}
