import type { Contract } from '../contract/index.ts';
import type { Exchange } from './exchange.ts';
import type { Report } from './report.ts';
import type { RunRecord } from './run-record.ts';

/** What came of running the suite again over a log. */
export interface Rerun {
  /** The run told anew, from the answers alone; undefined where the log does not carry one to its end. */
  readonly report: Report | undefined;
  /** Empty: the log is what this suite sends, given these answers. */
  readonly departures: readonly Departure[];
}

/** Where a log is not what the suite would have sent, or when: something was edited, dropped, added or moved. */
export interface Departure {
  /** Position in the log; its length where the log ends too soon. */
  readonly exchange: number;
  /** What is wrong there, in one sentence. */
  readonly sentence: string;
}

/** Runs the suite again over a log. Never throws for what a log holds, and takes no time but its own. */
export function rerun(_contract: Contract, _record: RunRecord, exchanges: readonly Exchange[]): Promise<Rerun> {
  return Promise.resolve({ report: undefined, departures: [{ exchange: exchanges.length, sentence: 'The rerun is not built yet.' }] });
}
