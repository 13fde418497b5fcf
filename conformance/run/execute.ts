import { type Contract, PetstoreError } from '../../contract/index.ts';
import type { Carrier } from '../transport/carrier.ts';
import { composeReport, judgeParts, type ReportParts } from './compose-report.ts';
import { explainTransportError, explainFirst, explainStart } from '../transport/inconclusive.ts';
import { findExamples, showExamples } from '../counterexample/example.ts';
import type { Exchange } from '../transport/exchange.ts';
import { createKnownItems } from '../probes/known-items.ts';
import { isUnreached, wasThere } from '../transport/outage.ts';
import { SessionEnd, untilEnd } from '../transport/pacing.ts';
import { planRun } from './plan.ts';
import { settleRemaining } from '../probes/settle-remaining.ts';
import { NothingToSend, type Probe, type Run } from '../probes/probe.ts';
import { createKnownPaths } from '../paths/known-paths.ts';
import { UndrawableSchema } from '../generate/undrawable.ts';
import { createRandom, type Random } from '../generate/random.ts';
import type { RunReport } from './report.ts';
import { UnsendableRequest } from '../transport/parameter/unsendable.ts';
import type { RunRecord, RunSettings } from './options.ts';
import type { RunPlan, Watcher } from './watcher.ts';
import { readSelection, type Selection } from './selection.ts';
import { createSession, type Session } from '../transport/session.ts';
import type { ProbeOutcome } from '../outcome/tested.ts';
import { createReserve, type Reserve } from './reserve.ts';
import { createTags } from '../generate/tag.ts';
import { waiversHeader } from '../transport/request-headers.ts';
import { digestWaivers, refuseUnbounded } from '../judge/waiver.ts';
import { findPlan } from '../judge/trace/trace.ts';

/**
 * Executes one run of the suite. A function of its arguments: the same contract and record, with a
 * carrier that tells the same responses and times, send the same requests in the same order and come
 * to the same report.
 * @throws {PetstoreError} for an option that cannot be used
 * @throws {PetstoreError} if the run is inconclusive: nobody there, wrong server, wrong key
 */
export async function executeRun(
  contract: Contract,
  record: RunRecord,
  carrier: Carrier,
  watcher: Watcher = {},
): Promise<RunReport> {
  refuseUnbounded(contract, record.waivers, record.startedAt);
  const random = createRandom(record.seed);
  const selection = readSelection(contract, record.only, record.skip);
  const plan = planRecorded(contract, record, { random, selection });
  watcher.onPlan?.(plan);
  const known = createKnownItems(contract, new Map(Object.entries(record.references)));
  const paths = createKnownPaths(contract, new Map(Object.entries(record.ids ?? {})));
  let probe = '';
  const enter = (id: string): void => void (probe = id);
  const onExchange = (exchange: Exchange): void => {
    known.note(exchange);
    paths.note(exchange);
    watcher.onExchange?.(exchange);
  };
  const session = createSession(
    contract,
    carrier,
    {
      baseUrl: record.baseUrl,
      budget: plan.budget,
      longestWait: record.longestWait,
      headers: announceWaivers(record),
      onExchange,
    },
    () => probe,
  );
  const { tag, next: nextTag } = createTags(record.seed, record.startedAt, record.shard?.index);
  const run: Run = {
    contract,
    session,
    known,
    paths,
    disposable: record.disposable ?? false,
    random,
    tag,
    nextTag,
  };
  const reserve = createReserve(plan, contract, session, record.plan);
  const outcome = await runProbes(plan, run, record, reserve, enter);
  enter('*/settle-remaining');
  await untilEnd(() => settleRemaining(session, record.plan));
  const parts: ReportParts = {
    contract,
    record,
    plan: { ...plan, left: [...plan.left, ...outcome.undrawn, ...reserve.left] },
    session,
    selection,
    outcome,
    tag,
  };
  const judged = judgeParts(parts);
  const sent = session.exchanges.length;
  const examples = await findExamples(
    { contract, session, plan: record.plan, shrink: { share: record.shrink, tag, nextTag }, enter },
    judged,
  );
  const verdicts = session.exchanges.length === sent ? judged : judgeParts(parts);
  return composeReport(
    { ...parts, record: endRecord(record, carrier) },
    showExamples(verdicts, examples),
  );
}

