import type { Contract } from '../../contract/contract.ts';
import type { Requirement } from '../judge/trace/requirement.ts';
import type { Exchange } from '../transport/exchange.ts';
import type { RunWait } from '../transport/session.ts';
import type { MergeFacts, ShardFacts } from '../shard/shard.ts';
import { type DocumentFacts, describeLeftOut, type Unserved } from '../outcome/inconclusive.ts';
import type { RunRecord } from './options.ts';
import { applyWaivers, type Verdict, type WaiverResult } from '../judge/verdict.ts';
import type { Waiver } from '../judge/waiver.ts';

/** What was judged and what came of it; every output is rendered from it. Holds no key. */
export interface Report {
  readonly format: 'petstore-conformance-report/1';
  readonly contract: {
    readonly title: string;
    readonly version: string;
    readonly digest: string;
    readonly source: string;
    /** What of the document could not be read; left out where all of it was. */
    readonly leftOut?: DocumentFacts | undefined;
  };
  readonly target: {
    readonly baseUrl: string;
    readonly plan: string | undefined;
    /** The run had no key; left out where it had one. */
    readonly isKeyless?: boolean | undefined;
  };
  /** The client that was judged by what it sent; undefined where the target itself was. */
  readonly client: string | undefined;
  readonly run: RunFacts;
  /** Of traffic of others that was judged: what the verdicts do not tell; else left out. */
  readonly traffic?: TrafficFacts | undefined;
  /**
   * `conforms`: nothing failed but what a waiver in force covers. `inconclusive`: nothing failed, but
   * too little was tested to say so.
   */
  readonly outcome: 'conforms' | 'failed' | 'inconclusive';
  /** Why an inconclusive outcome is none, without a full stop; left out for the others. */
  readonly inconclusive?: string | undefined;
  /** For each operation that served no valid request, though it was asked: why, and what to do. */
  readonly unserved: readonly Unserved[];
  readonly counts: Readonly<Record<Verdict['kind'], number>>;
  /** One for each requirement, in the contract's order. */
  readonly verdicts: readonly Verdict[];
  /** Every waiver that was given, and what became of it. */
  readonly waivers: readonly WaiverResult[];
  /** Items that the run added and that are still there as far as it knows. */
  readonly leftBehind: readonly LeftBehind[];
  readonly exchanges: readonly Exchange[];
  /** About the shards that a report was merged from; left out for one of a single run. */
  readonly merge?: MergeFacts | undefined;
}

/** What was seen of traffic beside its verdicts. `exchanges` of the report holds a part of it. */
export interface TrafficFacts {
  /** Exchanges that were seen, and those of them that were judged. */
  readonly seen: number;
  readonly judged: number;
  /** What clients did, and what was not judged: it fails nobody. */
  readonly notes: readonly {
    readonly kind: string;
    readonly sentence: string;
    readonly count: number;
    readonly example: string;
  }[];
  /** How often requirements failed of which the report does not hold every failure. */
  readonly failures: readonly { readonly requirement: string; readonly count: number }[];
}

/** The report of a run of the suite. */
export interface RunReport extends Report {
  /** All that decided the run, to run it again over its log. In no output of a report. */
  readonly record: RunRecord;
}

/** The times of a single run, in milliseconds. */
export interface RunTimes {
  /** Every stretch for which the suite kept a request back, by its own clock. */
  readonly waits: readonly RunWait[];
  /** Their sum, as far as it passed; 0 where a clock was moved instead. */
  readonly waited: number;
  /** By which the clock of a mock in the same process was moved ahead instead of waiting, in all. */
  readonly clockMoved: number;
}

