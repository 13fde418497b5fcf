import { composeClientReport, judgeClient } from '../../../client/index.ts';
import type { Report } from '../../../conformance/index.ts';
import type { Contract } from '../../../contract/index.ts';
import { loadChosenContract } from '../../package/bundled.ts';
import { createCommand } from '../../io/command.ts';
import type { CommandIo } from '../../io/command-io.ts';
import { refuseReplacement } from '../../io/replacement.ts';
import { deliverReport, printReport } from '../../io/report-files.ts';
import { type FoundJournal, findJournal } from './source.ts';
import {
  type JudgeJournalArguments,
  judgeJournalForm,
  readJudgeJournalArguments,
} from './options.ts';
import { argumentError } from '../../io/command-failure.ts';

/** `petstore judge-journal`. Exit code 0 conforms, 1 failed, 2 inconclusive. */
export const runJudgeJournal = createCommand(judgeJournalForm, (line, io) =>
  judgeJournal(readJudgeJournalArguments(line), io),
);

/** Judges a client by the journal that is wanted. Rejects with `PetstoreError`. */
export async function judgeJournal(wanted: JudgeJournalArguments, io: CommandIo): Promise<number> {
  await refuseReplacement(wanted, 'client');
  const contract = await loadChosenContract(wanted.contract, wanted);
  const found = await findJournal(contract, wanted);
  if (found.log.exchanges.length === 0)
    throw argumentError(`There is nothing to judge: the journal of ${found.name} has no requests.`);
  const report = compose(contract, found, wanted.mock);
  printReport(report, contract, wanted, io);
  await deliverReport({ report, contract, folder: wanted.report }, io);
  return { conforms: 0, failed: 1, inconclusive: 2 }[report.outcome];
}

function compose(
  contract: Contract,
  { log, name, plan, isClockStill }: FoundJournal,
  mock: string,
): Report {
  const watched = { from: Infinity, to: -Infinity };
  for (const { sentAt, endedAt } of log.exchanges) {
    watched.from = Math.min(watched.from, sentAt, endedAt);
    watched.to = Math.max(watched.to, sentAt, endedAt);
  }
  const baseUrl = new URL(mock).origin + contract.basePath;
  const verdicts = judgeClient(contract, log, { scenarios: [], isClockStill });
  return composeClientReport(contract, { name, baseUrl, plan, watched }, log, verdicts);
}
