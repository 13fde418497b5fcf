import { dirname, resolve } from 'node:path';
import type { Certificate } from '../../../certificate/index.ts';
import { type NamedReport, type Report, mergeReports } from '../../../conformance/index.ts';
import type { Contract } from '../../../contract/index.ts';
import { describeMissing, reportFileName } from '../../../report/index.ts';
import { loadChosenContract } from '../../package/bundled.ts';
import { readCertifyArguments } from '../../io/certify-flags.ts';
import { createCommand } from '../../io/command.ts';
import { argumentError } from '../../io/command-failure.ts';
import type { CommandIo } from '../../io/command-io.ts';
import type { CommandLine } from '../../io/flags.ts';
import { findInputs } from '../../input/find.ts';
import { refuseReplacement } from '../../io/replacement.ts';
import { deliverReport, printReport, tryWriting } from '../../io/report-files.ts';
import { tellError } from '../../io/terminal.ts';
import { openMergedCertifier, readShardCertificates } from './certificates.ts';
import { readReportFile } from './inputs.ts';
import { mergeForm } from './options.ts';

/** `petstore merge`. Exit code 0 conforms, 1 failed, 2 inconclusive, as where a shard is missing. */
export const runMerge = createCommand(mergeForm, merge);

type MergeLine = CommandLine<typeof mergeForm.flags>;

async function merge({ values, words, typed }: MergeLine, io: CommandIo): Promise<number> {
  if (words.length === 0)
    throw argumentError('Reports of shards are wanted: petstore merge shard-1 shard-2.');
  const { report: folder, allowMissing, certify } = values;
  const wanted = readCertifyArguments(values, typed);
  await refuseReplacement({ report: folder, certify, force: values.force }, 'server');
  const files = await findInputs(words, certify ? 'certificate.json' : reportFileName);
  refuseInput(files, folder, certify);
  const compose = wanted && (await openMergedCertifier(wanted));
  const contract = await loadChosenContract(values.contract, values);
  const shards = wanted && (await readShardCertificates(contract, files, wanted));
  const given = shards ?? (await readReports(contract, files));
  const report = mergeReports(contract, given, { allowMissing });
  printReport(report, contract, values, io);
  tellMissing(report, io);
  const certificate = shards && compose?.(report, shards);
  const write = (): Promise<void> => deliverReport({ report, contract, certificate, folder }, io);
  if (!(await tryWriting('merge', io, write))) return 2;
  return exitCodeOf(report, certificate);
}

function exitCodeOf({ outcome }: Report, certificate: Certificate | undefined): number {
  if (outcome === 'inconclusive') return 2;
  return (certificate?.predicate.level ?? outcome) === 'conforms' ? 0 : 1;
}

async function readReports(
  contract: Contract,
  files: readonly string[],
): Promise<readonly NamedReport[]> {
  const reports: NamedReport[] = [];
  for (const file of files) reports.push(await readReportFile(file, contract));
  return reports;
}

/** What is read is not replaced. Throws `PetstoreError`. */
function refuseInput(files: readonly string[], folder: string | undefined, certify: boolean): void {
  const written = folder ?? (certify ? '.' : undefined);
  if (written === undefined) return;
  if (files.some((file) => resolve(dirname(file)) === resolve(written)))
    throw argumentError(
      `${written} holds one of the shards to merge: name another folder (--report).`,
    );
}

function tellMissing({ merge: facts }: Report, io: CommandIo): void {
  if (facts === undefined) return;
  const again = facts.missing.map((index) => `--shard ${index}/${facts.count}`).join(', ');
  for (const sentence of describeMissing(facts))
    tellError(io, 'merge', `${sentence} Run petstore conform ${again}, or give --allow-missing.`);
}
