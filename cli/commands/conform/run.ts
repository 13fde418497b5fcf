import type { Contract } from '../../../contract/index.ts';
import type { Certificate } from '../../../certificate/index.ts';
import { type RunOptions, type RunReport, runConformance } from '../../../conformance/index.ts';
import { renderBriefText, renderText } from '../../../report/index.ts';
import { loadChosenContract } from '../../package/bundled-contract.ts';
import type { CommandIo } from '../../io/command-io.ts';
import { type ConformArguments, conformHelp, parseConformArguments } from './options.ts';
import { openCertifier, renderIssue, writeCertificate } from '../../io/write-certificate.ts';
import { runReplay } from './replay.ts';
import { writeSaved } from './saved.ts';
import { readRunOptions } from './run-options.ts';
import { tellWorkflow, writeReport } from '../../io/report-files.ts';
import { type OpenTarget, openTarget } from './target.ts';
import { createRunWatcher } from './watcher.ts';
import { explainFailure, guardCommand } from '../../io/command-failure.ts';
import { layoutFor } from '../../io/terminal.ts';

/**
 * `petstore conform`: judges a server. Exit code 0 conforms, 1 failed, 2 is inconclusive, with one
 * line on stderr.
 */
export function runConform(argv: readonly string[], io: CommandIo): Promise<number> {
  return guardCommand('conform', io, async () => {
    const wanted = parseConformArguments(argv, io.env);
    if (!wanted.wantsHelp) return await judge(wanted, io);
    io.stdout.write(conformHelp);
    return 0;
  });
}

async function judge(wanted: ConformArguments, io: CommandIo): Promise<number> {
  const contract = await loadChosenContract(wanted.contract);
  await using place = await openTarget(contract, wanted);
  const options = await readRunOptions(contract, wanted, place);
  if (wanted.replay !== undefined)
    return await runReplay(wanted.replay, contract, place, options, io);
  const certify = await openCertifier(wanted);
  const report = await run(contract, wanted, place, options, io);
  const layout = layoutFor(io.stdout, io.env);
  io.stdout.write(
    wanted.isQuiet
      ? renderBriefText(report, contract, layout)
      : renderText(report, contract, layout),
  );
  const certificate = certify?.(report);
  const isWritten = await deliver(report, contract, certificate, wanted, io);
  if (!isWritten) return 2;
  return (certificate?.predicate.level ?? report.outcome) === 'conforms' ? 0 : 1;
}

async function run(
  contract: Contract,
  wanted: ConformArguments,
  place: OpenTarget,
  options: RunOptions,
  io: CommandIo,
): Promise<RunReport> {
  using watching = createRunWatcher(contract, wanted, place, io);
  return await runConformance(contract, place.target, {
    ...options,
    signal: io.signal,
    watcher: watching.watcher,
  });
}

/**
 * Hands the report on to where it was wanted; false, with one line on stderr, where that did not
 * work.
 */
async function deliver(
  report: RunReport,
  contract: Contract,
  certificate: Certificate | undefined,
  wanted: ConformArguments,
  io: CommandIo,
): Promise<boolean> {
  try {
    await tellWorkflow(report, contract, io);
    if (wanted.save !== undefined) await writeSaved(report, wanted.save);
    if (wanted.report !== undefined) await writeReport(report, contract, wanted.report);
    if (certificate !== undefined) {
      const folder = wanted.report ?? '.';
      await writeCertificate(certificate, folder);
      io.stdout.write(renderIssue(certificate, folder));
    }
    return true;
  } catch (error) {
    const line = explainFailure(error);
    if (line === undefined) throw error;
    io.stderr.write(`petstore conform: The report could not be written: ${line}\n`);
    return false;
  }
}
