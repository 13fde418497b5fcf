import { listRequirements } from '../family/requirements.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Finding, Mismatch } from '../judge/trace/finding.ts';
import { findAll, settleFindings, type Verdict, type Failure } from '../judge/verdict.ts';
import type { Exchange } from '../transport/exchange.ts';
import { refusal, type ShardReport } from './shard-report.ts';

/** A shard as its own log shows it, its exchanges numbered as in the merged report. */
export interface AuditedShard extends ShardReport {
  readonly exchanges: readonly Exchange[];
  readonly verdicts: ReadonlyMap<string, AuditedVerdict>;
}

/** A verdict of a shard that agrees with its log. */
export interface AuditedVerdict {
  readonly verdict: Verdict;
  /** Something in the log stands against the requirement, and no other exchange makes up for it. */
  readonly isContradicted: boolean;
}

/**
 * Judges the log of a shard again, by the document at hand.
 * @throws {PetstoreError} with code `merge` where a verdict is not what its log comes to
 */
export function auditShard(contract: Contract, shard: ShardReport, from: number): AuditedShard {
  const exchanges = renumberExchanges(shard.report.exchanges, from);
  const findings = findAll(contract, exchanges, shard.report.target);
  const said = new Map(
    shard.report.verdicts.map((verdict) => [
      verdict.requirement.id,
      renumberVerdict(verdict, from),
    ]),
  );
  const verdicts = new Map(
    listRequirements(contract).map((requirement) => {
      const { id } = requirement;
      const verdict = said.get(id);
      if (verdict === undefined)
        throw refusal(`${shard.name} has no verdict for ${id}: it was edited or cut off.`);
      const own = findings.get(id) ?? [];
      const again = settleFindings(requirement, own, () => ({ kind: 'not-shown' }));
      if (!isBacked(verdict, again))
        throw refusal(
          `${shard.name} says that ${id} is ${describe(verdict)}, but its exchanges show ${describe(again)}: it was edited, or made by another version of the suite.`,
        );
      return [
        id,
        { verdict: describeAgain(verdict, again, own), isContradicted: isUnclear(again, own) },
      ];
    }),
  );
  return { ...shard, exchanges, verdicts };
}

/** Whether the log comes to what is said; what was left out says nothing. */
function isBacked(said: Verdict, again: Verdict): boolean {
  if (said.kind === 'not-tested' && said.because?.kind === 'not-selected') return true;
  const kind = said.kind === 'waived' ? 'failed' : said.kind;
  return kind === again.kind && isSameSet(shownBy(said), shownBy(again));
}

/** The exchanges that a verdict rests on. */
function shownBy(verdict: Verdict): ReadonlySet<number> {
  switch (verdict.kind) {
    case 'passed':
      return new Set(verdict.exchanges);
    case 'failed':
    case 'waived':
      return new Set(verdict.failures.map(({ exchange }) => exchange));
    case 'open':
      return new Set(verdict.observations.map(({ exchange }) => exchange));
    case 'not-tested':
      return new Set();
  }
}

function isSameSet(one: ReadonlySet<number>, other: ReadonlySet<number>): boolean {
  return one.size === other.size && one.isSubsetOf(other);
}

/**
 * Reasons that name a request name it as the merged report numbers it; where the file has no facts,
 * there are those of the log.
 */
function describeAgain(said: Verdict, again: Verdict, own: readonly Finding[]): Verdict {
  if (said.kind !== 'not-tested' || said.because?.kind === 'not-selected') return said;
  return own.length > 0 || said.because === undefined ? again : said;
}

function isUnclear(again: Verdict, own: readonly Finding[]): boolean {
  return again.kind === 'not-tested' && own.some(({ kind }) => kind === 'unclear');
}

function describe({ kind }: Verdict): string {
  return kind === 'not-tested' ? 'not tested' : kind;
}

/** Exchanges as they stand in a longer log, after so many others. */
function renumberExchanges(exchanges: readonly Exchange[], from: number): readonly Exchange[] {
  return exchanges.map((exchange) => ({
    ...exchange,
    index: exchange.index + from,
    ...(exchange.group === undefined ? {} : { group: `${from} ${exchange.group}` }),
  }));
}

/** A verdict on exchanges that stand in a longer log, after so many others. */
function renumberVerdict(verdict: Verdict, from: number): Verdict {
  switch (verdict.kind) {
    case 'passed':
      return { ...verdict, exchanges: verdict.exchanges.map((index) => index + from) };
    case 'failed':
    case 'waived':
      return { ...verdict, failures: verdict.failures.map((each) => renumberFailure(each, from)) };
    case 'open':
      return {
        ...verdict,
        observations: verdict.observations.map((each) => ({
          ...each,
          exchange: each.exchange + from,
        })),
      };
    case 'not-tested':
      return verdict;
  }
}

function renumberFailure(failure: Failure, from: number): Failure {
  const { shrunkFrom } = failure;
  return {
    ...failure,
    ...renumberMismatch(failure, from),
    ...(shrunkFrom === undefined
      ? {}
      : { shrunkFrom: { ...shrunkFrom, ...renumberMismatch(shrunkFrom, from) } }),
  };
}

function renumberMismatch(
  { exchange, others }: Mismatch,
  from: number,
): Pick<Mismatch, 'exchange' | 'others'> {
  return { exchange: exchange + from, others: others.map((index) => index + from) };
}
