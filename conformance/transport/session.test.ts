import { expect, test } from 'vitest';
import { createCarrier } from './carrier.ts';
import { maxSentBody, type Request, Session } from './session.ts';
import {
  answered,
  createFakeSender,
  quota,
  type FakeSender,
} from '../../test/conformance/fake-sender.ts';
import { createStillClock, type StillClock } from '../../test/conformance/still-clock.ts';
import type { Outcome } from './exchange.ts';
import { petstore as contract } from '../../test/contract/petstore.ts';

const [list] = contract.operations;
const target = { baseUrl: 'http://target.example/v1', apiKey: 'secret-key' };

function request(changes: Partial<Request> = {}): Request {
  if (list === undefined) throw new Error('no operation');
  return { operation: list, intent: { kind: 'valid', exercises: [], mayRefuse: [] }, ...changes };
}

function open(
  response: (nth: number, clock: StillClock) => Outcome,
  budget = 10,
): { session: Session; clock: StillClock; sender: FakeSender } {
  const clock = createStillClock();
  const sender = createFakeSender((_request, nth) => response(nth, clock));
  const session = new Session(contract, createCarrier(target, { clock, sender }), {
    ...target,
    budget,
    longestWait: 90_000,
  });
  return { session, clock, sender };
}

const seconds = (clock: StillClock): number => Math.floor(clock.now() / 1000);

const budgetEnd = expect.objectContaining({ name: 'SessionEnd', kind: 'budget' });

test('never exceeds its budget, including repetitions after a 429', async () => {
  const { session, sender } = open(
    (_nth, clock) =>
      answered(429, undefined, { 'Retry-After': '1', ...quota(60, 0, seconds(clock) + 1) }),
    3,
  );
  await expect(session.send(request())).rejects.toThrow(budgetEnd);
  expect(sender.requests).toHaveLength(3);
  await expect(session.send(request())).rejects.toThrow(budgetEnd);
  expect(sender.requests).toHaveLength(3);
});

test('waits as Retry-After says, in seconds or as a date, and returns the final exchange', async () => {
  const { session, clock } = open((nth, at) =>
    nth === 0
      ? answered(429, undefined, { 'Retry-After': '7' })
      : nth === 1
        ? answered(429, undefined, { 'Retry-After': new Date(at.now() + 11_000).toUTCString() })
        : answered(200, []),
  );
  const exchange = await session.send(request());
  expect(clock.sleeps).toEqual([7000, 11_000]);
  expect(exchange.outcome.kind === 'answered' && exchange.outcome.response.status).toBe(200);
  expect(session.exchanges).toHaveLength(3);
});

test("compares a Retry-After date with the response's own Date, so a skewed clock does no harm", async () => {
  const { session, clock } = open((nth, at) => {
    const theirs = at.now() + 86_400_000;
    return nth === 0
      ? answered(429, undefined, {
          Date: new Date(theirs).toUTCString(),
          'Retry-After': new Date(theirs + 5000).toUTCString(),
        })
      : answered(200, []);
  });
  await session.send(request());
  expect(clock.sleeps).toEqual([5000]);
});

test('pauses before the limit: if nothing remains, it waits for Reset', async () => {
  const { session, clock } = open((nth, at) =>
    answered(200, [], quota(60, nth === 0 ? 0 : 59, seconds(at) + 20)),
  );
  await session.send(request());
  expect(clock.sleeps).toEqual([]);
  await session.send(request());
  expect(clock.sleeps).toEqual([20_000]);
});

test('keeps separate pauses for requests with and without the key', async () => {
  const { session, clock } = open((nth, at) =>
    answered(nth === 0 ? 200 : 401, [], quota(60, nth === 0 ? 0 : 5, seconds(at) + 20)),
  );
  await session.send(request());
  await session.send(request({ credential: 'missing' }));
  expect(clock.sleeps).toEqual([]);
});

test('pauses all senders after a 429, including concurrent ones', async () => {
  const { session, clock, sender } = open((nth) =>
    nth < 2 ? answered(429, undefined, { 'Retry-After': '3' }) : answered(200, []),
  );
  const exchanges = await session.sendTogether([request(), request()]);
  expect(clock.sleeps.every((sleep) => sleep === 3000)).toBe(true);
  expect(
    exchanges.map((each) => each.outcome.kind === 'answered' && each.outcome.response.status),
  ).toEqual([200, 200]);
  expect(sender.requests).toHaveLength(4);
});

test('does not wait longer than the run allows', async () => {
  const { session } = open(() => answered(429, undefined, { 'Retry-After': '3600' }));
  await expect(session.send(request())).rejects.toThrow(
    expect.objectContaining({ name: 'SessionEnd', kind: 'wait' }),
  );
});

