import { dirname, resolve } from 'node:path';
import { mergeReports, type NamedReport, type Report } from '../../conformance/index.ts';
import { describeMissing, reportFileName } from '../../report/index.ts';
import { argumentError } from '../io/command-failure.ts';
import type { CommandIo } from '../io/command-io.ts';
import { createCommand } from '../options/command.ts';
import { findInputs } from '../io/file.ts';
import { readReportFile } from '../io/report-file.ts';
import { type CommandForm, documentFlags, type FlagTable } from '../options/flags.ts';
import { finishReport, refuseReplacement } from '../io/report-files.ts';
import { reportFlags, verdictExits } from '../options/run-flags.ts';
import { tellError } from '../io/terminal.ts';
import { loadChosenContract } from '../package/bundled.ts';

const flags = {
  allowMissing: {
    help: 'Do not make the report inconclusive if a shard is missing. The report still says so.',
  },
  contract: {
    value: '<file>',
    help: 'OpenAPI document that the shards tested against. Default: the bundled openapi.yaml.',
  },
  ...documentFlags,
  ...reportFlags,
} satisfies FlagTable;

const mergeForm = {
  name: 'merge',
  takes: '<report> [<report> ...] [options]',
  about: [
    'Combines the reports of conform --shard into one. Give report.json files, folders that contain one, or folders of such folders. Every log is checked again: a requirement fails if any shard fails it, and passes if a shard shows it and none contradicts it.',
  ],
  examples: [['results/ --report merged', 'Combine all reports below results.']],
  page: 'fuzzing.md',
  flags,
  exits: verdictExits,
  readsForeignFiles: true,
} satisfies CommandForm;

/** `petstore merge`. Exit code 0 conforms, 1 failed, 2 inconclusive, as where a shard is missing. */
export const runMerge = createCommand(mergeForm, async ({ values, words }, io) => {
  const { report: folder, allowMissing } = values;
  await refuseReplacement(values, 'server');
  const files = await findInputs(words, reportFileName);
  if (folder !== undefined && files.some((file) => resolve(dirname(file)) === resolve(folder)))
    throw argumentError(
      `${folder} contains one of the shards to merge. Use another folder with --report.`,
    );
  const contract = await loadChosenContract(values.contract, values);
  const reports: NamedReport[] = [];
  // One after another: each may be large.
  for (const name of files) reports.push({ name, report: await readReportFile(name, contract) });
  const report = mergeReports(contract, reports, { allowMissing });
  tellMissing(report, io);
  return await finishReport('merge', report, contract, values, io);
});

function tellMissing({ merge: facts }: Report, io: CommandIo): void {
  if (facts === undefined) return;
  const again = facts.missing.map((index) => `--shard ${index}/${facts.count}`).join(', ');
  for (const sentence of describeMissing(facts))
    tellError(
      io,
      'merge',
      `${sentence} Run npx petstore-contract conform ${again}, or give --allow-missing.`,
    );
}
