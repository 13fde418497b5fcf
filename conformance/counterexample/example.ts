import { requirementsOf } from '../family/requirements.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Resource } from '../../contract/resource/resource.ts';
import { type TargetFacts, idOf, pathValuesOf, resourceNamedBy } from '../judge/trace/trace.ts';
import type { Verdict, Failure } from '../judge/verdict.ts';
import type { Exchange } from '../transport/exchange.ts';
import { untilEnd } from '../transport/pacing.ts';
import type { Session } from '../transport/session.ts';
import { operationOf } from '../transport/target.ts';
import { createCounterexample, answeredItems } from './counterexample.ts';
import { findFailure, reduceLog, type Sought } from './reduce.ts';
import { renderReplayId } from './replay-id.ts';
import { isAboutBodies, shrinkBody, shrinkSequence, type ShrinkOptions } from './shrink.ts';

/** The smallest known form of a failure, with the id that repeats it. */
export interface Example {
  readonly requirement: string;
  readonly failure: Failure;
}

/** Requirements for which the exchanges around a failure are searched too. */
const thorough = 12;

/** Failures of one requirement, beyond the first, that get an id of their own. */
const further = 4;

/** What a run knows when its probes are done. */
export interface ExampleSource extends TargetFacts {
  readonly contract: Contract;
  readonly session: Session;
  readonly shrink: ShrinkOptions;
}

/** Finds the exchanges that show each failure; then, with the share of requests, smaller ones. */
export async function findExamples(
  source: ExampleSource,
  verdicts: readonly Verdict[],
): Promise<readonly Example[]> {
  const { session } = source;
  const log = [...session.exchanges];
  const failed = verdicts.filter((verdict) => verdict.kind === 'failed');
  const examples: Example[] = [];
  const shown: Sought['shown'] = new Map();
  let { share } = source.shrink;
  // On top of what is left: a failing target is asked all that any other is.
  const onTop = Math.max(0, share - session.left());
  session.budget += onTop;
  for (const [index, { requirement, failures }] of failed.entries()) {
    const { contract, plan, exclusive } = source;
    const sought = { contract, requirement: requirement.id, plan, exclusive, shown };
    const [first, ...others] = failures;
    const part = first && exampleOf(sought, log, first, index < thorough);
    if (first !== undefined && part) {
      const before = session.exchanges.length;
      const most = Math.max(5, Math.floor(share / (failed.length - index)));
      session.probe = `shrink: ${requirement.id}`;
      examples.push(await findSmallest(sought, source, log, part, first, Math.min(most, share)));
      share -= session.exchanges.length - before;
    }
    for (const failure of others.slice(0, further)) {
      const plain = exampleOf(sought, log, failure, false);
      if (plain !== undefined) examples.push(withReplay(sought, source, plain, failure));
    }
  }
  session.budget -= Math.min(onTop, session.left());
  return examples;
}

/** The few exchanges that show a failure, with those that it takes to show it another day. */
function exampleOf(
  sought: Sought,
  log: readonly Exchange[],
  failure: Failure,
  reach: boolean,
): readonly Exchange[] | undefined {
  const part = reduceLog(sought, log, failure, reach);
  const whole = part && withSources(sought.contract, log, part);
  return whole && findFailure(sought, whole, failure.exchange) !== undefined ? whole : part;
}

async function findSmallest(
  sought: Sought,
  source: ExampleSource,
  log: readonly Exchange[],
  part: readonly Exchange[],
  failure: Failure,
  share: number,
): Promise<Example> {
  const asFound = withReplay(sought, source, part, failure);
  const requirement = requirementsOf(sought.contract).get(sought.requirement);
  if (share <= 0 || requirement === undefined || !isAboutBodies(requirement.family)) return asFound;
  const { session } = source;
  const start = session.left();
  const smaller = await untilEnd(async () => {
    const options = { ...source.shrink, share };
    const sequence = await shrinkSequence(sought, log, { part, failure }, session, options);
    const shown = sequence?.exchanges ?? part;
    const left = share - (start - session.left());
    return (await shrinkBody(sought, shown, session, { ...options, share: left })) ?? sequence;
  });
  if (smaller === undefined) return asFound;
  const found = withReplay(sought, source, smaller.exchanges, smaller.failure);
  return { ...found, failure: { ...found.failure, shrunkFrom: failure } };
}

function withReplay(
  { contract, requirement, plan }: Sought,
  { shrink }: ExampleSource,
  part: readonly Exchange[],
  failure: Failure,
): Example {
  return {
    requirement,
    failure: {
      ...failure,
      replay: renderReplayId(createCounterexample(contract, requirement, part, shrink.tag, plan)),
    },
  };
}

/** Puts the examples in the place of the failures that they tell, smaller ones first. */
export function showExamples(
  verdicts: readonly Verdict[],
  examples: readonly Example[],
): readonly Verdict[] {
  return verdicts.map((verdict) => {
    if (verdict.kind !== 'failed') return verdict;
    const known = new Map(
      examples
        .filter(({ requirement }) => requirement === verdict.requirement.id)
        .map(({ failure }) => [failure.exchange, failure]),
    );
    const smallest = [...known.values()].filter(({ shrunkFrom }) => shrunkFrom !== undefined);
    const rest = verdict.failures.filter(
      ({ exchange }) => !smallest.some((each) => each.exchange === exchange),
    );
    return {
      ...verdict,
      failures: [...smallest, ...rest.map((failure) => known.get(failure.exchange) ?? failure)],
    };
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
  // What a source is within has one of its own.
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
