import type { RunPlan, WaitReason, Watcher } from '../../conformance/index.ts';
import type { RunProgress } from '../../mock/index.ts';
import { countOf } from '../../page/view/count.ts';
import { joinShown, show, showLine, type VisibleText } from '../../page/view/visible.ts';
import { fitColumns, namePhase } from '../../report/index.ts';
import type { CommandIo } from './command-io.ts';
import { isTerminal } from './terminal.ts';

/** Shortest time between two drawings of a progress line, milliseconds: more would flicker. */
const shortestPause = 100;

/** Milliseconds between two lines of progress in a log. */
const logPause = 10_000;

/** Milliseconds after which a run is long enough for a bar and an estimate. */
const soon = 2000;

/** Characters of the bar. */
const barWidth = 20;

export interface FollowerOptions {
  /** Milliseconds that a run with this plan waits for the rate limit, about. */
  readonly foresee?: (plan: RunPlan) => number;
  /** The target's clock is moved instead of waiting. */
  readonly isMoved?: boolean;
}

/** How far a run is. Its `watcher` keeps it up to date, and calls `onChange` after each change. */
export class RunFollower {
  readonly #options: FollowerOptions;
  readonly #onChange: (change: 'plan' | 'exchange' | 'wait') => void;
  #plan: RunPlan | undefined;
  #startedAt = performance.now();
  #sent = 0;
  /** Id of the probe that sent last. */
  #probe = '';
  #waitsFor: WaitReason = 'limit';
  #waitsUntil = 0;
  /** Milliseconds of all waits so far, with what is left of the current one. */
  #waited = 0;

