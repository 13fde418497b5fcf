import { expect, test } from 'vitest';
import { petstore as contract } from '../../test/contract/petstore.ts';
import { createService } from '../../selftest/index.ts';
import { listen } from '../../selftest/service/listener.ts';
import { findUntrueTimes } from '../../selftest/oracle/wait.ts';
import { createMovableClock, rerun, runConformance, type Clock, type RunReport } from '../index.ts';
import { createStillClock } from '../../test/conformance/still-clock.ts';

async function run(clock: Clock): Promise<RunReport> {
  const running = await listen(createService({}, { now: clock.now }));
  await using server = { ...running, [Symbol.asyncDispose]: () => running.close() };
  const target = { baseUrl: server.baseUrl, apiKey: 'service-free' };
  return await runConformance(contract, target, { plan: 'Free', requests: 110, clock });
}

test('reports each wait and their sum as elapsed time, by a real clock', async () => {
  const report = await run(createStillClock());
  const { milliseconds, times } = report.run;
  expect(times).toEqual({
    waits: [{ before: expect.any(Number), milliseconds: 50_000, reason: 'limit' }],
    waited: 50_000,
    clockMoved: 0,
  });
  expect(milliseconds).toBe(50_000);
  expect(findUntrueTimes(report)).toEqual([]);
});

test('reports the elapsed time and how far a clock was moved, which no rerun can enlarge', async () => {
  const report = await run(createMovableClock());
  const { milliseconds, times } = report.run;
  const { record, exchanges } = report;
  expect(times?.clockMoved).toBeGreaterThan(0);
  expect(times?.waited).toBe(0);
  expect(milliseconds + (times?.clockMoved ?? 0)).toBe(record.endedAt - record.startedAt);
  expect(findUntrueTimes(report)).toEqual([]);
  expect((await rerun(contract, record, exchanges)).departures).toEqual([]);
  const forged = { ...record, clockMoved: (record.clockMoved ?? 0) + 60_000 };
  expect((await rerun(contract, forged, exchanges)).departures).toMatchObject([
    { sentence: expect.stringMatching(/^The clock was moved by/) },
  ]);
});
