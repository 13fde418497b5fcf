import type { Verdict } from '../conformance/index.ts';
import type { Contract } from '../contract/index.ts';
import { judgeAnswers } from './checks/answer.ts';
import { judgeBackOff } from './checks/back-off.ts';
import { judgeBan } from './checks/ban.ts';
import { judgeDeprecation } from './checks/deprecation.ts';
import { judgeIntegers } from './checks/integer.ts';
import { judgeKey, judgeKeyElsewhere, judgeRefusedKey } from './checks/key.ts';
import { judgeRefusedAgain, judgeRepeated } from './checks/repetition.ts';
import { judgeValid } from './checks/valid.ts';
import { judgeWaits } from './checks/wait.ts';
import { type Evidence, readEvidence } from './rules/evidence.ts';
import type { Breach, Finding } from './rules/finding.ts';
import type { ClientFacts, ClientLog } from './log/log.ts';
import { compileRules } from './rules/rule-list.ts';
import type { ClientRule } from './rules/rule.ts';

const checks: readonly ((evidence: Evidence) => Iterable<Finding>)[] = [
  judgeWaits,
  judgeBackOff,
  judgeBan,
  judgeKey,
  judgeKeyElsewhere,
  judgeRefusedKey,
  judgeValid,
  judgeRefusedAgain,
  judgeRepeated,
  judgeIntegers,
  judgeDeprecation,
  judgeAnswers,
];

/**
 * Judges a client: one verdict for each rule of the contract, in their order. Pure: the same log
 * and facts give the same verdicts, whenever and wherever they are judged. What the log cannot tell
 * is unproven, with its reason.
 */
export function judgeClient(
  contract: Contract,
  log: ClientLog,
  facts: ClientFacts,
): readonly Verdict[] {
  const evidence = readEvidence(contract, log, facts);
  const findings = Map.groupBy(
    checks.flatMap((check) => [...check(evidence)]),
    ({ rule }) => rule,
  );
  return compileRules(contract).map((rule) => settle(rule, findings.get(rule.id) ?? []));
}

function settle(rule: ClientRule, findings: readonly Finding[]): Verdict {
  const violations = findings
    .filter((finding) => finding.kind === 'violated')
    .map(({ exchange, others, expected, received }: Breach) => ({
      exchange,
      others,
      expected,
      received,
    }));
  if (violations.length > 0) return { kind: 'violated', obligation: rule, violations };
  const held = findings.filter((finding) => finding.kind === 'held');
  if (held.length > 0)
    return {
      kind: 'held',
      obligation: rule,
      exchanges: [...new Set(held.map(({ exchange }) => exchange))],
    };
  const reason = findings.find((finding) => finding.kind === 'unproven')?.reason;
  return { kind: 'unproven', obligation: rule, reason: reason ?? rule.unreached };
}