  readonly watcher: Watcher = {
    onPlan: (plan) => {
      this.#plan = plan;
      this.#startedAt = performance.now();
      this.#onChange('plan');
    },
    onExchange: ({ probe }) => {
      this.#probe = probe;
      this.#sent += 1;
      this.#waitsUntil = 0;
      this.#onChange('exchange');
    },
    onWait: (milliseconds, waitsFor) => {
      if (this.#options.isMoved) return;
      // Several requests may wait at the same time.
      const from = Math.max(this.#waitsUntil, performance.now());
      this.#waitsUntil = Math.max(from, performance.now() + milliseconds);
      this.#waited += this.#waitsUntil - from;
      this.#waitsFor = waitsFor;
      this.#onChange('wait');
    },
  };

  constructor(options: FollowerOptions, onChange: (change: 'plan' | 'exchange' | 'wait') => void) {
    this.#options = options;
    this.#onChange = onChange;
  }

  /** Milliseconds since the plan was made. */
  get milliseconds(): number {
    return performance.now() - this.#startedAt;
  }

  /** Milliseconds that are left of a wait. */
  get wait(): number {
    return Math.max(0, this.#waitsUntil - performance.now());
  }

  /** As the control interface shows it. */
  get progress(): RunProgress {
    const planned = Math.max(this.#plan?.requests ?? 0, this.#sent);
    return {
      sent: this.#sent,
      planned,
      secondsLeft: this.#secondsLeft(planned),
      doing: this.#doing,
    };
  }

  /** What it waits for, as long as it does. */
  get waitsFor(): string {
    return this.#waitsFor === 'limit' ? 'the rate limit' : 'the target to come back';
  }

  get #doing(): string {
    if (this.wait > 0) return `waiting for ${this.waitsFor}`;
    if (this.#sent === 0) return 'the first request';
    const probe = this.#plan?.probes.find(({ id }) => id === this.#probe);
    return probe === undefined ? 'smaller counterexamples' : namePhase(probe.phase);
  }

  /** The rest of the waits, and the other requests at the pace so far. Undefined before a response. */
  #secondsLeft(planned: number): number | undefined {
    if (this.#sent === 0) return undefined;
    const waits = this.#plan && this.#options.foresee ? this.#options.foresee(this.#plan) : 0;
    const busy = Math.max(0, this.milliseconds - (this.#waited - this.wait));
    const rest = (busy / this.#sent) * (planned - this.#sent);
    return Math.ceil((this.wait + Math.max(0, waits - this.#waited) + rest) / 1000);
  }
}

/** Shows on stderr how far a run is. Disposing ends it. */
export interface ProgressDisplay extends Disposable {
  readonly watcher: Watcher;
  /** Erases the progress line, to print something that stays; the next change draws it again. */
  readonly erase: () => void;
}

/** A line on a terminal; in a log, a line every ten seconds and for each wait; nothing if quiet. */
export function openProgress(
  { stderr, env }: Pick<CommandIo, 'stderr' | 'env'>,
  {
    quiet,
    name,
    ...options
  }: FollowerOptions & { readonly quiet: boolean; readonly name?: string },
): ProgressDisplay {
  if (quiet) return { watcher: {}, erase: () => {}, [Symbol.dispose]: () => {} };
  const terminal = isTerminal(stderr, env);
  let shown = show``;
  let printedAt = terminal ? Number.NEGATIVE_INFINITY : performance.now();
  const follower = new RunFollower(options, (change) => {
    const pause = performance.now() - printedAt;
    if (terminal && pause >= shortestPause) draw();
    else if (!terminal && change === 'wait') log(renderWait(follower));
    else if (!terminal && pause >= logPause) log(renderSentence(follower));
  });
  const log = (line: VisibleText): void => {
    stderr.write(name === undefined ? show`${line}\n` : show`${showLine(name)}: ${line}\n`);
    printedAt = performance.now();
  };
  const draw = (): void => {
    const line = renderProgressLine(follower, name, (stderr.columns ?? 80) - 1);
    if (line !== shown) stderr.write(show`\r${line}\u001B[K`);
    shown = line;
    printedAt = performance.now();
  };
  const erase = (): void => {
    if (shown !== '') stderr.write(show`\r\u001B[K`);
    shown = show``;
  };
  const timer = terminal ? setInterval(draw, 1000).unref() : undefined;
  return {
    watcher: follower.watcher,
    erase,
    [Symbol.dispose]: () => {
      clearInterval(timer);
      erase();
    },
  };
}

/** The state of a run in one line of at most so many columns; a longer run has a bar and an estimate. */
function renderProgressLine(
  { progress, milliseconds, wait, waitsFor }: RunFollower,
  name: string | undefined,
  columns: number,
): VisibleText {
  const { sent, planned, secondsLeft, doing = '' } = progress;
  const seconds = Math.ceil(wait / 1000);
  const parts = [
    ...(name === undefined ? [] : [showLine(name)]),
    ...(milliseconds < soon || secondsLeft === undefined
      ? []
      : [renderBar(sent / planned), show`about ${describeTime(secondsLeft)} left`]),
    showLine(seconds === 0 ? doing : `waiting ${seconds} s for ${waitsFor}`),
    show`${countOf(sent, 'request')}, ${planned - sent} left`,
  ];
  return fitColumns(joinShown(parts, ' · '), columns);
}

/** As `renderProgressLine`, for logs: `25 of 60 requests after 12 s, about 17 s left.` */
function renderSentence({ progress, milliseconds }: RunFollower): VisibleText {
  const { sent, planned, secondsLeft } = progress;
  const rest = secondsLeft === undefined ? '' : show`, about ${describeTime(secondsLeft)} left`;
  return show`${sent} of ${planned} requests after ${describeTime(milliseconds / 1000)}${rest}.`;
}

function renderWait({ wait, waitsFor }: RunFollower): VisibleText {
  return show`Waiting ${Math.ceil(wait / 1000)} s for ${showLine(waitsFor)}.`;
}

function renderBar(share: number): VisibleText {
  const done = Math.round(share * barWidth);
  return showLine(`[${'#'.repeat(done)}${'.'.repeat(barWidth - done)}]`);
}

/** `42 s`, `3 min`. */
function describeTime(seconds: number): VisibleText {
  const whole = Math.ceil(seconds);
  return whole < 120 ? show`${whole} s` : show`${Math.ceil(whole / 60)} min`;
}
