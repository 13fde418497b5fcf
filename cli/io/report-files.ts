import { existsSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Certificate, settleLevel } from '../../certificate/index.ts';
import type { Report } from '../../conformance/index.ts';
import { type Contract, isJsonObject } from '../../contract/index.ts';
import {
  listReportFiles,
  renderAnnotations,
  renderBriefText,
  renderMarkdown,
  renderText,
  reportFileName,
  reportFileNames,
} from '../../report/index.ts';
import { makeFolder } from '../../mock/state/folder.ts';
import { type Command, createCommand } from '../options/command.ts';
import {
  type CommandForm,
  type CommandLine,
  documentFlags,
  type FlagTable,
  type FlagValues,
} from '../options/flags.ts';
import { loadChosenContract } from '../package/bundled.ts';
import { argumentError, explainError } from './command-failure.ts';
import type { CommandIo } from './command-io.ts';
import { parseInput, readInput, writeWhole } from './file.ts';
import { layoutFor, tellError } from './terminal.ts';
import { certificateFileNames, renderIssue, writeCertificate } from './write-certificate.ts';

/** False, with one line on stderr, where what is written could not be. */
export async function tryWriting(
  command: string,
  io: CommandIo,
  write: () => Promise<void>,
): Promise<boolean> {
  // From here on a signal does not cut what is written.
  void io.signal;
  try {
    await write();
    return true;
  } catch (error) {
    const reason = explainError(error, io.env);
    tellError(io, command, `The report could not be written: ${reason}`);
    return false;
  }
}

/** Writes the files of a report, without those of a certificate. Throws the system's error. */
export async function writeReport(
  report: Report,
  contract: Contract,
  folder: string | undefined,
  io: CommandIo,
): Promise<void> {
  await tellWorkflow(report, contract, folder, io);
  if (folder === undefined) return;
  await makeFolder(folder);
  for (const { name, pieces } of listReportFiles(report, contract))
    await writeWhole(join(folder, name), pieces);
}

/** What every command takes that ends with a report. */
export const reportFlags = {
  contract: {
    value: '<file>',
    help: 'OpenAPI document to test against. Default: the bundled openapi.yaml.',
  },
  ...documentFlags,
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

/** In GitHub Actions: an annotation for each failed requirement, and the summary of the job. */
async function tellWorkflow(
  report: Report,
  contract: Contract,
  folder: string | undefined,
  { env, stdout, workflow = stdout }: CommandIo,
): Promise<void> {
  if (env['GITHUB_ACTIONS'] !== 'true') return;
  workflow.write(renderAnnotations(report, contract));
  const summary = env['GITHUB_STEP_SUMMARY'];
  if (summary) await appendFile(summary, renderMarkdown(report, contract, reportFileIn(folder)));
}

/** The file that holds the requests of replays; undefined where no folder is written. */
function reportFileIn(folder: string | undefined): string | undefined {
  return folder === undefined ? undefined : join(folder, reportFileName);
}

/** What a command is about to write. */
interface Writing {
  /** Folder of the report; undefined for no report. */
  readonly report: string | undefined;
  readonly certify?: boolean;
  /** Whatever exists may be replaced. */
  readonly force: boolean;
}

/**
 * Refuses, before a run that may take minutes, to replace what it must not: a certificate, and
 * files that are not of a report of the same kind. Throws `PetstoreError`.
 */
export async function refuseReplacement(
  { report, certify = false, force }: Writing,
  kind: 'server' | 'client',
): Promise<void> {
  const remedy = 'Use another folder with --report, or --force to replace it.';
  if (force) return;
  const certificate = certify ? findIn(report ?? '.', certificateFileNames) : undefined;
  if (certificate !== undefined)
    throw argumentError(`${certificate} is a certificate, and it already exists. ${remedy}`);
  const stray = report === undefined ? undefined : findIn(report, reportFileNames);
  if (report === undefined || stray === undefined) return;
  if ((await readKind(join(report, reportFileName))) !== kind)
    throw argumentError(`${stray} does not belong to a report on a ${kind}. ${remedy}`);
}

/** The first file of a folder by one of these names. */
function findIn(folder: string, names: readonly string[]): string | undefined {
  return names.map((name) => join(folder, name)).find((path) => existsSync(path));
}

/** What a file is a report on; undefined where it is none. */
async function readKind(file: string): Promise<'server' | 'client' | undefined> {
  try {
    const value = parseInput(await readInput(file));
    if (!isJsonObject(value) || value['format'] !== 'petstore-conformance-report/1')
      return undefined;
    return value['client'] === null ? 'server' : 'client';
  } catch {
    return undefined;
  }
}
