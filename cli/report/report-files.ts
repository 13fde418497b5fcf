import { existsSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Report } from '../../conformance/index.ts';
import type { Contract } from '../../contract/contract.ts';
import { isJsonObject } from '../../contract/json/value.ts';
import { makeFolder } from '../../mock/state/folder.ts';
import {
  listReportFiles,
  renderAnnotations,
  renderMarkdown,
  reportFileName,
  reportFileNames,
} from '../../report/index.ts';
import { argumentError, explainError } from '../io/command-failure.ts';
import type { CommandIo } from '../io/command-io.ts';
import { parseInput, readInput, writeWhole } from '../io/file.ts';
import { certificateFileNames } from './certificate-files.ts';

/** Writes something of a report. Rejects with `PetstoreError` for what cannot be written. */
export async function explainWriting(io: CommandIo, write: () => Promise<void>): Promise<void> {
  // From here on a signal does not cut what is written.
  void io.signal;
  try {
    await write();
  } catch (error) {
    throw argumentError(`The report could not be written: ${explainError(error, io.env)}`, error);
  }
}

/**
 * Writes the files of a report, without those of a certificate; in GitHub Actions also an annotation
 * for each failed requirement, and the summary of the job. Throws the system's error.
 */
export async function writeReport(
  report: Report,
  contract: Contract,
  folder: string | undefined,
  { env, stdout, workflow = stdout }: CommandIo,
): Promise<void> {
  const isWorkflow = env['GITHUB_ACTIONS'] === 'true';
  const summary = env['GITHUB_STEP_SUMMARY'];
  if (isWorkflow) workflow.write(renderAnnotations(report, contract));
  if (isWorkflow && summary)
    await appendFile(summary, renderMarkdown(report, contract, reportFileIn(folder)));
  if (folder === undefined) return;
  await makeFolder(folder);
  for (const { name, pieces } of listReportFiles(report, contract))
    await writeWhole(join(folder, name), pieces);
}

/** The file that holds the requests of replays; undefined where no folder is written. */
export function reportFileIn(folder: string | undefined): string | undefined {
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
  if (force) return;
  const remedy = 'Use another folder with --report, or --force to replace it.';
  const certificate = certify ? findIn(report ?? '.', certificateFileNames) : undefined;
  if (certificate !== undefined)
    throw argumentError(`${certificate} is a certificate, and it already exists. ${remedy}`);
  const stray = report === undefined ? undefined : findIn(report, reportFileNames);
  if (stray !== undefined && (await readKind(join(report ?? '.', reportFileName))) !== kind)
    throw argumentError(`${stray} does not belong to a report on a ${kind}. ${remedy}`);
}

/** The first file of a folder by one of these names. */
function findIn(folder: string, names: readonly string[]): string | undefined {
  return names.map((name) => join(folder, name)).find((path) => existsSync(path));
}

/** What a file is a report on; undefined where it is none. */
async function readKind(file: string): Promise<'server' | 'client' | undefined> {
  const value = await readInput(file)
    .then(parseInput)
    .catch(() => undefined);
  if (!isJsonObject(value) || value['format'] !== 'petstore-conformance-report/1') return undefined;
  return value['client'] === null ? 'server' : 'client';
}
