import { listRequirements, mergedOperations, requirementsOf } from '../family/requirements.ts';
import { PetstoreError } from '../../contract/error/petstore-error.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { Counterexample } from '../counterexample/counterexample.ts';
import { sendCounterexample } from '../counterexample/send.ts';
import { listFuzzProbes } from '../fuzz/fuzz.ts';
import type { Reason } from '../judge/reason/reason.ts';
import { successId } from '../judge/trace/trace.ts';
import { listAuthProbes } from '../probes/auth.ts';
import {
  listBrokenParameterProbes,
  listGeneralProbes,
  listParameterValueProbes,
} from '../probes/general.ts';
import { listInvalidProbes } from '../probes/broken-body.ts';
import { listInventoryProbes, listParameterProbes, listGetProbes } from '../probes/reads.ts';
import { phases, type PlanContext, type Probe } from '../probes/probe.ts';
import { listRateLimitProbes } from '../probes/rate-limit.ts';
import { listUnspecifiedProbes } from '../probes/unspecified.ts';
import { listChangeProbes, listCreateProbes, listGeneratedProbes } from '../probes/writes.ts';
import { listOpenQuestionProbes } from '../question/index.ts';
import { nameShards } from '../shard/shard.ts';
import { type RunRecord, usualBudget, type RunPlan } from './settings.ts';
import { families, type Requirement, type Requirements } from '../judge/trace/requirement.ts';
import type { Contract } from '../../contract/contract.ts';
import { suggestName } from '../../contract/error/unknown-name.ts';

/** All probes for a contract. Within a rank and phase, earlier lists go first. */
const probeLists: readonly ((context: PlanContext) => Iterable<Probe>)[] = [
  listInventoryProbes,
  // Before the others, whose paths may lead to the added items.
  listCreateProbes,
  listGeneralProbes,
  listParameterValueProbes,
  listBrokenParameterProbes,
  listInvalidProbes,
  listGetProbes,
  listAuthProbes,
  listChangeProbes,
  listOpenQuestionProbes,
  listUnspecifiedProbes,
  listParameterProbes,
  listGeneratedProbes,
];

/** Probes to choose from. Beyond that, the least revealing ones are left out. */
const maxProbes = 30_000;

/** Chooses the probes: the most revealing first while the budget lasts, then sorted by phase. */
export function planRun(
  context: PlanContext,
  options: Pick<
    RunRecord,
    'requests' | 'readOnly' | 'exhaust' | 'fuzz' | 'shard' | 'saved' | 'shrink'
  >,
  selection: Selection,
): RunPlan {
  const known = requirementsOf(context.contract);
  const wanted = new Set(
    listRequirements(context.contract).flatMap((requirement) =>
      isSelected(requirement, selection) ? [requirement.id] : [],
    ),
  );
  const isWanted = (id: string): boolean => wanted.has(id);
  const drive = listRateLimitProbes(context, options.readOnly).filter(({ proves }) =>
    proves.some(isWanted),
  );
  const extra = options.exhaust ? countRequests(drive) : 0;
  const fuzz = listFuzzProbes(context, options.fuzz, options.readOnly, options.shard);
  const { shard } = options;
  if (shard !== undefined && fuzz.length === 0)
    throw new PetstoreError(
      'argument',
      `There is nothing to send for ${nameShards([shard.index])} of ${shard.count}: ${options.fuzz} fuzzing requests are too few for that many shards. Use more requests (--fuzz) or fewer shards.`,
    );
  const share = shard === undefined ? options.fuzz : countRequests(fuzz);
  const offered = offerProbes(context, options.saved, known);
  const forbidden = options.readOnly ? offered.filter((probe) => probe.writes) : [];
  const permitted = options.readOnly ? offered.filter((probe) => !probe.writes) : offered;
  const isAllowed = ({ rank, proves }: Probe): boolean => rank === 0 || proves.some(isWanted);
  const allowed = permitted.filter(isAllowed);
  const idle = permitted.filter((probe) => !isAllowed(probe));
  const { operations } = context.contract;
  const ranked = servingAll(byRank(allowed), operations, options.requests);
  const { chosen, omitted, requests } = fill(ranked, options.requests);
  const usual = fill(ranked, usualBudget(context.contract, context.plan)).requests;
  const order = new Map(phases.map((phase, index) => [phase, index]));
  const planned = [...chosen, ...fuzz, ...(options.exhaust ? drive : [])];
  return {
    probes: planned.toSorted((a, b) => (order.get(a.phase) ?? 0) - (order.get(b.phase) ?? 0)),
    left: [
      ...leave(forbidden, { kind: 'read-only' }),
      ...leave(idle, { kind: 'not-selected' }),
      ...omitted,
      ...leave(options.exhaust ? [] : drive, { kind: 'not-exhausted' }),
    ],
    requests: requests + share + extra,
    omitted: Math.max(0, usual - requests),
    needed: countNeeded(ranked, wanted) + share + extra,
    budget: options.requests + share + extra,
    shrink: options.shrink,
    merged: mergedOperations(context.contract).size,
  };
}

