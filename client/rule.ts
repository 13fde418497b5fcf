import type { Requirement } from '../conformance/index.ts';
import type { Contract } from '../contract/contract.ts';
import type { ResponseContract } from '../contract/openapi/response.ts';
import type { SchemaNode } from '../contract/schema/schema-node.ts';
import type { Evidence } from './evidence.ts';

/** Stable, like ids of requirements; rules about a deprecated operation include its id. */
export type RuleId = `client/${string}`;

/** A requirement for clients, in the form of a requirement for the reports. */
export interface ClientRule extends Requirement {
  readonly id: RuleId;
  /** How it is judged: what counts as a breach, and what is tolerated. Sentences for people. */
  readonly measure: string;
}

/** A rule with its judge, before its section is looked up. Default of its operation: `*`. */
export interface RuleDraft extends Omit<ClientRule, 'operation' | 'subject' | 'section'> {
  readonly operation?: string;
  readonly judge: (evidence: Evidence) => Iterable<RuleFinding>;
  /** Why it is not tested if no request shows it. Completes a sentence with "since". */
  readonly unreached: string;
  /** What a client must do so that it is tested. Follows "it must". */
  readonly needs: string;
  readonly exemption?: Exemption;
}

export interface Exemption {
  /** Follows "it does not apply to". */
  readonly client: string;
  /**
   * The scenario in which a breach would show. The client is exempt only if its command ended there
   * by itself.
   */
  readonly scenario: string;
  readonly isExempt: (evidence: Evidence) => boolean;
}

/**
 * One pass or failure of a rule, or why the log does not show it. All findings together make the
 * verdict.
 */
export type RuleFinding =
  | { readonly kind: 'passed'; readonly exchange: number }
  | {
      readonly kind: 'failed';
      readonly exchange: number;
      /** Earlier exchanges that are needed to see the breach. */
      readonly others: readonly number[];
      readonly expected: string;
      readonly received: string;
    }
  | { readonly kind: 'not-tested'; readonly reason: string }
  /**
   * It is uncertain whether the client breaks the rule: it does not pass, whatever else is found.
   */
  | { readonly kind: 'doubtful'; readonly reason: string; readonly isUndecided?: true };

export function passed(exchange: number): RuleFinding {
  return { kind: 'passed', exchange };
}

export function failed(
  exchange: number,
  others: readonly number[],
  expected: string,
  received: string,
): RuleFinding {
  return { kind: 'failed', exchange, others, expected, received };
}

export function notTested(reason: string): RuleFinding {
  return { kind: 'not-tested', reason };
}

/** A request arrived so soon after a response that the client may not have known it. */
export function doubtful(exchange: number, other: number): RuleFinding {
  const reason = `only the tolerance excuses request ${exchange}, which came so soon after the response to request ${other} that the client may not have known it yet`;
  return { kind: 'doubtful', reason };
}

/** The first response that any operation documents for a status. */
export function findResponse(
  { operations }: Contract,
  status: string,
): ResponseContract | undefined {
  return operations
    .flatMap(({ responses }) => responses)
    .find((response) => response.status === status);
}

/** The first matching node among a schema, its properties and items. Stops at recursion. */
export function findNode(
  node: SchemaNode,
  isWanted: (node: SchemaNode) => boolean,
  seen: ReadonlySet<string> = new Set(),
): SchemaNode | undefined {
  if (seen.has(node.pointer)) return undefined;
  if (isWanted(node)) return node;
  const { properties, items, alternatives } = node.shape();
  const within = new Set([...seen, node.pointer]);
  for (const each of [...properties.values(), ...(items ? [items] : []), ...alternatives]) {
    const found = findNode(each, isWanted, within);
    if (found !== undefined) return found;
  }
  return undefined;
}
