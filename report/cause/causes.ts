import type { Contract } from '../../contract/contract.ts';
import {
  listRequirements,
  type Requirement,
  type Exchange,
  type Failure,
  type Report,
  type Verdict,
  nameShards,
  once,
  operationOf,
  writes,
} from '../../conformance/index.ts';
import { readLog, readSymptoms, type Symptom } from './log.ts';
import type { Claim } from './claim.ts';
import { describeFailure, explainRemaining, rules } from './rules.ts';
import { listFailures, viewFailure, type FailureView } from '../model/failure.ts';
import { countOf } from '../../page/view/count.ts';
import { type VisibleText, showLine } from '../../page/view/visible.ts';

/** Why requirements failed: one defect of a target, with all its effects. */
export interface Cause {
  readonly kind: Claim['kind'];
  readonly fact: Claim['fact'];
  /** The fact in plain English. May quote the target. */
  readonly sentence: string;
  /** The requirement that represents the cause, then its effects, the worst first. At least one. */
  readonly findings: readonly [CauseFinding, ...CauseFinding[]];
  /** The exchanges that show the fact, by index, in their order. */
  readonly exchanges: readonly number[];
}

export interface CauseFinding {
  readonly requirement: Requirement;
  /** At least one. Each failure is in one cause. */
  readonly failures: readonly [Failure, ...Failure[]];
}

/**
 * The causes of the failures of a report; of a merged one, over the logs of all shards. Pure and
 * memoised, because each file of a report needs them.
 */
export function causesIn(report: Report, contract: Contract): readonly Cause[] {
  return causesBy(contract)(report);
}

const causesBy = once((contract: Contract) => once((report: Report) => find(report, contract)));

function find({ merge, verdicts, exchanges }: Report, contract: Contract): readonly Cause[] {
  if (merge === undefined) return causesOf(contract, verdicts, exchanges);
  const shards = merge.shards.filter(({ requests }) => requests > 0);
  return causesOf(contract, verdicts, exchanges).map((cause) => {
    const seen = shards.filter(({ from, requests }) =>
      cause.exchanges.some((index) => index >= from && index < from + requests),
    );
    const names = nameShards(seen.map(({ index }) => index));
    return { ...cause, sentence: `${cause.sentence} Seen in ${names}.` };
  });
}

/**
 * Groups the failures of verdicts by cause, for both levels, `must` and `should`, without waived
 * ones. Each failure is in one cause. Causes that concern the whole service and crashes come first,
 * then those in writing operations, then the rest, each in the contract's order. Pure.
 */
