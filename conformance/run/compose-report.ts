import { listRequirements } from '../family/requirements.ts';
import { PetstoreError } from '../../contract/error/petstore-error.ts';
import { requirementId } from '../judge/trace/requirement.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Exchange } from '../transport/exchange.ts';
import { cutBodies, cutReason } from '../judge/trace/cut.ts';
import { fillCuts } from '../transport/cut.ts';
import { type RunPlan, digestSettings, type RunRecord } from './settings.ts';
import { assembleReport, type LeftBehind, type Report, type RunReport } from './report.ts';
import type { ShardFacts } from '../shard/shard.ts';
import { countRequests, isSelected, type Selection } from './plan.ts';
import type { Session } from '../transport/session.ts';
import { addedByPut, collectionsOf } from '../judge/trace/collection.ts';
import { readTrace } from '../family/read-trace.ts';
import { idIn, itemOf, pathIdOf, renderPlain } from '../judge/trace/trace.ts';
import { judge, notTested, type JudgeFacts, type Verdict } from '../judge/verdict.ts';
import {
  listUnserved,
  explainInconclusive,
  countTested,
  type ProbeOutcome,
  requiredShare,
} from '../outcome/inconclusive.ts';
import { whyNotAsked } from '../question/index.ts';
import type { Reason } from '../judge/reason/reason.ts';

/** The parts of a report. */
export interface ReportParts {
  readonly contract: Contract;
  readonly plan: RunPlan;
  readonly session: Session;
  readonly selection: Selection;
  readonly outcome: ProbeOutcome;
  readonly tag: string;
  readonly record: RunRecord;
}

/** Judges the exchanges so far, for the selected requirements. */
export function judgeParts(parts: ReportParts): readonly Verdict[] {
  const judged = judge(parts.contract, parts.session.exchanges, {
    plan: parts.record.plan,
    exclusive: parts.record.exclusive,
    whyNotTested: explainNotTested(parts),
  });
  return judged.map((verdict) => leaveOut(verdict, parts.selection));
}

/** Combines the verdicts of a run with its other facts into a report. */
export function composeReport(parts: ReportParts, judged: readonly Verdict[]): RunReport {
  const { contract, session, plan, record, outcome: found } = parts;
  const endedEarly = found.endedEarly?.text;
  const { exchanges } = session;
  const share = countTested(contract, plan, found, exchanges, record.requireTested);
  const unserved = listUnserved(contract, judged, exchanges);
  const isMoved = record.clockMoved !== undefined;
  const waited = session.waits.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  const times = {
    waits: session.waits,
    waited: isMoved ? 0 : waited,
    clockMoved: record.clockMoved ?? 0,
  };
  const report = assembleReport(contract, {
    target: targetOf(record),
    run: {
      ...runOf(record, exchanges),
      tag: parts.tag,
      budget: session.budget,
      planned: share.planned,
      times,
      endedEarly,
      tested: share.tested,
      required: share.required,
      ...(share.omitted === 0 ? {} : { omitted: share.omitted }),
      ...describeShard(record, plan),
    },
    judged,
    waivers: record.waivers,
    now: record.startedAt,
    explainInconclusive: (verdicts) =>
      explainInconclusive({ contract, share, unserved, verdicts, exchanges }),
    unserved,
    leftBehind: listLeftBehind(contract, exchanges),
    exchanges,
  });
  return { ...report, record };
}

/** The report of a run that failed before it could be judged, with its exchanges. */
export function composeUnjudged(
  contract: Contract,
  record: RunRecord,
  { requests: planned, budget }: RunPlan,
  exchanges: readonly Exchange[],
  error: unknown,
): RunReport {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const text =
    error instanceof PetstoreError
      ? error.message.replace(/\.$/, '')
      : `the run could not be judged because of a bug in the suite: ${message}`;
  const because = { kind: 'ended-early', end: 'error', sent: exchanges.length, text } as const;
  const required = record.requireTested ?? requiredShare;
  const report = assembleReport(contract, {
    target: targetOf(record),
    run: {
      ...runOf(record, exchanges),
      tag: '',
      budget,
      planned,
      tested: 0,
      required,
      endedEarly: text,
    },
    judged: listRequirements(contract).map((requirement) => notTested(requirement, because)),
    now: record.startedAt,
    explainInconclusive: () => text,
    exchanges,
  });
  const waivers = record.waivers.map((waiver) => ({ waiver, state: 'unreached' as const }));
  return { ...report, waivers, record };
}

