import type { Requirement } from '../conformance/index.ts';

/** Stable, as ids of requirements are; those of a deprecated operation have its id in them. */
export type RuleId = `client/${string}`;

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

/** A rule passed or failed once, or why the log cannot tell. Many become one verdict. */
export type RuleFinding = { readonly rule: RuleId } & (
  | { readonly kind: 'passed'; readonly exchange: number }
  | {
      readonly kind: 'failed';
      readonly exchange: number;
      /** Earlier exchanges without which the breach cannot be seen. */
      readonly others: readonly number[];
      readonly expected: string;
      readonly received: string;
    }
  | { readonly kind: 'not-tested'; readonly reason: string }
  /** Nobody can say whether the client breaks the rule: it is not passed, whatever else is. */
  | { readonly kind: 'doubtful'; readonly reason: string; readonly isUndecided?: true }
);

export function passed(rule: RuleId, exchange: number): RuleFinding {
  return { kind: 'passed', rule, exchange };
}

export function failed(
  rule: RuleId,
  exchange: number,
  others: readonly number[],
  expected: string,
  received: string,
): RuleFinding {
  return { kind: 'failed', rule, exchange, others, expected, received };
}

export function notTested(rule: RuleId, reason: string): RuleFinding {
  return { kind: 'not-tested', rule, reason };
}

/** A request came so soon after a response that the client may or may not have known it. */
export function doubtful(rule: RuleId, exchange: number, other: number): RuleFinding {
  const reason = `only the tolerance excuses request ${exchange}, which came so soon after the response to request ${other} that the client may not have known it yet`;
  return { kind: 'doubtful', rule, reason };
}

/** How far the rules let a client go: its clock, timers and network are not those of the mock. */
export const limits = {
  /** Milliseconds that a wait in seconds may be too short: timers fire early, clocks tick. */
  early: 100,
  /** Milliseconds that a wait until a date or a time in whole seconds may be too short. */
  earlyDate: 500,
  /** Milliseconds after a response within which the next request may have been on its way. */
  onTheWay: 100,
  /** The same where the request is the same as the one answered: rather the next try. */
  onTheWayAgain: 10,
  /** The same where its connection was opened before the response: a slow machine needs longer. */
  onTheWayOpened: 1000,
  /** Waits in a row that it takes to see whether they grow. */
  waits: 3,
  /** How many times as long as one before it a wait has to be for the waits to grow. */
  growth: 1.1,
  /** And by how many milliseconds: less is the chance of timers. */
  growthLeast: 50,
  /** Requests in a row with a key that is answered 401. */
  refusedKey: 3,
  /** Repetitions of a request that may have been done. */
  repeats: 1,
} as const;
