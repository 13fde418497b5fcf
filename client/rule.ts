import type { Requirement } from '../conformance/index.ts';
import type { Contract } from '../contract/contract.ts';
import type { ResponseContract } from '../contract/openapi/response.ts';
import type { SchemaNode } from '../contract/schema/schema-node.ts';
import type { Evidence } from './evidence.ts';

/** Stable, as ids of requirements are; those of a deprecated operation have its id in them. */
export type RuleId = `client/${string}`;

/** One thing that a client can be held to, in the form of a requirement for the reports. */
export interface ClientRule extends Requirement {
  readonly id: RuleId;
  /** How it is judged: what counts, and what is let pass. One sentence or more, for people. */
  readonly measure: string;
}

/** A rule with its judge, before its section is looked up. Default of its operation: `*`. */
export interface RuleDraft extends Omit<ClientRule, 'operation' | 'subject' | 'section'> {
  readonly operation?: string;
  readonly judge: (evidence: Evidence) => Iterable<RuleFinding>;
  /** Why it is not tested where no request speaks of it. Follows "since". */
  readonly unreached: string;
  /** What a client does so that it is tested. Follows "it has to". */
  readonly needs: string;
  readonly exemption?: Exemption;
}

/** Clients that a rule does not apply to. */
export interface Exemption {
  /** Follows "it does not apply to". */
  readonly client: string;
  /** The scenario in which the rule would show. The client is exempt only if its command ended there by itself. */
  readonly scenario: string;
  readonly isExempt: (evidence: Evidence) => boolean;
}

/** A rule passed or failed once, or why the log cannot tell. Many become one verdict. */
export type RuleFinding =
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

/** A request came so soon after a response that the client may or may not have known it. */
export function doubtful(exchange: number, other: number): RuleFinding {
  const reason = `only the tolerance excuses request ${exchange}, which came so soon after the response to request ${other} that the client may not have known it yet`;
  return { kind: 'doubtful', reason };
}

/** The first response that operations document for a status. */
export function findResponse(
  { operations }: Contract,
  status: string,
): ResponseContract | undefined {
  return operations
    .flatMap(({ responses }) => responses)
    .find((response) => response.status === status);
}

/** The first wanted node among a schema, its members and items; recursion ends at a repetition. */
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
