import {
  isJsonObject,
  jsonEquals,
  renderJson,
  type JsonObject,
} from '../../../contract/json/value.ts';
import type { Resource } from '../../../contract/resource/resource.ts';
import { sampleTag } from '../../generate/tag.ts';
import { statusOf, type Exchange } from '../../transport/exchange.ts';
import { additionsOf } from '../trace/addition.ts';
import { changesOf, isUntouched } from '../trace/change.ts';
import { failed, unclear, type Finding } from '../trace/finding.ts';
import type { Item } from '../trace/item.ts';
import { firstSightings, hasRoom, isBefore, listingsOf, type Listing } from '../trace/listing.ts';
import { notWrittenId } from '../trace/missing-item.ts';
import { idOf, itemOf, type Reading, type Trace } from '../trace/trace.ts';
import { quote } from '../trace/words.ts';

/** Items that a list shows, and that no response of the run accounts for. */
export interface Appearance {
  /** The last whole list without them. */
  readonly before: Listing;
  /** The first list with them. */
  readonly listing: Listing;
  readonly items: readonly Item[];
  /**
   * The requests in between that must not store anything since they were refused, by the id of the
   * requirement; the one that resembles one of the items most is the first.
   */
  readonly refused: ReadonlyMap<string, readonly Reading[]>;
  /** The ids of the requirements that fail, if only this run adds items. */
  readonly failing: ReadonlySet<string>;
}

/**
 * Judges the items that appeared during the run and that no response accounts for. Where nobody else
 * adds items, a refused request stored them; elsewhere nobody can say.
 */
export function* judgeUnexplained(trace: Trace, resource: Resource): Generator<Finding> {
  for (const { before, listing, items, refused, failing } of appearancesOf(trace, resource)) {
    const { index } = listing.reading.exchange;
    for (const [id, readings] of refused) {
      const [reading] = readings;
      if (reading === undefined) continue;
      const item = nearestItem(reading, items);
      const shown = `an item that no response explains: ${quote(item?.members ?? {})}`;
      if (trace.exclusive && failing.has(id)) {
        const expected = `no item added by the request that got ${reading.response.status}`;
        const others = [before.reading.exchange.index, reading.exchange.index];
        yield failed(id, index, expected, shown, others);
      } else {
        const doubt = trace.exclusive
          ? 'more than one request may have added it'
          : 'another client may have added it; --exclusive states that nobody else uses the target';
        yield unclear(id, index, `${shown}; ${doubt}`);
      }
    }
  }
}

/** The items that appeared unexplained; none where a list lacks items that it has to show. */
export function appearancesOf(trace: Trace, resource: Resource): readonly Appearance[] {
  const { create } = resource;
  const listings = listingsOf(trace, resource);
  const whole = listings.filter(isWhole);
  if (create === undefined || whole.length === 0 || !isComplete(trace, resource, whole)) return [];
  const known = accountedFor(trace, resource);
  const sightings = [...firstSightings(listings)].filter(([id]) => !known.ids.has(id));
  const found: Appearance[] = [];
  for (const [listing, seen] of Map.groupBy(sightings, ([, first]) => first)) {
    const { exchange } = listing.reading;
    const before = whole.findLast(({ reading }) => isBefore(reading.exchange, exchange));
    if (before === undefined) continue;
    const ids = new Set(seen.map(([id]) => id));
    const items = listing.items.filter(
      ({ id, members }) =>
        ids.has(id) &&
        isUntouched(trace, resource, id, exchange) &&
        !marksOf(members).some((mark) => known.marks.has(mark)),
    );
    if (items.length > 0) found.push(explain(trace, resource, { before, listing, items }));
  }
  return found;
}

/** A list without a filter that has room for more. */
export function isWhole(listing: Listing): boolean {
  return listing.filters.size === 0 && hasRoom(listing);
}

/** Whether each whole list shows all that was listed or added before it, and each item has its own id. */
function isComplete(trace: Trace, resource: Resource, whole: readonly Listing[]): boolean {
  const additions = additionsOf(trace, resource);
  if (new Set(additions.map(({ answered }) => answered.id)).size < additions.length) return false;
  return whole.every(({ reading: { exchange }, ids }) => {
    const earlier = [
      ...whole.flatMap((each) => (isBefore(each.reading.exchange, exchange) ? [...each.ids] : [])),
      ...additions.flatMap(({ reading, answered }) =>
        isBefore(reading.exchange, exchange) ? answered.id : [],
      ),
    ];
    return earlier.every((id) => ids.has(id) || !isUntouched(trace, resource, id, exchange));
  });
}

