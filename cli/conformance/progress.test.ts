import { expect, test } from 'vitest';
import { petstore } from '../../test/contract/petstore.ts';
import { type Exchange, planConformance } from '../../conformance/index.ts';
import { sampleReport } from '../../test/report/sample-report.ts';
import { type RunTracker, trackRun } from './progress.ts';

const plan = planConformance(
  petstore,
  { baseUrl: 'http://127.0.0.1/v1', apiKey: undefined },
  { requests: 100 },
);
const [exchange] = sampleReport(petstore).exchanges;

interface Tracked extends RunTracker {
  /** Sends so many requests of the first probe, in so many milliseconds each. */
  readonly send: (count: number, milliseconds?: number) => void;
  readonly pass: (milliseconds: number) => void;
  readonly changes: () => number;
}

const track = (waits = 0, isMoved = false): Tracked => {
  let [time, changes] = [1000, 0];
  const tracker = trackRun(plan, { waits, isMoved, now: () => time }, () => (changes += 1));
  const sent: Exchange = { ...sampleExchange(), probe: plan.probes[0]?.id ?? '' };
  return {
    ...tracker,
    pass: (milliseconds) => void (time += milliseconds),
    send: (count, milliseconds = 10) => {
      for (let index = 0; index < count; index += 1) {
        time += milliseconds;
        tracker.watcher.onExchange?.(sent);
      }
    },
    changes: () => changes,
  };
};

const sampleExchange = (): Exchange => {
  if (exchange === undefined) throw new Error('The sample has exchanges.');
  return exchange;
};

test('tells requests, what they are for, and the time left at the pace so far', () => {
  const { send, progress, changes } = track();
  expect(progress()).toEqual({
    sent: 0,
    planned: plan.requests,
    secondsLeft: 1,
    doing: 'the first request',
  });
  send(20, 500);
  expect(progress()).toEqual({
    sent: 20,
    planned: plan.requests,
    secondsLeft: Math.ceil((plan.requests - 20) * 0.5),
    doing: 'existing items',
  });
  expect(changes()).toBe(20);
  send(plan.requests);
  expect(progress()).toMatchObject({ planned: plan.requests + 20, secondsLeft: 0 });
});

test('counts the waits that there are and that are to come, and does not slow down by them', () => {
  const { send, pass, progress, watcher } = track(60);
  send(60);
  const rest = (plan.requests - 60) * 0.01;
  expect(progress().secondsLeft).toBe(Math.ceil(60 + rest));
  watcher.onWait?.(40_000, 'limit');
  watcher.onWait?.(30_000, 'limit');
  expect(progress()).toMatchObject({
    doing: 'waiting for the rate limit',
    secondsLeft: Math.ceil(60 + rest),
  });
  pass(40_000);
  expect(progress().secondsLeft).toBe(Math.ceil(20 + rest));
  watcher.onWait?.(30_000, 'return');
  expect(progress()).toMatchObject({
    doing: 'waiting for the target to come back',
    secondsLeft: Math.ceil(30 + rest),
  });
});

test('a clock that is moved over waits makes none', () => {
  const { send, progress, watcher } = track(0, true);
  send(10);
  watcher.onWait?.(60_000, 'limit');
  expect(progress()).toMatchObject({ doing: 'existing items', secondsLeft: 1 });
});
