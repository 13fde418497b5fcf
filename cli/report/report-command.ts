import { existsSync } from 'node:fs';
import { listWords } from '../../contract/list/list.ts';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../mock/state/folder.ts';
import { type Certificate, settleLevel } from '../../certificate/index.ts';
import type { Report } from '../../conformance/index.ts';
import type { Contract } from '../../contract/contract.ts';
import { isJsonObject } from '../../contract/json/value.ts';
import {
  listReportFiles,
  renderAnnotations,
  renderBriefText,
  renderMarkdown,
  renderText,
  reportFileName,
  reportFileNames,
} from '../../report/index.ts';
import { argumentError, explainError } from '../io/command-failure.ts';
import { type CommandIo, layoutFor } from '../io/command-io.ts';
import { parseInput, readInput, writeWhole } from '../io/file.ts';
import { type Command, createCommand } from '../options/command.ts';
import {
  type CommandDefinition,
  type CommandLine,
  type FlagTable,
  type FlagValues,
  sharedFlags,
} from '../options/flags.ts';
import { loadChosenContract } from '../package/bundled.ts';
import {
  certificateFileNames,
  renderCertificateSummary,
  writeCertificate,
} from './certificate-files.ts';

/** Options of every command that ends with a report. */
export const reportFlags = {
  ...sharedFlags,
  report: {
    value: '<folder>',
    help: `Write ${listWords(reportFileNames)} into this folder. Replaces an earlier report of the same kind and nothing else.`,
  },
  force: {
    group: 'Verdict and report',
    help: 'Replace any file that has the name of an output file, certificates included.',
  },
  quiet: { group: 'Verdict and report', help: 'Print only the verdict and the failures.' },
} satisfies FlagTable;

type ReportValues = FlagValues<typeof reportFlags>;

export interface Reporting {
  readonly contract: Contract;
  /**
   * Writes the files of a report and of a certificate. In GitHub Actions, also prints an annotation
   * per failed requirement and adds to the job summary. Rejects with `PetstoreError`.
   */
  readonly write: (report: Report, certificate?: Certificate) => Promise<void>;
  /**
   * Prints and writes a report. Returns the exit code: 0 conforms, 1 failed, 2 inconclusive.
   * Rejects with `PetstoreError` if a file cannot be written.
   */
  readonly finish: (report: Report, certificate?: () => Certificate) => Promise<number>;
}

/**
 * A command that judges something against a document, and ends with a report. Before it starts, it
 * checks that it may replace the output files, because a run may take minutes.
 *
 * @param subject what it judges
 */
export function createReportCommand<Table extends FlagTable>(
  subject: 'server' | 'client',
  definition: Omit<CommandDefinition<Table>, 'exitCodes'>,
  judge: (
    line: CommandLine<Table & typeof reportFlags>,
    reporting: Reporting,
    io: CommandIo,
  ) => Promise<number>,
): Command {
  const flags = { ...definition.flags, ...reportFlags };
  return createCommand(
    { ...definition, flags, exitCodes: ['conforms', 'failed'] },
    async (line, io) => {
      const values: ReportValues & { readonly certify?: boolean } = line.values;
      const { quiet, report: folder } = values;
      await refuseReplacement(values, subject);
      const contract = await loadChosenContract(values.contract, values);
      const file = folder === undefined ? undefined : join(folder, reportFileName);
      const writeAll = async (report: Report, certificate?: Certificate): Promise<void> => {
        const { env, stdout, workflow = stdout } = io;
        if (env['GITHUB_ACTIONS'] === 'true') {
          workflow.write(renderAnnotations(report, contract));
          const summary = env['GITHUB_STEP_SUMMARY'];
          if (summary) await appendFile(summary, renderMarkdown(report, contract, file));
        }
        if (folder !== undefined) {
          await makeFolder(folder);
          for (const { name, pieces } of listReportFiles(report, contract))
            await writeWhole(join(folder, name), pieces);
        }
        if (certificate === undefined) return;
        await writeCertificate(certificate, contract, folder ?? '.');
        stdout.write(renderCertificateSummary(certificate, folder ?? '.'));
      };
      const write: Reporting['write'] = async (report, certificate) => {
        // From here on a signal does not interrupt writing.
        void io.signal;
        await writeAll(report, certificate).catch((error: unknown) => {
          const reason = explainError(error, io.env);
          throw argumentError(`The report could not be written: ${reason}`, error);
        });
      };
      const finish: Reporting['finish'] = async (report, compose) => {
        const render = quiet ? renderBriefText : renderText;
        io.stdout.write(render(report, contract, layoutFor(io), file));
        const certificate = compose?.();
        await write(report, certificate);
        if (report.outcome === 'inconclusive') return 2;
        const outcome = certificate === undefined ? report.outcome : settleLevel(report);
        return outcome === 'conforms' ? 0 : 1;
      };
      return await judge(line, { contract, write, finish }, io);
    },
  );
}

/**
 * Refuses to replace a certificate, or files that do not belong to a report on the same subject.
 * Throws `PetstoreError`.
 */
async function refuseReplacement(
  { report, certify = false, force }: ReportValues & { readonly certify?: boolean },
  subject: 'server' | 'client',
): Promise<void> {
  if (force) return;
  const remedy = 'Use another folder with --report, or --force to replace it.';
  const certificate = certify ? findIn(report ?? '.', certificateFileNames) : undefined;
  if (certificate !== undefined)
    throw argumentError(`${certificate} is a certificate, and it already exists. ${remedy}`);
  const stray = report === undefined ? undefined : findIn(report, reportFileNames);
  if (stray !== undefined && (await readSubject(join(report ?? '.', reportFileName))) !== subject)
    throw argumentError(`${stray} does not belong to a report on a ${subject}. ${remedy}`);
}

/** The first existing file of these names in a folder. */
function findIn(folder: string, names: readonly string[]): string | undefined {
  return names.map((name) => join(folder, name)).find((path) => existsSync(path));
}

/** The subject of a report file; undefined if it is not a report. */
async function readSubject(file: string): Promise<'server' | 'client' | undefined> {
  const value = await readInput(file)
    .then(parseInput)
    .catch(() => undefined);
  if (!isJsonObject(value) || value['format'] !== 'petstore-conformance-report/1') return undefined;
  return value['client'] === null ? 'server' : 'client';
}
