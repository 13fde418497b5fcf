import type { Family, Level, Requirement } from '../../contract/index.ts';

/** Stable, as ids of requirements are; those of a deprecated operation have its id in them. */
export type RuleId =
  | 'client/rate-limit.retry-after-seconds'
  | 'client/rate-limit.retry-after-date'
  | 'client/rate-limit.back-off'
  | 'client/rate-limit.ban'
  | 'client/rate-limit.remaining'
  | 'client/auth.key'
  | 'client/auth.key-elsewhere'
  | 'client/auth.refused-key'
  | 'client/request.valid'
  | 'client/request.refused-again'
  | 'client/request.repeated'
  | 'client/integer.exact'
  | 'client/answer.unknown-fields'
  | 'client/answer.unknown-value'
  | 'client/answer.empty-page'
  | 'client/answer.full-page'
  | `client/${string}.deprecated`
  | `client/${string}.removed`;

/** One thing that a client can be held to, in the form of a requirement for the reports. */
export interface ClientRule extends Requirement {
  readonly id: RuleId;
  /** How it is judged: what counts, and what is let pass. One sentence or more, for people. */
  readonly measure: string;
  /** Why it is not tested where no request speaks of it. Follows "since". */
  readonly unreached: string;
}

/** A rule before its section is looked up. */
export interface RuleDraft {
  readonly id: RuleId;
  readonly family: Family;
  /** Default: `*`. */
  readonly operation?: string;
  readonly level: Level;
  readonly sentence: string;
  readonly pointer: string;
  readonly measure: string;
  readonly unreached: string;
}

/** A rule passed or failed once, or why the log cannot tell. Many become one verdict. */
export type RuleFinding =
  | { readonly kind: 'passed'; readonly rule: RuleId; readonly exchange: number }
  | Breach
  | { readonly kind: 'not-tested'; readonly rule: RuleId; readonly reason: string };

export interface Breach {
  readonly kind: 'failed';
  readonly rule: RuleId;
  readonly exchange: number;
  readonly others: readonly number[];
  readonly expected: string;
  readonly received: string;
}

/** `others`: earlier exchanges without which the breach cannot be seen. */
export function failed(
  rule: RuleId,
  exchange: number,
  others: readonly number[],
  contrast: Pick<Breach, 'expected' | 'received'>,
): Breach {
  return { kind: 'failed', rule, exchange, others, ...contrast };
}
