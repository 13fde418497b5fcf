import {
  type Report,
  type Verdict,
  type Waiver,
  assembleReport,
  explainNothing,
  explainUndecided,
  watchedRun,
} from '../conformance/index.ts';
import type { Contract } from '../contract/contract.ts';
import { sectionOf } from '../contract/source/node.ts';
import { type Evidence, readEvidence } from './evidence.ts';
import { type ClientFacts, type ClientLog, type ClientSubject, isPlayed } from './log.ts';
import { keyRules } from './key-rules.ts';
import { rateLimitRules } from './limit-rules.ts';
import { deprecationRules, requestRules } from './request-rules.ts';
import { responseRules } from './response-rules.ts';
import type { ClientRule, RuleDraft } from './rule.ts';

const families = [rateLimitRules, keyRules, requestRules, deprecationRules, responseRules];

/** The rules in the order of reports. Rules about features that the document lacks are left out. */
function listRules(contract: Contract): readonly RuleDraft[] {
  return families.flatMap((list) => [...list(contract)]);
}

/** A rule as a requirement, without its judge. */
function composeRule(
  {
    judge: _judge,
    unreached: _unreached,
    needs: _needs,
    exemption: _exemption,
    ...rule
  }: RuleDraft,
  { document }: Contract,
): ClientRule {
  return {
    operation: '*',
    subject: { kind: 'client', applies: true },
    ...rule,
    section: sectionOf(document, rule.pointer),
  };
}

export function compileRules(contract: Contract): readonly ClientRule[] {
  return listRules(contract).map((rule) => composeRule(rule, contract));
}

/**
 * Judges a client: one verdict per rule of the contract, in their order. Pure: the same log and
 * facts always give the same verdicts. Rules that the log cannot show are not tested, with the
 * reason.
 */
export function judgeClient(
  contract: Contract,
  log: ClientLog,
  facts: ClientFacts,
): readonly Verdict[] {
  const evidence = readEvidence(contract, log, facts);
  return listRules(contract).map((each) => settle(each, evidence));
}

function settle(draft: RuleDraft, evidence: Evidence): Verdict {
  const { judge, unreached, needs, exemption } = draft;
  const rule = composeRule(draft, evidence.contract);
  const findings = [...judge(evidence)];
  const failures = findings
    .filter((finding) => finding.kind === 'failed')
    .map(({ kind: _kind, ...failure }) => failure);
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
  const { facts } = evidence;
  if (exemption && isPlayed(exemption.scenario, facts) && exemption.isExempt(evidence)) {
    const requirement = { ...rule, subject: { kind: 'client', applies: false } } as const;
    return { kind: 'not-tested', requirement, reason: `it does not apply to ${exemption.client}` };
  }
  const found = findings.find((finding) => finding.kind === 'not-tested')?.reason;
  const advice = facts.scenarios.length === 0 ? '' : `; it must ${needs}`;
  return { kind: 'not-tested', requirement: rule, reason: found ?? `${unreached}${advice}` };
}

/** A report on a client in the form of reports on servers. */
export function composeClientReport(
  contract: Contract,
  { name, baseUrl, plan, from, to }: ClientSubject,
  { exchanges }: ClientLog,
  judged: readonly Verdict[],
  waivers: readonly Waiver[] = [],
): Report {
  return assembleReport(contract, {
    target: { baseUrl, plan },
    client: name,
    run: watchedRun(exchanges.length, from, to),
    judged,
    waivers,
    now: from,
    explainInconclusive: () =>
      exchanges.some(({ request }) => request.operation !== '')
        ? (explainUndecided(judged) ?? explainNothing(judged))
        : 'the client sent no request to an operation of the document',
    exchanges,
  });
}
