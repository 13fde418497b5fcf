import type { Scale } from './scale.ts';
import type { ScenarioName } from './load/scenario.ts';
import type { TargetName } from './server/target.ts';

/** What was measured in one run; arrays hold one number a round, in the same order everywhere. */
export interface Measurement {
  readonly machine: Machine;
  readonly loads: readonly LoadResult[];
  /** Of the proxies, in front of the floor. */
  readonly proxies: readonly LoadResult[];
  readonly starts: readonly ServerResult[];
  readonly scales: readonly Scale[];
}

export interface Machine {
  readonly date: string;
  readonly processor: string;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly isPinned: boolean;
  /** Load average of the last minute before the run: what else the machine did. */
  readonly loadBefore: number;
  readonly versions: readonly string[];
}

export interface LoadResult {
  readonly target: TargetName;
  readonly scenario: ScenarioName;
  readonly requestsPerSecond: number[];
  readonly cpuMicroseconds: number[];
  /** Share of the time that the client was busy; near 1, it limits the rate. */
  readonly clientShare: number[];
}

export interface ServerResult {
  readonly target: TargetName;
  readonly startMilliseconds: number[];
  readonly idleBytes: number[];
}
