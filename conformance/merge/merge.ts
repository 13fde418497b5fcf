import { listRequirements } from '../family/requirements.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Requirement } from '../judge/trace/requirement.ts';
import { PetstoreError } from '../../contract/error/petstore-error.ts';
import { largest, smallest } from '../../contract/list/list.ts';
import { mergeReasons, type Reason } from '../judge/reason/reason.ts';
import { commonChoices, type Finding, type Mismatch } from '../judge/trace/finding.ts';
import {
  findAll,
  notTested,
  settleFindings,
  type Failure,
  type Verdict,
} from '../judge/verdict.ts';
import { refuseUnbounded } from '../judge/waiver.ts';
import {
  explainInconclusive,
  requiredShare,
  listUnread,
  type Unserved,
} from '../outcome/inconclusive.ts';
import { assembleReport, type Report, type RunFacts } from '../run/report.ts';
import type { Exchange } from '../transport/exchange.ts';
import { nameShards, type MergeFacts, type ShardFacts } from '../shard/shard.ts';

/** A report to merge, by the name of its file. */
export interface NamedReport {
  readonly name: string;
  readonly report: Report;
}

/** A shard, its exchanges and failures numbered as in the merged report. */
interface Shard extends NamedReport {
  readonly shard: ShardFacts;
  readonly from: number;
  readonly exchanges: readonly Exchange[];
  /** What its report says, by requirement. */
  readonly said: ReadonlyMap<string, Verdict>;
  /** What its exchanges show, by requirement. */
  readonly findings: ReadonlyMap<string, readonly Finding[]>;
}

/**
 * One report of the shards of a run. Each log is judged again, and what it shows is joined: a
 * requirement that a shard fails is failed; it is passed where the log of some shard shows it and none
 * shows the contrary, else not tested. Exchanges are numbered again, shard after shard. Shards that are
 * missing make the outcome inconclusive, unless they are allowed to be.
 * @throws {PetstoreError} with code `merge` where the reports are not of one run, or one is there twice
 */
