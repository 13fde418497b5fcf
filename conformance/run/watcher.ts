import type { Probe } from '../probes/probe.ts';
import type { WaitReason } from '../transport/draft.ts';
import type { Reason } from '../judge/reason/reason.ts';
import type { Exchange } from '../transport/exchange.ts';

/** What a run is going to do, settled before its first request. */
export interface RunPlan {
  /** In the order in which they will run. */
  readonly probes: readonly Probe[];
  /** Probes that the budget or the options leave out, with the reason. */
  readonly left: readonly { readonly probe: Probe; readonly reason: Reason }[];
  /** Requests that the probes take as a rule; never above the budget. */
  readonly requests: number;
  /** Requests of the plan of a run without `--requests` for which this budget has no room. */
  readonly omitted: number;
  readonly budget: number;
  /** Most requests on top of the budget, for smaller counterexamples if something fails. */
  readonly shrink: number;
  /** Requests with which every requirement that can be tested has a probe. */
  readonly needed: number;
}

/** Told how a run goes on, for people who watch. */
export interface Watcher {
  readonly onPlan?: (plan: RunPlan) => void;
  readonly onExchange?: (exchange: Exchange) => void;
  readonly onWait?: (milliseconds: number, reason: WaitReason) => void;
}
