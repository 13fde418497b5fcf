import type { Requirement } from '../../contract/index.ts';
import type { Failure } from '../../conformance/index.ts';
import type { CauseKind } from './claim/claim.ts';

/** Why requirements failed: one thing that is wrong with a target, with all that follows from it. */
export interface Cause {
  readonly kind: CauseKind;
  /** What is wrong, in plain English, with the numbers that show it. May quote the target. */
  readonly sentence: string;
  /** The requirement that carries it, then its effects, the worst first. One at least. */
  readonly findings: readonly [CauseFinding, ...CauseFinding[]];
  /** The exchanges that the sentence counts, by index, in the order in which they happened. */
  readonly exchanges: readonly number[];
}

/** The failures of one requirement that a cause explains. */
export interface CauseFinding {
  readonly requirement: Requirement;
  /** One at least. No failure is in two causes. */
  readonly failures: readonly [Failure, ...Failure[]];
}
