import type { RunPlan, Watcher } from '../../conformance/index.ts';
import type { RunProgress } from '../../mock/index.ts';
import { namePhase } from '../../report/index.ts';
import { estimateLeft, followRun, nameReason } from '../io/run-progress.ts';

/** How far a run is; `watcher` follows it. */
export interface RunTracker {
  readonly watcher: Watcher;
  /** As it is now. */
  readonly progress: () => RunProgress;
}

/** What is known of the time that a run takes. */
export interface RunTimes {
  /** Seconds for which it will wait for the rate limit, about. */
  readonly waits: number;
  /** A clock is moved over its waits. */
  readonly isMoved: boolean;
  /** Milliseconds. */
  readonly now: () => number;
}

/** Milliseconds that a request to a target takes, as long as none was sent. */
const usual = 10;

/** Seconds that a run takes, about. */
export function estimateSeconds({ requests }: RunPlan, { waits }: Pick<RunTimes, 'waits'>): number {
  return Math.ceil(waits + (requests * usual) / 1000);
}

/** `onChange` is called after each change. */
export function trackRun(
  plan: Pick<RunPlan, 'requests' | 'probes'>,
  { waits, isMoved, now }: RunTimes,
  onChange: () => void,
): RunTracker {
  const phases = new Map(plan.probes.map(({ id, phase }) => [id, namePhase(phase)]));
  let doing = 'the first request';
  const options = { foresee: () => 0, countsDown: !isMoved };
  const { watcher, state } = followRun({ now }, options, (change) => {
    if (change === 'plan') return;
    const { probe, waitsFor } = state();
    doing =
      change === 'wait'
        ? `waiting for ${nameReason(waitsFor)}`
        : (phases.get(probe) ?? 'smaller counterexamples');
    onChange();
  });
  return {
    watcher,
    progress: () => {
      const { sent } = state();
      const total = plan.requests;
      const left = estimateLeft({ ...state(), waits: 1000 * waits }, now(), { total, usual });
      const secondsLeft = Math.ceil((left ?? 0) / 1000);
      return { sent, planned: Math.max(total, sent), secondsLeft, doing };
    },
  };
}
