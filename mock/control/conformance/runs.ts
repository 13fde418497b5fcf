import type { JsonObject } from '../../../contract/json/value.ts';
import type { Refusal } from '../../operation/response/refusal.ts';
import type { Comparison, Run, RunOrder, RunPlan } from '../declaration/schemas.ts';

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

/** Loads the suite, with the first run. `onRun` is called whenever a run makes progress. */
export type OpenConformance = (onRun: (run: Run) => void) => Promise<ConformanceRuns>;

export type ReportFormat = 'json' | 'html';
