import type { RunPlan, WaitReason, Watcher } from '../../conformance/index.ts';
import { fitColumns } from '../../report/index.ts';
import { countOf } from '../../view/count.ts';
import { joinShown, show, showLine, type VisibleText } from '../../view/visible.ts';
import type { TextSink } from './command-io.ts';

/** Live progress on the last line of a terminal. Disposing erases it. */
interface Progress extends Disposable {
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
  waited: 0,
  waits: 0,
};

/** Milliseconds between two lines of progress in a log. */
const logPause = 10_000;

/** Milliseconds that a run with this plan waits for the rate limit, about. */
export type ForeseeWaits = (plan: RunPlan) => number;

/** A wait begins: several requests may wait at the same time. */
function beginWait(
  { waitsUntil, waited }: ProgressState,
  milliseconds: number,
  now: number,
): Pick<ProgressState, 'waitsUntil' | 'waited'> {
  const from = Math.max(waitsUntil ?? now, now);
  const until = Math.max(from, now + milliseconds);
  return { waitsUntil: until, waited: waited + until - from };
}

/** Progress without a terminal: a whole line every ten seconds. */
export function createProgressLog(
  log: TextSink,
  foresee: ForeseeWaits = () => 0,
  ticker: Ticker = systemTicker,
): Progress {
  let state = emptyState;
  let toldAt = 0;
  return {
    watcher: {
      onPlan: (plan) => {
        toldAt = ticker.now();
        state = { ...state, plan, startedAt: toldAt, waits: foresee(plan) };
      },
      onExchange: ({ probe }) => {
        state = { ...state, probe, sent: state.sent + 1, waitsUntil: undefined };
        const now = ticker.now();
        if (now - toldAt < logPause) return;
        toldAt = now;
        log.write(show`${renderProgressSentence(state, now)}\n`);
      },
      onWait: (milliseconds) => {
        state = { ...state, ...beginWait(state, milliseconds, ticker.now()) };
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
  foresee: ForeseeWaits = () => 0,
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
      onPlan: (plan) => change({ plan, startedAt: ticker.now(), waits: foresee(plan) }),
      onExchange: ({ probe }) => change({ probe, sent: state.sent + 1, waitsUntil: undefined }),
      onWait: (milliseconds, waitsFor) => {
        if (countsDown) change({ waitsFor, ...beginWait(state, milliseconds, ticker.now()) });
      },
    },
    erase,
    [Symbol.dispose]: () => {
      stop();
      erase();
    },
  };
}

export interface ProgressState {
  readonly plan: RunPlan | undefined;
  /** Id of the probe that sent last. */
  readonly probe: string;
  readonly sent: number;
  /** End of the wait, milliseconds since 1970; undefined where nothing waits. */
  readonly waitsUntil: number | undefined;
  readonly waitsFor: WaitReason;
  /** When the plan was made, milliseconds since 1970. */
  readonly startedAt: number;
  /** Milliseconds of all waits so far, with what is left of the one that it is in. */
  readonly waited: number;
  /** Milliseconds that the run waits for the rate limit in all, as far as the plan of the key says. */
  readonly waits: number;
}

/** Milliseconds after which a run is long enough for a bar and an estimate. */
const soon = 2000;

/** Characters of the bar. */
const barWidth = 20;

/**
 * The state of a run in one line of at most so many columns; of one that takes longer with a bar and
 * the time that it may still take.
 */
export function renderProgressLine(
  state: ProgressState,
  now: number,
  columns: number,
): VisibleText {
  const { plan, probe, sent, waitsUntil, waitsFor, startedAt } = state;
  if (!plan) return show``;
  const seconds = waitsUntil === undefined ? 0 : Math.ceil((waitsUntil - now) / 1000);
  const position = plan.probes.findIndex(({ id }) => id === probe);
  const asked = countRequirements(plan, position + 1);
  const left = now - startedAt < soon ? undefined : estimateLeft(state, now);
  const parts = [
    ...(left === undefined
      ? []
      : [renderBar(sent / plan.budget), show`up to ${describeTime(left)} left`]),
    seconds > 0
      ? show`waiting ${seconds} s for ${nameReason(waitsFor)}`
      : showLine(plan.probes[position]?.phase ?? 'begins'),
    show`${countOf(sent, 'request')}, ${Math.max(0, plan.budget - sent)} left`,
    ...(left === undefined
      ? [show`${asked} of ${countRequirements(plan, plan.probes.length)} requirements covered`]
      : []),
  ];
  return fitColumns(joinShown(parts, ' · '), columns);
}

/** As `renderProgressLine`, for logs: `25 of 60 requests after 12 s, up to 17 s left.` */
function renderProgressSentence(state: ProgressState, now: number): VisibleText {
  const { plan, sent, startedAt } = state;
  const left = estimateLeft(state, now);
  const most = Math.max(sent, plan?.budget ?? 0);
  const rest = left === undefined ? '' : show`, up to ${describeTime(left)} left`;
  return show`${sent} of ${most} requests after ${describeTime(now - startedAt)}${rest}.`;
}

/**
 * Milliseconds that a run may still take: what is left of its waits, and the other requests at the
 * speed of those before, without the waits. A run may end before its budget is spent. Undefined before
 * the first response.
 */
function estimateLeft(
  { plan, sent, startedAt, waitsUntil, waited, waits }: ProgressState,
  now: number,
): number | undefined {
  if (plan === undefined || sent === 0) return undefined;
  const wait = Math.max(0, (waitsUntil ?? now) - now);
  const busy = Math.max(0, now - startedAt - (waited - wait));
  const laterWaits = Math.max(0, waits - waited);
  return wait + laterWaits + (busy / sent) * Math.max(0, plan.budget - sent);
}

function renderBar(share: number): VisibleText {
  const done = Math.round(Math.min(1, share) * barWidth);
  return showLine(`[${'#'.repeat(done)}${'.'.repeat(barWidth - done)}]`);
}

/** `42 s`, `3 min`. */
function describeTime(milliseconds: number): VisibleText {
  const seconds = Math.ceil(milliseconds / 1000);
  return seconds < 120 ? show`${seconds} s` : show`${Math.ceil(seconds / 60)} min`;
}

/** What a wait is for, in words. */
export function nameReason(reason: WaitReason): VisibleText {
  return reason === 'limit' ? show`the rate limit` : show`the target to come back`;
}

/** Requirements that the first probes of a plan ask about. */
function countRequirements({ probes }: RunPlan, first: number): number {
  return new Set(probes.slice(0, first).flatMap(({ proves }) => proves)).size;
}