export function mergeReports(
  contract: Contract,
  given: readonly NamedReport[],
  { allowMissing = false }: { readonly allowMissing?: boolean } = {},
): Report {
  const named = given.map(({ name, report }) => ({ name, report, shard: shardOf(name, report) }));
  refuseOthers(contract, named);
  let from = 0;
  const shards = named
    .toSorted((one, other) => one.shard.index - other.shard.index)
    .map((each) => {
      const numbered = readShard(contract, each, from);
      from += numbered.exchanges.length;
      return numbered;
    });
  const run = mergeRuns(shards);
  const now = Date.parse(run.startedAt);
  const judged = listRequirements(contract).map((requirement) => mergeVerdict(requirement, shards));
  const waivers = shards[0]?.report.waivers.map(({ waiver }) => waiver) ?? [];
  refuseUnbounded(contract, waivers, now);
  const exchanges = shards.flatMap((shard) => shard.exchanges);
  const unserved = mergeUnserved(shards);
  const merge = composeMergeFacts(shards, exchanges);
  const { planned, tested = planned, required = 0, omitted = 0, endedEarly: cause } = run;
  const share = { planned, tested, required, omitted, read: 100, cause };
  const plans = new Set(shards.map(({ report }) => report.target.plan));
  return assembleReport(contract, {
    target: {
      baseUrl: shards[0]?.report.target.baseUrl ?? '',
      // Undefined where the keys have several, or none was told.
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

function shardOf(name: string, { client, merge, run: { shard } }: Report): ShardFacts {
  if (client !== undefined) throw refusal(`${name} is a report on a client.`);
  if (merge !== undefined)
    throw refusal(`${name} is already merged: give the reports of the shards.`);
  if (shard === undefined)
    throw refusal(`${name} is the report of a whole run, not of a shard. Run conform --shard.`);
  if (shard.index > shard.count)
    throw refusal(`${name} says that it is shard ${shard.index} of ${shard.count}.`);
  return shard;
}

type Given = NamedReport & { readonly shard: ShardFacts };

/** What has to be the same in all shards: how it is called, and what it is in a report. */
const sameness: readonly (readonly [name: string, read: (shard: Given) => string | number])[] = [
  ['shards', ({ shard }) => shard.count],
  ['the number of fuzzing requests', ({ shard }) => shard.fuzz],
  ['seed', ({ report }) => report.run.seed],
  ['document', ({ report: { contract } }) => nameDocument(contract)],
  ['target', ({ report }) => report.target.baseUrl],
  ['the version of the suite', ({ shard }) => shard.suite || 'not told'],
];

function nameDocument({ title, version, digest }: Report['contract']): string {
  return `${title} ${version}, SHA-256 ${digest}`;
}

function refuseOthers(contract: Contract, given: readonly Given[]): void {
  const [one] = given;
  if (one === undefined) throw refusal('There is no report to merge.');
  const byIndex = new Map<number, Given>();
  for (const other of given) {
    for (const [name, read] of sameness)
      if (read(one) !== read(other))
        throw refusal(
          `${one.name} and ${other.name} are not from the same run: ${name} is ${read(one)} in the first and ${read(other)} in the second.`,
        );
    if (one.shard.settings !== other.shard.settings)
      throw refusal(
        `${one.name} and ${other.name} are not from the same run: a setting that decides what is sent or judged differs, such as --requests, --only or --read-only.`,
      );
    const { index, count } = other.shard;
    const same = byIndex.get(index);
    if (same !== undefined)
      throw refusal(
        `Shard ${index} of ${count} was given twice, in ${same.name} and ${other.name}: give only one of them.`,
      );
    byIndex.set(index, other);
  }
  if (one.report.contract.digest !== contract.digest)
    throw refusal(
      `${one.name} was judged against another document, ${nameDocument(one.report.contract)}: pass that document with --contract.`,
    );
}

function isFuzzProbe(id: string): boolean {
  return /\/fuzz \d+: [a-z]+$/.test(id);
}

/** Numbers the exchanges of a shard as the merged report does, after `from` others, and judges them. */
function readShard(contract: Contract, given: Given, from: number): Shard {
  const { report } = given;
  const exchanges = report.exchanges.map((exchange) => ({
    ...exchange,
    index: exchange.index + from,
    ...(exchange.group === undefined ? {} : { group: `${from} ${exchange.group}` }),
  }));
  return {
    ...given,
    from,
    exchanges,
    said: new Map(
      report.verdicts.map((verdict) => [verdict.requirement.id, renumber(verdict, from)]),
    ),
    findings: findAll(contract, exchanges, report.target),
  };
}

/** A verdict on exchanges that have a place in a longer log, after so many others. */
function renumber(verdict: Verdict, from: number): Verdict {
  const move = <M extends Mismatch>(one: M): M => ({
    ...one,
    exchange: one.exchange + from,
    others: one.others.map((index) => index + from),
  });
  switch (verdict.kind) {
    case 'passed':
      return { ...verdict, exchanges: verdict.exchanges.map((index) => index + from) };
    case 'open': {
      const observations = verdict.observations.map((each) => ({
        ...each,
        exchange: each.exchange + from,
      }));
      return { ...verdict, observations };
    }
    case 'not-tested': {
      const { because, requirement } = verdict;
      if (because?.kind !== 'unclear') return verdict;
      return {
        ...verdict,
        ...notTested(requirement, { ...because, exchange: because.exchange + from }),
      };
    }
    case 'failed':
    case 'waived': {
      const failures = verdict.failures.map((failure): Failure => {
        const { shrunkFrom } = failure;
        return { ...move(failure), ...(shrunkFrom && { shrunkFrom: move(shrunkFrom) }) };
      });
      return { ...verdict, failures };
    }
  }
}

/**
 * What all shards come to: what their logs show, where the failures of their reports have the examples
 * that were found for them.
 */
function mergeVerdict(requirement: Requirement, shards: readonly Shard[]): Verdict {
  const { id } = requirement;
  const said = shards.flatMap(({ shard, said: verdicts }) => {
    const verdict = verdicts.get(id);
    return verdict === undefined ? [] : [{ shard, verdict }];
  });
  if (said.some(({ verdict }) => reasonOf(verdict)?.kind === 'not-selected'))
    return notTested(requirement, { kind: 'not-selected' });
  const failures = said.flatMap(({ verdict }) => failuresOf(verdict));
  if (failures.length > 0) return { kind: 'failed', requirement, failures };
  const findings = shards.flatMap((shard) => shard.findings.get(id) ?? []);
  return settleFindings(requirement, findings, () =>
    mergeReasons(
      said.flatMap(({ shard, verdict }) => {
        const because = reasonOf(verdict);
        return because === undefined ? [] : [{ shard: shard.index, because }];
      }),
    ),
  );
}

function reasonOf(verdict: Verdict): Reason | undefined {
  return verdict.kind === 'not-tested' ? verdict.because : undefined;
}

function failuresOf(verdict: Verdict): readonly Failure[] {
  return verdict.kind === 'failed' || verdict.kind === 'waived' ? verdict.failures : [];
}

/** A waiver changes nothing about what a shard saw. */
function kindOf({ kind }: Verdict): Exclude<Verdict['kind'], 'waived'> {
  return kind === 'waived' ? 'failed' : kind;
}

/**
 * An operation is unserved where no shard was served. What one shard could not judge, as it was too
 * large, no other one makes up for.
 */
function mergeUnserved(shards: readonly Shard[]): readonly Unserved[] {
  const unread = new Map(shards.flatMap(({ exchanges }) => [...listUnread(exchanges)]));
  const unserved = (shards[0]?.report.unserved ?? []).filter(
    ({ operation }) =>
      !unread.has(operation) &&
      shards.every(({ report }) => report.unserved.some((each) => each.operation === operation)),
  );
  return [...unread.values(), ...unserved];
}

function mergeRuns(shards: readonly Shard[]): RunFacts {
  const runs = shards.map(({ report }) => report.run);
  const begin = smallest(runs.map(({ startedAt }) => Date.parse(startedAt)));
  const end = largest(runs.map((run) => Date.parse(run.startedAt) + run.milliseconds));
  const early = shards.flatMap(({ shard, report: { run } }) =>
    run.endedEarly === undefined ? [] : [`${nameShards([shard.index])}: ${run.endedEarly}`],
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

/** What a merged report shows of its shards: which are missing, and what each one tested. */
function composeMergeFacts(shards: readonly Shard[], exchanges: readonly Exchange[]): MergeFacts {
  const { count = 0, fuzz = 0 } = shards[0]?.shard ?? {};
  const present = new Set(shards.map(({ shard }) => shard.index));
  const all = Array.from({ length: count }, (_, index) => index + 1);
  const dealt = shards.reduce((sum, { shard }) => sum + shard.share, 0);
  const rows = [...(shards[0]?.said.keys() ?? [])].map((id) => ({
    id,
    said: shards.flatMap(({ shard: { index }, said }) => {
      const verdict = said.get(id);
      return verdict === undefined ? [] : [{ index, verdict }];
    }),
  }));
  return {
    count,
    missing: all.filter((index) => !present.has(index)),
    fuzz: {
      wanted: fuzz,
      missing: Math.max(0, fuzz - dealt),
      sent: exchanges.filter(({ probe }) => isFuzzProbe(probe)).length,
    },
    shards: shards.map(({ shard, report, from }) => ({
      index: shard.index,
      outcome: report.outcome,
      plan: report.target.plan,
      tag: report.run.tag,
      requests: report.exchanges.length,
      from,
      endedEarly: report.run.endedEarly,
    })),
    verdicts: rows.map(({ id, said }) => {
      const byKind = Map.groupBy(said, ({ verdict }) => kindOf(verdict));
      const lists = [...byKind].map(([kind, some]) => [kind, some.map(({ index }) => index)]);
      return { id, ...Object.fromEntries(lists) };
    }),
    disagreements: rows.flatMap(({ id, said }) => listDisagreements(id, said)),
  };
}

/** Of an open question of which no choice fits what all shards saw, though one fits what some saw. */
function listDisagreements(
  id: string,
  said: readonly { readonly index: number; readonly verdict: Verdict }[],
): MergeFacts['disagreements'] {
  const seen = said.flatMap(({ index, verdict }) =>
    verdict.kind === 'open' ? [{ index, choices: commonChoices(verdict.observations) }] : [],
  );
  const shardsOf = (fits: (choices: readonly string[]) => boolean): readonly number[] =>
    seen.filter(({ choices }) => fits(choices)).map(({ index }) => index);
  const choices = [...new Set(seen.flatMap((each) => each.choices))].map((choice) => ({
    choice,
    shards: shardsOf((fitting) => fitting.includes(choice)),
  }));
  if (choices.length === 0 || choices.some(({ shards }) => shards.length === seen.length))
    return [];
  const others = shardsOf((fitting) => fitting.length === 0);
  const rest = others.length === 0 ? [] : [{ choice: undefined, shards: others }];
  return [{ question: id.replace('*/open.', ''), choices: [...choices, ...rest] }];
}
