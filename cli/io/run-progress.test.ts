import { describe, expect, test } from 'vitest';
import type { Exchange, RunPlan } from '../../conformance/index.ts';
import { countColumns } from '../../report/text/columns.ts';
import {
  createProgress,
  createProgressLog,
  type ProgressState,
  renderProgressLine,
  type Ticker,
} from './run-progress.ts';

const probe = (
  id: string,
  phase: RunPlan['probes'][number]['phase'],
  proves: readonly string[],
): RunPlan['probes'][number] => ({
  id,
  phase,
  rank: 1,
  requests: 1,
  writes: false,
  proves,
  run: () => Promise.resolve(),
});

const plan: RunPlan = {
  probes: [probe('a', 'inventory', ['x', 'y']), probe('b', 'create', ['y', 'z'])],
  left: [],
  requests: 2,
  needed: 60,
  omitted: 0,
  shrink: 0,
  budget: 60,
};

const exchange = (probe: string): Exchange => ({
  index: 0,
  probe,
  intent: { kind: 'valid', exercises: [], mayRefuse: [] },
  request: {
    operation: 'a',
    method: 'GET',
    target: '/',
    headers: [],
    credential: 'valid',
    body: undefined,
  },
  outcome: { kind: 'no-response', error: { reason: 'timeout', message: '' } },
  sentAt: 0,
  endedAt: 0,
  group: undefined,
});

/** A clock that is moved by hand; each second calls back. */
class HandTicker implements Ticker {
  time = 1_000_000;
  callback: (() => void) | undefined;
  readonly now = (): number => this.time;
  readonly everySecond = (callback: () => void): (() => void) => {
    this.callback = callback;
    return () => void (this.callback = undefined);
  };
  pass(seconds: number): void {
    for (let second = 0; second < seconds; second += 1) {
      this.time += 1000;
      this.callback?.();
    }
  }
}

const start = (countsDown = true, columns = 100) => {
  const written: string[] = [];
  const ticker = new HandTicker();
  const progress = createProgress(
    { write: (text) => written.push(text), isTTY: true, columns },
    countsDown,
    () => 0,
    ticker,
  );
  return { written, ticker, progress, last: () => written.at(-1) };
};

describe('the progress line', () => {
  test('tells phase, requests and requirements', () => {
    const { progress, ticker, last } = start();
    progress.watcher.onPlan?.(plan);
    expect(last()).toBe('\rbegins · 0 requests, 60 left · 0 of 3 requirements covered\u001B[K');
    ticker.time += 200;
    progress.watcher.onExchange?.(exchange('a'));
    expect(last()).toBe('\rinventory · 1 request, 59 left · 2 of 3 requirements covered\u001B[K');
  });

  test('counts a wait down, second by second, until a request is sent', () => {
    const { progress, ticker, last } = start();
    progress.watcher.onPlan?.(plan);
    ticker.time += 200;
    progress.watcher.onWait?.(3000, 'limit');
    progress.watcher.onWait?.(1000, 'limit');
    expect(last()).toContain('waiting 3 s for the rate limit');
    ticker.pass(2);
    expect(last()).toContain('waiting 1 s for the rate limit');
    ticker.time += 200;
    progress.watcher.onExchange?.(exchange('b'));
    expect(last()).toContain('create · 1 request');
  });

  test('counts nothing down where the clock leaps', () => {
    const { progress, ticker, written } = start(false);
    progress.watcher.onPlan?.(plan);
    ticker.time += 200;
    progress.watcher.onWait?.(3000, 'limit');
    ticker.pass(3);
    expect(written.join('')).not.toContain('waiting');
  });

  test('does not flicker: it is drawn ten times a second at most, and not where nothing changed', () => {
    const { progress, ticker, written } = start();
    progress.watcher.onPlan?.(plan);
    for (let count = 0; count < 50; count += 1) progress.watcher.onExchange?.(exchange('a'));
    expect(written).toHaveLength(1);
    ticker.pass(1);
    ticker.time -= 1000;
    ticker.pass(1);
    expect(written).toHaveLength(2);
    expect(written.at(-1)).toContain('50 requests');
  });

  test('is erased at its end, and says nothing more', () => {
    const { progress, ticker, written, last } = start();
    progress.watcher.onPlan?.(plan);
    progress[Symbol.dispose]();
    expect(last()).toBe('\r\u001B[K');
    ticker.pass(2);
    expect(written).toHaveLength(2);
  });

  test.each([20, 40, 80])('never wraps a terminal of %d columns', (columns) => {
    const { progress, last } = start(true, columns);
    progress.watcher.onPlan?.(plan);
    expect(last()?.replace('\r', '').replace('\u001B[K', '').length).toBeLessThan(columns);
  });

  test('has no colour', () => {
    expect(
      renderProgressLine(
        {
          plan,
          probe: 'b',
          sent: 2,
          waitsUntil: undefined,
          waitsFor: 'limit',
          startedAt: 0,
          waited: 0,
          waits: 0,
        },
        0,
        100,
      ),
    ).toBe('create · 2 requests, 58 left · 3 of 3 requirements covered');
    expect(
      renderProgressLine(
        {
          plan: undefined,
          probe: '',
          sent: 0,
          waitsUntil: undefined,
          waitsFor: 'limit',
          startedAt: 0,
          waited: 0,
          waits: 0,
        },
        0,
        100,
      ),
    ).toBe('');
  });
});