/** The probes by rank, each with the requirements that the contract has. */
function offerProbes(
  context: PlanContext,
  saved: RunRecord['saved'],
  known: Requirements,
): readonly Probe[] {
  const byRank = new Map<number, Probe[]>();
  let count = 0;
  for (const list of [() => listSavedProbes(saved), ...probeLists])
    for (const probe of list(context)) {
      const proves = probe.proves.flatMap((id) => known.get(id)?.id ?? []);
      // The contract requires nothing of it, as of members of a body that is tested as a whole.
      if (proves.length === 0 && probe.rank > 0) continue;
      const alike = byRank.get(probe.rank) ?? [];
      byRank.set(probe.rank, alike);
      alike.push({ ...probe, proves });
      count += 1;
      if (count <= maxProbes) continue;
      const least = Math.max(...byRank.keys());
      byRank.get(least)?.pop();
      if (byRank.get(least)?.length === 0) byRank.delete(least);
    }
  return [...byRank].toSorted(([a], [b]) => a - b).flatMap(([, probes]) => probes);
}

/** Expected number of requests of probes. */
export function countRequests(probes: readonly Probe[]): number {
  return probes.reduce((sum, { requests }) => sum + requests, 0);
}

function leave(probes: readonly Probe[], reason: Reason): RunPlan['left'] {
  return probes.map((probe) => ({ probe, reason }));
}

/**
 * Sorted by rank, then taking phases in turn, so that a small budget covers something of
 * everything.
 */
function byRank(probes: readonly Probe[]): readonly Probe[] {
  const nth = new Map<string, number>();
  const turns = probes.map((probe) => {
    const key = `${probe.rank} ${probe.phase}`;
    const turn = nth.get(key) ?? 0;
    nth.set(key, turn + 1);
    return { probe, turn };
  });
  return turns
    .toSorted((a, b) => a.probe.rank - b.probe.rank || a.turn - b.turn)
    .map(({ probe }) => probe);
}

/**
 * Moves probes of operations to the front that a budget would leave out, because a run that never
 * calls an operation is inconclusive.
 */
function servingAll(
  ranked: readonly Probe[],
  operations: readonly Operation[],
  budget: number,
): readonly Probe[] {
  const cheapest = new Map<string, Probe>();
  for (const probe of ranked.toSorted((a, b) => a.requests - b.requests))
    for (const id of probe.proves) if (!cheapest.has(id)) cheapest.set(id, probe);
  const serving = new Set<Probe>();
  for (;;) {
    const first = ranked.filter((probe) => probe.rank === 0 || serving.has(probe));
    const all = serving.size === 0 ? ranked : [...new Set([...first, ...ranked])];
    const { chosen } = fill(all, budget);
    const served = new Set(chosen.flatMap(({ proves }) => proves));
    const missing = operations
      .map(successId)
      .filter((id) => !served.has(id))
      .flatMap((id) => cheapest.get(id) ?? [])
      .filter((probe) => !serving.has(probe));
    if (missing.length === 0) return all;
    for (const probe of missing) serving.add(probe);
  }
}

