import type { Watcher } from '../../conformance/index.ts';
import type { TextSink } from './command-io.ts';
import { type ProgressState, renderProgressLine } from './progress-line.ts';

/** Live progress on the last line of a terminal. Disposing erases it. */
export interface Progress extends Disposable {
  readonly watcher: Watcher;
  /** Erases the line to print something that stays; the next change draws it again. */
  readonly erase: () => void;
}

/** The time and the timer of a progress line; tests have their own. */
export interface Ticker {
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** Calls back each second until the function that it returns is called. */
  readonly everySecond: (callback: () => void) => () => void;
}

/** The machine's time. The timer keeps no process alive. */
export const systemTicker: Ticker = {
  now: () => Date.now(),
  everySecond: (callback) => {
    const timer = setInterval(callback, 1000).unref();
    return () => clearInterval(timer);
  },
};

/** Shortest time between two drawings, milliseconds: more would flicker. */
const shortestPause = 100;

/** `countsDown`: false where a clock leaps over waits. */
export function createProgress(
  terminal: TextSink,
  countsDown: boolean,
  ticker: Ticker = systemTicker,
): Progress {
  const idle = { waitsUntil: undefined, waitsFor: 'limit' } as const;
  let state: ProgressState = { plan: undefined, probe: '', sent: 0, ...idle };
  let shown = '';
  let drawnAt = Number.NEGATIVE_INFINITY;
  const draw = (): void => {
    const line = renderProgressLine(state, ticker.now(), (terminal.columns ?? 80) - 1);
    if (line !== shown) terminal.write(`\r${line}\u001B[K`);
    shown = line;
    drawnAt = ticker.now();
  };
  const erase = (): void => {
    if (shown !== '') terminal.write('\r\u001B[K');
    shown = '';
  };
  const change = (next: Partial<ProgressState>): void => {
    state = { ...state, ...next };
    if (ticker.now() - drawnAt >= shortestPause) draw();
  };
  const stop = ticker.everySecond(draw);
  return {
    watcher: {
      onPlan: (plan) => change({ plan }),
      onExchange: ({ probe }) => change({ probe, sent: state.sent + 1, waitsUntil: undefined }),
      onWait: (milliseconds, waitsFor) => {
        const until = ticker.now() + milliseconds;
        if (countsDown) change({ waitsFor, waitsUntil: Math.max(state.waitsUntil ?? 0, until) });
      },
    },
    erase,
    [Symbol.dispose]: () => {
      stop();
      erase();
    },
  };
}
