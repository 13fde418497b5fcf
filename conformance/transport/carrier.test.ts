import { expect, test } from 'vitest';
import { createCarrier, type Start, type Draft } from './carrier.ts';
import { answered, createFakeSender } from '../../test/conformance/fake-sender.ts';
import { createStillClock } from '../../test/conformance/still-clock.ts';
import { petstore as contract } from '../../test/contract/petstore.ts';

const [operation] = contract.operations;
const target = { baseUrl: 'http://target.example/v1', apiKey: 'secret-key' };

const from = (notBefore: number): Start => ({ notBefore, reason: 'limit' });

function draft(): Draft {
  if (operation === undefined) throw new Error('no operation');
  return {
    operation,
    probe: 'test',
    intent: { kind: 'beyond' },
    request: {
      operation: operation.id,
      method: 'GET',
      target: '/pets',
      headers: [],
      credential: 'valid',
      body: undefined,
    },
    group: undefined,
  };
}

test("time never runs backwards, even if the machine's clock is set back", async () => {
  const times = [5000, 4000, 4500, 6000];
  const clock = { now: () => times.shift() ?? 7000, sleep: () => Promise.resolve() };
  const carrier = createCarrier(target, {
    clock,
    sender: createFakeSender(() => answered(200, [])),
  });
  expect([carrier.now(), carrier.now(), carrier.now(), carrier.now()]).toEqual([
    5000, 5000, 5000, 6000,
  ]);
});

test('a timer that fires early is set again, and a clock that stands still is not awaited forever', async () => {
  const still = createStillClock(1000);
  const hasty = {
    now: still.now,
    sleep: (milliseconds: number) => still.sleep(Math.ceil(milliseconds / 2)),
  };
  const carrier = createCarrier(target, {
    clock: hasty,
    sender: createFakeSender(() => answered(200, [])),
  });
  await carrier.carry([draft()], from(1003), () => {});
  expect(still.now()).toBe(1003);
  const stopped = createCarrier(target, {
    clock: { now: () => 0, sleep: () => Promise.resolve() },
    sender: createFakeSender(() => answered(200, [])),
  });
  await expect(stopped.carry([draft()], from(1000), () => {})).resolves.toBeUndefined();
});

test('drafts are sent no earlier than due, and reported with their send and end times', async () => {
  const clock = createStillClock(1000);
  const carrier = createCarrier(target, {
    clock,
    sender: createFakeSender(() => answered(200, [])),
  });
  const drafts = [draft(), draft()];
  const messages: (readonly [Draft, number, number])[] = [];
  await carrier.carry(
    drafts,
    from(3000),
    (each, { sentAt, endedAt }) => void messages.push([each, sentAt, endedAt]),
  );
  expect(messages).toEqual(drafts.map((each) => [each, 3000, 3000]));
});

test('responses contain no key', async () => {
  const sender = createFakeSender(({ headers }) => answered(200, headers));
  const carrier = createCarrier(target, { clock: createStillClock(), sender });
  const messages: string[] = [];
  await carrier.carry(
    [draft()],
    from(0),
    (_draft, carried) => void messages.push(JSON.stringify(carried)),
  );
  expect(sender.requests[0]?.headers).toContainEqual(['authorization', 'Bearer secret-key']);
  expect(messages.join()).toContain('[redacted]');
  expect(messages.join()).not.toContain('secret-key');
});

test('a key that no header can carry is reported, and nothing is sent', async () => {
  const sender = createFakeSender(() => answered(200, []));
  const carry = (apiKey: string): Promise<void> =>
    createCarrier({ ...target, apiKey }, { clock: createStillClock(1000), sender }).carry(
      [draft()],
      from(0),
      () => {},
    );
  for (const apiKey of ['a\u0001b', 'a\nb', 'key-\u{1f511}', '\ufffd'])
    await expect(carry(apiKey)).rejects.toThrow(
      /^The API key contains a character that is not allowed in a header/,
    );
  expect(sender.requests).toEqual([]);
  for (const apiKey of ['a b', 'schl\u00fcssel', 'x\'"\\']) await carry(apiKey);
  expect(sender.requests).toHaveLength(3);
});
