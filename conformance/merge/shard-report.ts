import { PetstoreError } from '../../contract/error/petstore-error.ts';
import type { Report } from '../run/report.ts';
import type { ShardFacts } from '../shard/shard.ts';

/** A report to merge, by the name of its file. */
export interface NamedReport {
  readonly name: string;
  readonly report: Report;
}

/** A report of a shard. */
export interface ShardReport extends NamedReport {
  readonly shard: ShardFacts;
}

/**
 * The reports of the shards of one run, in order.
 * @throws {PetstoreError} with code `merge` where they are not of one run, or one is there twice
 */
export function readShards(given: readonly NamedReport[]): readonly ShardReport[] {
  const reports = given.map(readShard);
  const [first, ...others] = reports;
  if (first === undefined) throw refusal('There is no report to merge.');
  for (const other of others) refuseOtherRun(first, other);
  const byIndex = Map.groupBy(reports, ({ shard }) => shard.index);
  for (const [index, [one, another]] of byIndex)
    if (one !== undefined && another !== undefined)
      throw refusal(
        `Shard ${index} of ${one.shard.count} was given twice, in ${one.name} and ${another.name}: give only one of them.`,
      );
  refuseSharedParts(reports);
  return reports.toSorted((one, other) => one.shard.index - other.shard.index);
}

function readShard({ name, report }: NamedReport): ShardReport {
  const { shard } = report.run;
  if (report.client !== undefined) throw refusal(`${name} is a report on a client.`);
  if (report.merge !== undefined)
    throw refusal(`${name} is already merged: give the reports of the shards.`);
  if (shard === undefined)
    throw refusal(`${name} is the report of a whole run, not of a shard. Run conform --shard.`);
  if (shard.index > shard.count)
    throw refusal(`${name} says that it is shard ${shard.index} of ${shard.count}.`);
  return { name, report, shard };
}

/** What has to be the same in all shards: how it is called, and what it is in a report. */
const sameness: readonly (readonly [
  name: string,
  read: (shard: ShardReport) => string | number,
])[] = [
  ['shards', ({ shard }) => shard.count],
  ['the number of fuzzing requests', ({ shard }) => shard.fuzz],
  ['seed', ({ report }) => report.run.seed],
  ['document', ({ report }) => describeDocument(report)],
  ['target', ({ report }) => report.target.baseUrl],
  ['the version of the suite', ({ shard }) => shard.suite || 'not told'],
];

function describeDocument({ contract }: Report): string {
  return `${contract.title} ${contract.version}, SHA-256 ${contract.digest}`;
}

function refuseOtherRun(one: ShardReport, other: ShardReport): void {
  for (const [name, read] of sameness)
    if (read(one) !== read(other))
      throw refusal(
        `${one.name} and ${other.name} are not from the same run: ${name} is ${read(one)} in the first and ${read(other)} in the second.`,
      );
  if (one.shard.settings !== other.shard.settings)
    throw refusal(
      `${one.name} and ${other.name} are not from the same run: a setting that decides what is sent or judged differs, such as --requests, --only or --read-only.`,
    );
}

/** A part of the fuzzing falls to one shard: where two have it, one is not what it says. */
function refuseSharedParts(reports: readonly ShardReport[]): void {
  const senders = new Map<string, ShardReport>();
  for (const shardReport of reports)
    for (const probe of fuzzProbesOf(shardReport.report)) {
      const other = senders.get(probe);
      if (other !== undefined)
        throw refusal(
          `${other.name} and ${shardReport.name} both sent the probe "${probe}", which belongs to one shard only: one of them is not the shard that it says it is.`,
        );
      senders.set(probe, shardReport);
    }
}

/** The ids of the fuzzing probes that a report has exchanges of. */
function fuzzProbesOf({ exchanges }: Report): ReadonlySet<string> {
  return new Set(exchanges.flatMap(({ probe }) => (isFuzzProbe(probe) ? [probe] : [])));
}

/** Whether an id is one of a fuzzing probe. */
export function isFuzzProbe(id: string): boolean {
  return /\/fuzz \d+: [a-z]+$/.test(id);
}

/** Why reports cannot be merged. */
export function refusal(reason: string): PetstoreError {
  return new PetstoreError('merge', reason);
}
