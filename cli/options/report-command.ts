import { type Certificate, settleLevel } from '../../certificate/index.ts';
import type { Report } from '../../conformance/index.ts';
import type { Contract } from '../../contract/index.ts';
import { renderBriefText, renderText } from '../../report/index.ts';
import type { CommandIo } from '../io/command-io.ts';
import { reportFileIn, tryWriting, writeReport } from '../io/report-files.ts';
import { layoutFor } from '../io/terminal.ts';
import { renderIssue, writeCertificate } from '../io/write-certificate.ts';
import { loadChosenContract } from '../package/bundled.ts';
import { type Command, createCommand } from './command.ts';
import {
  type CommandForm,
  type CommandLine,
  type FlagTable,
  type FlagValues,
  sharedFlags,
} from './flags.ts';

/** What every command takes that ends with a report. */
export const reportFlags = {
  ...sharedFlags,
  report: {
    value: '<folder>',
    help: 'Write report.json, report.html, junit.xml, summary.md and exchanges.har into this folder. Replaces an earlier report of the same kind and nothing else.',
  },
  force: {
    group: 'Verdict and report',
    help: 'Replace any file that has the name of an output file, certificates included.',
  },
  quiet: { group: 'Verdict and report', help: 'Print only the verdict and the failures.' },
} satisfies FlagTable;

type ReportValues = FlagValues<typeof reportFlags>;

/** What a command that ends with a report works with. */
export interface Reporting {
  readonly contract: Contract;
  /** Prints the report, writes its files and those of a certificate, and gives the exit code. */
  readonly finish: (report: Report, certificate?: () => Certificate) => Promise<number>;
}

/** A command that judges something by a document, and ends with a report. */
export function createReportCommand<Table extends FlagTable>(
  form: Omit<CommandForm<Table>, 'exits'>,
  judge: (
    line: CommandLine<Table & typeof reportFlags>,
    reporting: Reporting,
    io: CommandIo,
  ) => Promise<number>,
): Command {
  const flags = { ...form.flags, ...reportFlags };
  return createCommand({ ...form, flags, exits: ['conforms', 'failed'] }, async (line, io) => {
    const values: ReportValues = line.values;
    const contract = await loadChosenContract(values.contract, values);
    const finish: Reporting['finish'] = (report, certificate) =>
      finishReport({ command: form.name, report, contract, certificate }, values, io);
    return await judge(line, { contract, finish }, io);
  });
}

/** The exit code: 0 conforms, 1 failed, 2 inconclusive or not written. */
async function finishReport(
  {
    command,
    report,
    contract,
    certificate: compose,
  }: {
    readonly command: string;
    readonly report: Report;
    readonly contract: Contract;
    readonly certificate: (() => Certificate) | undefined;
  },
  { quiet, report: folder }: ReportValues,
  io: CommandIo,
): Promise<number> {
  const render = quiet ? renderBriefText : renderText;
  io.stdout.write(render(report, contract, layoutFor(io), reportFileIn(folder)));
  const certificate = compose?.();
  const isWritten = await tryWriting(command, io, async () => {
    await writeReport(report, contract, folder, io);
    if (certificate === undefined) return;
    await writeCertificate(certificate, contract, folder ?? '.');
    io.stdout.write(renderIssue(certificate, folder ?? '.'));
  });
  if (!isWritten || report.outcome === 'inconclusive') return 2;
  const outcome = certificate === undefined ? report.outcome : settleLevel(report);
  return outcome === 'conforms' ? 0 : 1;
}
