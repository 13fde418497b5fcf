import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Report } from '../../conformance/index.ts';
import { renderAnnotations, renderMarkdown, renderReportFiles } from '../../report/index.ts';
import type { Contract } from '../../contract/index.ts';
import type { CommandIo } from './command-io.ts';

/**
 * Writes the files of a report into a folder, which is made where it is missing; files of the same
 * names are replaced. Throws the system's error.
 */
export async function writeReport(
  report: Report,
  contract: Contract,
  folder: string,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const { name, text } of renderReportFiles(report, contract))
    await writeFile(join(folder, name), text);
}

/**
 * Tells a workflow of GitHub Actions: an annotation for each failed requirement, and the summary of the
 * job. Does nothing elsewhere.
 */
export async function tellWorkflow(
  report: Report,
  contract: Contract,
  { env, stdout }: CommandIo,
): Promise<void> {
  if (env['GITHUB_ACTIONS'] !== 'true') return;
  stdout.write(renderAnnotations(report, contract));
  const summary = env['GITHUB_STEP_SUMMARY'];
  if (summary) await appendFile(summary, renderMarkdown(report, contract));
}
