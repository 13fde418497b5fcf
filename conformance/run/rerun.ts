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
  type Receive,
  differenceOf,
  isAlike,
  type Draft,
} from '../transport/carrier.ts';
import { redactedKey } from '../transport/redaction.ts';
import { tellCount } from '../transport/body-intake.ts';
import { endOfTime } from '../transport/pacing.ts';

/** A difference between a log and what the suite would have sent, or when. */
export interface Departure {
  /** Index in the log; its length if the log ends too early; undefined for the log as a whole. */
  readonly exchange: number | undefined;
  /** What is wrong there, in one sentence. */
  readonly sentence: string;
}

/** The result of running the suite again with a log. */
export interface Rerun {
  /** The report of the rerun; undefined if the log does not carry it to the end. */
  readonly report: RunReport | undefined;
  /** Empty: this suite would send exactly this log, given its responses. */
  readonly departures: readonly Departure[];
}

/**
 * Runs the suite again with a log: each request that it sends must be the next of the log, and gets
 * the logged response and times. Produces the verdicts and counts again. Never throws because of
 * the log's content. Whether the responses are true is up to the signature. Replay ids are
 * compressed by the machine's zlib, so they may differ between machines.
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

/** A clock may only be advanced during waits: the run cannot have been shorter than the rest. */
function listMoves({ run, record }: RunReport): readonly Departure[] {
  const waits = run.times?.waits ?? [];
  const waited = waits.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  // Each wait is rounded by a fraction of a millisecond.
  if ((record.clockMoved ?? 0) <= waited + waits.length + 1) return [];
  const sentence = `The clock was moved by ${record.clockMoved} ms according to the record, but the log has waits of ${waited} ms.`;
  return [{ exchange: 0, sentence }];
}

/**
 * A run sends its first request within this many milliseconds; the expiry of waivers depends on its
 * start.
 */
const maxDelay = 60_000;

function listEnd(
  { startedAt, endedAt }: RunRecord,
  exchanges: readonly Exchange[],
  end: number,
): readonly Departure[] {
  const [first] = exchanges;
  const isBackward =
    endedAt < startedAt ? [{ exchange: 0, sentence: 'The run ends before it starts.' }] : [];
  const isIdle = first !== undefined && first.sentAt - startedAt > maxDelay;
  const idle = 'The run starts long before its first request without a reason to wait.';
  if (isIdle) return [{ exchange: 0, sentence: idle }];
  if (end === exchanges.length) return isBackward;
  const sentence = `The suite is done after ${end} requests, but the log has ${exchanges.length - end} more.`;
  return [...isBackward, { exchange: end, sentence }];
}

/** Why a rerun cannot finish: the record is invalid, or the responses end it. */
function explain(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return hasCode(error, 'inconclusive')
    ? `Such a run would not have been judged: ${message}`
    : `The suite cannot run as the record says: ${message}`;
}

/**
 * The suite would send a request that is not in the log, so there is no response to continue with.
 */
class LogDeparted extends Error {
  override readonly name = 'LogDeparted';
  readonly departure: Departure;
  constructor(departure: Departure) {
    super(departure.sentence);
    this.departure = departure;
  }
}

/** A carrier that replays a log without waiting. */
interface LogCarrier extends Carrier {
  /** Number of exchanges replayed so far. */
  readonly position: () => number;
  /** Impossible times and sizes. */
  readonly departures: readonly Departure[];
}

/**
 * Creates the carrier of a logged run. `carry` rejects with `LogDeparted` for any other request.
 */
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
  const carry = (drafts: readonly Draft[], { notBefore }: Start, receive: Receive): void => {
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
      receive(draft, { outcome, sentAt, endedAt: at });
    }
  };
  return {
    departures,
    position: () => position,
    // The clock is only read at the end, and no exchange has that time.
    now: () => endedAt,
    clockMoved: () => clockMoved,
    carry: async (drafts, start, receive) => {
      await Promise.resolve();
      carry(drafts, start, receive);
    },
  };
}

/**
 * Minimum size of a body in bytes when it was received; that of the text if it is at most `most`. A
 * redacted key, or bytes that are not UTF-8, had at least one byte.
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
