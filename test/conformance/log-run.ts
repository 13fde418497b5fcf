import { isDeepStrictEqual } from 'node:util';
import { parseJson, renderJson } from '../../contract/json/value.ts';
import type { Contract } from '../../contract/contract.ts';
import { exchangeLog } from '../../conformance/transport/exchange.ts';
import type { RunReport } from '../../conformance/run/report.ts';
import { rerun, type Rerun } from '../../conformance/run/rerun.ts';
import { runRecord } from '../../conformance/run/settings.ts';

/** Runs the suite again over the log of a report that was written to JSON and read again. */
export async function rerunReport(contract: Contract, report: RunReport): Promise<Rerun> {
  const record = runRecord.read(parseJson(renderJson(runRecord.render(report.record))), '');
  const exchanges = exchangeLog.read(
    parseJson(renderJson(exchangeLog.render(report.exchanges))),
    '',
  );
  return await rerun(contract, record, exchanges);
}

/**
 * What a rerun over the log of a report complains of, and the members of the report in which it
 * differs. Empty for an honest log.
 */
export async function rerunDifferences(
  contract: Contract,
  report: RunReport,
): Promise<readonly string[]> {
  const again = await rerunReport(contract, report);
  const found = new Map<string, unknown>(Object.entries(again.report ?? {}));
  const members = Object.entries(report).filter(
    ([name, value]) => !isDeepStrictEqual(found.get(name), value),
  );
  return [
    ...again.departures.map(({ exchange, sentence }) => `${exchange}: ${sentence}`),
    ...members.map(([name]) => name),
  ];
}