test('waits as the Retry-After of a 503 says, for every key, and reports the outage', async () => {
  const { session, clock } = open((nth) =>
    nth === 0 ? answered(503, undefined, { 'Retry-After': '7' }) : answered(200, []),
  );
  await session.send(request());
  expect(clock.sleeps).toEqual([]);
  await session.sendBeyond(request({ credential: 'missing' }));
  expect(clock.sleeps).toEqual([7000]);
  expect(session.waits).toEqual([{ before: 1, milliseconds: 7000, reason: 'return' }]);
});

test('does not wait for a 503 longer than the run allows, or without Retry-After', async () => {
  const long = open(() => answered(503, undefined, { 'Retry-After': '3600' }));
  await long.session.send(request());
  await expect(long.session.send(request())).rejects.toThrow(
    /^unavailable \(503\): the target asks for a wait of 3600 seconds$/,
  );
  const silent = open(() => answered(503, undefined));
  await silent.session.send(request());
  await silent.session.send(request());
  expect(silent.clock.sleeps).toEqual([]);
});

test('backs off exponentially if a 429 has no readable wait', async () => {
  const { session, clock } = open((nth) =>
    nth < 3 ? answered(429, undefined) : answered(200, []),
  );
  await session.send(request());
  expect(clock.sleeps).toEqual([1000, 2000, 4000]);
});

test('logs which credential was used but no key, and sends the credential', async () => {
  const { session, sender } = open(() => answered(200, []));
  for (const credential of [
    'valid',
    'missing',
    'other-scheme',
    'cut',
    'longer',
    'other-case',
    'invalid',
  ] as const)
    await session.send(request({ credential }));
  expect(JSON.stringify(session.exchanges)).not.toMatch(/secret|SECRET/);
  const sent = sender.requests.map(
    ({ headers }) => headers.find(([name]) => name === 'authorization')?.[1],
  );
  expect(sent).toEqual([
    'Bearer secret-key',
    undefined,
    'Basic secret-key',
    'Bearer secret-ke',
    'Bearer secret-keyx',
    'Bearer SECRET-KEY',
    'Bearer invalid-key-10',
  ]);
});

test('waits for a new window before concurrent requests if too few remain', async () => {
  const { session, clock } = open((nth, at) =>
    answered(200, [], quota(60, nth === 0 ? 2 : 50, seconds(at) + 20)),
  );
  await session.send(request());
  await session.sendTogether([request(), request(), request()]);
  expect(clock.sleeps.filter((sleep) => sleep > 0)).toContain(20_000);
  expect(
    session.exchanges.every(
      ({ outcome }) => outcome.kind === 'answered' && outcome.response.status === 200,
    ),
  ).toBe(true);
});

test('sends nothing once it is interrupted', async () => {
  const stop = new AbortController();
  const clock = createStillClock();
  const sender = createFakeSender(() => answered(200, []));
  const session = new Session(
    contract,
    createCarrier(target, { clock, sender, signal: stop.signal }),
    { ...target, budget: 10, longestWait: 90_000 },
  );
  await session.send(request());
  stop.abort();
  await expect(session.send(request())).rejects.toThrow('interrupted after 1 requests');
  expect(sender.requests).toHaveLength(1);
});

test('of identical concurrent requests, the first gets the response that arrived first', async () => {
  const clock = createStillClock();
  const waiting: (() => void)[] = [];
  const fake = createFakeSender((_request, nth) => answered(200, [nth]));
  const sender = {
    ...fake,
    send: async (wire: Parameters<typeof fake.send>[0]) => {
      const outcome = await fake.send(wire);
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        setImmediate(() => waiting.pop()?.());
      });
      return outcome;
    },
  };
  const session = new Session(contract, createCarrier(target, { clock, sender }), {
    ...target,
    budget: 10,
    longestWait: 90_000,
  });
  const sent = await session.sendTogether([
    request(),
    request({ query: { limit: '1' } }),
    request(),
  ]);
  expect(
    session.exchanges.map(({ outcome }) => outcome.kind === 'answered' && outcome.response.body),
  ).toEqual(['[2]', '[1]', '[0]']);
  expect(sent.map(({ index }) => index)).toEqual([0, 1, 2]);
});

test('pending requests are awaited before the end of the budget is reported', async () => {
  const { session } = open(() => answered(200, []), 2);
  await expect(session.sendTogether([request(), request(), request()])).rejects.toThrow(budgetEnd);
  expect(session.exchanges).toHaveLength(2);
});

test('sends no body beyond a limit, nor more than the log of a run may keep', async () => {
  const { session, sender } = open(() => answered(200, []), 1_000);
  const large = 'a'.repeat(maxSentBody);
  await expect(session.send(request({ body: `${large}a` }))).rejects.toThrow(
    'its body has 262,145 characters; at most 262,144 are sent',
  );
  for (let nth = 0; nth < 33; nth += 1) await session.send(request({ body: large }));
  await expect(session.send(request({ body: large }))).rejects.toEqual(budgetEnd);
  expect(sender.requests).toHaveLength(33);
  // Ordinary bodies are sent on and on.
  for (let nth = 0; nth < 100; nth += 1) await session.send(request({ body: 'a'.repeat(4_000) }));
});
