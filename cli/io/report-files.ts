import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Certificate } from '../../certificate/index.ts';
import { type Report } from '../../conformance/index.ts';
import {
  renderAnnotations,
  renderBriefText,
  renderMarkdown,
  listReportFiles,
  renderText,
  reportFileName,
} from '../../report/index.ts';
import type { Contract } from '../../contract/index.ts';
import { explainFailure, explainFault } from './command-failure.ts';
import type { CommandIo } from './command-io.ts';
import { layoutFor, tellError } from './terminal.ts';
import { writeWhole } from '../output/write-whole.ts';
import { renderIssue, writeCertificate } from './write-certificate.ts';

/**
 * Prints a report; of a quiet one the verdict and the failures. `report` is the folder that its
 * files are written to.
 */
export function printReport(
  report: Report,
  contract: Contract,
  { quiet, report: folder }: { readonly quiet: boolean; readonly report: string | undefined },
  io: CommandIo,
): void {
  const render = quiet ? renderBriefText : renderText;
  io.stdout.write(render(report, contract, layoutFor(io), reportFileIn(folder)));
}

export interface ReportDelivery {
  readonly report: Report;
  readonly contract: Contract;
  readonly certificate?: Certificate | undefined;
  /** Folder for the files of the report; undefined for none. */
  readonly folder: string | undefined;
}

/** Hands a report on to where it was wanted. Throws the system's error. */
export async function deliverReport(
  { report, contract, certificate, folder }: ReportDelivery,
  io: CommandIo,
): Promise<void> {
  await tellWorkflow(report, contract, folder, io);
  if (folder !== undefined) {
    await mkdir(folder, { recursive: true });
    await writeFiles(report, contract, folder);
  }
  if (certificate === undefined) return;
  await writeCertificate(certificate, folder ?? '.');
  io.stdout.write(renderIssue(certificate, folder ?? '.'));
}

/** One that cannot be made does not keep the others from being written. Throws for the first such. */
async function writeFiles(report: Report, contract: Contract, folder: string): Promise<void> {
  const failed: unknown[] = [];
  for (const { name, pieces } of listReportFiles(report, contract))
    await writeWhole(join(folder, name), pieces).catch((error: unknown) => failed.push(error));
  const [first] = failed;
  if (first !== undefined) throw first;
}

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
    const line = explainFailure(error) ?? explainFault(error, io.env);
    tellError(io, command, `The report could not be written: ${line}`);
    return false;
  }
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
