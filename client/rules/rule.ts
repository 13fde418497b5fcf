import type { Requirement } from '../../conformance/index.ts';

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
  | 'client/response.unknown-fields'
  | 'client/response.unknown-value'
  | 'client/response.empty-page'
  | 'client/response.full-page'
  | `client/${string}.deprecated`
  | `client/${string}.removed`;

/** One thing that a client can be held to, in the form of a requirement for the reports. */
export interface ClientRule extends Requirement {
  readonly id: RuleId;
  /** How it is judged: what counts, and what is let pass. One sentence or more, for people. */
  readonly measure: string;
  /** Why it is not tested where no request speaks of it. Follows "since". */
  readonly unreached: string;
  /** What a client does so that it is tested. Follows "it has to". */
  readonly needs: string;
  /** Clients that it is not applicable to. Follows "it does not apply to". Undefined for none. */
  readonly spares: string | undefined;
}

/** A rule before its section is looked up. Default of its operation: `*`; it spares none. */
export type RuleDraft = Omit<ClientRule, 'operation' | 'subject' | 'section' | 'spares'> &
  Partial<Pick<ClientRule, 'operation' | 'spares'>>;

/** A rule passed or failed once, or why the log cannot tell. Many become one verdict. */
export type RuleFinding = { readonly rule: RuleId } & (
  | { readonly kind: 'passed'; readonly exchange: number }
  | (Contrast & {
      readonly kind: 'failed';
      readonly exchange: number;
      readonly others: readonly number[];
    })
  | { readonly kind: 'not-tested'; readonly reason: string }
  /** Nobody can say whether the client breaks the rule: it is not passed, whatever else is. */
  | { readonly kind: 'doubtful'; readonly reason: string; readonly isUndecided?: true }
);

export interface Contrast {
  readonly expected: string;
  readonly received: string;
}

/** `others`: earlier exchanges without which the breach cannot be seen. */
export function failed(
  rule: RuleId,
  exchange: number,
  others: readonly number[],
  contrast: Contrast,
): RuleFinding {
  return { kind: 'failed', rule, exchange, others, ...contrast };
}

export function notTested(rule: RuleId, reason: string): RuleFinding {
  return { kind: 'not-tested', rule, reason };
}

/** A request came so soon after a response that the client may or may not have known it. */
export function doubtful(rule: RuleId, exchange: number, others: readonly number[]): RuleFinding {
  const reason = `only the tolerance excuses request ${exchange}, which came so soon after the response to request ${others.join(' and ')} that the client may not have known it yet`;
  return { kind: 'doubtful', rule, reason };
}

/** A part of a request takes more to judge than is allowed. `reason` begins with the part. */
export function undecided(rule: RuleId, exchange: number, reason: string): RuleFinding {
  const reasonOf = `request ${exchange} was not fully judged: ${reason}`;
  return { kind: 'doubtful', rule, reason: reasonOf, isUndecided: true };
}
