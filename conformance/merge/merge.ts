import { listRequirements } from '../family/requirements.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Requirement } from '../judge/trace/requirement.ts';
import { largest, smallest } from '../../contract/list/list.ts';
import { mergeReasons } from '../judge/reason/reason.ts';
import { commonChoices } from '../judge/trace/finding.ts';
import { applyWaivers, notTested, type Verdict } from '../judge/verdict.ts';
import { digestWaivers, refuseUnbounded } from '../judge/waiver.ts';
import { explainInconclusive } from '../outcome/inconclusive.ts';
import { requiredShare, type TestedShare } from '../outcome/tested.ts';
import { listUnreadOperations, type Unserved } from '../outcome/unserved.ts';
import {
  countVerdicts,
  describeContract,
  type Report,
  type RunFacts,
  settleOutcome,
} from '../run/report.ts';
import { nameShards, type MergeFacts } from '../shard/merge-facts.ts';
import { waiversHeader } from '../transport/request-headers.ts';
import { auditShard, type AuditedShard, type AuditedVerdict } from './audit.ts';
import {
  readShards,
  refusal,
  type NamedReport,
  type ShardReport,
  isFuzzProbe,
} from './shard-report.ts';

/**
 * One report of the shards of a run. A requirement that a shard fails is failed; it is passed where
 * the log of some shard shows it and none shows the contrary, else not tested. Exchanges are numbered
 * again, shard after shard. Shards that are missing make the outcome inconclusive, unless they are
 * allowed to be.
 * @throws {PetstoreError} with code `merge` where the reports are not of one run, one is there twice,
 *   or a verdict is not what its log comes to
 */
export function mergeReports(
  contract: Contract,
  given: readonly NamedReport[],
  { allowMissing = false }: { readonly allowMissing?: boolean } = {},
): Report {
  const shards = readShards(given);
  for (const { name, report } of shards)
    if (report.contract.digest !== contract.digest)
      throw refusal(
        `${name} was judged against another document, ${report.contract.title} ${report.contract.version} with the SHA-256 ${report.contract.digest}: pass that document with --contract.`,
      );
  refuseLeftOut(shards);
  let from = 0;
  const audited = shards.map((shard) => {
    const one = auditShard(contract, shard, from);
    from += one.exchanges.length;
    return one;
  });
  return composeMerged(contract, audited, allowMissing);
}

/** What is left out is so in every shard: their settings are the same. */
function refuseLeftOut(shards: readonly ShardReport[]): void {
  const [first, ...others] = shards.map((shard) => ({ ...shard, out: listLeftOut(shard.report) }));
  for (const other of others) {
    const [id] = first?.out.symmetricDifference(other.out) ?? [];
    if (first === undefined || id === undefined) continue;
    const [one, another] = first.out.has(id) ? [first, other] : [other, first];
    throw refusal(
      `${one.name} says that ${id} was left out, but ${another.name} judges it: one of them was edited.`,
    );
  }
}

function listLeftOut({ verdicts }: Report): ReadonlySet<string> {
  return new Set(
    verdicts.flatMap((verdict) =>
      verdict.kind === 'not-tested' && verdict.because?.kind === 'not-selected'
        ? [verdict.requirement.id]
        : [],
    ),
  );
}

function composeMerged(
  contract: Contract,
  shards: readonly AuditedShard[],
  allowMissing: boolean,
): Report {
  const run = mergeRuns(shards);
  const judged = listRequirements(contract).map((requirement) => mergeVerdict(requirement, shards));
  const waivers = shards[0]?.report.waivers.map(({ waiver }) => waiver) ?? [];
  refuseOtherWaivers(contract, shards, Date.parse(run.startedAt));
  const { verdicts, results } = applyWaivers(judged, waivers, Date.parse(run.startedAt));
  const exchanges = shards.flatMap((shard) => shard.exchanges);
  const unserved = mergeUnserved(shards);
  const merge = composeMergeFacts(shards);
  const missing = allowMissing ? [] : merge.missing;
  const inconclusive =
    missing.length > 0
      ? `${nameShards(missing)} of ${merge.count} ${missing.length === 1 ? 'is' : 'are'} missing`
      : explainInconclusive({ contract, share: mergeShares(run), unserved, verdicts, exchanges });
  return {
    format: 'petstore-conformance-report/1',
    contract: describeContract(contract),
    target: {
      baseUrl: shards[0]?.report.target.baseUrl ?? '',
      plan: mergePlans(shards),
      ...(shards.every(({ report }) => report.target.isKeyless) && { isKeyless: true }),
    },
    client: undefined,
    run,
    ...settleOutcome(verdicts, results, inconclusive),
    unserved,
    counts: countVerdicts(verdicts),
    verdicts,
    waivers: results,
    leftBehind: shards.flatMap(({ report }) => report.leftBehind),
    exchanges,
    merge,
  };
}

