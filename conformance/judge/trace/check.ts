import type { Finding } from './finding.ts';
import type { Trace } from './trace.ts';

/**
 * A check: judges the exchanges of a run and says what it found. Pure, so that a run can be judged
 * again from its log. It never looks at what a probe meant beyond the intent that each exchange
 * carries.
 */
export interface Check {
  /** Kebab-case noun, for reports of the engine's own faults. */
  readonly id: string;
  readonly judge: (trace: Trace) => Iterable<Finding>;
}
