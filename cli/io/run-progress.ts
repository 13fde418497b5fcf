import type { RunPlan, WaitReason, Watcher } from '../../conformance/index.ts';
import type { RunProgress } from '../../mock/index.ts';
import { show, showLine } from '../../page/view/visible.ts';
import { fitColumns, namePhase } from '../../report/index.ts';
import { type CommandIo, isTerminal } from './command-io.ts';

/** Milliseconds between two updates of a progress line. More would flicker. */
const shortestPause = 100;

/** Milliseconds between two lines of progress in a log. */
const logPause = 10_000;

/** Estimates the seconds that a run with this plan waits for the rate limit. */
export type EstimateWaits = (plan: RunPlan) => number;

/**
 * Tracks the progress of a run. Pass its `watcher` to the run; `onChange` is called after each
 * change.
 */
export class ProgressTracker {
  readonly #estimate: EstimateWaits | undefined;
  readonly #onChange: (isWait: boolean) => void;
  #plan: RunPlan | undefined;
  #startedAt = performance.now();
  #sent = 0;
  /** Id of the probe that sent the last request. */
  #probe = '';
  #waitsFor: WaitReason = 'limit';
  #waitsUntil = 0;
  /** Milliseconds of all waits so far, including the rest of the current one. */
  #waited = 0;

  readonly watcher: Watcher = {
    onPlan: (plan) => {
      this.#plan = plan;
      this.#startedAt = performance.now();
    },
    onExchange: ({ probe }) => {
      this.#probe = probe;
      this.#sent += 1;
      this.#waitsUntil = 0;
      this.#onChange(false);
    },
    onWait: (milliseconds, waitsFor) => {
      if (this.#estimate === undefined) return;
      // Several requests may wait at the same time.
      const from = Math.max(this.#waitsUntil, performance.now());
      this.#waitsUntil = Math.max(from, performance.now() + milliseconds);
      this.#waited += this.#waitsUntil - from;
      this.#waitsFor = waitsFor;
      this.#onChange(true);
    },
  };

  /** Without `estimate`, the target's clock is moved instead of waiting. */
  constructor(estimate: EstimateWaits | undefined, onChange: (isWait: boolean) => void) {
    this.#estimate = estimate;
    this.#onChange = onChange;
  }

  /**
   * Progress in the form of the control interface. No time is estimated before the first response.
   */
  get progress(): RunProgress & { readonly doing: string } {
    const [now, sent, plan] = [performance.now(), this.#sent, this.#plan];
    const planned = Math.max(plan?.requests ?? 0, sent);
    const wait = Math.max(0, this.#waitsUntil - now);
    const waits = plan && this.#estimate ? 1000 * this.#estimate(plan) : 0;
    const busy = Math.max(0, now - this.#startedAt - (this.#waited - wait));
    const left = wait + Math.max(0, waits - this.#waited) + (busy / sent) * (planned - sent);
    const secondsLeft = sent === 0 ? undefined : Math.ceil(left / 1000);
    return { sent, planned, secondsLeft, doing: this.#nameWork(wait) };
  }

  #nameWork(wait: number): string {
    const reason = this.#waitsFor === 'limit' ? 'the rate limit' : 'the target to come back';
    if (wait > 0) return `waiting ${Math.ceil(wait / 1000)} s for ${reason}`;
    if (this.#sent === 0) return 'the first request';
    const probe = this.#plan?.probes.find(({ id }) => id === this.#probe);
    return probe === undefined ? 'smaller counterexamples' : namePhase(probe.phase);
  }
}

/** Shows on stderr the progress of a run, until it is disposed. */
export interface ProgressDisplay extends Disposable {
  readonly watcher: Watcher;
  /**
   * Erases the progress line, so that permanent text can be printed. The next change draws it
   * again.
   */
  readonly erase: () => void;
}

/**
 * One line that is updated on a terminal; in a log, a line every ten seconds and for each wait;
 * nothing if quiet. `name`: which of several runs it is.
 */
export function openProgress(
  { stderr, env }: Pick<CommandIo, 'stderr' | 'env'>,
  isQuiet: boolean,
  estimate: EstimateWaits | undefined,
  name?: string,
): ProgressDisplay {
  if (isQuiet) return { watcher: {}, erase: () => {}, [Symbol.dispose]: () => {} };
  const startedAt = performance.now();
  let printedAt = startedAt;
  let isShown = false;
  const terminal = isTerminal(stderr, env);
  const follower = new ProgressTracker(estimate, (isWait) => {
    const pause = performance.now() - printedAt;
    if (terminal ? pause >= shortestPause : isWait || pause >= logPause) print();
  });
  const print = (): void => {
    printedAt = performance.now();
    const { sent, planned, secondsLeft, doing } = follower.progress;
    // `A: 25 of 60 requests after 12 s, about 17 s left: edge values`
    const run = name === undefined ? '' : `${name}: `;
    const time = describeTime((printedAt - startedAt) / 1000);
    const rest = secondsLeft === undefined ? '' : `, about ${describeTime(secondsLeft)} left`;
    const text = `${run}${sent} of ${planned} requests after ${time}${rest}: ${doing}`;
    if (!terminal) return void stderr.write(show`${showLine(text)}.\n`);
    const line = fitColumns(showLine(text), (stderr.columns || 80) - 1);
    stderr.write(show`\r${line}\u001B[K`);
    isShown = true;
  };
  const erase = (): void => {
    if (isShown) stderr.write(show`\r\u001B[K`);
    isShown = false;
  };
  const timer = terminal ? setInterval(print, 1000).unref() : undefined;
  return {
    watcher: follower.watcher,
    erase,
    [Symbol.dispose]: () => {
      clearInterval(timer);
      erase();
    },
  };
}

/** `42 s`, `3 min`. */
function describeTime(seconds: number): string {
  return seconds < 120 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
}
