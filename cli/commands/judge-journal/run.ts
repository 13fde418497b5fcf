import { composeClientReport, judgeClient } from '../../../client/index.ts';
import { type Report } from '../../../conformance/index.ts';
import { renderBriefText, renderText } from '../../../report/index.ts';
import { type Contract, PetstoreError } from '../../../contract/index.ts';
import { loadChosenContract } from '../../package/bundled-contract.ts';
import { guardCommand } from '../../io/command-failure.ts';
import type { CommandIo } from '../../io/command-io.ts';
import { tellWorkflow, writeReport } from '../../io/report-files.ts';
import { type FoundJournal, findJournal } from './source.ts';
import {
  type JudgeJournalArguments,
  judgeJournalHelp,
  parseJudgeJournalArguments,
} from './options.ts';
import { layoutFor } from '../../io/terminal.ts';

/**
 * `petstore judge-journal`: judges a client by the journal of a mock. Exit code 0 conforms, 1
 * failed, 2 is inconclusive.
 */
export function runJudgeJournal(argv: readonly string[], io: CommandIo): Promise<number> {
  return guardCommand('judge-journal', io, async () => {
    const wanted = parseJudgeJournalArguments(argv);
    if (!wanted.wantsHelp) return await judge(wanted, io);
    io.stdout.write(judgeJournalHelp);
    return 0;
  });
}

async function judge(wanted: JudgeJournalArguments, io: CommandIo): Promise<number> {
  const contract = await loadChosenContract(wanted.contract);
  const found = await findJournal(contract, wanted);
  if (found.log.exchanges.length === 0)
    throw new PetstoreError(
      'argument',
      `There is nothing to judge: the journal of ${found.name} has no requests.`,
    );
  const report = compose(contract, found, wanted);
  const layout = layoutFor(io.stdout, io.env);
  io.stdout.write(
    wanted.isQuiet
      ? renderBriefText(report, contract, layout)
      : renderText(report, contract, layout),
  );
  await tellWorkflow(report, contract, io);
  if (wanted.report !== undefined) await writeReport(report, contract, wanted.report);
  return report.outcome === 'conforms' ? 0 : 1;
}

function compose(
  contract: Contract,
  { log, name, plan, isClockStill }: FoundJournal,
  { mock }: JudgeJournalArguments,
): Report {
  const times = log.exchanges.flatMap(({ sentAt, endedAt }) => [sentAt, endedAt]);
  const watched = { from: Math.min(...times), to: Math.max(...times) };
  const baseUrl = new URL(mock).origin + contract.basePath;
  return composeClientReport(
    contract,
    { name, baseUrl, plan, watched },
    log,
    judgeClient(contract, log, { scenarios: [], isClockStill }),
  );
}
