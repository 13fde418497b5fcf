import type { Contract } from '../../contract/contract.ts';
import { hasCode } from '../../contract/error/petstore-error.ts';
import { executeRun } from './execute.ts';
import type { Exchange } from '../transport/exchange.ts';
import { createLogCarrier, LogDeparted, type Departure } from './log-carrier.ts';
import type { RunReport } from './report.ts';
import { renderRunRecord, type RunRecord } from './options.ts';
import { readWaivers } from '../judge/waiver.ts';

export type { Departure } from './log-carrier.ts';

/** What came of running the suite again over a log. */
export interface Rerun {
  /** The run told again; undefined where the log does not carry one to its end. */
  readonly report: RunReport | undefined;
  /** Empty: the log is what this suite sends, given these responses. */
  readonly departures: readonly Departure[];
}

/**
 * Runs the suite again over a log: each request that it wants to send has to be the next of the
 * log, and gets the response and times told there. Verdicts and counts come out again. Never
 * throws for what a log holds. Whether responses are true is for a signature to say; identifiers of
 * replays are packed by the machine's zlib, so those of two machines may differ.
 */
export async function rerun(
  contract: Contract,
  record: RunRecord,
  exchanges: readonly Exchange[],
): Promise<Rerun> {
  const carrier = createLogCarrier(exchanges, record);
  try {
    readWaivers(contract, renderRunRecord(record)['waivers'] ?? null);
    const report = await executeRun(contract, record, carrier);
    return {
      report,
      departures: [
        ...carrier.departures,
        ...listMoves(report),
        ...listEnd(record, exchanges, carrier.position()),
      ],
    };
  } catch (error) {
    const departure =
      error instanceof LogDeparted
        ? error.departure
        : { exchange: Math.min(carrier.position(), exchanges.length), sentence: explain(error) };
    return { report: undefined, departures: [...carrier.departures, departure] };
  }
}

/** A clock is moved over waits and by nothing else: the run did not take less time than that leaves. */
function listMoves({ run, record }: RunReport): readonly Departure[] {
  const waits = run.times?.waits ?? [];
  const waited = waits.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  // A fraction of a millisecond of each wait is rounded.
  if ((record.clockMoved ?? 0) <= waited + waits.length + 1) return [];
  const sentence = `The clock was moved by ${record.clockMoved} ms according to the record, but the log has waits of ${waited} ms.`;
  return [{ exchange: 0, sentence }];
}

/** Milliseconds after its start by which a run sends its first request; waivers go by the start. */
const mostDelay = 60_000;

function listEnd(
  { startedAt, endedAt }: RunRecord,
  exchanges: readonly Exchange[],
  end: number,
): readonly Departure[] {
  const [first] = exchanges;
  const isBackward =
    endedAt < startedAt ? [{ exchange: 0, sentence: 'The run ends before it starts.' }] : [];
  const isIdle = first !== undefined && first.sentAt - startedAt > mostDelay;
  const idle = 'The run starts long before its first request without a reason to wait.';
  if (isIdle) return [{ exchange: 0, sentence: idle }];
  if (end === exchanges.length) return isBackward;
  const sentence = `The suite is done after ${end} requests, but the log has ${exchanges.length - end} more.`;
  return [...isBackward, { exchange: end, sentence }];
}

/** Why a run over a log has no end: the record cannot be run, or the responses end it. */
function explain(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return hasCode(error, 'inconclusive')
    ? `Such a run would not have been judged: ${message}`
    : `The suite cannot run as the record says: ${message}`;
}
