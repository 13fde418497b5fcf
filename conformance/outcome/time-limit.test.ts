import { expect, test } from 'vitest';
import { createMock } from '../../mock/index.ts';
import { answered, quota } from '../../test/conformance/fake-sender.ts';
import { rerunDifferences } from '../../test/conformance/log-run.ts';
import { createStillClock, type StillClock } from '../../test/conformance/still-clock.ts';
import { petstore as contract } from '../../test/contract/petstore.ts';
import { createMockSender } from '../../selftest/generated/server.ts';
import { type RunOptions, type RunReport, type Sender, runConformance } from '../index.ts';
import { longestDuration } from '../run/test-suite.ts';
import { usualTimeLimit } from './time-limit.ts';
import { maxTime, maxWait } from './time-limit.ts';

async function judge(
  options: RunOptions,
  wrap: (sender: Sender, clock: StillClock) => Sender = (sender) => sender,
): Promise<RunReport> {
  const clock = createStillClock();
  const mock = createMock(contract, { clock });
  return await runConformance(
    contract,
    { baseUrl: 'http://mock.test/v1', apiKey: mock.keys[0]?.key },
    { clock, sender: wrap(createMockSender(mock), clock), plan: 'Free', ...options },
  );
}

/** Each request takes so long, by the clock of the suite. */
function slow(milliseconds: number): (sender: Sender, clock: StillClock) => Sender {
  return ({ send, ...rest }, clock) => ({
    ...rest,
    send: async (request) => {
      await clock.sleep(milliseconds);
      return await send(request);
    },
  });
}

/** Refuses requests from one on with a 429, as many as said. */
function turnAway(retryAfter: number, from: number, count = Infinity) {
  return ({ send, ...rest }: Sender, clock: StillClock): Sender => {
    let sent = -1;
    return {
      ...rest,
      send: async (request) => {
        sent += 1;
        if (sent < from || sent >= from + count) return await send(request);
        const headers = quota(60, 0, Math.ceil(clock.now() / 1000) + retryAfter);
        const body = { code: 'refused', message: 'Not now.', status: 429 };
        return answered(429, body, { ...headers, 'Retry-After': `${retryAfter}` });
      },
    };
  };
}

test.each([1, 2, 30, 89])(
  'a target that refuses everything with Retry-After: %i cannot delay a run beyond its time limit',
  async (retryAfter) => {
    for (const options of [{}, { requests: 600 }, { fuzz: 300 }, { timeLimit: 60_000 }]) {
      const report = await judge(options, turnAway(retryAfter, 3));
      const usual = longestDuration(contract, { baseUrl: 'http://a', apiKey: 'a' }, options) / 1.2;
      expect(report.run.milliseconds).toBeLessThanOrEqual(options.timeLimit ?? usual);
      expect(report.outcome).toBe('inconclusive');
      expect(await rerunDifferences(contract, report)).toEqual([]);
    }
  },
);

test('maxTime: a slow target is judged within the time limit of a run', async () => {
  const inTime = await judge({}, slow(500));
  expect(inTime.outcome).toBe('conforms');
  expect(await rerunDifferences(contract, inTime)).toEqual([]);
  const late = await judge({}, slow(9000));
  expect(late).toMatchObject({ outcome: 'inconclusive' });
  expect(late.inconclusive).toMatch(
    /^time limit: the run took 300 seconds \(--time-limit\); \d+ of 60/,
  );
  expect(late.run.milliseconds).toBeLessThanOrEqual(300_000 + 9000);
  expect(await rerunDifferences(contract, late)).toEqual([]);
  const given = await judge({ timeLimit: 900_000 }, slow(9000));
  expect(given.outcome).toBe('conforms');
  expect(maxTime).toBe(90_000);
});

test('maxWait: the longest allowed wait is honoured, and a longer one ends the run', async () => {
  const most = maxWait / 1000;
  expect((await judge({}, turnAway(most, 3, 1))).outcome).toBe('conforms');
  const over = await judge({}, turnAway(most + 1, 3, 1));
  expect(over.inconclusive).toMatch(/^rate limit: the target asks for a wait of 91 seconds; /);
});

test('a request pending at the time limit is abandoned, and proves nothing', async () => {
  const stuck = (sender: Sender): Sender => {
    let sent = 0;
    return {
      ...sender,
      send: (request) => ((sent += 1) > 20 ? new Promise(() => {}) : sender.send(request)),
    };
  };
  const report = await judge({ timeLimit: 300 }, stuck);
  expect(report).toMatchObject({ outcome: 'inconclusive', run: { milliseconds: 300 } });
  expect(report.exchanges).toHaveLength(20);
  expect(await rerunDifferences(contract, report)).toEqual([]);
});

test('the time limit also ends fuzzing, shrinking and the rate-limit test', async () => {
  for (const timeLimit of [1, 3, 10, 30, 60, 90, 120, 150].map((seconds) => 1000 * seconds))
    for (const options of [{ fuzz: 90 }, { exhaust: true }, { shrink: 30 }]) {
      const faulty = ({ send, ...rest }: Sender, clock: StillClock): Sender => ({
        ...rest,
        send: async (request) => {
          await clock.sleep(700);
          const outcome = await send(request);
          if (outcome.kind !== 'answered' || outcome.response.status !== 201) return outcome;
          return { ...outcome, response: { ...outcome.response, status: 200 } };
        },
      });
      const wrap = 'shrink' in options ? faulty : slow(700);
      const report = await judge({ ...options, timeLimit }, wrap);
      expect(report.run.milliseconds).toBeLessThanOrEqual(timeLimit + 700 * 8);
      expect(await rerunDifferences(contract, report)).toEqual([]);
    }
}, 60_000);

test('allowing longer waits extends the time limit', () => {
  const usual = (longestWait: number): number =>
    usualTimeLimit(contract, { plan: 'Free', exhaust: false, longestWait }, { requests: 60 });
  // 90 s to spare, half a second for each request, and two windows.
  expect([usual(20_000), usual(90_000), usual(100_000)]).toEqual([160_000, 300_000, 320_000]);
});
