import type { JsonObject, JsonValue } from '../../../contract/index.ts';
import { listingsOf, type Listing } from '../trace/listing.ts';
import { quote } from '../trace/words.ts';
import type { Reader } from './reader.ts';

/** Items that a list needs to tell an order. */
const least = 3;

/** The first choice whose order every list has. */
export const readOrder: Reader = function* readOrder(question, trace) {
  for (const resource of trace.contract.resources) {
    if (!question.at.startsWith(resource.list.pointer)) continue;
    const listings = listingsOf(trace, resource).filter(({ items }) => items.length >= least);
    const [longest] = listings.toSorted((a, b) => b.items.length - a.items.length);
    if (longest === undefined) continue;
    const found = question.choices.find(({ details }) =>
      listings.every((listing) => isOrdered(listing, details)),
    );
    const ids = longest.items
      .slice(0, least)
      .map(({ members }) => members[resource.idProperty] ?? null);
    yield {
      choice: found?.id ?? 'none',
      exchange: longest.reading.exchange.index,
      evidence: `${longest.items.length} items, the first ${quote(ids)}`,
    };
  }
};

function isOrdered({ items }: Listing, { by, direction }: JsonObject): boolean {
  if (typeof by !== 'string') return false;
  const sign = direction === 'descending' ? -1 : 1;
  return items.every(
    (item, index) =>
      index === 0 || sign * compare(items[index - 1]?.members[by], item.members[by]) <= 0,
  );
}

function compare(a: JsonValue | undefined, b: JsonValue | undefined): number {
  if (a === undefined || b === undefined || a === null || b === null || a === b) return 0;
  return a < b ? -1 : 1;
}
