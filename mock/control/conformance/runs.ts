import type { JsonObject } from '../../../contract/json/value.ts';
import type { Refusal } from '../../operation/response/refusal.ts';
import type { Comparison, Run, RunOrder, RunPlan } from '../declaration/schemas.ts';

/**
 * Conformance runs of the control interface. The mock itself does not contain the suite: whoever starts
 * it may pass this in. Requests that cannot be done return a refusal; nothing throws. No result contains
 * a key.
 */
export interface ConformanceRuns {
  plan(order: RunOrder): Promise<RunPlan | Refusal>;
  /** The newest first, at most 20. */
  list(): readonly Run[];
  /** Resolves once it has started. Only one runs at a time. */
  start(order: RunOrder): Promise<Run | Refusal>;
  read(id: string): Run | Refusal;
  /** Stops and removes it. Undefined: it is removed. */
  drop(id: string): Refusal | undefined;
  /** The text of its report. */
  report(id: string, format: ReportFormat): string | Refusal;
  /** Adds the report of a file to the runs. */
  open(file: JsonObject): Run | Refusal;
  compare(one: string, other: string): Comparison | Refusal;
}

/** Loads the suite for the first run. `onRun` is called whenever a run makes progress. */
export type OpenConformance = (onRun: (run: Run) => void) => Promise<ConformanceRuns>;

export type ReportFormat = 'json' | 'html';