/**
 * What the run's own requests account for: the ids that they were answered, and the texts that they
 * sent, which are judged by themselves.
 */
function accountedFor(
  { readings }: Trace,
  resource: Resource,
): { readonly ids: ReadonlySet<string>; readonly marks: ReadonlySet<string> } {
  const others = readings.filter(({ operation }) => operation.id !== resource.list.id);
  return {
    ids: new Set(others.map((reading) => idOf(itemOf(reading) ?? {}, resource))),
    marks: new Set(others.flatMap(({ sent }) => (isJsonObject(sent) ? marksOf(sent) : []))),
  };
}

/** The members of an object that are long enough to be a tag, each as one text. */
export function marksOf(members: JsonObject): readonly string[] {
  return Object.entries(members).flatMap(([name, value]) =>
    typeof value === 'string' && value.length >= sampleTag.length
      ? [`${name} ${renderJson(value)}`]
      : [],
  );
}

/** A requirement fails where all other requests together cannot have added so many items. */
function explain(
  trace: Trace,
  resource: Resource,
  { before, listing, items }: Pick<Appearance, 'before' | 'listing' | 'items'>,
): Appearance {
  const isLate = (exchange: Exchange): boolean => isBefore(listing.reading.exchange, exchange);
  const isBetween = (exchange: Exchange): boolean =>
    !isLate(exchange) && !isBefore(exchange, before.reading.exchange);
  const suspects = trace.readings.flatMap((reading) => {
    const isCreate = reading.operation.id === resource.create?.id;
    const id = isCreate ? notWrittenId(reading, trace.contract) : undefined;
    return id === undefined || !isBetween(reading.exchange) ? [] : [{ id, reading }];
  });
  const isSuspect = new Set(suspects.map(({ reading }) => reading.exchange));
  const answered = new Map(trace.readings.map((reading) => [reading.exchange, reading]));
  const most = trace.exchanges
    .filter((exchange) => !isLate(exchange) && !isSuspect.has(exchange))
    .map((each) => mostAdded(each, answered.get(each), resource, isBetween(each)))
    .reduce((sum, each) => sum + each, 0);
  const groups = [...Map.groupBy(suspects, ({ id }) => id)];
  const refused = groups.map(
    ([id, group]) =>
      [id, group.map(({ reading }) => reading).toSorted(byResemblance(items))] as const,
  );
  const failing = refused.flatMap(([id, group]) =>
    items.length > most + suspects.length - group.length ? [id] : [],
  );
  const nearest = byResemblance(items);
  return {
    before,
    listing,
    items,
    refused: new Map(
      refused.toSorted(([, [one]], [, [other]]) => (one && other ? nearest(one, other) : 0)),
    ),
    failing: new Set(failing),
  };
}

/** How many items a request may have added without a response that shows them. */
function mostAdded(
  exchange: Exchange,
  reading: Reading | undefined,
  resource: Resource,
  isBetween: boolean,
): number {
  const { operation, method } = exchange.request;
  if (['GET', 'HEAD', 'OPTIONS'].includes(method)) return 0;
  const status = statusOf(exchange);
  if (status === undefined) return Infinity;
  const isUnknown = status >= 500 || status === 429 || status === 202;
  if (reading !== undefined && operation === resource.create?.id) {
    if (status < 300 && idOf(itemOf(reading) ?? {}, resource) !== '') return 0;
    return isBetween || isUnknown || status < 400 ? 1 : 0;
  }
  // A change can add only the item of its own path.
  if (reading !== undefined && changesOf(resource).some((each) => each.operation.id === operation))
    return 0;
  if (!isBetween && !isUnknown) return 0;
  return status >= 400 && status < 500 ? 1 : Infinity;
}

/** Compares requests by the item that each resembles most. */
function byResemblance(items: readonly Item[]): (one: Reading, other: Reading) => number {
  const weigh = (reading: Reading): number => {
    const item = nearestItem(reading, items);
    return item === undefined ? -Infinity : resemblance(reading, item);
  };
  return (one, other) => weigh(other) - weigh(one);
}

function nearestItem(reading: Reading, items: readonly Item[]): Item | undefined {
  return items.toSorted((a, b) => resemblance(reading, b) - resemblance(reading, a))[0];
}

/** More for members as they were sent, much less for others than were sent. */
function resemblance({ sent }: Reading, { members }: Item): number {
  if (!isJsonObject(sent)) return 0;
  return Object.entries(sent).reduce((sum, [name, value]) => {
    const stored = members[name];
    if (value === undefined || stored === undefined) return sum;
    return sum + (jsonEquals(stored, value) ? 1 : -100);
  }, 0);
}
