import type { JsonObject, JsonValue } from '../../contract/json/value.ts';
import type { OpenQuestion } from '../../contract/openapi/open-question.ts';
import type { Resource } from '../../contract/resource/resource.ts';
import type { Observation } from '../judge/trace/finding.ts';
import { isSame } from '../judge/trace/item.ts';
import { collectionOf, collectionsOf, type Listing } from '../judge/trace/collection.ts';
import type { Trace } from '../judge/trace/trace.ts';
import { countItems, quote } from '../judge/trace/words.ts';
import { headerOf } from '../transport/exchange.ts';
import { choicesWhere, everyChoice, type QuestionKind } from './question.ts';

/** Items that a list needs to show an order. */
const least = 3;

/** `order`: the orders that every list has. */
export const order: QuestionKind = {
  *observe(question, trace) {
    for (const resource of trace.contract.resources) {
      if (!question.at.startsWith(resource.list.pointer)) continue;
      const listings = collectionOf(trace, resource).listings.filter(
        ({ items }) => items.length >= least,
      );
      const [longest] = listings.toSorted((a, b) => b.items.length - a.items.length);
      if (longest === undefined) continue;
      const ordered = choicesWhere(question, ({ details }) =>
        listings.every((listing) => isOrdered(listing, details)),
      );
      const isOther = ordered.length === 0 && holds(listings);
      const ids = longest.items
        .slice(0, least)
        .map(({ members }) => members[resource.idProperty] ?? null);
      yield {
        choices: ordered.length > 0 || isOther ? ordered : ['none'],
        exchange: longest.reading.exchange.index,
        evidence: `${longest.items.length} items, the first ${quote(ids)}${isOther ? ', in another stable order' : ''}`,
      };
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

/** `paging`: what lists say that have fewer items than there are. */
export const paging: QuestionKind = {
  *observe(_question, trace) {
    for (const collection of collectionsOf(trace)) {
      for (const { items, limit, filters, more, reading } of collection.listings) {
        if (items.length !== limit || items.length === 0) continue;
        const exchange = reading.exchange.index;
        const link = headerOf(reading.response, 'link');
        const least = filters.size > 0 ? 0 : collection.leastSize(reading.exchange);
        if (more && link !== undefined)
          yield { choices: ['link-header'], exchange, evidence: `Link: ${link}` };
        else if (more) yield { choices: [], exchange, evidence: 'a header refers to more items' };
        // Parameters that the document does not describe may lead on.
        else if (least > items.length)
          yield {
            choices: ['none', 'query-parameters'],
            exchange,
            evidence: `a list of ${countItems(items.length)} without a link to the others`,
          };
      }
    }
  },
};

/** `transitions`: whether a filtered member of an item that nobody changed was seen to change. */
export const transitions: QuestionKind = {
  *observe(question, trace) {
    for (const resource of trace.contract.resources)
      for (const { property } of resource.filters)
        yield* observeChanges(question, property, resource, trace);
  },
};

/** Up to the first change; where there is none, how often it might have been seen. */
function* observeChanges(
  question: OpenQuestion,
  property: string,
  resource: Resource,
  trace: Trace,
): Generator<Observation> {
  const { listings, attempts } = collectionOf(trace, resource);
  const sights = listings.flatMap(({ items, reading }) =>
    items
      .filter(({ id }) => !attempts().has(id))
      .map(({ id, members: { [property]: value } }) => ({ id, value, reading })),
  );
  const first = new Map<string, JsonValue | undefined>();
  for (const { id, value, reading } of sights) {
    const before = first.get(id);
    if (!first.has(id)) first.set(id, value);
    if (value === undefined || before === undefined || isSame(before, value)) continue;
    const evidence = `\`${property}\` of the item ${id} was ${quote(before)} and is ${quote(value)}`;
    yield { choices: ['elsewhere'], exchange: reading.exchange.index, evidence };
    return;
  }
  const last = listings.at(-1);
  const again = sights.length - first.size;
  if (last === undefined || again === 0) return;
  const evidence = `${countItems(first.size)} ${first.size === 1 ? 'was' : 'were'} seen, ${again} of them more than once, and none had changed`;
  yield { choices: everyChoice(question), exchange: last.reading.exchange.index, evidence };
}
