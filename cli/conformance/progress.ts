import type { RunPlan, Watcher } from '../../conformance/index.ts';
import type { RunProgress } from '../../mock/index.ts';
import { namePhase, waitingSeconds } from '../../report/index.ts';
import type { Contract } from '../../contract/index.ts';
import { nameReason } from '../io/progress-line.ts';

/** How far a run is; `watcher` follows it. */
export interface RunTracker {
  readonly watcher: Watcher;
  /** As it stands now. */
  progress(): RunProgress;
}

/** Seconds that a request to a target takes, as long as none was sent. */
const usualSeconds = 0.01;

/** What a run will take, about: waits for the rate limit, unless a clock is moved over them. */
export function estimateSeconds(
  plan: RunPlan,
  contract: Contract,
  planName: string | undefined,
  isMoved: boolean,
): number {
  const waits = isMoved ? 0 : waitingSeconds(plan, contract, planName);
  return Math.ceil(waits + plan.requests * usualSeconds);
}

/** `onChange` is called after each change. `now`: milliseconds. */
export function trackRun(
  plan: RunPlan,
  isMoved: boolean,
  onChange: () => void,
  now: () => number = () => performance.now(),
): RunTracker {
  const phases = new Map(plan.probes.map(({ id, phase }) => [id, namePhase(phase)]));
  const startedAt = now();
  let [sent, waited, waitsUntil, doing] = [0, 0, 0, 'the first request'];
  const secondsLeft = (): number => {
    const rest = Math.max(0, plan.requests - sent);
    const wait = Math.max(0, waitsUntil - now());
    const busy = Math.max(0, now() - startedAt - waited + wait) / 1000;
    const pace = sent === 0 ? usualSeconds : busy / sent;
    return Math.ceil(wait / 1000 + pace * rest);
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
        const until = now() + milliseconds;
        // Several requests may wait at the same time.
        waited += Math.max(0, until - Math.max(waitsUntil, now()));
        waitsUntil = Math.max(waitsUntil, until);
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
