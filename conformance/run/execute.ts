import type { Contract } from '../../contract/contract.ts';
import { resourceOf } from '../../contract/resource/resource.ts';
import { PetstoreError } from '../../contract/error/petstore-error.ts';
import type { Carrier } from '../transport/carrier.ts';
import { composeReport, judgeParts } from './compose-report.ts';
import { explainTransportError, explainFirst } from '../transport/unusable-target.ts';
import { type Examples, findExamples, showExamples } from '../counterexample/example.ts';
import type { Exchange } from '../transport/exchange.ts';
import { KnownItems } from '../probes/known-items.ts';
import { isUnreached, hasEverResponded, SessionEnd, untilEnd } from '../transport/pacing.ts';
import { countRequests, planRun, readSelection } from './plan.ts';
import {
  removeAdded,
  settleMissing,
  settleRemaining,
  settleUnexplained,
} from '../probes/settle.ts';
import { NothingToSend, type Probe, type Run } from '../probes/probe.ts';
import { UndrawableSchema } from '../generate/arbitrary.ts';
import { createRandom } from '../generate/random.ts';
import type { Reason } from '../judge/reason/reason.ts';
import type { RunReport } from './report.ts';
import { UnsendableRequest, waiversHeader } from '../transport/request-parts.ts';
import type { RunRecord, RunSettings, RunPlan } from './settings.ts';
import { Session } from '../transport/session.ts';
import type { ProbeOutcome } from '../outcome/inconclusive.ts';
import { createTags } from '../generate/tag.ts';
import { digestWaivers } from '../judge/waiver.ts';
import { findPlan } from '../judge/trace/trace.ts';

/**
 * Executes one run of the suite. A function of its arguments: with the same contract and record,
 * and a carrier that returns the same responses and times, it sends the same requests in the same
 * order and returns the same report.
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
  const known = new KnownItems(contract, record.references, record.ids);
  const { planned, extra, final } = divideProbes(plan);
  const digest = digestWaivers(record.waivers);
  const { tag, next: nextTag } = createTags(record.seed, record.startedAt, record.shard?.index);
  const session = new Session(contract, carrier, {
    baseUrl: record.baseUrl,
    budget: plan.budget - countRequests(final),
    longestWait: record.longestWait,
    nextTag,
    // The target sees the digest of the waivers, so that none can be added to the log later.
    headers: digest === undefined ? {} : { [waiversHeader]: digest },
    within: (operation) => {
      const resource = resourceOf(contract.resources, operation);
      return resource && known.within(resource);
    },
    onExchange: (exchange) => {
      known.note(exchange);
      watch?.(exchange);
    },
  });
  const run: Run = {
    contract,
    session,
    known,
    disposable: record.disposable ?? false,
    random: createRandom(record.seed),
    tag,
    nextTag,
  };
  const settle = async (id: string, send: () => Promise<unknown>): Promise<void> => {
    session.probe = id;
    await untilEnd(send);
  };
  const runner = new ProbeRunner(run, record, plan);
  await runner.send(planned);
  await runner.sendSpare(countRequests(extra));
  await runner.send(extra);
  await settle('*/settle-missing', () => settleMissing(run, record));
  await settle('*/settle-unexplained', () => settleUnexplained(session, record));
  await settle('*/settle-remaining', () => settleRemaining(session, record));
  // Probes at the end have their own budget; any other early end stops all probes.
  const isOver = !['budget', 'drive'].includes(runner.endedEarly?.end ?? 'budget');
  if (!isOver) session.budget += countRequests(final);
  await runner.send(final, isOver);
  await settle('*/clean-up', () => removeAdded(run));
  const parts = {
    contract,
    plan,
    session,
    selection: readSelection(contract, record.only, record.skip),
    outcome: runner,
    tag,
  };
  const judgedSize = session.exchanges.length;
  const { plan: planName, exclusive } = record;
  const source = { contract, session, plan: planName, exclusive };
  const shrink = { share: record.shrink, tag, nextTag };
  let judged = judgeParts({ ...parts, record });
  const examples: Examples = new Map();
  await findExamples({ ...source, shrink }, judged, examples);
  // The requests for smaller counterexamples may reveal more.
  if (session.exchanges.length > judgedSize) {
    await settle('*/clean-up', () => removeAdded(run));
    judged = judgeParts({ ...parts, record });
    await findExamples({ ...source, shrink: { ...shrink, share: 0 } }, judged, examples);
  }
  const ended = endRecord(record, carrier);
  return composeReport({ ...parts, record: ended }, showExamples(judged, examples));
}

