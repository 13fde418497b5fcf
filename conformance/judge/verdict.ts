import type { Contract, Obligation } from '../../contract/index.ts';
import { checks } from './checks/index.ts';
import type { Exchange } from '../transport/exchange.ts';
import type { Finding } from './trace/finding.ts';
import { readTrace } from './trace/trace.ts';
import type { Waiver } from './waiver.ts';

/** What the exchanges of a run say about one obligation. */
export type Verdict =
  | {
      readonly kind: 'held';
      readonly obligation: Obligation;
      readonly exchanges: readonly number[];
    }
  | {
      readonly kind: 'violated';
      readonly obligation: Obligation;
      readonly violations: readonly Violation[];
    }
  | {
      readonly kind: 'waived';
      readonly obligation: Obligation;
      readonly violations: readonly Violation[];
      readonly waiver: Waiver;
    }
  | { readonly kind: 'unproven'; readonly obligation: Obligation; readonly reason: string }
  | {
      readonly kind: 'observed';
      readonly obligation: Obligation;
      readonly observations: readonly Observation[];
    };

export interface Violation {
  readonly exchange: number;
  readonly others: readonly number[];
  readonly expected: string;
  readonly received: string;
  /** Id that repeats it, for `--replay`; undefined where no few exchanges show it. */
  readonly replay?: string;
  /** The violation as it was found first, where this one is a smaller one that was looked for. */
  readonly shrunkFrom?: {
    readonly exchange: number;
    readonly others: readonly number[];
    readonly expected: string;
    readonly received: string;
  };
}

export interface Observation {
  /** Id of the choice; undefined where what was seen is none of the lawful choices listed. */
  readonly choice: string | undefined;
  readonly exchange: number;
  readonly evidence: string;
}

/** What a run knows besides its exchanges. */
export interface JudgeFacts {
  /** Name of the plan that the key has, as the user told it. */
  readonly plan: string | undefined;
  /** Says why an obligation that no exchange speaks of was not reached. */
  readonly whyUnproven: (obligation: Obligation) => string;
}

/**
 * Judges exchanges: one verdict for each obligation of the contract, in its order. Pure: the same
 * exchanges give the same verdicts, whenever and wherever they are judged.
 */
export function judge(
  contract: Contract,
  exchanges: readonly Exchange[],
  facts: JudgeFacts,
): readonly Verdict[] {
  const trace = readTrace(contract, exchanges, facts.plan);
  const findings = new Map<string, Finding[]>();
  for (const check of checks) {
    for (const finding of check.judge(trace)) note(findings, finding);
  }
  return contract.obligations.map((obligation) =>
    settle(obligation, findings.get(obligation.id) ?? [], facts.whyUnproven),
  );
}

function note(findings: Map<string, Finding[]>, finding: Finding): void {
  const id = finding.kind === 'observed' ? `*/open.${finding.question}` : finding.obligation;
  const before = findings.get(id);
  if (before) before.push(finding);
  else findings.set(id, [finding]);
}

function settle(
  obligation: Obligation,
  findings: readonly Finding[],
  whyUnproven: (obligation: Obligation) => string,
): Verdict {
  const violations = findings.filter((finding) => finding.kind === 'violated');
  if (violations.length > 0) return { kind: 'violated', obligation, violations };
  const observations = findings.filter((finding) => finding.kind === 'observed');
  if (observations.length > 0) return { kind: 'observed', obligation, observations };
  const held = findings.filter((finding) => finding.kind === 'held');
  if (held.length > 0)
    return { kind: 'held', obligation, exchanges: held.map(({ exchange }) => exchange) };
  return { kind: 'unproven', obligation, reason: whyUnproven(obligation) };
}
