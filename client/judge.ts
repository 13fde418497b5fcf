import type { Verdict } from '../conformance/index.ts';
import type { Contract } from '../contract/contract.ts';
import { isSpared } from './applicability.ts';
import { judgeResponses } from './rules/response.ts';
import { judgeBackOff } from './rules/back-off.ts';
import { judgeBan } from './rules/ban.ts';
import { judgeDeprecation } from './rules/deprecation.ts';
import { judgeIntegers } from './rules/integer.ts';
import { judgeKey, judgeKeyElsewhere, judgeRefusedKey } from './rules/key.ts';
import { judgeRefusedAgain, judgeRepeated } from './rules/repetition.ts';
import { judgeValid } from './rules/valid.ts';
import { judgeWaits } from './rules/wait.ts';
import { type Evidence, readEvidence } from './rules/evidence.ts';
import type { ClientFacts, ClientLog } from './log/log.ts';
import { compileRules } from './rules/rule-list.ts';
import type { ClientRule, RuleFinding } from './rules/rule.ts';

const checks: readonly ((evidence: Evidence) => Iterable<RuleFinding>)[] = [
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
  judgeResponses,
];

/**
 * Judges a client: one verdict for each rule of the contract, in their order. Pure: the same log
 * and facts give the same verdicts, whenever and wherever they are judged. What the log cannot tell
 * is not tested, with its reason.
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
  return compileRules(contract).map((rule) => settle(rule, findings.get(rule.id) ?? [], evidence));
}

function settle(rule: ClientRule, findings: readonly RuleFinding[], evidence: Evidence): Verdict {
  const failures = findings
    .filter((finding) => finding.kind === 'failed')
    .map(({ kind: _kind, rule: _rule, ...failure }) => failure);
  if (failures.length > 0) return { kind: 'failed', requirement: rule, failures };
  const doubts = findings.filter((finding) => finding.kind === 'doubtful');
  const [doubt] = doubts;
  if (doubt !== undefined) {
    const { reason, isUndecided } = doubts.find((each) => each.isUndecided) ?? doubt;
    return { kind: 'not-tested', requirement: rule, reason, ...(isUndecided && { isUndecided }) };
  }
  const passed = findings.filter((finding) => finding.kind === 'passed');
  const exchanges = [...new Set(passed.map(({ exchange }) => exchange))];
  if (exchanges.length > 0) return { kind: 'passed', requirement: rule, exchanges };
  return leaveUntested(rule, findings, evidence);
}

/** Nothing speaks of the rule: it is not applicable, or the client has to do more. */
function leaveUntested(
  rule: ClientRule,
  findings: readonly RuleFinding[],
  evidence: Evidence,
): Verdict {
  if (isSpared(rule, evidence)) {
    const requirement: ClientRule = { ...rule, subject: { kind: 'client', applies: false } };
    return { kind: 'not-tested', requirement, reason: `it does not apply to ${rule.spares}` };
  }
  const found = findings.find((finding) => finding.kind === 'not-tested')?.reason;
  const advice = evidence.facts.scenarios.length === 0 ? '' : `; it has to ${rule.needs}`;
  const reason = found ?? `${rule.unreached}${advice}`;
  return { kind: 'not-tested', requirement: rule, reason };
}
