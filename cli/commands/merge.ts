import { dirname, resolve } from 'node:path';
import { mergeReports, type NamedReport } from '../../conformance/index.ts';
import { describeMissing, reportFileName } from '../../report/index.ts';
import { argumentError } from '../io/command-failure.ts';
import { findInputs } from '../io/file.ts';
import { readReportFile } from '../io/report-file.ts';
import { printError } from '../io/command-io.ts';
import { createReportCommand } from '../report/report-command.ts';

/** `petstore merge`. Exit code 0 conforms, 1 failed, 2 inconclusive, also if a shard is missing. */
export const runMerge = createReportCommand(
  'server',
  {
    name: 'merge',
    usage: '<report> [<report> ...] [options]',
    description: [
      'Combines the reports of conform --shard into one. Pass report.json files, folders that contain one, or folders of such folders. Every log is checked again: a requirement fails if any shard fails it, and passes if a shard shows it and none contradicts it.',
    ],
    examples: [['results/ --report merged', 'Combine all reports below results.']],
    page: 'fuzzing.md',
    flags: {
      allowMissing: {
        help: 'Do not make the report inconclusive if a shard is missing. The report still says so.',
      },
    },
    readsForeignFiles: true,
  },
  async ({ values, words }, { contract, finish }, io) => {
    const { report: folder, allowMissing } = values;
    const files = await findInputs(words, reportFileName);
    if (folder !== undefined && files.some((file) => resolve(dirname(file)) === resolve(folder)))
      throw argumentError(
        `${folder} contains one of the shards to merge. Use another folder with --report.`,
      );
    const reports: NamedReport[] = [];
    // One after another, because each may be large.
    for (const name of files) reports.push({ name, report: await readReportFile(name, contract) });
    const report = mergeReports(contract, reports, { allowMissing });
    const { count = 0, missing = [] } = report.merge ?? {};
    const again = missing.map((index) => `--shard ${index}/${count}`).join(', ');
    const remedy = `Run npx petstore-contract conform ${again}, or pass --allow-missing.`;
    for (const sentence of report.merge ? describeMissing(report.merge) : [])
      printError(io, 'merge', `${sentence} ${remedy}`);
    return await finish(report);
  },
);
