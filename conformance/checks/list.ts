import { obligationId, type Resource } from '../../contract/index.ts';
import type { Check } from '../check.ts';
import { held, violated, type Finding } from '../finding.ts';
import { createdInSpite } from '../ledger.ts';
import type { Item } from '../item.ts';
import { isBefore, isReadable, listingsOf, passes, type Listing } from '../population.ts';
import { quote } from '../words.ts';

/** Judges lists: never more than the limit, as many as there are, the filter's items and no others, no item twice. */
export const listCheck: Check = {
  id: 'list',
  *judge(trace) {
    const tainted = createdInSpite(trace);
    for (const resource of trace.contract.resources) {
      const listings = listingsOf(trace, resource);
      for (const listing of listings) {
        yield* judgeBound(listing, resource);
        yield* judgeDistinct(listing, resource);
        yield* judgeFilters(listing, resource, tainted);
        yield* judgeFilled(listing, listings, resource, tainted);
      }
    }
  },
};

function* judgeBound({ reading, size, asked, limit }: Listing, resource: Resource): Generator<Finding> {
  if (!resource.limit || limit === undefined) return;
  const id = limitId(resource, asked === undefined ? 'default' : 'bound');
  if (size <= limit) {
    if (asked !== undefined) yield held(id, reading.exchange.index);
  } else yield violated(id, reading.exchange.index, `at most ${limit} items`, `${size} items`);
}

function limitId(resource: Resource, facet: string): string {
  return obligationId.parameter(resource.list.id, resource.limit?.parameter.name ?? '', facet);
}

function* judgeDistinct({ reading, items, ids }: Listing, resource: Resource): Generator<Finding> {
  const id = obligationId.state(resource.list.id, 'distinct');
  if (items.length === 0) return;
  if (ids.size === items.length) yield held(id, reading.exchange.index);
  else yield violated(id, reading.exchange.index, `no \`${resource.idProperty}\` twice`, `${items.length} items with ${ids.size} different values`);
}

function* judgeFilters(listing: Listing, resource: Resource, tainted: ReadonlySet<string>): Generator<Finding> {
  for (const [property, value] of listing.filters) {
    const id = filterId(resource, property);
    const stranger = listing.items.find(
      (item) => passes(item, new Map([[property, value]])) === false && !tainted.has(item.id),
    );
    const { index } = listing.reading.exchange;
    if (stranger) yield violated(id, index, `only items whose \`${property}\` is ${quote(value)}`, `an item with ${quote(stranger.members[property])}`);
    else if (listing.items.length > 0) yield held(id, index);
  }
}

function filterId(resource: Resource, property: string): string {
  const filter = resource.filters.find((each) => each.property === property);
  return obligationId.parameter(resource.list.id, filter?.parameter.name ?? property, 'filter');
}

/** A list that is shorter than its limit has to hold every item that an earlier list showed. Silent where the answer hints at further pages. */
function* judgeFilled(listing: Listing, listings: readonly Listing[], resource: Resource, tainted: ReadonlySet<string>): Generator<Finding> {
  const { reading, items, limit } = listing;
  if (!isReadable(listing) || limit === undefined) return;
  const id = filledId(listing, resource);
  const { index } = reading.exchange;
  const known = knownItems(listing, listings).filter((item) => !tainted.has(item.id));
  const wanted = Math.min(limit, known.length);
  if (items.length >= wanted) {
    if (known.length > 0 && (listing.asked !== undefined || known.length >= limit)) yield held(id, index);
    return;
  }
  const missing = known.find((item) => !listing.ids.has(item.id));
  const example = missing ? `, without the item ${missing.id} that an earlier list showed` : '';
  yield violated(id, index, `at least ${wanted} items: so many are known${limit === wanted ? ' and the limit allows' : ''}`, `${items.length} items${example}`);
}

function filledId(listing: Listing, resource: Resource): string {
  const [property] = listing.filters.keys();
  if (property !== undefined) return filterId(resource, property);
  return limitId(resource, listing.asked === undefined ? 'default' : 'filled');
}

/** The items that other lists showed to pass this list's filters, by the latest sight of each before it and every sight after. */
function knownItems(listing: Listing, listings: readonly Listing[]): readonly Item[] {
  const before = new Map<string, Item>();
  const changed = new Set<string>();
  for (const other of listings) {
    for (const item of other.items) {
      const fits = passes(item, listing.filters) === true;
      if (!fits) changed.add(item.id);
      else if (isBefore(other.reading.exchange, listing.reading.exchange)) before.set(item.id, item);
    }
  }
  return [...before].filter(([id]) => !changed.has(id)).map(([, item]) => item);
}
