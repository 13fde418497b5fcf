import { isEverTouched } from '../trace/change.ts';
import { isSame } from '../trace/item.ts';
import { listingsOf } from '../trace/listing.ts';
import { quote } from '../trace/words.ts';
import type { Reader } from './reader.ts';

/** `transitions`: whether a filtered member of an item that nobody changed was seen to change. */
export const readTransitions: Reader = function* readTransitions(_question, trace) {
  for (const resource of trace.contract.resources) {
    const listings = listingsOf(trace, resource);
    for (const { property } of resource.filters) {
      const first = new Map<string, unknown>();
      let again = 0;
      for (const { items, reading } of listings) {
        for (const { id, members } of items) {
          const { [property]: value } = members;
          const before = first.get(id);
          if (isEverTouched(trace, resource, id)) continue;
          if (!first.has(id)) first.set(id, value);
          else again += 1;
          if (value === undefined || typeof before !== 'string' || isSame(before, value)) continue;
          yield {
            choice: 'elsewhere',
            exchange: reading.exchange.index,
            evidence: `\`${property}\` of the item ${id} was ${quote(before)} and is ${quote(value)}`,
          };
          return;
        }
      }
      const last = listings.at(-1);
      if (last !== undefined && again > 0)
        yield {
          choice: undefined,
          exchange: last.reading.exchange.index,
          evidence: `${first.size} items were seen, ${again} times again, and none had changed`,
          isUnclear: true,
        };
    }
  }
};
