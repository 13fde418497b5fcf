import { describe, expect, test } from 'vitest';
import type { Exchange, RunPlan } from '../../conformance/index.ts';
import { createProgress, type Ticker } from './run-progress.ts';
import { renderProgressLine } from './progress-line.ts';

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
  budget: 60,
  reserve: new Set(),
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
    ticker,
  );
  return { written, ticker, progress, last: () => written.at(-1) };
};

describe('the progress line', () => {
  test('tells phase, requests and requirements', () => {
    const { progress, ticker, last } = start();
    progress.watcher.onPlan?.(plan);
    expect(last()).toBe('\rbegins · 0 requests, 60 left · 0 of 3 requirements asked about\u001B[K');
    ticker.time += 200;
    progress.watcher.onExchange?.(exchange('a'));
    expect(last()).toBe(
      '\rinventory · 1 request, 59 left · 2 of 3 requirements asked about\u001B[K',
    );
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
    ticker.pass(5);
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
        { plan, probe: 'b', sent: 2, waitsUntil: undefined, waitsFor: 'limit' },
        0,
        100,
      ),
    ).toBe('create · 2 requests, 58 left · 3 of 3 requirements asked about');
    expect(
      renderProgressLine(
        { plan: undefined, probe: '', sent: 0, waitsUntil: undefined, waitsFor: 'limit' },
        0,
        100,
      ),
    ).toBe('');
  });
});
