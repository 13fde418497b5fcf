import type { JsonValue } from '../../contract/index.ts';
import type { Clock } from '../transport/clock.ts';
import type { Counterexample } from '../counterexample/counterexample.ts';
import type { Exchange } from '../transport/exchange.ts';
import type { RunPlan } from './plan.ts';
import type { Sender } from '../transport/sender.ts';
import type { Waiver } from '../judge/waiver.ts';

/** How a run is to go. Everything has a default. */
export interface RunOptions {
  /** Most requests that may be sent. Default: the plan's limit for the shortest window, or 60. */
  readonly requests?: number;
  /** Default 1. */
  readonly seed?: number;
  /** Name of the plan that the key has; the limit is then compared with it. */
  readonly plan?: string;
  readonly readOnly?: boolean;
  /** Ends with a drive to the rate limit, whose requests come on top. Default false. */
  readonly exhaust?: boolean;
  /** Judges only these: ids, beginnings of ids, families or operations. Default: all. */
  readonly only?: readonly string[];
  /** Leaves these out. Default: none. */
  readonly skip?: readonly string[];
  /** Failures that are known and agreed. Default: none. */
  readonly waivers?: readonly Waiver[];
  /** Requests for generated values and model-based sequences, on top of `requests`. Default 0. */
  readonly fuzz?: number;
  /** Requests of the budget for smaller counterexamples. Default: a tenth, at least 5. */
  readonly shrink?: number;
  /** Counterexamples to look for again, before anything else. Default: none. */
  readonly saved?: readonly Counterexample[];
  /** Values of members that refer to records which exist, by member: `categoryId`. */
  readonly references?: ReadonlyMap<string, JsonValue>;
  /** Milliseconds until a request without a response counts as hung. Default 10,000. */
  readonly timeout?: number;
  /** Longest wait for the rate limit, milliseconds. Default 90,000. */
  readonly longestWait?: number;
  readonly verifyTls?: boolean;
  /** Ends the run when it is aborted: no further request is sent, and nothing is judged. */
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
  readonly sender?: Sender;
  readonly watcher?: Watcher;
}

/** Told how a run goes on, for people who watch. */
export interface Watcher {
  readonly onPlan?: (plan: RunPlan) => void;
  readonly onExchange?: (exchange: Exchange) => void;
  readonly onWait?: (milliseconds: number) => void;
}
