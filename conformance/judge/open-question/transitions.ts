import type { JsonValue, Resource } from '../../../contract/index.ts';
import { isEverTouched } from '../trace/change.ts';
import { isSame } from '../trace/item.ts';
import { listingsOf } from '../trace/listing.ts';
import type { Trace } from '../trace/trace.ts';
import { quote } from '../trace/words.ts';
import type { Observed, Reader } from './reader.ts';

/** `transitions`: whether a filtered member of an item that nobody changed was seen to change. */
export const readTransitions: Reader = function* readTransitions(_question, trace) {
  for (const resource of trace.contract.resources)
    for (const { property } of resource.filters) yield* readChanges(property, resource, trace);
};

/** Up to the first change; where there is none, how often it might have been seen. */
function* readChanges(property: string, resource: Resource, trace: Trace): Generator<Observed> {
  const listings = listingsOf(trace, resource);
  const sights = listings.flatMap(({ items, reading }) =>
    items
      .filter(({ id }) => !isEverTouched(trace, resource, id))
      .map(({ id, members: { [property]: value } }) => ({ id, value, reading })),
  );
  const first = new Map<string, JsonValue | undefined>();
  for (const { id, value, reading } of sights) {
    const before = first.get(id);
    if (!first.has(id)) first.set(id, value);
    if (value === undefined || before === undefined || isSame(before, value)) continue;
    const evidence = `\`${property}\` of the item ${id} was ${quote(before)} and is ${quote(value)}`;
    yield { choice: 'elsewhere', exchange: reading.exchange.index, evidence };
    return;
  }
  const last = listings.at(-1);
  const again = sights.length - first.size;
  if (last === undefined || again === 0) return;
  const evidence = `${first.size} items were seen, ${again} times again, and none had changed`;
  yield { choice: undefined, exchange: last.reading.exchange.index, evidence, isUnclear: true };
}
