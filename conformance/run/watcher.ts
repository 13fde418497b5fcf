import type { Reason } from '../judge/reason/reason.ts';
import type { Probe } from '../probes/probe.ts';
import type { WaitReason } from '../transport/draft.ts';
import type { Exchange } from '../transport/exchange.ts';

/** What a run is going to do, settled before its first request: its probes in their order, and the rest. */
export interface RunPlan {
  readonly probes: readonly Probe[];
  readonly left: readonly { readonly probe: Probe; readonly reason: Reason }[];
  /** Requests of the usual plan for which a smaller budget has no room. */
  readonly omitted: number;
  /** Requests that the probes take as a rule; never above the budget. */
  readonly requests: number;
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
