import type { Requirement } from '../../contract/index.ts';
import type { Failure } from '../../conformance/index.ts';
import type { CauseFact } from './codec/fact.ts';

/** Why requirements failed: one thing that is wrong with a target, with all that follows from it. */
export interface Cause {
  /** What is wrong: facts that the log confirms. */
  readonly fact: CauseFact;
  /** The fact in plain English. May quote the target. */
  readonly sentence: string;
  /** The requirement that carries it, then its effects, the worst first. One at least. */
  readonly findings: readonly [CauseFinding, ...CauseFinding[]];
  /** The exchanges of the fact, by index, in the order in which they happened. */
  readonly exchanges: readonly number[];
}

/** The failures of one requirement that a cause explains. */
export interface CauseFinding {
  readonly requirement: Requirement;
  /** One at least. No failure is in two causes. */
  readonly failures: readonly [Failure, ...Failure[]];
}
