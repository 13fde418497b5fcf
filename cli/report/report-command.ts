import { type Certificate, settleLevel } from '../../certificate/index.ts';
import type { Report } from '../../conformance/index.ts';
import type { Contract } from '../../contract/contract.ts';
import { renderBriefText, renderText } from '../../report/index.ts';
import { renderIssue, writeCertificate } from './certificate-files.ts';
import { type CommandIo, layoutFor } from '../io/command-io.ts';
import { explainWriting, reportFileIn, writeReport } from './report-files.ts';
import { loadChosenContract } from '../package/bundled.ts';
import { type Command, createCommand } from '../options/command.ts';
import {
  type CommandForm,
  type CommandLine,
  type FlagTable,
  type FlagValues,
  sharedFlags,
} from '../options/flags.ts';

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

/** What a command that ends with a report works with. */
export interface Reporting {
  readonly contract: Contract;
  /**
   * Prints the report, writes its files and those of a certificate. The exit code: 0 conforms, 1
   * failed, 2 inconclusive. Rejects with `PetstoreError` for what cannot be written.
   */
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
    const values: FlagValues<typeof reportFlags> = line.values;
    const { quiet, report: folder } = values;
    const contract = await loadChosenContract(values.contract, values);
    const finish: Reporting['finish'] = async (report, compose) => {
      const render = quiet ? renderBriefText : renderText;
      io.stdout.write(render(report, contract, layoutFor(io), reportFileIn(folder)));
      const certificate = compose?.();
      await explainWriting(io, async () => {
        await writeReport(report, contract, folder, io);
        if (certificate === undefined) return;
        await writeCertificate(certificate, contract, folder ?? '.');
        io.stdout.write(renderIssue(certificate, folder ?? '.'));
      });
      if (report.outcome === 'inconclusive') return 2;
      const outcome = certificate === undefined ? report.outcome : settleLevel(report);
      return outcome === 'conforms' ? 0 : 1;
    };
    return await judge(line, { contract, finish }, io);
  });
}