/** The shards of a run have the same waivers, and each request says which. */
function refuseOtherWaivers(
  contract: Contract,
  shards: readonly AuditedShard[],
  startedAt: number,
): void {
  for (const { name, report } of shards) {
    const waivers = report.waivers.map(({ waiver }) => waiver);
    const digest = digestWaivers(waivers);
    refuseUnbounded(contract, waivers, startedAt);
    const other = report.exchanges.find(
      ({ request }) => new Map(request.headers).get(waiversHeader) !== digest,
    );
    if (other !== undefined)
      throw refusal(
        `Exchange ${other.index} of ${name} shows that it ran with other waivers than it says: it was edited.`,
      );
  }
}

/** A shard with its verdict on one requirement. */
interface Voice extends AuditedVerdict {
  readonly index: number;
}

function mergeVerdict(requirement: Requirement, shards: readonly AuditedShard[]): Verdict {
  const voices = shards.flatMap(({ shard, verdicts }): readonly Voice[] => {
    const audited = verdicts.get(requirement.id);
    return audited === undefined ? [] : [{ ...audited, index: shard.index }];
  });
  const said = voices.map(({ verdict }) => verdict);
  const failures = said.flatMap((each) =>
    each.kind === 'failed' || each.kind === 'waived' ? each.failures : [],
  );
  if (failures.length > 0) return { kind: 'failed', requirement, failures };
  const observations = said.flatMap((each) => (each.kind === 'open' ? each.observations : []));
  if (observations.length > 0) return { kind: 'open', requirement, observations };
  const doubted = voices.filter(({ isContradicted }) => isContradicted);
  const exchanges = said.flatMap((each) => (each.kind === 'passed' ? each.exchanges : []));
  if (doubted.length === 0 && exchanges.length > 0)
    return { kind: 'passed', requirement, exchanges };
  const unsure = doubted.length > 0 ? doubted : voices;
  const because = mergeReasons(
    unsure.flatMap(({ verdict, index }) =>
      verdict.kind === 'not-tested' && verdict.because !== undefined
        ? [{ shard: index, because: verdict.because }]
        : [],
    ),
  );
  const isUndecided = said.some((each) => each.kind === 'not-tested' && each.isUndecided);
  return { ...notTested(requirement, because), ...(isUndecided && { isUndecided }) };
}

/**
 * An operation is unserved where no shard was served. What one shard could not judge, as it was too
 * large, no other one makes up for.
 */
function mergeUnserved(shards: readonly AuditedShard[]): readonly Unserved[] {
  const [first, ...others] = shards;
  const unread = shards.flatMap(({ exchanges }) => listUnreadOperations(exchanges));
  const unserved = (first?.report.unserved ?? []).filter(
    ({ operation }) =>
      unread.every((each) => each.operation !== operation) &&
      others.every(({ report }) => report.unserved.some((each) => each.operation === operation)),
  );
  const byOperation = new Map(unread.map((each) => [each.operation, each]));
  return [...byOperation.values(), ...unserved];
}

function mergeRuns(shards: readonly AuditedShard[]): RunFacts {
  const runs = shards.map(({ report }) => report.run);
  const starts = runs.map(({ startedAt }) => Date.parse(startedAt));
  const begin = smallest(starts);
  const end = largest(runs.map((run, index) => (starts[index] ?? 0) + run.milliseconds));
  const early = shards.flatMap(({ shard, report }) =>
    report.run.endedEarly === undefined
      ? []
      : [`${nameShards([shard.index])}: ${report.run.endedEarly}`],
  );
  const sum = (read: (run: RunFacts) => number): number =>
    runs.reduce((total, run) => total + read(run), 0);
  const omitted = sum((run) => run.omitted ?? 0);
  return {
    seed: runs[0]?.seed ?? 0,
    tag: runs.map(({ tag }) => tag).join(', '),
    budget: sum(({ budget }) => budget),
    requests: sum(({ requests }) => requests),
    planned: sum(({ planned }) => planned),
    tested: sum(({ tested, planned }) => tested ?? planned),
    required: largest(runs.map(({ required = requiredShare }) => required)),
    ...(omitted === 0 ? {} : { omitted }),
    startedAt: new Date(begin).toISOString(),
    milliseconds: end - begin,
    endedEarly: early.length === 0 ? undefined : early.join('; '),
  };
}

