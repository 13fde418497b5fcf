import type { Contract } from '../../contract/contract.ts';
import { hasCode } from '../../contract/error/petstore-error.ts';
import { executeRun, planSettled } from './execute.ts';
import type { Exchange } from '../transport/exchange.ts';
import type { RunReport } from './report.ts';
import { type RunRecord, runRecord } from './settings.ts';
import { readWaivers, refuseUnbounded } from '../judge/waiver.ts';
import {
  type Carrier,
  type Start,
  type Tell,
  differenceOf,
  isAlike,
  type Draft,
} from '../transport/carrier.ts';
import { redactedKey } from '../transport/redaction.ts';
import { tellCount } from '../transport/body-intake.ts';
import { endOfTime } from '../transport/pacing.ts';

/** Where a log is not what the suite would have sent, or when. */
export interface Departure {
  /** Position in the log; its length where the log ends too soon; undefined for the log as a whole. */
  readonly exchange: number | undefined;
  /** What is wrong there, in one sentence. */
  readonly sentence: string;
}

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
    readWaivers(contract, runRecord.render(record)['waivers'] ?? null);
    refuseUnbounded(contract, record.waivers, record.startedAt);
    const report = await executeRun(contract, record, carrier, planSettled(contract, record));
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

/** The suite wants to send what the log does not have: there is no response to go on with. */
class LogDeparted extends Error {
  override readonly name = 'LogDeparted';
  readonly departure: Departure;
  constructor(departure: Departure) {
    super(departure.sentence);
    this.departure = departure;
  }
}

/** A carrier that answers from a log, and in no time. */
interface LogCarrier extends Carrier {
  /** Exchanges of the log that were asked for so far. */
  readonly position: () => number;
  /** Times and sizes that cannot have been. */
  readonly departures: readonly Departure[];
}

/** Creates the carrier of a logged run; `carry` rejects with `LogDeparted` for any other draft. */
function createLogCarrier(
  log: readonly Exchange[],
  { startedAt, endedAt, clockMoved, timeLimit = Infinity, maxResponseBytes = Infinity }: RunRecord,
): LogCarrier {
  const departures: Departure[] = [];
  let position = 0;
  let ended = startedAt;
  const note = (sentence: string): void => void departures.push({ exchange: position, sentence });

  const judgeTimes = (exchange: Exchange, begun: number, notBefore: number): void => {
    if (exchange.sentAt < begun) note('It was sent before the run reached it.');
    else if (exchange.sentAt < notBefore)
      note(
        `It was sent ${notBefore - exchange.sentAt} ms before the end of the wait that earlier responses require.`,
      );
    if (exchange.sentAt >= startedAt + timeLimit) note('It was sent after the end of the run.');
    if (exchange.endedAt < exchange.sentAt) note('Its response came before it was sent.');
    else if (exchange.endedAt < ended)
      note('Its response came before that of the previous entry in the log.');
    if (exchange.endedAt > endedAt) note('Its response came after the end of the run.');
  };
  const carry = (drafts: readonly Draft[], { notBefore }: Start, tell: Tell): void => {
    const begun = ended;
    const open = [...drafts];
    if (notBefore >= startedAt + timeLimit) throw endOfTime(timeLimit, true);
    while (open.length > 0) {
      const exchange = log[position];
      const draft = exchange && open.find((each) => isAlike(each, exchange));
      if (exchange === undefined && endedAt >= startedAt + timeLimit) throw endOfTime(timeLimit);
      if (!draft)
        throw new LogDeparted({ exchange: position, sentence: tellDeparture(open, log, position) });
      open.splice(open.indexOf(draft), 1);
      judgeTimes(exchange, begun, notBefore);
      if (leastBytes(exchange.outcome, maxResponseBytes) > maxResponseBytes)
        note(
          `Its body has more than the ${tellCount(maxResponseBytes)} bytes that the run says it reads at most.`,
        );
      position += 1;
      ended = exchange.endedAt;
      const { outcome, sentAt, endedAt: at } = exchange;
      tell(draft, { outcome, sentAt, endedAt: at });
    }
  };
  return {
    departures,
    position: () => position,
    // Read at the end, whose time is in no exchange.
    now: () => endedAt,
    clockMoved: () => clockMoved,
    carry: async (drafts, start, tell) => {
      await Promise.resolve();
      carry(drafts, start, tell);
    },
  };
}

/**
 * Bytes that a body had at least when it came in; those of the text where they are no more than `most`.
 * A key that was taken out, and what was no UTF-8, had one at least.
 */
function leastBytes(outcome: Exchange['outcome'], most: number): number {
  if (outcome.kind !== 'answered') return 0;
  const { body, utf8 } = outcome.response;
  const length = Buffer.byteLength(body);
  if (length <= most) return length;
  const shortest = body.replaceAll(redactedKey, '.');
  return Buffer.byteLength(utf8 ? shortest : shortest.replaceAll('\u{fffd}', '.'));
}

function tellDeparture(open: readonly Draft[], log: readonly Exchange[], position: number): string {
  const [draft] = open;
  const exchange = log[position];
  const wanted = `${draft?.request.method} ${draft?.request.target}`;
  if (!draft || !exchange)
    return `The log ends too early: the suite continues with ${wanted} for "${draft?.probe}".`;
  const later = log.findIndex((each, index) => index > position && isAlike(draft, each));
  if (later >= 0)
    return `Here the suite sends what the log has as exchange ${later}: an entry was added or moved.`;
  const among = open.length > 1 ? ` (or another of ${open.length} at the same time)` : '';
  return `The suite sends something else here${among}: ${differenceOf(draft, exchange)}.`;
}
