import type { RuleId } from './rule.ts';

/**
 * What a check found in a log: that a rule was kept or broken once, or why the log cannot tell.
 * Many findings about one rule become one verdict.
 */
export type Finding =
  | { readonly kind: 'passed'; readonly rule: RuleId; readonly exchange: number }
  | Breach
  | { readonly kind: 'not-tested'; readonly rule: RuleId; readonly reason: string };

export interface Breach {
  readonly kind: 'failed';
  readonly rule: RuleId;
  readonly exchange: number;
  /** Earlier exchanges without which the breach cannot be seen. */
  readonly others: readonly number[];
  readonly expected: string;
  readonly received: string;
}