describe('a run of more than two seconds', () => {
  const state = (sent: number): ProgressState => ({
    plan,
    probe: 'b',
    sent,
    waitsUntil: undefined,
    waitsFor: 'limit',
    startedAt: 1000,
    waited: 0,
    waits: 0,
  });

  test('has a bar, and the time that it may still take at its speed', () => {
    expect(renderProgressLine(state(15), 2999, 80)).not.toContain('[');
    expect(renderProgressLine(state(15), 4000, 80)).toBe(
      '[#####...............] · up to 9 s left · create · 15 requests, 45 left',
    );
    expect(renderProgressLine(state(60), 600_000, 80)).toContain(
      '[####################] · up to 0 s',
    );
    expect(renderProgressLine(state(1), 601_000, 80)).toContain('up to 590 min left');
  });

  test('counts the wait that it is in', () => {
    const waiting = { ...state(30), waitsUntil: 64_000, waited: 60_000 };
    expect(renderProgressLine(waiting, 4000, 100)).toContain(
      'up to 63 s left · waiting 60 s for the rate limit',
    );
  });

  test('takes no wait for speed, and adds those to come', () => {
    const over = { ...state(2), waited: 60_000, waits: 240_000 };
    // Two requests in one second, 58 to come, and 180 seconds of waiting.
    expect(renderProgressLine(over, 62_000, 100)).toContain('up to 4 min left');
    expect(renderProgressLine({ ...over, waits: 60_000 }, 62_000, 100)).toContain(
      'up to 29 s left',
    );
  });

  test('has no estimate before a response, nor fills more than the bar', () => {
    expect(renderProgressLine(state(0), 9000, 80)).not.toContain('up to');
    expect(renderProgressLine(state(99), 9000, 80)).toContain('[####################]');
  });

  test.each([20, 40, 60, 80, 200])('fits %d columns', (columns) => {
    const waiting = { ...state(59), waitsUntil: 9e9 };
    expect(countColumns(renderProgressLine(waiting, 9000, columns))).toBeLessThanOrEqual(columns);
  });
});

test('a log has a line of progress now and then, whole, and none of a short run', () => {
  const written: string[] = [];
  const ticker = new HandTicker();
  const { watcher, [Symbol.dispose]: end } = createProgressLog(
    { write: (text) => written.push(text) },
    () => 240_000,
    ticker,
  );
  watcher.onPlan?.(plan);
  for (let count = 0; count < 5; count += 1) {
    ticker.time += 1900;
    watcher.onExchange?.(exchange('a'));
  }
  expect(written).toEqual([]);
  for (let count = 0; count < 15; count += 1) {
    ticker.time += 1000;
    watcher.onExchange?.(exchange('b'));
  }
  watcher.onWait?.(60_000, 'limit');
  ticker.time += 60_000;
  watcher.onExchange?.(exchange('b'));
  end();
  expect(written).toEqual([
    '6 of 60 requests after 11 s, up to 6 min left.\n',
    '16 of 60 requests after 21 s, up to 5 min left.\n',
    '21 of 60 requests after 85 s, up to 4 min left.\n',
  ]);
});