/** Requests until no further probe adds a testable requirement. */
function countNeeded(ranked: readonly Probe[], wanted: ReadonlySet<string>): number {
  const covered = new Set<string>();
  let requests = 0;
  let needed = 0;
  for (const probe of ranked) {
    requests += probe.requests;
    const added = probe.proves.filter(
      (id) => wanted.has(id) && (probe.isPart === true || !covered.has(id)),
    );
    for (const id of added) covered.add(id);
    if (added.length > 0) needed = requests;
  }
  return needed;
}

function fill(
  probes: readonly Probe[],
  budget: number,
): { chosen: readonly Probe[]; omitted: RunPlan['left']; requests: number } {
  const chosen: Probe[] = [];
  const omitted: RunPlan['left'][number][] = [];
  let requests = 0;
  let kept = 0;
  /** By number of requests of a probe, because thousands may share a reason. */
  const reasons = new Map<number, Reason>();
  for (const probe of probes) {
    const needs = probe.requests;
    if (requests + kept + needs + (probe.leaves ?? 0) <= budget) {
      chosen.push(probe);
      requests += needs;
      kept += probe.leaves ?? 0;
      reasons.clear();
    } else {
      const reason = reasons.get(needs) ?? { kind: 'budget', budget, planned: requests, needs };
      reasons.set(needs, reason);
      omitted.push({ probe, reason });
    }
  }
  return { chosen, omitted, requests };
}

/** Counterexamples of earlier runs, which are repeated first. */
function listSavedProbes(saved: readonly Counterexample[]): readonly Probe[] {
  return saved.map((counterexample, index) => ({
    id: `saved ${index + 1}: ${counterexample.requirement}`,
    phase: 'saved',
    rank: 0,
    requests: counterexample.steps.length,
    writes: counterexample.steps.some(({ body }) => body !== undefined),
    proves: [counterexample.requirement],
    run: ({ contract, session, known, nextTag }) => {
      const references = new Map(contract.resources.flatMap((each) => [...known.references(each)]));
      return sendCounterexample(counterexample, session, { nextTag, references });
    },
  }));
}

/** The requirements to judge: ids, prefixes of ids, families or operations. */
export interface Selection {
  /** Empty: all. */
  readonly only: ReadonlySet<string>;
  readonly skip: ReadonlySet<string>;
}

/**
 * Reads a selection.
 * @throws {PetstoreError} for a word that names no requirement, family or operation of the contract
 */
export function readSelection(
  contract: Contract,
  only: readonly string[],
  skip: readonly string[],
): Selection {
  const words = [...only.map((word) => ['--only', word]), ...skip.map((word) => ['--skip', word])];
  const known = new Set(words.length === 0 ? [] : listRequirements(contract).flatMap(listWords));
  for (const [flag, word = ''] of words) {
    if (known.has(word)) continue;
    throw new PetstoreError(
      'target',
      `"${word}" is not a requirement, family (${families.join(', ')}) or operation of the contract (${flag}).${suggestName(
        word,
        listRequirements(contract)
          .flatMap(({ id, operation }) => [operation ?? '', id])
          .concat(families),
      )}`,
    );
  }
  return { only: new Set(only), skip: new Set(skip) };
}

/** Whether a requirement is selected. */
export function isSelected(requirement: Requirement, { only, skip }: Selection): boolean {
  if (only.size + skip.size === 0) return true;
  const words = listWords(requirement);
  const wanted = only.size === 0 || words.some((word) => only.has(word));
  return wanted && !words.some((word) => skip.has(word));
}

/** All words that select a requirement: its family, operation, id and prefixes of the id. */
function listWords({ id, family, operation }: Requirement): readonly string[] {
  const ends = [...id.matchAll(/[./]/g)].map(({ index }) => index);
  const beginnings = ends.map((end) => id.slice(0, end));
  return [family, ...(operation === undefined ? [] : [operation]), id, ...beginnings];
}
