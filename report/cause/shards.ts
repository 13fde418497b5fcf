import type { Contract } from '../../contract/index.ts';
import {
  type Failure,
  type Report,
  type Verdict,
  nameShards,
  once,
} from '../../conformance/index.ts';
import type { Cause, CauseFinding } from './cause.ts';
import { causesOf } from './causes.ts';
import { sortCauses } from './order.ts';

/**
 * The causes of the failures of a report. In one that was merged each shard is explained by its own
 * log, since items and limits are those of its key; what several shards show is told once. Pure;
 * each file of a report asks for them, and they are found once.
 */
export function causesIn(report: Report, contract: Contract): readonly Cause[] {
  return causesBy(contract)(report);
}

const causesBy = once((contract: Contract) => once((report: Report) => find(report, contract)));

function find(report: Report, contract: Contract): readonly Cause[] {
  const { merge, verdicts, exchanges } = report;
  if (merge === undefined) return causesOf(contract, verdicts, exchanges);
  const found = merge.shards.flatMap(({ index, from, requests }) => {
    const own = verdicts.flatMap((verdict) => partOf(verdict, from, from + requests));
    const causes = causesOf(contract, own, exchanges.slice(from, from + requests));
    return causes.map((cause) => ({ cause, index }));
  });
  const alike = Map.groupBy(
    found,
    ({ cause }) => `${cause.fact.kind} ${cause.findings[0].requirement.id}`,
  );
  return sortCauses([...alike.values()].flatMap(join), contract);
}

/** The failures of a verdict that are of exchanges from one place on, up to another. */
function partOf(verdict: Verdict, from: number, to: number): readonly Verdict[] {
  if (verdict.kind !== 'failed') return [];
  const failures = verdict.failures.filter(({ exchange }) => exchange >= from && exchange < to);
  return failures.length === 0 ? [] : [{ ...verdict, failures }];
}

interface Found {
  readonly cause: Cause;
  /** The shard that shows it. */
  readonly index: number;
}

/** One cause of what several shards show; its sentence counts what the first one sent. */
function join([first, ...others]: readonly Found[]): readonly Cause[] {
  if (first === undefined) return [];
  const { cause, index } = first;
  const [head, ...effects] = [first, ...others].flatMap((each) => each.cause.findings);
  if (head === undefined) return [];
  const also = others.map((each) => each.index).filter((each) => each !== index);
  const rest =
    also.length === 0
      ? ''
      : ` ${capitalise(nameShards([...new Set(also)]))} ${also.length === 1 ? 'shows' : 'show'} it too.`;
  return [
    {
      fact: cause.fact,
      sentence: `In ${nameShards([index])}: ${cause.sentence}${rest}`,
      findings: joinFindings(head, effects),
      exchanges: cause.exchanges,
    },
  ];
}

function joinFindings(head: CauseFinding, effects: readonly CauseFinding[]): Cause['findings'] {
  const byRequirement = Map.groupBy(effects, ({ requirement }) => requirement.id);
  const own = byRequirement.get(head.requirement.id) ?? [];
  byRequirement.delete(head.requirement.id);
  return [
    addFailures(head, own),
    ...[...byRequirement.values()].flatMap(([one, ...more]) =>
      one === undefined ? [] : [addFailures(one, more)],
    ),
  ];
}

function addFailures(
  { requirement, failures: [first, ...rest] }: CauseFinding,
  more: readonly CauseFinding[],
): CauseFinding {
  const others: readonly Failure[] = more.flatMap(({ failures }) => failures);
  return { requirement, failures: [first, ...rest, ...others] };
}

function capitalise(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