export function causesOf(
  contract: Contract,
  verdicts: readonly Verdict[],
  exchanges: readonly Exchange[],
): readonly Cause[] {
  const log = readLog(contract, exchanges);
  const rank = rankRequirements(contract);
  // Failures of clients are explained by their rule alone.
  const isOfClient = verdicts.some(({ requirement }) => requirement.subject.kind === 'client');
  const { must = [], rest = [] } = Object.groupBy(
    readSymptoms(verdicts, log),
    ({ requirement: { level } }) => (level === 'must' ? level : 'rest'),
  );
  const symptoms = [...must, ...rest];
  const unlinked = symptoms.filter(({ found }) => found.because === undefined);
  const ids = new Set(unlinked.map(({ requirement }) => requirement.id));
  // A failure may follow from one with a waiver.
  const linked = symptoms.filter(({ found: { because = '' } }) => ids.has(because));
  const left = new Set(symptoms).difference(new Set(linked));
  const claims: Claim[] = [];
  for (const explain of isOfClient ? [explainRemaining] : rules)
    for (const claim of explain([...left], log)) {
      const own = claim.symptoms.filter((each) => left.delete(each));
      if (own.length > 0) claims.push({ ...claim, symptoms: own });
    }
  const effectsOf = groupEffects(linked, claims);
  const causes = claims.flatMap((claim): readonly Cause[] => {
    const { kind, fact, sentence, exchanges, lead } = claim;
    const own = new Set(claim.symptoms);
    const isLater = (each: Symptom): number =>
      Number(each.requirement.level !== 'must') * 4 +
      Number(each.requirement !== lead?.requirement) * 2 +
      Number(!own.has(each));
    const sorted = [...own, ...(effectsOf.get(claim) ?? [])].toSorted(
      (one, other) =>
        isLater(one) - isLater(other) || rank(one.requirement) - rank(other.requirement),
    );
    const [first, ...rest] = listFindings(sorted);
    return first === undefined
      ? []
      : [{ kind, fact, sentence, exchanges, findings: [first, ...rest] }];
  });
  const placeOf = ({ kind, findings: [{ requirement }] }: Cause): number =>
    kind.startsWith('constant-') ? -2 : kind === 'crash' ? -1 : rank(requirement);
  return causes.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** Effects by their cause: if that requirement has several causes, the one in the same exchange. */
function groupEffects(linked: readonly Symptom[], claims: readonly Claim[]) {
  const places = claims.map((claim) => ({
    claim,
    ids: new Set(claim.symptoms.map(({ requirement }) => requirement.id)),
    readings: new Set(claim.symptoms.map(({ reading }) => reading)),
  }));
  return Map.groupBy(linked, ({ found: { because = '' }, reading }) => {
    const some = places.filter(({ ids }) => ids.has(because));
    return (some.find(({ readings }) => readings.has(reading)) ?? some[0])?.claim;
  });
}

function listFindings(sorted: readonly Symptom[]): readonly CauseFinding[] {
  return [...Map.groupBy(sorted, ({ requirement }) => requirement)].flatMap(
    ([requirement, some]): readonly CauseFinding[] => {
      const [failure, ...more] = some.map((each) => each.failure);
      return failure === undefined ? [] : [{ requirement, failures: [failure, ...more] }];
    },
  );
}

/** Sorts by writing operations, then `must`, then the contract's order. */
function rankRequirements(contract: Contract): (requirement: Requirement) => number {
  const places = new Map(listRequirements(contract).map(({ id }, index) => [id, index]));
  const { size } = places;
  return ({ id, operation, level }) => {
    const of = operationOf(contract, operation);
    const isRead = of === undefined || !writes(of);
    return (places.get(id) ?? size) + (isRead ? 2 * size : 0) + (level === 'must' ? 0 : size);
  };
}

/**
 * A cause as all human-readable formats show it. Texts are in one line and escaped.
 *
 * @internal
 */
export interface CauseView {
  /** The defect; in a merged report also which shards saw it. */
  readonly sentence: VisibleText;
  /** The failure that shows it, of the requirement that represents the cause. */
  readonly failure: FailureView;
  /** Number of exchanges that show it; undefined for one. */
  readonly seen: VisibleText | undefined;
  readonly effects: readonly EffectView[];
}

/** @internal */
export interface EffectView {
  readonly requirement: Requirement;
  readonly expected: VisibleText;
  readonly received: VisibleText;
  /** Number of failures of the requirement that this cause explains. */
  readonly count: number;
}

/**
 * The causes of a report: those that fail the target, those of recommendations only, and each
 * failure with a waiver in force.
 *
 * @internal
 * @param reportFile as for `viewFailure`
 */
export function viewCauses(report: Report, contract: Contract, reportFile?: string) {
  const views = causesIn(report, contract).flatMap((cause) =>
    viewCause(cause, report, contract, reportFile),
  );
  const ofLevel = (isMust: boolean): readonly CauseView[] =>
    views.filter(({ failure }) => (failure.requirement.level === 'must') === isMust);
  const waived = listFailures('waived', report, contract, reportFile).map((failure): CauseView => ({
    sentence: showLine(describeFailure(failure.requirement, failure)),
    failure,
    seen: countSeen(failure.more + 1),
    effects: [],
  }));
  return { failed: ofLevel(true), advised: ofLevel(false), waived };
}

function viewCause(
  { sentence, findings: [first, ...effects], exchanges }: Cause,
  report: Report,
  contract: Contract,
  reportFile: string | undefined,
): readonly CauseView[] {
  return viewFailure({ kind: 'failed', ...first }, report, contract, reportFile).map((failure) => ({
    sentence: showLine(sentence),
    failure,
    seen: countSeen(exchanges.length),
    effects: effects.map(({ requirement, failures: [{ expected, received }, ...more] }) => ({
      requirement,
      expected: showLine(expected),
      received: showLine(received),
      count: more.length + 1,
    })),
  }));
}

function countSeen(count: number): VisibleText | undefined {
  return count < 2 ? undefined : countOf(count, 'time');
}
