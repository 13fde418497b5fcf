import { listRequirements } from '../family/requirements.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Requirement } from '../judge/trace/requirement.ts';
import { PetstoreError } from '../../contract/error/petstore-error.ts';
import { defined } from '../../contract/list/defined.ts';
import { largest, smallest } from '../../contract/list/list.ts';
import { mergeReasons, type Reason } from '../judge/reason/reason.ts';
import type { Finding, Mismatch } from '../judge/trace/finding.ts';
import {
  findAll,
  notTested,
  settleFindings,
  type Failure,
  type Verdict,
} from '../judge/verdict.ts';
import { refuseUnbounded } from '../judge/waiver.ts';
import {
  describeLeftOut,
  explainInconclusive,
  explainUnread,
  listUnserved,
  readShare,
  requiredShare,
} from '../outcome/inconclusive.ts';
import { assembleReport, type Report, type RunFacts } from '../run/report.ts';
import type { Exchange } from '../transport/exchange.ts';
import { nameShards, type MergeFacts, type ShardFacts } from '../shard/shard.ts';

/** A report to merge, by the name of its file. */
export interface NamedReport {
  readonly name: string;
  readonly report: Report;
}

/** The report of a shard, and its part of the merged log. */
interface Shard extends NamedReport {
  readonly facts: ShardFacts;
  /** Exchanges of the merged log before its own. */
  readonly from: number;
  /** As the merged report numbers them. */
  readonly exchanges: readonly Exchange[];
  /** Their findings, by requirement. */
  readonly findings: ReadonlyMap<string, readonly Finding[]>;
  /** The verdicts of its report, by requirement. */
  readonly verdicts: ReadonlyMap<string, Verdict>;
}

/**
 * Merges the reports of the shards of a run. Judges each log again: a requirement fails if it fails in
 * a shard, and passes if the log of some shard shows it and none contradicts it; else it is not tested.
 * Renumbers the exchanges, shard after shard. Missing shards make the outcome inconclusive, unless they
 * are allowed.
 * @throws {PetstoreError} with code `merge` if the reports are not of one run, or one was given twice
 */
export function mergeReports(
  contract: Contract,
  given: readonly NamedReport[],
  { allowMissing = false }: { readonly allowMissing?: boolean } = {},
): Report {
  refuseOthers(contract, given);
  const shards: Shard[] = [];
  let from = 0;
  for (const one of given.toSorted((a, b) => factsOf(a).index - factsOf(b).index)) {
    const { verdicts, target } = one.report;
    const exchanges = one.report.exchanges.map((exchange) => ({
      ...exchange,
      index: exchange.index + from,
      ...(exchange.group !== undefined && { group: `${from} ${exchange.group}` }),
    }));
    shards.push({
      ...one,
      facts: factsOf(one),
      from,
      exchanges,
      findings: findAll(contract, exchanges, target),
      verdicts: new Map(verdicts.map((verdict) => [verdict.requirement.id, verdict])),
    });
    from += exchanges.length;
  }
  const run = mergeRuns(shards);
  const now = Date.parse(run.startedAt);
  const judged = listRequirements(contract).map((requirement) => mergeVerdict(requirement, shards));
  const waivers = shards[0]?.report.waivers.map(({ waiver }) => waiver) ?? [];
  refuseUnbounded(contract, waivers, now);
  const exchanges = shards.flatMap((shard) => shard.exchanges);
  const unserved = listUnserved(contract, judged, exchanges);
  const merge = composeMergeFacts(shards, exchanges);
  const { planned, tested = planned, required = 0, omitted = 0, endedEarly } = run;
  const leftOut = describeLeftOut(contract);
  const [read, cause] = [readShare(contract, leftOut), endedEarly ?? explainUnread(leftOut)];
  const share = { planned, tested, required, omitted, read, cause };
  const plans = new Set(shards.map(({ report }) => report.target.plan));
  return assembleReport(contract, {
    target: {
      baseUrl: shards[0]?.report.target.baseUrl ?? '',
      // Undefined if the shards used several plans, or none was given.
      plan: plans.size === 1 ? [...plans][0] : undefined,
      ...(shards.every(({ report }) => report.target.isKeyless) && { isKeyless: true }),
    },
    run,
    judged,
    waivers,
    now,
    explainInconclusive: (verdicts) =>
      merge.missing.length > 0 && !allowMissing
        ? `${nameShards(merge.missing)} of ${merge.count} ${merge.missing.length === 1 ? 'is' : 'are'} missing`
        : explainInconclusive({ contract, share, unserved, verdicts, exchanges }),
    unserved,
    leftBehind: shards.flatMap(({ report }) => report.leftBehind),
    exchanges,
    merge,
  });
}

function refusal(reason: string): PetstoreError {
  return new PetstoreError('merge', reason);
}

function factsOf({ name, report: { client, merge, run } }: NamedReport): ShardFacts {
  const { shard } = run;
  if (client !== undefined) throw refusal(`${name} is a report on a client.`);
  if (merge !== undefined)
    throw refusal(`${name} is already merged: give the reports of the shards.`);
  if (shard === undefined)
    throw refusal(`${name} is the report of a whole run, not of a shard. Run conform --shard.`);
  if (shard.index > shard.count)
    throw refusal(`${name} says that it is shard ${shard.index} of ${shard.count}.`);
  return shard;
}

/** What must be the same in all shards, by its name in messages. */
function listSame({ contract, run, target }: Report): Readonly<Record<string, string | number>> {
  const { shard } = run;
  return {
    shards: shard?.count ?? 0,
    'the number of fuzzing requests': shard?.fuzz ?? 0,
    seed: run.seed,
    document: nameDocument(contract),
    target: target.baseUrl,
    'the version of the suite': shard?.suite || 'unknown',
  };
}

