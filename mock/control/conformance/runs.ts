import type { JsonObject } from '../../../contract/index.ts';
import type { Refusal } from '../../operation/response/refusal.ts';

/**
 * Conformance runs as the control interface offers them. The mock itself cannot judge: whoever
 * starts it may hand this over. What cannot be done is a refusal; nothing throws for what is asked.
 * No key is in anything that is given.
 */
export interface ConformanceRuns {
  plan(order: RunOrder): Promise<RunPlan | Refusal>;
  /** The last first, at most 20. */
  list(): readonly Run[];
  /** Resolves once it has started. One at a time. */
  start(order: RunOrder): Promise<Run | Refusal>;
  read(id: string): Run | Refusal;
  /** Stops it, and forgets it. Undefined: it is forgotten. */
  drop(id: string): Refusal | undefined;
  /** The text of its report. */
  report(id: string, format: ReportFormat): string | Refusal;
  /** Puts a report of a file among the runs. */
  open(file: JsonObject): Run | Refusal;
  compare(one: string, other: string): Comparison | Refusal;
}

/** Loads what judges; called with the first run. `onRun` is told whenever a run moves on. */
export type OpenConformance = (onRun: (run: Run) => void) => Promise<ConformanceRuns>;

export type ReportFormat = 'json' | 'html';

/** A run as it is asked for; without `baseUrl` the mock itself is judged. */
export interface RunOrder {
  readonly baseUrl?: string | undefined;
  /** The sandbox whose choices and limits the copy of the mock has. */
  readonly sandbox?: string | undefined;
  readonly key?: string | undefined;
  /** Rate plan of the key. */
  readonly plan?: string | undefined;
  readonly requests?: number | undefined;
  readonly seed?: number | undefined;
  /** Requests for fuzzing, beyond the others. */
  readonly fuzz?: number | undefined;
  /** The rate limit is exceeded at the end. */
  readonly exhaust?: boolean | undefined;
  /** Nobody else uses the target. */
  readonly exclusive?: boolean | undefined;
  readonly readOnly?: boolean | undefined;
  /** The certificate of the server is not verified. */
  readonly insecure?: boolean | undefined;
}

export interface RunPlan {
  readonly requests: number;
  /** Requests that would test all that can be. */
  readonly needed: number;
  /** About how long, waits for the rate limit included. */
  readonly seconds: number;
  readonly text: string;
}

/** A run, or a report that was opened, as it stands. */
export interface Run {
  readonly id: string;
  readonly kind: 'run' | 'file';
  /** `failed`: it has no report. */
  readonly state: 'running' | 'done' | 'failed';
  readonly target: string;
  /** Title and version of the document judged by. */
  readonly document: string;
  /** RFC 3339. */
  readonly startedAt: string;
  readonly progress?: RunProgress | undefined;
  readonly verdict?: 'conforms' | 'failed' | 'inconclusive' | undefined;
  /** The verdict in a sentence, or why there is none. */
  readonly sentence?: string | undefined;
  /** Requirements by verdict. */
  readonly counts?: Readonly<Record<string, number>> | undefined;
}

export interface RunProgress {
  readonly sent: number;
  readonly planned: number;
  readonly secondsLeft?: number | undefined;
  readonly doing?: string | undefined;
}

/** In what two runs differ, requirement by requirement. */
export interface Comparison {
  readonly sentence: string;
  readonly differences: readonly {
    /** `untested`: only one of them tells, which is no difference of behaviour. */
    readonly kind: 'verdict' | 'choice' | 'untested';
    readonly requirement: string;
    readonly sentence: string;
    readonly one: string;
    readonly other: string;
  }[];
}