/** Of a report on a client: the time it was watched; seed, tag and budget mean nothing there. */
export interface RunFacts {
  readonly seed: number;
  readonly tag: string;
  readonly budget: number;
  readonly requests: number;
  /** Requests that the plan meant to send. */
  readonly planned: number;
  readonly startedAt: string;
  /** Time that passed, without that by which a clock was moved. */
  readonly milliseconds: number;
  /** Of a single run of the suite: its times; left out for others. */
  readonly times?: RunTimes | undefined;
  /** Why the run ended before its plan; undefined if it did not. */
  readonly endedEarly: string | undefined;
  /** Requests of the plan that were tested, and percent that have to be; left out where none are planned. */
  readonly tested?: number | undefined;
  readonly required?: number | undefined;
  /** Requests of a run without `--requests` that a smaller budget left out; left out where there are none. */
  readonly omitted?: number | undefined;
  /** Left out for a run that is not split. */
  readonly shard?: ShardFacts | undefined;
}

export interface LeftBehind {
  readonly resource: string;
  readonly id: string;
}

/** A verdict, as far as it is counted. */
interface Counted {
  readonly kind: Verdict['kind'];
  readonly requirement: Pick<Requirement, 'level'>;
}

/** Counts verdicts of each kind, for every output. An open question that was not asked is in no count. */
export function countVerdicts(verdicts: readonly Counted[]): Report['counts'] {
  const counts = { passed: 0, failed: 0, waived: 0, 'not-tested': 0, open: 0 };
  for (const verdict of verdicts)
    if (verdict.kind !== 'not-tested' || isNotTested(verdict)) counts[verdict.kind] += 1;
  return counts;
}

/** Whether a requirement was not tested: an open question that was not asked is none. */
export function isNotTested<V extends Counted>(
  verdict: V,
): verdict is Extract<V, { readonly kind: 'not-tested' }> {
  return verdict.kind === 'not-tested' && verdict.requirement.level !== 'open';
}

/** Whether a verdict fails the target: `should` requirements are reported only. */
export function isFailure(verdict: Verdict): boolean {
  return verdict.kind === 'failed' && verdict.requirement.level === 'must';
}

/** Whether a run fails: a failed requirement, or a waiver that is out of date or covers nothing. */
export function isFailedRun(
  verdicts: readonly Verdict[],
  waivers: readonly WaiverResult[],
): boolean {
  return (
    verdicts.some(isFailure) ||
    waivers.some(({ state }) => state === 'expired' || state === 'needless')
  );
}

/** What decides a report, besides what follows from it. */
interface ReportParts
  extends
    Pick<Report, 'target' | 'run' | 'exchanges'>,
    Partial<Pick<Report, 'client' | 'unserved' | 'leftBehind' | 'traffic' | 'merge'>> {
  readonly judged: readonly Verdict[];
  readonly waivers?: readonly Waiver[];
  /** By which waivers are out of date, milliseconds since the Unix epoch. */
  readonly now: number;
  /** Why only failures can be reported; not called where there are some. */
  readonly explainInconclusive: (verdicts: readonly Verdict[]) => string | undefined;
}

/** Applies waivers, counts and settles the outcome. */
export function assembleReport(
  contract: Contract,
  { judged, waivers = [], now, explainInconclusive, ...parts }: ReportParts,
): Report {
  const { verdicts, results } = applyWaivers(judged, waivers, now);
  // What one shard does not show another one may.
  const settled = results.map((each) =>
    parts.run.shard !== undefined && each.state === 'needless'
      ? { ...each, state: 'unreached' as const }
      : each,
  );
  const isFailed = isFailedRun(verdicts, settled);
  const inconclusive = isFailed ? undefined : explainInconclusive(verdicts);
  return {
    format: 'petstore-conformance-report/1',
    contract: describeContract(contract),
    client: undefined,
    unserved: [],
    leftBehind: [],
    ...parts,
    outcome: isFailed ? 'failed' : inconclusive === undefined ? 'conforms' : 'inconclusive',
    ...(inconclusive !== undefined && { inconclusive }),
    counts: countVerdicts(verdicts),
    verdicts,
    waivers: settled,
  };
}

/** The facts of a contract that a report names. */
function describeContract(contract: Contract): Report['contract'] {
  const { title, version, digest, source } = contract;
  const leftOut = describeLeftOut(contract);
  return { title, version, digest, source, ...(leftOut === undefined ? {} : { leftOut }) };
}