function targetOf({ baseUrl, plan, nearMisses }: RunRecord): Report['target'] {
  return { baseUrl, plan, ...(nearMisses === undefined && { isKeyless: true }) };
}

function runOf(record: RunRecord, exchanges: readonly Exchange[]) {
  const { seed, startedAt, endedAt, clockMoved = 0 } = record;
  return {
    seed,
    requests: exchanges.length,
    startedAt: new Date(startedAt).toISOString(),
    // Without the time by which a clock was advanced.
    milliseconds: Math.max(0, endedAt - startedAt - clockMoved),
  };
}

function describeShard(record: RunRecord, { probes }: RunPlan): { readonly shard?: ShardFacts } {
  const { shard, fuzz } = record;
  if (shard === undefined) return {};
  const share = countRequests(probes.filter(({ phase }) => phase === 'fuzz'));
  return { shard: { ...shard, fuzz, share, settings: digestSettings(record) } };
}

/** Requirements that were not selected are not judged, whatever the exchanges show. */
function leaveOut(verdict: Verdict, selection: Selection): Verdict {
  if (isSelected(verdict.requirement, selection)) return verdict;
  return notTested(verdict.requirement, { kind: 'not-selected' });
}

/** Explains why no exchange tests a requirement. */
function explainNotTested({
  contract,
  plan,
  outcome,
  record,
  session,
}: ReportParts): JudgeFacts['whyNotTested'] {
  const planned = new Set(plan.probes.flatMap(({ proves }) => proves));
  const left = new Map<string, Reason>();
  for (const [probe, reason] of outcome.unsent)
    for (const id of probe.proves) {
      // A skipped probe does not explain it if another planned probe could prove the requirement.
      const isSettled = reason.kind === 'nothing-to-send' || reason.kind === 'ended-early';
      const isLeft = !planned.has(id) || probe.isPart || isSettled;
      if (isLeft && !left.has(id)) left.set(id, reason);
    }
  const [cut] = cutBodies(readTrace(contract, session.exchanges));
  return ({ id, family }) => {
    const unasked = family === 'open' ? whyNotAsked(id, contract) : undefined;
    if (unasked !== undefined) return { kind: 'never-asked', text: unasked };
    const reason = left.get(id);
    const isPlanUnknown = id === requirementId.rateLimit('plan') && record.plan === undefined;
    if (reason !== undefined && !(isPlanUnknown && reason.kind === 'ended-early')) return reason;
    if (isPlanUnknown) return { kind: 'plan-not-given' };
    const isOfBodies = ['body', 'parameter', 'state', 'concurrency'].includes(family);
    return cut === undefined || !isOfBodies
      ? { kind: 'not-shown' }
      : { kind: 'unclear', exchange: cut, text: `${cutReason}, and no other response shows it` };
  };
}

function listLeftBehind(contract: Contract, exchanges: readonly Exchange[]): readonly LeftBehind[] {
  return collectionsOf(readTrace(contract, exchanges)).flatMap((collection) => {
    const { resource } = collection;
    const first = collection.of(resource.create)[0]?.index ?? 0;
    // What a list showed before is of others, even if a POST returned it.
    const before = collection.listings.filter(({ reading: { index } }) => index < first);
    const notLeft = new Set([
      ...before.flatMap(({ ids }) => [...ids]),
      ...collection
        .of(resource.remove)
        .filter(({ status }) => status < 300)
        .map((reading) => pathIdOf(reading, resource)),
    ]);
    const ids = [
      ...collection.of(resource.create).map((each) => idIn(itemOf(each), resource)),
      ...collection.of(resource.replace).map((each) => addedByPut(each, resource)),
    ];
    return ids.flatMap((id) =>
      id === undefined || notLeft.has(renderPlain(id))
        ? []
        : [{ resource: resource.collectionPath, id: fillCuts(renderPlain(id)) }],
    );
  });
}
