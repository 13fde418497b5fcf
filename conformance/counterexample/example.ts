import { requirementsOf } from '../family/requirements.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Resource } from '../../contract/resource/resource.ts';
import { type TargetFacts, idOf, pathValuesOf, resourceNamedBy } from '../judge/trace/trace.ts';
import type { Verdict, Failure } from '../judge/verdict.ts';
import type { Exchange } from '../transport/exchange.ts';
import { untilEnd } from '../transport/pacing.ts';
import type { Session } from '../transport/session.ts';
import { operationOf } from '../transport/target.ts';
import { createCounterexample, answeredItems, renderReplayId } from './counterexample.ts';
import { findFailure, reduceLog, type FailureSearch } from './reduce.ts';
import { isAboutBodies, shrinkBody, shrinkSequence, type ShrinkOptions } from './shrink.ts';

/** Failures by requirement, each with its replay id, in the smallest known form. */
export type Examples = Map<string, readonly Failure[]>;

/** Number of requirements for which exchanges around a failure are searched, too. */
const thorough = 12;

/** Number of further failures of one requirement that get their own id. */
const further = 4;

/** What a run knows when its probes are done. */
export interface ExampleSource extends TargetFacts {
  readonly contract: Contract;
  readonly session: Session;
  readonly shrink: ShrinkOptions;
}

/**
 * Finds the exchanges that show each failure, then, with its share of requests, smaller ones. Adds
 * them to the examples, if these have none for the requirement.
 */
export async function findExamples(
  source: ExampleSource,
  verdicts: readonly Verdict[],
  examples: Examples,
): Promise<void> {
  const { contract, plan, exclusive, session } = source;
  const log = [...session.exchanges];
  const failed = verdicts
    .filter((verdict) => verdict.kind === 'failed')
    .filter(({ requirement }) => !examples.has(requirement.id));
  const shown: FailureSearch['shown'] = new Map();
  let { share } = source.shrink;
  // On top of the budget, so that a failing target gets all planned requests.
  const onTop = Math.max(0, share - session.left());
  session.budget += onTop;
  for (const [index, { requirement, failures }] of failed.entries()) {
    const sought = { contract, requirement: requirement.id, plan, exclusive, shown };
    const found: Failure[] = [];
    for (const [place, failure] of failures.slice(0, 1 + further).entries()) {
      const part = exampleOf(sought, log, failure, place === 0 && index < thorough);
      if (part === undefined) continue;
      const before = session.exchanges.length;
      const most = Math.max(5, Math.floor(share / (failed.length - index)));
      session.probe = `shrink: ${requirement.id}`;
      const own = place === 0 ? Math.min(most, share) : 0;
      found.push(await findSmallest(sought, source, log, part, failure, own));
      share -= session.exchanges.length - before;
    }
    if (found.length > 0) examples.set(requirement.id, found);
  }
  session.budget -= Math.min(onTop, session.left());
}

/** The few exchanges that show a failure, and those that a later replay needs. */
function exampleOf(
  sought: FailureSearch,
  log: readonly Exchange[],
  failure: Failure,
  reach: boolean,
): readonly Exchange[] | undefined {
  const part = reduceLog(sought, log, failure, reach);
  const whole = part && withSources(sought.contract, log, part);
  return whole && findFailure(sought, whole, failure.exchange) !== undefined ? whole : part;
}

async function findSmallest(
  sought: FailureSearch,
  { session, shrink }: ExampleSource,
  log: readonly Exchange[],
  part: readonly Exchange[],
  failure: Failure,
  share: number,
): Promise<Failure> {
  const { contract, requirement, plan } = sought;
  const withReplay = (exchanges: readonly Exchange[], each: Failure): Failure => ({
    ...each,
    replay: renderReplayId(
      createCounterexample(contract, requirement, exchanges, shrink.tag, plan),
    ),
  });
  const asFound = withReplay(part, failure);
  const family = requirementsOf(contract).get(requirement)?.family;
  if (share <= 0 || family === undefined || !isAboutBodies(family)) return asFound;
  const start = session.left();
  const smaller = await untilEnd(async () => {
    const options = { ...shrink, share };
    const sequence = await shrinkSequence(sought, log, { part, failure }, session, options);
    const left = share - (start - session.left());
    const exchanges = sequence?.exchanges ?? part;
    return (await shrinkBody(sought, exchanges, session, { ...options, share: left })) ?? sequence;
  });
  if (smaller === undefined) return asFound;
  return { ...withReplay(smaller.exchanges, smaller.failure), shrunkFrom: failure };
}

/** Replaces failures by their examples, smaller ones first. */
export function showExamples(verdicts: readonly Verdict[], examples: Examples): readonly Verdict[] {
  return verdicts.map((verdict) => {
    if (verdict.kind !== 'failed') return verdict;
    const known = examples.get(verdict.requirement.id) ?? [];
    const smallest = known.filter(({ shrunkFrom }) => shrunkFrom !== undefined);
    const rest = verdict.failures
      .filter(({ exchange }) => !smallest.some((each) => each.exchange === exchange))
      .map((failure) => known.find((each) => each.exchange === failure.exchange) ?? failure);
    return { ...verdict, failures: [...smallest, ...rest] };
  });
}

/**
 * Some exchanges, together with those that gave them the identifiers in their paths, so that a
 * replay can get its own: the addition of the item, else the latest list that showed it. In order,
 * each once.
 */
function withSources(
  contract: Contract,
  log: readonly Exchange[],
  part: readonly Exchange[],
): readonly Exchange[] {
  const sources = part.flatMap((exchange) => findSources(contract, log, exchange));
  const all = [...new Set([...part, ...sources])].toSorted((a, b) => a.index - b.index);
  // The parent of a source has a source of its own.
  return all.length === part.length ? all : withSources(contract, log, all);
}

function findSources(
  contract: Contract,
  log: readonly Exchange[],
  exchange: Exchange,
): readonly Exchange[] {
  const operation = operationOf(contract, exchange.request.operation);
  if (operation === undefined || exchange.intent.kind !== 'valid') return [];
  return Object.entries(pathValuesOf(operation, exchange.request.target)).flatMap(([name, id]) => {
    const resource = resourceNamedBy(contract, operation, name);
    return (resource && findSource(contract, log, exchange, resource, id)) ?? [];
  });
}

function findSource(
  contract: Contract,
  log: readonly Exchange[],
  exchange: Exchange,
  resource: Resource,
  id: string,
): Exchange | undefined {
  const earlier = log.filter(
    (each) =>
      each.index < exchange.index &&
      each.outcome.kind === 'answered' &&
      each.outcome.response.body.includes(id),
  );
  const shows = (each: Exchange): boolean =>
    answeredItems(contract, each, resource).some((item) => idOf(item, resource) === id);
  const creates = earlier.filter(({ request }) => request.operation === resource.create?.id);
  const creation = creates.find((each) => each.intent.kind === 'valid' && shows(each));
  return (
    creation ??
    earlier.findLast((each) => each.request.operation === resource.list.id && shows(each)) ??
    creates.find(shows)
  );
}
