import type { Contract } from '../../contract/index.ts';
import { answeredItems } from './counterexample.ts';
import type { Exchange } from '../transport/exchange.ts';
import { operationOf } from '../transport/target.ts';
import { idOf, itemResourceOf, pathIdOf } from '../judge/trace/trace.ts';

/**
 * Some exchanges, together with those that gave them the identifiers in their paths, so that a
 * replay can get its own: the addition of the item, else the latest list that showed it. In order,
 * each once.
 */
export function withSources(
  contract: Contract,
  log: readonly Exchange[],
  part: readonly Exchange[],
): readonly Exchange[] {
  const sources = part.flatMap((exchange) => findSource(contract, log, exchange) ?? []);
  return [...new Set([...part, ...sources])].toSorted((a, b) => a.index - b.index);
}

function findSource(
  contract: Contract,
  log: readonly Exchange[],
  exchange: Exchange,
): Exchange | undefined {
  const operation = operationOf(contract, exchange.request.operation);
  const resource = itemResourceOf(contract, operation);
  if (!operation || !resource || exchange.intent.kind !== 'valid') return undefined;
  const id = pathIdOf({ operation, exchange }, resource);
  if (id === undefined) return undefined;
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
