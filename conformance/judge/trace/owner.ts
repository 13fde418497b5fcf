import type { Resource } from '../../../contract/index.ts';
import { additionsOf, type Addition } from './addition.ts';
import { firstSightings, isBefore, listingsOf } from './listing.ts';
import type { Trace } from './trace.ts';

/** The additions, each with the earlier exchange in which its identifier was another's. */
export function earlierOwners(
  trace: Trace,
  resource: Resource,
): ReadonlyMap<Addition, number | undefined> {
  const additions = additionsOf(trace, resource);
  const namesakes = Map.groupBy(additions, ({ answered }) => answered.id);
  const listed = firstSightings(listingsOf(trace, resource));
  return new Map(
    additions.map((addition) => {
      const { exchange } = addition.reading;
      const { id } = addition.answered;
      const owner = [...(namesakes.get(id) ?? []), listed.get(id)].find(
        (other) => other && isBefore(other.reading.exchange, exchange),
      );
      return [addition, owner?.reading.exchange.index];
    }),
  );
}
