import type { Contract } from '../../../contract/index.ts';
import { type RunOptions, type RunReport, runConformance } from '../../../conformance/index.ts';
import { loadChosenContract } from '../../package/bundled.ts';
import type { CommandIo } from '../../io/command-io.ts';
import {
  type ConformArguments,
  conformForm,
  readConformArguments,
  readRunOptions,
} from './options.ts';
import { openCertifier, refuseLongRun } from '../../io/write-certificate.ts';
import { runReplay } from './replay.ts';
import { writeSaved } from './saved.ts';
import { refuseReplacement } from '../../io/replacement.ts';
import { deliverReport, printReport, tryWriting } from '../../io/report-files.ts';
import type { OpenTarget } from '../../conformance/embedded-mock.ts';
import { openTarget } from './target.ts';
import { createRunWatcher } from './watcher.ts';
import { createCommand } from '../../io/command.ts';

/** `petstore conform`: judges a server. Exit code 0 conforms, 1 failed, 2 inconclusive. */
export const runConform = createCommand(conformForm, (line, io) =>
  judge(readConformArguments(line), io),
);

async function judge(wanted: ConformArguments, io: CommandIo): Promise<number> {
  const contract = await loadChosenContract(wanted.contract, wanted);
  await using place = await openTarget(contract, wanted);
  const options = await readRunOptions(contract, wanted, place);
  if (wanted.replay !== undefined)
    return await runReplay(wanted.replay, contract, place, options, io);
  await refuseReplacement(wanted, 'server');
  const certify = await openCertifier(wanted.certify);
  if (certify !== undefined) refuseLongRun(options);
  const report = await run(contract, wanted, place, options, io);
  const isPrinted = await tryWriting(
    'conform',
    io,
    () => new Promise<void>((resolve) => resolve(printReport(report, contract, wanted, io))),
  );
  const certificate = certify?.(report);
  const { save, report: folder } = wanted;
  const write = async (): Promise<void> => {
    if (save !== undefined) await writeSaved(report, save);
    await deliverReport({ report, contract, certificate, folder }, io);
  };
  if (!(await tryWriting('conform', io, write)) || !isPrinted) return 2;
  if (report.outcome === 'inconclusive') return 2;
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
  const unjudged: RunReport[] = [];
  try {
    return await runConformance(
      contract,
      place.target,
      { ...options, signal: io.signal, watcher: watching.watcher },
      (report) => void unjudged.push(report),
    );
  } catch (error) {
    const [report] = unjudged;
    const { report: folder } = wanted;
    if (report !== undefined)
      await tryWriting('conform', io, () => deliverReport({ report, contract, folder }, io));
    throw error;
  }
}
