import type { Contract } from '../../contract/contract.ts';
import { isOfResource } from '../../contract/resource/resource.ts';
import { PetstoreError } from '../../contract/error/petstore-error.ts';
import type { Carrier } from '../transport/carrier.ts';
import { composeReport, judgeParts } from './compose-report.ts';
import { explainTransportError, explainFirst, explainStart } from '../transport/inconclusive.ts';
import { findExamples, showExamples } from '../counterexample/example.ts';
import type { Exchange } from '../transport/exchange.ts';
import { KnownItems } from '../probes/known-items.ts';
import { isUnreached, wasThere, SessionEnd, untilEnd } from '../transport/pacing.ts';
import { countRequests, planRun } from './plan.ts';
import {
  removeAdded,
  settleMissing,
  settleRemaining,
  settleUnexplained,
} from '../probes/settle.ts';
import { NothingToSend, type Probe, type Run } from '../probes/probe.ts';
import { createKnownPaths } from '../paths/known-paths.ts';
import { UndrawableSchema } from '../generate/arbitrary.ts';
import { createRandom } from '../generate/random.ts';
import type { RunReport } from './report.ts';
import { UnsendableRequest } from '../transport/request-parts.ts';
import type { RunRecord, RunSettings } from './options.ts';
import type { RunPlan } from './watcher.ts';
import { readSelection } from './selection.ts';
import { createSession, type Session } from '../transport/session.ts';
import type { ProbeOutcome } from '../outcome/inconclusive.ts';
import { createTags } from '../generate/tag.ts';
import { waiversHeader } from '../transport/request-headers.ts';
import { digestWaivers } from '../judge/waiver.ts';
import { findPlan } from '../judge/trace/trace.ts';

/**
 * Executes one run of the suite. A function of its arguments: the same contract and record, with a
 * carrier that tells the same responses and times, send the same requests in the same order and come
 * to the same report.
 *
 * @param plan that of the record
 * @throws {PetstoreError} if the run is inconclusive: nobody there, wrong server, wrong key
 */