/** Completes the record of a run that ends now. */
export function endRecord(record: RunRecord, carrier: Carrier): RunRecord {
  const clockMoved = carrier.clockMoved();
  const ended = { ...record, endedAt: carrier.now() };
  return clockMoved === undefined ? ended : { ...ended, clockMoved };
}

/** The probes of a plan in three groups: within `--requests`, on top of it, and last. */
function divideProbes({ probes }: RunPlan) {
  const {
    planned = [],
    extra = [],
    final = [],
  } = Object.groupBy(probes, ({ phase }) => {
    if (phase === 'last') return 'final';
    return phase === 'fuzz' || phase === 'exhaust' ? 'extra' : 'planned';
  });
  return { planned, extra, final };
}

/** Sends the probes of a run and records their results. */
class ProbeRunner implements ProbeOutcome {
  endedEarly: ProbeOutcome['endedEarly'];
  readonly unsent: Map<Probe, Reason>;
  readonly #run: Run;
  readonly #record: RunRecord;
  readonly #plan: RunPlan;

  constructor(run: Run, record: RunRecord, plan: RunPlan) {
    this.#run = run;
    this.#record = record;
    this.#plan = plan;
    this.unsent = new Map(plan.left.map(({ probe, reason }) => [probe, reason]));
  }

  /**
   * Sends probes in order, unless the run `isOver`. If the session ends, the remaining probes are
   * recorded as unsent.
   */
  async send(probes: readonly Probe[], isOver = this.endedEarly !== undefined): Promise<void> {
    const { session, contract } = this.#run;
    if (isOver) return this.#skip(probes);
    for (const [place, probe] of probes.entries()) {
      session.probe = probe.id;
      this.unsent.delete(probe);
      try {
        await probe.run(this.#run);
      } catch (error) {
        if (error instanceof SessionEnd) {
          ensureMeaningful(session, this.#record, contract);
          const { kind: end, message: text } = error;
          const sent = session.exchanges.length;
          this.endedEarly ??= { kind: 'ended-early', end, text, sent };
          // The rate-limit probe is skipped if it would take too many requests.
          const isDriveLeftOut = end === 'budget' || end === 'drive';
          const rest = probes.slice(place);
          this.#skip(isDriveLeftOut ? rest.filter(({ phase }) => phase !== 'exhaust') : rest);
          return;
        }
        if (!isUndrawn(error)) throw error;
        this.unsent.set(probe, { kind: 'nothing-to-send', text: error.message });
      }
      ensureMeaningful(session, this.#record, contract);
    }
  }

  #skip(probes: readonly Probe[]): void {
    for (const probe of probes) if (this.endedEarly) this.unsent.set(probe, this.endedEarly);
  }

  /**
   * Sends probes that did not fit into the budget, with the requests that others did not need;
   * `kept` requests are reserved. Probes that prove what no other one proves go first.
   */
  async sendSpare(kept: number): Promise<void> {
    const { session } = this.#run;
    const known = new Set(this.#plan.probes.flatMap(({ proves }) => proves));
    const left = [...this.unsent].flatMap(([probe, { kind }]) =>
      kind === 'budget' ? [probe] : [],
    );
    const isNew = ({ proves }: Probe): boolean => !proves.every((id) => known.has(id));
    for (const probe of new Set([...left.filter(isNew), ...left])) {
      const isAffordable = probe.requests + (probe.leaves ?? 0) <= session.left() - kept;
      if (isAffordable && this.endedEarly === undefined) await this.send([probe]);
    }
  }
}

/** The plan of a run, without sending anything. Throws `PetstoreError` like the run. */
export function planSettled(contract: Contract, settings: RunSettings): RunPlan {
  const { seed, only, skip, nearMisses } = settings;
  const plan = findPlan(contract, settings.plan);
  const context = { contract, plan, random: createRandom(seed), nearMisses };
  return planRun(context, settings, readSelection(contract, only, skip));
}

/** Whether a probe had nothing to send; the message says why. */
function isUndrawn(error: unknown): error is Error {
  return (
    error instanceof UndrawableSchema ||
    error instanceof NothingToSend ||
    error instanceof UnsendableRequest
  );
}

function ensureMeaningful(session: Session, record: RunRecord, contract: Contract): void {
  const [first] = session.exchanges;
  const last = session.exchanges.at(-1);
  if (first === undefined || last === undefined) return;
  const cause = first === last ? explainFirst(first, record, contract) : undefined;
  if (cause !== undefined) throw new PetstoreError('inconclusive', cause);
  if (hasEverResponded(session.exchanges) || last.outcome.kind !== 'no-response') return;
  if (!isUnreached(last)) return;
  throw new PetstoreError(
    'inconclusive',
    explainTransportError(last.outcome.error, record.baseUrl),
  );
}
