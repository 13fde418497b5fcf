import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { RunPlan } from '../../conformance/index.ts';
import { countColumns } from '../../report/text/layout.ts';
import { petstore } from '../../test/contract/petstore.ts';
import { sampleReport } from '../../test/report/sample-report.ts';
import { openProgress, ProgressTracker } from './run-progress.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const probe = (
  id: string,
  phase: RunPlan['probes'][number]['phase'],
): RunPlan['probes'][number] => ({
  id,
  phase,
  rank: 1,
  requests: 1,
  writes: false,
  proves: [],
  run: () => Promise.resolve(),
});

const plan: RunPlan = {
  probes: [probe('a', 'inventory'), probe('b', 'create')],
  left: [],
  requests: 60,
  needed: 60,
  merged: 0,
  omitted: 0,
  shrink: 0,
  budget: 90,
};

const [sample] = sampleReport(petstore).exchanges;

interface Followed {
  /** Sends requests of a probe, each of which takes this many milliseconds. */
  readonly send: (id: string, count?: number, milliseconds?: number) => void;
  readonly wait: (seconds: number, reason?: 'limit' | 'return') => void;
}

const follow = ({ watcher }: Pick<ProgressTracker, 'watcher'>): Followed => {
  watcher.onPlan?.(plan);
  return {
    send: (id, count = 1, milliseconds = 200) => {
      for (let index = 0; index < count; index += 1) {
        vi.advanceTimersByTime(milliseconds);
        if (sample !== undefined) watcher.onExchange?.({ ...sample, probe: id });
      }
    },
    wait: (seconds, reason = 'limit') => watcher.onWait?.(1000 * seconds, reason),
  };
};

describe('the progress of a run', () => {
  const start = (estimate: ConstructorParameters<typeof ProgressTracker>[0] = () => 0) => {
    const follower = new ProgressTracker(estimate, () => {});
    return { follower, ...follow(follower) };
  };

  test('shows requests, their purpose, and the time left at the current pace', () => {
    const { follower, send } = start();
    expect(follower.progress).toEqual({
      sent: 0,
      planned: 60,
      secondsLeft: undefined,
      doing: 'the first request',
    });
    send('a', 20, 500);
    expect(follower.progress).toEqual({
      sent: 20,
      planned: 60,
      secondsLeft: 20,
      doing: 'existing items',
    });
    send('b', 60);
    expect(follower.progress).toMatchObject({ planned: 80, secondsLeft: 0 });
    send('shrink: 1');
    expect(follower.progress.doing).toBe('smaller counterexamples');
  });

  test('includes past and expected waits without counting them as slow requests', () => {
    const { follower, send, wait } = start(() => 60);
    send('a', 30, 100);
    expect(follower.progress.secondsLeft).toBe(63);
    wait(40);
    wait(30);
    expect(follower.progress).toMatchObject({
      doing: 'waiting 40 s for the rate limit',
      secondsLeft: 63,
    });
    vi.advanceTimersByTime(40_000);
    expect(follower.progress.secondsLeft).toBe(23);
    send('b', 1, 100);
    wait(30, 'return');
    expect(follower.progress).toMatchObject({
      doing: 'waiting 30 s for the target to come back',
      secondsLeft: 33,
    });
  });

  test('has no waits if the clock is moved', () => {
    const follower = new ProgressTracker(undefined, () => {});
    const { send, wait } = follow(follower);
    send('a', 10);
    wait(60);
    expect(follower.progress).toMatchObject({ doing: 'existing items', secondsLeft: 10 });
  });
});

const open = (terminal: { readonly columns?: number; readonly isTTY?: boolean }, name?: string) => {
  const written: string[] = [];
  const stderr = { write: (text: string) => written.push(text), ...terminal };
  const display = openProgress({ stderr, env: {} }, false, () => 0, name);
  return { written, display, last: () => written.at(-1), ...follow(display) };
};

describe('the progress line', () => {
  const start = (columns = 100) => open({ isTTY: true, columns });

  test('has a bar, the phase and the requests, and an estimate after a response', () => {
    const { send, last } = start();
    vi.advanceTimersByTime(1000);
    expect(last()).toBe('\r0 of 60 requests after 1 s: the first request\u001B[K');
    send('a', 15, 190);
    expect(last()).toBe('\r15 of 60 requests after 4 s, about 12 s left: existing items\u001B[K');
    send('b', 60);
    expect(last()).toContain('75 of 75 requests after 16 s, about 0 s left: ');
  });

  test('counts a wait down, second by second, until a request is sent', () => {
    const { send, wait, last } = start();
    vi.advanceTimersByTime(200);
    wait(3);
    wait(1);
    expect(last()).toContain('waiting 3 s for the rate limit');
    vi.advanceTimersByTime(2000);
    expect(last()).toMatch(/waiting [12] s for the rate limit/);
    send('b');
    expect(last()).toContain('1 of 60 requests after 3 s, about 0 s left: concurrent additions');
  });

  test('is drawn ten times a second at most, and each second without a request', () => {
    const { send, written } = start();
    send('a', 60, 1);
    expect(written).toHaveLength(0);
    vi.advanceTimersByTime(1500);
    expect(written).toHaveLength(1);
    vi.advanceTimersByTime(1000);
    expect(written).toHaveLength(2);
    expect(written.at(-1)).toContain('60 of 60 requests');
  });

  test('is erased at the end of the run', () => {
    const { display, written, last, send } = start();
    send('a');
    display[Symbol.dispose]();
    expect(last()).toBe('\r\u001B[K');
    vi.advanceTimersByTime(2000);
    expect(written).toHaveLength(2);
  });

  test.each([20, 40, 60, 80, 200])('never wraps a terminal of %d columns', (columns) => {
    const { send, wait, last } = start(columns);
    send('b', 59);
    wait(9e6);
    const line = last()?.replace('\r', '').replace('\u001B[K', '') ?? '';
    expect(countColumns(line)).toBeLessThan(columns);
  });
});

test('a log gets a line every ten seconds and for each wait, and none for a short run', () => {
  const { written, send, wait } = open({}, 'A');
  send('a', 5, 1900);
  expect(written).toEqual([]);
  send('b', 15, 1000);
  wait(60);
  send('b', 1, 70_000);
  expect(written).toEqual([
    'A: 6 of 60 requests after 11 s, about 95 s left: concurrent additions.\n',
    'A: 16 of 60 requests after 21 s, about 57 s left: concurrent additions.\n',
    'A: 20 of 60 requests after 25 s, about 109 s left: waiting 60 s for the rate limit.\n',
    'A: 21 of 60 requests after 95 s, about 65 s left: concurrent additions.\n',
  ]);
});