/** The plans of all shards together are the plan of the run. */
function mergeShares({
  planned,
  tested = planned,
  required = 0,
  omitted = 0,
  endedEarly,
}: RunFacts): TestedShare {
  return { planned, tested, required, omitted, read: 100, cause: endedEarly };
}

/** The plan of the keys; undefined where they have several, or none was told. */
function mergePlans(shards: readonly AuditedShard[]): string | undefined {
  const plans = new Set(shards.map(({ report }) => report.target.plan));
  return plans.size === 1 ? [...plans][0] : undefined;
}

/** What a merged report tells of its shards: which are missing, and what each one tested. */
function composeMergeFacts(shards: readonly AuditedShard[]): MergeFacts {
  const { count = 0, fuzz = 0 } = shards[0]?.shard ?? {};
  const present = new Set(shards.map(({ shard }) => shard.index));
  const all = Array.from({ length: count }, (_, index) => index + 1);
  const dealt = shards.reduce((sum, { shard }) => sum + shard.share, 0);
  const exchanges = shards.flatMap((each) => each.exchanges);
  return {
    count,
    missing: all.filter((index) => !present.has(index)),
    fuzz: {
      wanted: fuzz,
      missing: Math.max(0, fuzz - dealt),
      sent: exchanges.filter(({ probe }) => isFuzzProbe(probe)).length,
    },
    shards: shards.map(({ shard, report, exchanges: [first] }) => ({
      index: shard.index,
      outcome: report.outcome,
      plan: report.target.plan,
      tag: report.run.tag,
      requests: report.exchanges.length,
      from: first?.index ?? 0,
      endedEarly: report.run.endedEarly,
    })),
    verdicts: listVerdicts(shards),
    disagreements: listDisagreements(shards),
  };
}

function listVerdicts(shards: readonly AuditedShard[]): MergeFacts['verdicts'] {
  const ids = [...(shards[0]?.verdicts.keys() ?? [])];
  return ids.map((id) => {
    const byKind = Map.groupBy(shards, ({ verdicts }) => kindOf(verdicts.get(id)?.verdict));
    const lists = [...byKind].map(([kind, some]) => [kind, some.map(({ shard }) => shard.index)]);
    return { id, ...Object.fromEntries(lists) };
  });
}

/** A waiver changes nothing about what a shard saw. */
function kindOf(verdict: Verdict | undefined): Exclude<Verdict['kind'], 'waived'> {
  const kind = verdict?.kind ?? 'not-tested';
  return kind === 'waived' ? 'failed' : kind;
}

/** Open questions of which no choice fits what all shards saw, though one fits what some saw. */
function listDisagreements(shards: readonly AuditedShard[]): MergeFacts['disagreements'] {
  const ids = [...(shards[0]?.verdicts.keys() ?? [])];
  return ids.flatMap((id) => {
    const seen = shards.flatMap(({ shard, verdicts }) => {
      const verdict = verdicts.get(id)?.verdict;
      return verdict?.kind === 'open'
        ? [{ index: shard.index, choices: commonChoices(verdict.observations) }]
        : [];
    });
    const choices = [...new Set(seen.flatMap((each) => each.choices))];
    const isShared = (choice: string): boolean =>
      seen.every((each) => each.choices.includes(choice));
    if (choices.length === 0 || choices.some(isShared)) return [];
    const others = seen.filter((each) => each.choices.length === 0);
    return [
      {
        question: id.replace('*/open.', ''),
        choices: [
          ...choices.map((choice) => ({
            choice,
            shards: seen.filter((each) => each.choices.includes(choice)).map(({ index }) => index),
          })),
          ...(others.length === 0
            ? []
            : [{ choice: undefined, shards: others.map(({ index }) => index) }]),
        ],
      },
    ];
  });
}