export async function executeRun(
  contract: Contract,
  record: RunRecord,
  carrier: Carrier,
  plan: RunPlan,
  watch?: (exchange: Exchange) => void,
): Promise<RunReport> {
  const paths = createKnownPaths(contract, new Map(Object.entries(record.ids ?? {})));
  const known = new KnownItems(contract, new Map(Object.entries(record.references)), paths);
  const { planned, extra, final } = divideProbes(plan);
  let probe = '';
  const enter = (id: string): void => void (probe = id);
  const digest = digestWaivers(record.waivers);
  const session = createSession(
    contract,
    carrier,
    {
      baseUrl: record.baseUrl,
      budget: plan.budget - countRequests(final),
      longestWait: record.longestWait,
      // The target is told by which waivers a run was started, so that none can be added to its log.
      headers: digest === undefined ? {} : { [waiversHeader]: digest },
      within: (operation) => {
        const resource = contract.resources.find((each) => isOfResource(operation, [each]));
        return resource && known.within(resource);
      },
      onExchange: (exchange) => {
        known.note(exchange);
        paths.note(exchange);
        watch?.(exchange);
      },
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
    random: createRandom(record.seed),
    tag,
    nextTag,
  };
  const target = { run, record, enter };
  const settle = async (id: string, send: () => Promise<unknown>): Promise<void> => {
    enter(id);
    await untilEnd(send);
  };
  const begun = await runProbes(planned, target);
  const { spare, left } = await runSpare(plan, begun, target);
  const { lent, outcome: first } = await lendRequests(
    final,
    followOutcome(spare, spare.endedEarly ? stopped(extra) : await runProbes(extra, target)),
    target,
  );
  await settle('*/settle-missing', () => settleMissing(run, record));
  await settle('*/settle-unexplained', () => settleUnexplained(session, record));
  await settle('*/settle-remaining', () => settleRemaining(session, record));
  const outcome = await runFinal(final, lent, first, target);
  await settle('*/clean-up', () => removeAdded(run));
  const parts = {
    contract,
    plan: { ...plan, left: [...left, ...outcome.undrawn] },
    session,
    selection: readSelection(contract, record.only, record.skip),
    outcome,
    tag,
  };
  const judgedSize = session.exchanges.length;
  const { plan: planName, exclusive } = record;
  const source = { contract, session, plan: planName, exclusive, enter };
  const shrink = { share: record.shrink, tag, nextTag };
  let judged = judgeParts({ ...parts, record });
  let examples = await findExamples({ ...source, shrink }, judged);
  // The requests for smaller examples may show more.
  if (session.exchanges.length > judgedSize) {
    await settle('*/clean-up', () => removeAdded(run));
    judged = judgeParts({ ...parts, record });
    const shown = new Set(examples.map(({ requirement }) => requirement));
    const others = judged.filter(({ requirement: { id } }) => !shown.has(id));
    const later = await findExamples({ ...source, shrink: { ...shrink, share: 0 } }, others);
    examples = [...examples, ...later];
  }
  const ended = endRecord(record, carrier);
  return composeReport({ ...parts, record: ended }, showExamples(judged, examples));
}

/** The record of a run that ends now. */
export function endRecord(record: RunRecord, carrier: Carrier): RunRecord {
  const clockMoved = carrier.clockMoved();
  const ended = { ...record, endedAt: carrier.now() };
  return clockMoved === undefined ? ended : { ...ended, clockMoved };
}

/** The probes of a plan: those of `--requests`, those on top of it, and those that are sent last. */
function divideProbes({ probes }: RunPlan) {
  const {
    planned = [],
    extra = [],
    final = [],
  } = Object.groupBy(probes, ({ phase }) => {
    if (phase === 'last') return 'final';
    return isExtra(phase) ? 'extra' : 'planned';
  });
  return { planned, extra, final };
}

/** Its requests come on top of `--requests`. */
function isExtra(phase: Probe['phase']): boolean {
  return phase === 'fuzz' || phase === 'exhaust';
}

/** What became of probes that were run after others. */
function followOutcome(before: ProbeOutcome, after: ProbeOutcome): ProbeOutcome {
  return {
    endedEarly: before.endedEarly ?? after.endedEarly,
    unfinished: before.unfinished.union(after.unfinished),
    undrawn: [...before.undrawn, ...after.undrawn],
  };
}

/** Probes that are not begun, as the run ended before them. */
function stopped(probes: readonly Probe[]): ProbeOutcome {
  return { endedEarly: undefined, unfinished: new Set(probes), undrawn: [] };
}

/**
 * Runs probes that the budget had no room for, with the requests that others did not need. `left`: the
 * probes that are left out then.
 */
async function runSpare(
  { probes, left }: RunPlan,
  begun: ProbeOutcome,
  target: ProbeTarget,
): Promise<{ readonly spare: ProbeOutcome; readonly left: RunPlan['left'] }> {
  const { session } = target.run;
  const others = countRequests(probes.filter(({ phase }) => isExtra(phase)));
  const known = new Set(probes.flatMap(({ proves }) => proves));
  const isNew = ({ probe }: RunPlan['left'][number]): boolean =>
    !probe.proves.every((id) => known.has(id));
  const sent = new Set<Probe>();
  let spare = begun;
  for (const { probe, reason } of [...left.filter(isNew), ...left]) {
    if (reason.kind !== 'budget' || spare.endedEarly !== undefined || sent.has(probe)) continue;
    if (probe.requests + (probe.leaves ?? 0) > session.left() - others) continue;
    sent.add(probe);
    spare = followOutcome(spare, await runProbes([probe], target));
  }
  return { spare, left: left.filter(({ probe }) => !sent.has(probe)) };
}

/**
 * Runs the probes that the budget cut off, with requests of those of the end: as a rule some of these
 * take fewer than they might.
 */
async function lendRequests(
  final: readonly Probe[],
  first: ProbeOutcome,
  target: ProbeTarget,
): Promise<{ readonly lent: number; readonly outcome: ProbeOutcome }> {
  const lent = countRequests([...first.unfinished]);
  if (first.endedEarly?.end !== 'budget' || lent > countRequests(final))
    return { lent: 0, outcome: first };
  target.run.session.extend(lent);
  const rest = await runProbes([...first.unfinished], target);
  return { lent, outcome: { ...rest, undrawn: [...first.undrawn, ...rest.undrawn] } };
}

/** Runs the probes of the end, which have requests of their own, unless the target is out of reach. */
async function runFinal(
  final: readonly Probe[],
  lent: number,
  before: ProbeOutcome,
  target: ProbeTarget,
): Promise<ProbeOutcome> {
  const end = before.endedEarly?.end ?? 'budget';
  if (end !== 'budget' && end !== 'drive') return followOutcome(before, stopped(final));
  target.run.session.extend(countRequests(final) - lent);
  return followOutcome(before, await runProbes(final, target));
}

/** The plan of a run, of which nothing is sent. Throws `PetstoreError` as the run would. */
export function planSettled(contract: Contract, settings: RunSettings): RunPlan {
  const { seed, only, skip, nearMisses } = settings;
  const plan = findPlan(contract, settings.plan);
  const context = { contract, plan, random: createRandom(seed), nearMisses };
  return planRun(context, settings, readSelection(contract, only, skip));
}

/** What probes are run against. */
interface ProbeTarget {
  readonly run: Run;
  readonly record: RunRecord;
  /** Told which probe sends the next requests. */
  readonly enter: (probe: string) => void;
}

/** Runs the probes in order. */
async function runProbes(
  probes: readonly Probe[],
  { run, record, enter }: ProbeTarget,
): Promise<ProbeOutcome> {
  const undrawn: RunPlan['left'][number][] = [];
  for (const [place, probe] of probes.entries()) {
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
        const rest = probes.slice(place).filter((each) => !isLeftOut(each));
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
