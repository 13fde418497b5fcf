import {
  type Report,
  type Verdict,
  type Waiver,
  assembleReport,
  explainNothing,
  explainUndecided,
} from '../conformance/index.ts';
import type { Contract } from '../contract/contract.ts';
import { type Evidence, entriesByKey, knows, readEvidence } from './evidence.ts';
import { judgeBackOff, judgeBan, judgeWaits } from './limit-rules.ts';
import { type ClientFacts, type ClientLog, type ClientSubject, isGoodEnd } from './log.ts';
import {
  judgeDeprecation,
  judgeIntegers,
  judgeKey,
  judgeKeyElsewhere,
  judgeRefusedAgain,
  judgeRefusedKey,
  judgeRepeated,
  judgeResponses,
  judgeValid,
  listSentIntegers,
} from './request-rules.ts';
import { compileRules } from './rule-list.ts';
import type { ClientRule, RuleFinding, RuleId } from './rule.ts';

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
  if (isSpared(rule, evidence)) {
    const requirement: ClientRule = { ...rule, subject: { kind: 'client', applies: false } };
    return { kind: 'not-tested', requirement, reason: `it does not apply to ${rule.spares}` };
  }
  const found = findings.find((finding) => finding.kind === 'not-tested')?.reason;
  const advice = evidence.facts.scenarios.length === 0 ? '' : `; it has to ${rule.needs}`;
  return { kind: 'not-tested', requirement: rule, reason: found ?? `${rule.unreached}${advice}` };
}

/** The scenario in which a rule would show, and whether a client does nothing that it is about. */
type Exemption = readonly [scenario: string, isExempt: (evidence: Evidence) => boolean];

/** It comes to a good end where it would get such a response, and gets none. */
const doesItsWork = (scenario: string): Exemption => [
  scenario,
  ({ facts }) => facts.scenarios.some(({ id, end }) => id === scenario && isGoodEnd(end)),
];

const exemptions: ReadonlyMap<RuleId, Exemption> = new Map<RuleId, Exemption>([
  ['client/rate-limit.back-off', ['repeated-429', givesUp]],
  [
    'client/request.refused-again',
    [
      'refused-body',
      ({ entries }) =>
        entries.every(({ operation }) =>
          (operation?.responses ?? []).every(({ status }) => status !== '400'),
        ),
    ],
  ],
  [
    'client/request.repeated',
    [
      'lost-response',
      ({ entries }) => entries.every(({ request }) => !['POST', 'PATCH'].includes(request.method)),
    ],
  ],
  ['client/integer.exact', ['large-ids', sendsOwnIntegersOnly]],
  ['client/response.unknown-fields', doesItsWork('unknown-fields')],
  ['client/response.unknown-value', doesItsWork('unknown-value')],
  ['client/response.empty-page', doesItsWork('empty-pages')],
  ['client/response.full-page', doesItsWork('full-pages')],
]);

/** Whether a rule that nothing speaks of is not applicable to the client of some scenarios. */
function isSpared({ id, spares }: ClientRule, evidence: Evidence): boolean {
  const [scenario = '', isExempt] = exemptions.get(id) ?? [];
  return spares !== undefined && isPlayed(evidence, scenario) && isExempt?.(evidence) === true;
}

/** Ended by itself: what was aborted might have done more. */
function isPlayed({ facts }: Evidence, scenario: string): boolean {
  return facts.scenarios.some(({ id, end }) => id === scenario && end.kind === 'exited');
}

function givesUp(evidence: Evidence): boolean {
  const status = evidence.contract.rateLimit?.status;
  return entriesByKey(evidence).every((entries) =>
    entries.every(
      (entry, at) =>
        entry.response?.status !== status ||
        entries.slice(at + 1).every((later) => !knows(later, entry)),
    ),
  );
}

/** What it sends where integers are large, it sends where they are not, too: it is its own. */
function sendsOwnIntegersOnly(evidence: Evidence): boolean {
  const sentIn = (scenario: string): readonly bigint[] =>
    evidence.entries.filter(({ intent }) => intent.scenario === scenario).flatMap(listSentIntegers);
  const usual = new Set(sentIn('plain'));
  return isPlayed(evidence, 'plain') && sentIn('large-ids').every((sent) => usual.has(sent));
}

/** The verdicts on a client and its log as one report, in the form of those on servers. */
export function composeClientReport(
  contract: Contract,
  { name, baseUrl, plan, watched: { from, to } }: ClientSubject,
  { exchanges }: ClientLog,
  judged: readonly Verdict[],
  waivers: readonly Waiver[] = [],
): Report {
  const requests = exchanges.length;
  return assembleReport(contract, {
    target: { baseUrl, plan },
    client: name,
    run: {
      seed: 0,
      tag: '',
      budget: requests,
      requests,
      planned: requests,
      startedAt: new Date(from).toISOString(),
      milliseconds: to - from,
      endedEarly: undefined,
    },
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
