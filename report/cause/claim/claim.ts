import type { Log, Reading } from '../log/reading.ts';
import type { Symptom } from '../log/symptom.ts';

/** Symptoms that one cause explains. */
export interface Claim {
  readonly kind: CauseKind;
  /** What is wrong with the target, in plain English, with the numbers that show it. */
  readonly sentence: string;
  /** None is in another claim. */
  readonly symptoms: readonly Symptom[];
  /** The exchanges that the sentence counts; by default those of the symptoms. */
  readonly counted?: readonly Reading[];
  /** The symptom whose requirement carries the cause; by default the first as reports order them. */
  readonly leads?: (symptom: Symptom) => boolean;
}

/** How deep a cause goes: by the name of what explains it. `requirement`: nothing does. */
export type CauseKind =
  | 'constant-response'
  | 'crash'
  | 'foreign-response'
  | 'missing-header'
  | 'unheld-limit'
  | 'quota-header'
  | 'fixed-response'
  | 'rounded-identifier'
  | 'shared-identifier'
  | 'concurrent-requests'
  | 'altered-value'
  | 'unchecked-key'
  | 'wrong-status'
  | 'coerced-type'
  | 'refused-request'
  | 'other-item'
  | 'incomplete-list'
  | 'body'
  | 'requirement';

/**
 * Finds causes among symptoms that nothing deeper has explained yet. A symptom that it does not
 * claim is left to the next explanation.
 */
export type Explanation = (symptoms: readonly Symptom[], log: Log) => readonly Claim[];
