import type { RunPlan, WaitReason, Watcher } from '../../conformance/index.ts';
import { fitColumns } from '../../report/index.ts';
import { countOf } from '../../page/view/count.ts';
import { joinShown, show, showLine, type VisibleText } from '../../page/view/visible.ts';
import type { CommandIo, TextSink } from './command-io.ts';
import { isTerminal } from './terminal.ts';

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

/** Milliseconds between two lines of progress in a log. */
const logPause = 10_000;

/** Milliseconds that a run with this plan waits for the rate limit, about. */
export type ForeseeWaits = (plan: RunPlan) => number;

/** A run that is followed. */
interface Following {
  readonly watcher: Watcher;
  readonly state: () => ProgressState;
}

/**
 * Follows a run. `onChange` is called after each change. `countsDown`: false where a clock leaps over
 * waits.
 */
export function followRun(
  { now }: Pick<Ticker, 'now'>,
  { foresee, countsDown }: { readonly foresee: ForeseeWaits; readonly countsDown: boolean },
  onChange: (change: 'plan' | 'exchange' | 'wait') => void,
): Following {
  let state: ProgressState = {
    plan: undefined,
    probe: '',
    sent: 0,
    waitsUntil: undefined,
    waitsFor: 'limit',
    startedAt: now(),
    waited: 0,
    waits: 0,
  };
  return {
    state: () => state,
    watcher: {
      onPlan: (plan) => {
        state = { ...state, plan, startedAt: now(), waits: foresee(plan) };
        onChange('plan');
      },
      onExchange: ({ probe }) => {
        state = { ...state, probe, sent: state.sent + 1, waitsUntil: undefined };
        onChange('exchange');
      },
      onWait: (milliseconds, waitsFor) => {
        if (!countsDown) return;
        // Several requests may wait at the same time.
        const from = Math.max(state.waitsUntil ?? now(), now());
        const waitsUntil = Math.max(from, now() + milliseconds);
        state = { ...state, waitsFor, waitsUntil, waited: state.waited + waitsUntil - from };
        onChange('wait');
      },
    },
  };
}

/** Progress without a terminal: a whole line every ten seconds. */
export function createProgressLog(
  log: TextSink,
  foresee: ForeseeWaits = () => 0,
  ticker: Ticker = systemTicker,
): Progress {
  let toldAt = 0;
  const { watcher, state } = followRun(ticker, { foresee, countsDown: true }, (change) => {
    const now = ticker.now();
    if (change === 'wait' || (change === 'exchange' && now - toldAt < logPause)) return;
    toldAt = now;
    if (change === 'exchange') log.write(show`${renderProgressSentence(state(), now)}\n`);
  });
  return { watcher, erase: () => {}, [Symbol.dispose]: () => {} };
}

/** Progress on a terminal. `countsDown`: false where a clock leaps over waits. */
export function createProgress(
  terminal: TextSink,
  countsDown: boolean,
  foresee: ForeseeWaits = () => 0,
  ticker: Ticker = systemTicker,
): Progress {
  let shown = show``;
  let drawnAt = Number.NEGATIVE_INFINITY;
  const { watcher, state } = followRun(ticker, { foresee, countsDown }, () => {
    if (ticker.now() - drawnAt >= shortestPause) draw();
  });
  const draw = (): void => {
    const line = renderProgressLine(state(), ticker.now(), (terminal.columns ?? 80) - 1);
    if (line !== shown) terminal.write(show`\r${line}\u001B[K`);
    shown = line;
    drawnAt = ticker.now();
  };
  const erase = (): void => {
    if (shown !== '') terminal.write(show`\r\u001B[K`);
    shown = show``;
  };
  const stop = ticker.everySecond(draw);
  return {
    watcher,
    erase,
    [Symbol.dispose]: () => {
      stop();
      erase();
    },
  };
}

/** The progress of a command on stderr: a bar on a terminal, else lines; nothing if it is quiet. */
export function openProgress(
  { stderr, env }: Pick<CommandIo, 'stderr' | 'env'>,
  {
    quiet,
    countsDown = true,
    foresee,
  }: {
    readonly quiet: boolean;
    readonly countsDown?: boolean;
    readonly foresee?: ForeseeWaits;
  },
): Progress & { readonly isBar: boolean } {
  if (quiet) return { watcher: {}, erase: () => {}, isBar: false, [Symbol.dispose]: () => {} };
  const isBar = isTerminal(stderr, env);
  const progress = isBar
    ? createProgress(stderr, countsDown, foresee)
    : createProgressLog(stderr, foresee);
  return { ...progress, isBar };
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
 * the first response, unless it is said how long a request usually takes.
 */
export function estimateLeft(
  { plan, sent, startedAt, waitsUntil, waited, waits }: ProgressState,
  now: number,
  { total = plan?.budget ?? 0, usual }: { readonly total?: number; readonly usual?: number } = {},
): number | undefined {
  const wait = Math.max(0, (waitsUntil ?? now) - now);
  const busy = Math.max(0, now - startedAt - (waited - wait));
  const pace = sent === 0 ? usual : busy / sent;
  if (pace === undefined) return undefined;
  return wait + Math.max(0, waits - waited) + pace * Math.max(0, total - sent);
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
