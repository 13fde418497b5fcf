import { parseJson, renderJson, type Contract } from '../../contract/index.ts';
import { readExchanges, renderExchanges } from '../transport/exchange.ts';
import type { Report, RunReport } from '../run/report.ts';
import { rerun, type Rerun } from '../run/rerun.ts';
import { readRunRecord, renderRunRecord } from '../run/record.ts';

/** What a report says of a target: all that a rerun has to come to again. */
export type Sayings = Pick<
  Report,
  'run' | 'target' | 'outcome' | 'counts' | 'verdicts' | 'waivers' | 'leftBehind'
>;

/** The sayings of a report; undefined for none. */
export function sayingsOf(report: Report | undefined): Sayings | undefined {
  if (!report) return undefined;
  const { run, target, outcome, counts, verdicts, waivers, leftBehind } = report;
  return { run, target, outcome, counts, verdicts, waivers, leftBehind };
}

/** Runs the suite again over the log of a report that was written to JSON and read again. */
export async function rerunReport(contract: Contract, report: RunReport): Promise<Rerun> {
  const record = readRunRecord(parseJson(renderJson(renderRunRecord(report.record))));
  const exchanges = readExchanges(parseJson(renderJson(renderExchanges(report.exchanges))));
  return await rerun(contract, record, exchanges);
}
