import { listRequirements } from '../family/requirements.ts';
import { families, requirementId, type Family, type Requirement } from './trace/requirement.ts';
import type { Contract } from '../../contract/contract.ts';
import { describeReason, type Reason } from './reason/reason.ts';
import type { Exchange } from '../transport/exchange.ts';
import type { Doubt, Finding, Mismatch, Observation } from './trace/finding.ts';
import { readTrace } from '../family/read-trace.ts';
import type { TargetFacts, Trace } from './trace/trace.ts';
import { dayOf, type Waiver } from './waiver.ts';
import { observeOpen } from '../question/index.ts';
import { judgeBody } from '../family/body.ts';
import { judgeConcurrency } from '../family/concurrency.ts';
import { judgeUncut, judgeUncutLimit } from './trace/cut.ts';
import { judgeHeader } from '../family/header.ts';
import { judgeParameter } from '../family/parameter.ts';
import { judgeRateLimit } from '../family/rate-limit.ts';
import { judgeRequest } from '../family/request.ts';
import { judgeRobustness } from '../family/robustness.ts';
import { judgeState } from '../family/state.ts';
import { judgeIntents } from '../family/intent.ts';

export type Verdict = { readonly requirement: Requirement } & (
  | { readonly kind: 'passed'; readonly exchanges: readonly number[] }
  | { readonly kind: 'failed'; readonly failures: readonly Failure[] }
  | { readonly kind: 'waived'; readonly failures: readonly Failure[]; readonly waiver: Waiver }
  | NotTested
  | { readonly kind: 'open'; readonly observations: readonly Observation[] }
);

interface NotTested {
  readonly kind: 'not-tested';
  readonly reason: string;
  /** The facts that `reason` is rendered from; left out for clients. */
  readonly because?: Reason | undefined;
  /** An exchange may break it, but judging that would exceed a limit. */
  readonly isUndecided?: true;
}

export interface Failure extends Mismatch {
  /** Id for `--replay`; undefined if showing the failure takes too many exchanges. */
  readonly replay?: string | undefined;
  /** The failure as first found, if this one is a smaller version of it. */
  readonly shrunkFrom?: Mismatch | undefined;
}

/** What a run knows besides its exchanges. */
export interface JudgeFacts extends TargetFacts {
  /** Explains why no exchange is about a requirement. */
  readonly whyNotTested: (requirement: Requirement) => Reason;
}

/** Judges exchanges: one verdict for each requirement, in the contract's order. Pure. */
export function judge(
  contract: Contract,
  exchanges: readonly Exchange[],
  facts: JudgeFacts,
): readonly Verdict[] {
  const findings = findAll(contract, exchanges, facts);
  return listRequirements(contract).map((requirement) =>
    settleFindings(requirement, findings.get(requirement.id) ?? [], facts.whyNotTested),
  );
}

/** All findings of the exchanges, by id of the requirement. Pure. */
export function findAll(
  contract: Contract,
  exchanges: readonly Exchange[],
  facts: TargetFacts,
): ReadonlyMap<string, readonly Finding[]> {
  const found = listFindings(readTrace(contract, exchanges, facts), families);
  return Map.groupBy(found, (finding) =>
    finding.kind === 'open' ? requirementId.open(finding.question) : finding.requirement,
  );
}

export function listFindings(trace: Trace, judges: readonly Family[]): readonly Finding[] {
  const all = judges.flatMap((family) => [...familyJudges[family](trace)]);
  return settleLinks(linkCrashes(all, trace));
}

/**
 * Links the other failures of a 5xx response to the 5xx, except those of the rate-limit headers,
 * which every response has.
 */
function linkCrashes(findings: readonly Finding[], { readings }: Trace): readonly Finding[] {
  const crashes = new Map(
    readings.flatMap(({ index, status, operation }) =>
      status < 500 ? [] : [[index, requirementId.robustness(operation.id, 'no-server-error')]],
    ),
  );
  if (crashes.size === 0) return findings;
  return findings.map((finding) => {
    if (finding.kind !== 'failed') return finding;
    const because = crashes.get(finding.exchange) ?? finding.because;
    const isEffect =
      because !== finding.requirement && !finding.requirement.startsWith('*/rate-limit');
    return because !== undefined && isEffect ? { ...finding, because } : finding;
  });
}

/**
 * Judges say which failure would explain another one. Keeps the links to requirements that failed,
 * and replaces a link to a linked failure by the link of that one.
 */
function settleLinks(findings: readonly Finding[]): readonly Finding[] {
  const linked = new Map<string, string>();
  const roots = new Set<string>();
  for (const finding of findings)
    if (finding.kind === 'failed') {
      const { requirement, because } = finding;
      if (because === undefined || because === requirement) roots.add(requirement);
      else linked.set(requirement, because);
    }
  const rootOf = (id: string, steps: number): string | undefined => {
    if (roots.has(id)) return id;
    const next = linked.get(id);
    return next === undefined || steps === 0 ? undefined : (rootOf(next, steps - 1) ?? id);
  };
  return findings.map((finding) => {
    if (finding.kind !== 'failed' || finding.because === undefined) return finding;
    const { because, ...rest } = finding;
    const root = rootOf(because, linked.size);
    return root === undefined || root === finding.requirement ? rest : { ...rest, because: root };
  });
}

