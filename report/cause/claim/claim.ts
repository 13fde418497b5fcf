import type { CauseFact, CauseKind, CauseOutcome, Condition, Form } from '../codec/fact.ts';
import type { Log } from '../log/reading.ts';
import type { Symptom } from '../log/symptom.ts';

/** Symptoms that one cause explains, and what is to be said of them; the log says how often. */
export interface Claim {
  readonly kind: CauseKind;
  readonly outcome: CauseOutcome;
  /** Which exchanges are counted; by default all of the operations of the symptoms. */
  readonly among?: readonly Condition[];
  readonly operations?: readonly string[];
  /** What sets those apart that have the outcome. */
  readonly condition?: Condition | undefined;
  readonly form?: Form | undefined;
  readonly alteration?: CauseFact['alteration'];
  readonly items?: CauseFact['items'];
  readonly expected?: string;
  readonly received?: string | undefined;
  /** None is in another claim. */
  readonly symptoms: readonly Symptom[];
  /** The symptom whose requirement carries the cause; by default the first as reports order them. */
  readonly leads?: (symptom: Symptom) => boolean;
}

/**
 * Finds causes among symptoms that nothing deeper has explained yet. A symptom that it does not
 * claim is left to the next explanation.
 */
export type Explanation = (symptoms: readonly Symptom[], log: Log) => readonly Claim[];

/** The outcome of exchanges about which no more can be said than what fails in them. */
export function failing(symptoms: readonly Symptom[]): CauseOutcome {
  return {
    kind: 'fails',
    requirements: [...new Set(symptoms.map(({ requirement }) => requirement.id))],
  };
}
