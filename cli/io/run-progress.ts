import type { Watcher } from '../../conformance/index.ts';
import { show } from '../../view/visible.ts';
import type { TextSink } from './command-io.ts';
import { type ProgressState, renderProgressLine, renderProgressSentence } from './progress-line.ts';

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
const systemTicker: Ticker = {
  now: () => Date.now(),
  everySecond: (callback) => {
    const timer = setInterval(callback, 1000).unref();
    return () => clearInterval(timer);
  },
};

/** Shortest time between two drawings, milliseconds: more would flicker. */
const shortestPause = 100;

const emptyState: ProgressState = {
  plan: undefined,
  probe: '',
  sent: 0,
  waitsUntil: undefined,
  waitsFor: 'limit',
  startedAt: 0,
};

/** Milliseconds between two lines of progress in a log. */
const logPause = 10_000;

/** Progress where there is no terminal: a line now and then, with its end. */
export function createProgressLog(log: TextSink, ticker: Ticker = systemTicker): Progress {
  let state = emptyState;
  let toldAt = 0;
  return {
    watcher: {
      onPlan: (plan) => {
        toldAt = ticker.now();
        state = { ...state, plan, startedAt: toldAt };
      },
      onExchange: ({ probe }) => {
        state = { ...state, probe, sent: state.sent + 1 };
        const now = ticker.now();
        if (now - toldAt < logPause) return;
        toldAt = now;
        log.write(show`${renderProgressSentence(state, now)}\n`);
      },
    },
    erase: () => {},
    [Symbol.dispose]: () => {},
  };
}

/** `countsDown`: false where a clock leaps over waits. */
export function createProgress(
  terminal: TextSink,
  countsDown: boolean,
  ticker: Ticker = systemTicker,
): Progress {
  let state: ProgressState = emptyState;
  let shown = show``;
  let drawnAt = Number.NEGATIVE_INFINITY;
  const draw = (): void => {
    const line = renderProgressLine(state, ticker.now(), (terminal.columns ?? 80) - 1);
    if (line !== shown) terminal.write(show`\r${line}\u001B[K`);
    shown = line;
    drawnAt = ticker.now();
  };
  const erase = (): void => {
    if (shown !== '') terminal.write(show`\r\u001B[K`);
    shown = show``;
  };
  const change = (next: Partial<ProgressState>): void => {
    state = { ...state, ...next };
    if (ticker.now() - drawnAt >= shortestPause) draw();
  };
  const stop = ticker.everySecond(draw);
  return {
    watcher: {
      onPlan: (plan) => change({ plan, startedAt: ticker.now() }),
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