/** The record of a run that ends now. */
export function endRecord(record: RunRecord, carrier: Carrier): RunRecord {
  const clockMoved = carrier.clockMoved();
  const ended = { ...record, endedAt: carrier.now() };
  return clockMoved === undefined ? ended : { ...ended, clockMoved };
}

/** The target is told by which waivers a run was started, so that none can be added to its log. */
function announceWaivers({ waivers }: RunRecord): Readonly<Record<string, string>> {
  const digest = digestWaivers(waivers);
  return digest === undefined ? {} : { [waiversHeader]: digest };
}

/** What a run with such a record is going to do. */
function planRecorded(
  contract: Contract,
  record: RunSettings,
  { random, selection }: { readonly random: Random; readonly selection: Selection },
): RunPlan {
  const plan = findPlan(contract, record.plan);
  const context = { contract, plan, random, nearMisses: record.nearMisses };
  return planRun(context, record, selection);
}

/** The plan of a run, of which nothing is sent. Throws `PetstoreError` as the run would. */
export function planSettled(contract: Contract, settings: RunSettings): RunPlan {
  const random = createRandom(settings.seed);
  const selection = readSelection(contract, settings.only, settings.skip);
  return planRecorded(contract, settings, { random, selection });
}

/** Runs the probes in order. */
async function runProbes(
  plan: RunPlan,
  run: Run,
  record: RunRecord,
  reserve: Reserve,
  enter: (probe: string) => void,
): Promise<ProbeOutcome> {
  const undrawn: RunPlan['left'][number][] = [];
  for (const [place, probe] of plan.probes.entries()) {
    if (reserve.givesWay(probe)) continue;
    enter(probe.id);
    try {
      await probe.run(run);
    } catch (error) {
      if (isUndrawn(error))
        undrawn.push({ probe, reason: { kind: 'nothing-to-send', text: error.message } });
      else if (error instanceof SessionEnd) {
        ensureMeaningful(run.session, record, run.contract);
        // A drive to the limit that would take too many requests is left out, as it may be long.
        const isLeftOut = ({ phase }: Probe): boolean =>
          phase === 'exhaust' && (error.kind === 'budget' || error.kind === 'drive');
        const rest = plan.probes.slice(place).filter((each) => !isLeftOut(each));
        const unfinished = new Set(rest);
        const end = { kind: 'ended-early', end: error.kind, text: error.message } as const;
        const sent = run.session.exchanges.length;
        return { endedEarly: { ...end, sent }, unfinished, undrawn };
      } else throw error;
    }
    ensureMeaningful(run.session, record, run.contract);
  }
  return { endedEarly: undefined, unfinished: new Set(), undrawn };
}

/** Whether a probe had nothing to send: its message says why. */
function isUndrawn(error: unknown): error is Error {
  return (
    error instanceof UndrawableSchema ||
    error instanceof NothingToSend ||
    error instanceof UnsendableRequest
  );
}

function ensureMeaningful(session: Session, record: RunRecord, contract: Contract): void {
  const { baseUrl } = record;
  const [first] = session.exchanges;
  const last = session.exchanges.at(-1);
  if (first === undefined || last === undefined) return;
  const cause =
    first === last
      ? explainFirst(first, record, contract)
      : explainStart(session.exchanges, baseUrl, contract);
  if (cause !== undefined) throw new PetstoreError('inconclusive', cause);
  if (wasThere(session.exchanges) || last.outcome.kind !== 'no-response') return;
  if (!isUnreached(last)) return;
  throw new PetstoreError('inconclusive', explainTransportError(last.outcome.error, baseUrl));
}