/** Combines findings: one failure fails the requirement, one doubt leaves it untested. */
export function settleFindings(
  requirement: Requirement,
  findings: readonly Finding[],
  whyNotTested: (requirement: Requirement) => Reason,
): Verdict {
  if (findings.length === 0) return notTested(requirement, whyNotTested(requirement));
  const failures = findings.filter((finding) => finding.kind === 'failed');
  if (failures.length > 0) return { kind: 'failed', requirement, failures };
  const observations = findings.filter((finding) => finding.kind === 'open');
  if (observations.length > 0) return { kind: 'open', requirement, observations };
  const passes = findings.filter((finding) => finding.kind === 'passed');
  const unclear = findings.filter((finding) => finding.kind === 'unclear');
  const excused = findings.filter((finding) => finding.kind === 'excused');
  const undecided = unclear.find(({ isUndecided }) => isUndecided === true);
  if (undecided !== undefined)
    return { ...notTested(requirement, doubtOf(undecided)), isUndecided: true };
  const [doubt] = passes.length === 0 ? [...unclear, ...excused] : unclear;
  if (doubt !== undefined) return notTested(requirement, doubtOf(doubt));
  return { kind: 'passed', requirement, exchanges: passes.map(({ exchange }) => exchange) };
}

export function notTested(
  requirement: Requirement,
  because: Reason,
): NotTested & Pick<Verdict, 'requirement'> {
  return { kind: 'not-tested', requirement, reason: describeReason(because), because };
}

function doubtOf({ exchange, reason: text, because }: Doubt): Reason {
  return {
    kind: 'unclear',
    exchange,
    text,
    ...(because !== undefined && { requirement: because }),
  };
}

/**
 * The result of a waiver. `used`: the requirement fails. `unreached`: the run does not show whether
 * it does. `expired` and `needless` (the requirement passes) fail the run.
 */
export interface WaiverResult {
  readonly waiver: Waiver;
  readonly state: 'used' | 'unreached' | 'expired' | 'needless';
}

/** Applies waivers to verdicts: a failure with a waiver in force becomes `waived`. */
export function applyWaivers(
  verdicts: readonly Verdict[],
  waivers: readonly Waiver[],
  now: number,
): { verdicts: readonly Verdict[]; results: readonly WaiverResult[] } {
  const today = dayOf(now);
  const byId = new Map(verdicts.map((verdict) => [verdict.requirement.id, verdict]));
  const results = waivers.map((waiver) => ({
    waiver,
    state: settleWaiver(waiver, byId.get(waiver.requirement), today),
  }));
  const inForce = results.filter(({ state }) => state === 'used');
  const used = new Map(inForce.map(({ waiver }) => [waiver.requirement, waiver]));
  return { verdicts: verdicts.map((verdict) => waive(verdict, used)), results };
}

function settleWaiver(
  { expires }: Waiver,
  verdict: Verdict | undefined,
  today: string,
): WaiverResult['state'] {
  if (expires < today) return 'expired';
  if (verdict?.kind === 'failed') return 'used';
  return verdict?.kind === 'passed' ? 'needless' : 'unreached';
}

function waive(verdict: Verdict, used: ReadonlyMap<string, Waiver>): Verdict {
  const waiver = used.get(verdict.requirement.id);
  if (waiver === undefined || verdict.kind !== 'failed') return verdict;
  return { kind: 'waived', requirement: verdict.requirement, failures: verdict.failures, waiver };
}

/** Judges the exchanges of a run for one family. Pure: works on a log as well. */
export type FamilyJudge = (trace: Trace) => Iterable<Finding>;

/**
 * The judge of each family. The sentences of its requirements are in the same file of
 * `conformance/family/`; `Sent by` names the files of `conformance/probes/` that test them.
 */
export const familyJudges: Readonly<Record<Family, FamilyJudge>> = {
  /** Success for valid requests, and 404 for missing items. Sent by reads, writes, general. */
  status: (trace) => judgeIntents(trace, 'status'),
  /** Read in every response. */
  body: judgeBody,
  /** Read in every response. */
  header: judgeHeader,
  /** Sent by general, broken-body, writes. */
  request: judgeRequest,
  /** Sent by reads, general. */
  parameter: (trace) => judgeUncut(judgeParameter(trace), trace),
  /** Sent by writes, reads, settle. */
  state: (trace) => judgeUncut(judgeState(trace), trace),
  /** Requests without a valid key get a 401, also if the key is nearly right. Sent by auth. */
  auth: (trace) => judgeIntents(trace, 'auth'),
  /** Read in every response. Sent by rate-limit, settle. */
  'rate-limit': (trace) => judgeUncutLimit(judgeRateLimit(trace), trace),
  /** Sent by writes. */
  concurrency: (trace) => judgeUncut(judgeConcurrency(trace), trace),
  /** Read in every response. Sent by unspecified. */
  robustness: judgeRobustness,
  /** Sent and judged by the files of `conformance/question/`. */
  open: (trace) => judgeUncut(observeOpen(trace), trace),
};