function nameDocument({ title, version, digest }: Report['contract']): string {
  return `${title} ${version}, SHA-256 ${digest}`;
}

function refuseOthers(contract: Contract, given: readonly NamedReport[]): void {
  const [one] = given;
  if (one === undefined) throw refusal('There is no report to merge.');
  const names = new Map<number, string>();
  for (const other of given) {
    const { index, count, settings } = factsOf(other);
    const refuse = (what: string): PetstoreError =>
      refusal(`${one.name} and ${other.name} are not from the same run: ${what}.`);
    const same = listSame(one.report);
    for (const [name, value] of Object.entries(listSame(other.report)))
      if (value !== same[name])
        throw refuse(`${name} is ${same[name]} in the first and ${value} in the second`);
    if (settings !== factsOf(one).settings)
      throw refuse(
        'a setting that decides what is sent or judged differs, such as --requests, --only or --read-only',
      );
    const twin = names.get(index);
    if (twin !== undefined)
      throw refusal(
        `Shard ${index} of ${count} was given twice, in ${twin} and ${other.name}: give only one of them.`,
      );
    names.set(index, other.name);
  }
  if (one.report.contract.digest !== contract.digest)
    throw refusal(
      `${one.name} was judged against another document, ${nameDocument(one.report.contract)}: pass that document with --contract.`,
    );
}

function isFuzzProbe(id: string): boolean {
  return /\/fuzz \d+: [a-z]+$/.test(id);
}

/** The verdict of all shards: from their logs, with the failures and examples of their reports. */
function mergeVerdict(requirement: Requirement, shards: readonly Shard[]): Verdict {
  const { id } = requirement;
  const failures: Failure[] = [];
  const reasons: { readonly shard: number; readonly because: Reason }[] = [];
  for (const { facts, from, verdicts } of shards) {
    const verdict = verdicts.get(id);
    if (verdict?.kind === 'failed' || verdict?.kind === 'waived')
      failures.push(...verdict.failures.map((failure) => moveFailure(failure, from)));
    if (verdict?.kind === 'not-tested' && verdict.because !== undefined)
      reasons.push({ shard: facts.index, because: moveReason(verdict.because, from) });
  }
  if (reasons.some(({ because }) => because.kind === 'not-selected'))
    return notTested(requirement, { kind: 'not-selected' });
  if (failures.length > 0) return { kind: 'failed', requirement, failures };
  const findings = shards.flatMap((shard) => shard.findings.get(id) ?? []);
  return settleFindings(requirement, findings, () => mergeReasons(reasons));
}

/** Shifts the exchanges of a failure to their position in a longer log. */
function moveFailure(failure: Failure, from: number): Failure {
  const move = <M extends Mismatch>(one: M): M => ({
    ...one,
    exchange: one.exchange + from,
    others: one.others.map((index) => index + from),
  });
  const { shrunkFrom } = failure;
  return { ...move(failure), ...(shrunkFrom && { shrunkFrom: move(shrunkFrom) }) };
}

function moveReason(because: Reason, from: number): Reason {
  return because.kind === 'unclear' ? { ...because, exchange: because.exchange + from } : because;
}

function mergeRuns(shards: readonly Shard[]): RunFacts {
  const runs = shards.map(({ report }) => report.run);
  const begin = smallest(runs.map(({ startedAt }) => Date.parse(startedAt)));
  const end = largest(runs.map((run) => Date.parse(run.startedAt) + run.milliseconds));
  const early = shards.flatMap(({ facts, report: { run } }) =>
    run.endedEarly === undefined ? [] : [`${nameShards([facts.index])}: ${run.endedEarly}`],
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

/** The facts about shards in a merged report: which are missing, and what each one tested. */
function composeMergeFacts(shards: readonly Shard[], exchanges: readonly Exchange[]): MergeFacts {
  const { count = 0, fuzz = 0 } = shards[0]?.facts ?? {};
  const present = new Set(shards.map(({ facts }) => facts.index));
  const all = Array.from({ length: count }, (_, index) => index + 1);
  const dealt = shards.reduce((sum, { facts }) => sum + facts.share, 0);
  return {
    count,
    missing: all.filter((index) => !present.has(index)),
    fuzz: {
      wanted: fuzz,
      missing: Math.max(0, fuzz - dealt),
      sent: exchanges.filter(({ probe }) => isFuzzProbe(probe)).length,
    },
    shards: shards.map(({ facts, report, from }) => ({
      index: facts.index,
      outcome: report.outcome,
      plan: report.target.plan,
      tag: report.run.tag,
      requests: report.exchanges.length,
      from,
      endedEarly: report.run.endedEarly,
    })),
    verdicts: [...(shards[0]?.verdicts.keys() ?? [])].map((id) => {
      const byKind = Map.groupBy(shards, ({ verdicts }) => verdicts.get(id)?.kind);
      const shardsOf = (...kinds: readonly Verdict['kind'][]): readonly number[] | undefined => {
        const some = kinds.flatMap((kind) => byKind.get(kind) ?? []);
        return some.length === 0
          ? undefined
          : some.map(({ facts }) => facts.index).toSorted((a, b) => a - b);
      };
      return defined({
        id,
        passed: shardsOf('passed'),
        // A waiver changes nothing about what a shard saw.
        failed: shardsOf('failed', 'waived'),
        open: shardsOf('open'),
        'not-tested': shardsOf('not-tested'),
      });
    }),
  };
}
