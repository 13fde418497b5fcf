import type { RunPlan, Watcher } from '../../conformance/index.ts';
import type { RunProgress } from '../../mock/index.ts';
import { namePhase } from '../../report/index.ts';
import { nameReason } from '../io/run-progress.ts';

/** How far a run is; `watcher` follows it. */
export interface RunTracker {
  readonly watcher: Watcher;
  /** As it stands now. */
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

/** Seconds that a request to a target takes, as long as none was sent. */
const usualSeconds = 0.01;

/** Seconds that a run takes, about. */
export function estimateSeconds({ requests }: RunPlan, { waits }: Pick<RunTimes, 'waits'>): number {
  return Math.ceil(waits + requests * usualSeconds);
}

/** `onChange` is called after each change. */
export function trackRun(
  plan: Pick<RunPlan, 'requests' | 'probes'>,
  { waits, isMoved, now }: RunTimes,
  onChange: () => void,
): RunTracker {
  const phases = new Map(plan.probes.map(({ id, phase }) => [id, namePhase(phase)]));
  const startedAt = now();
  let [sent, waited, waitsUntil, doing] = [0, 0, startedAt, 'the first request'];
  const secondsLeft = (): number => {
    const wait = Math.max(0, waitsUntil - now());
    const busy = Math.max(0, now() - startedAt - (waited - wait)) / 1000;
    const pace = sent === 0 ? usualSeconds : busy / sent;
    const laterWaits = Math.max(0, waits - waited / 1000);
    return Math.ceil(wait / 1000 + laterWaits + pace * Math.max(0, plan.requests - sent));
  };
  return {
    watcher: {
      onExchange: ({ probe }) => {
        sent += 1;
        doing = phases.get(probe) ?? 'smaller counterexamples';
        onChange();
      },
      onWait: (milliseconds, reason) => {
        if (isMoved) return;
        // Several requests may wait at the same time.
        const from = Math.max(waitsUntil, now());
        waitsUntil = Math.max(from, now() + milliseconds);
        waited += waitsUntil - from;
        doing = `waiting for ${nameReason(reason)}`;
        onChange();
      },
    },
    progress: () => ({
      sent,
      planned: Math.max(plan.requests, sent),
      secondsLeft: secondsLeft(),
      doing,
    }),
  };
}
