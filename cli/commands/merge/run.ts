import { join, resolve } from 'node:path';
import { type Report, mergeReports } from '../../../conformance/index.ts';
import { describeMissing, reportFileName } from '../../../report/index.ts';
import { loadChosenContract } from '../../package/bundled.ts';
import { createCommand } from '../../io/command.ts';
import { argumentError } from '../../io/command-failure.ts';
import type { CommandIo } from '../../io/command-io.ts';
import type { CommandLine } from '../../io/flags.ts';
import { refuseReplacement } from '../../io/replacement.ts';
import { deliverReport, printReport, tryWriting } from '../../io/report-files.ts';
import { tellError } from '../../io/terminal.ts';
import { findInputs, readReportFile } from './inputs.ts';
import { mergeForm } from './options.ts';

/** `petstore merge`. Exit code 0 conforms, 1 failed, 2 inconclusive, as where a shard is missing. */
export const runMerge = createCommand(mergeForm, merge);

async function merge(
  { values, words }: CommandLine<typeof mergeForm.flags>,
  io: CommandIo,
): Promise<number> {
  if (words.length === 0)
    throw argumentError('Reports of shards are wanted: petstore merge shard-1 shard-2.');
  const { report: folder, allowMissing } = values;
  await refuseReplacement(values, 'server');
  const files = await findInputs(words, reportFileName);
  refuseInput(files, folder);
  const contract = await loadChosenContract(values.contract, values);
  const given = [];
  for (const file of files) given.push(await readReportFile(file, contract));
  const report = mergeReports(contract, given, { allowMissing });
  printReport(report, contract, values, io);
  tellMissing(report, io);
  const write = (): Promise<void> => deliverReport({ report, contract, folder }, io);
  if (!(await tryWriting('merge', io, write))) return 2;
  if (report.outcome === 'inconclusive') return 2;
  return report.outcome === 'conforms' ? 0 : 1;
}

/** What is read is not replaced. Throws `PetstoreError`. */
function refuseInput(files: readonly string[], folder: string | undefined): void {
  if (folder === undefined) return;
  const written = resolve(join(folder, reportFileName));
  if (files.some((file) => resolve(file) === written))
    throw argumentError(`${folder} holds one of the reports to merge: name another folder.`);
}

function tellMissing({ merge: facts }: Report, io: CommandIo): void {
  if (facts === undefined) return;
  const again = facts.missing.map((index) => `--shard ${index}/${facts.count}`).join(', ');
  for (const sentence of describeMissing(facts))
    tellError(io, 'merge', `${sentence} Run petstore conform ${again}, or give --allow-missing.`);
}
