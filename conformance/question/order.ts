import type { JsonObject, JsonValue } from '../../contract/json/value.ts';
import { collectionsOf, type Listing } from '../judge/trace/collection.ts';
import { idIn } from '../judge/trace/trace.ts';
import { quote } from '../judge/trace/words.ts';
import { choicesWhere, observation, type QuestionKind } from './question.ts';

/** Items that a list needs to show an order. */
const least = 3;

/** `order`: the orders that every list has. */
export const order: QuestionKind = {
  *observe(question, trace) {
    for (const { resource, listings: all } of collectionsOf(trace)) {
      if (!question.at.startsWith(resource.list.pointer)) continue;
      const listings = all.filter(({ items }) => items.length >= least);
      const [longest] = listings.toSorted((a, b) => b.items.length - a.items.length);
      if (longest === undefined) continue;
      const ordered = choicesWhere(question, ({ details }) =>
        listings.every((listing) => isOrdered(listing, details)),
      );
      const isOther = ordered.length === 0 && holds(listings);
      const ids = longest.items
        .slice(0, least)
        .map(({ members }) => idIn(members, resource) ?? null);
      yield observation(
        longest.reading,
        ordered.length > 0 || isOther ? ordered : ['none'],
        `${longest.items.length} items, the first ${quote(ids)}${isOther ? ', in another stable order' : ''}`,
      );
    }
  },
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

/** Some lists share items, and these have the same order in each list as in the one before it. */
function holds(listings: readonly Listing[]): boolean {
  const orders = listings.flatMap((listing, index) => {
    const before = [...(listings[index - 1]?.ids ?? [])].filter((id) => listing.ids.has(id));
    const now = [...listing.ids].filter((id) => listings[index - 1]?.ids.has(id));
    return before.length < least ? [] : [before.every((id, at) => id === now[at])];
  });
  return orders.length > 0 && orders.every(Boolean);
}
