import { parsePointer } from '../../../contract/json/pointer.ts';
import {
  isJsonObject,
  jsonEquals,
  renderJson,
  type JsonObject,
  type JsonValue,
} from '../../../contract/json/value.ts';
import type { Resource } from '../../../contract/resource/resource.ts';
import { sampleTag } from '../../generate/tag.ts';
import { statusOf, type Exchange } from '../../transport/exchange.ts';
import {
  changesOf,
  isBefore,
  isRefusalStatus,
  isWhole,
  type Collection,
  type Listing,
} from '../../judge/trace/collection.ts';
import { failed, passed, unclear, type Finding } from '../../judge/trace/finding.ts';
import { memberNames, type Item } from '../../judge/trace/item.ts';
import { notWrittenId } from '../../judge/trace/model.ts';
import { idOf, itemOf, type Reading } from '../../judge/trace/trace.ts';
import { quote } from '../../judge/trace/words.ts';

/**
 * Judges that refused requests leave nothing behind: no later list shows what they sent, nor items that
 * nothing else accounts for.
 */
export function* judgeNotWritten(collection: Collection): Generator<Finding> {
  const { trace, resource, listings } = collection;
  const trails = indexTrails(collection);
  const whole = listings.filter(isWhole);
  // What valid bodies hold as well identifies no item of a refused one.
  const valid = new Set(
    trace.readings.flatMap(({ sent, succeeded }) =>
      succeeded && isJsonObject(sent) ? marksOf(sent) : [],
    ),
  );
  for (const reading of trace.of(resource.create)) {
    const sent = refusedBody(reading, resource);
    const requirement = notWrittenId(reading, trace);
    if (sent === undefined || requirement === undefined) continue;
    if (!marksOf(sent).every((mark) => valid.has(mark)))
      yield* judgeRefused(requirement, reading, sent, trails, whole);
  }
  yield* judgeUnexplained(collection);
}

/** The members by which an item of a refused body would be known again; undefined for none. */
function refusedBody(reading: Reading, resource: Resource): JsonObject | undefined {
  const isRefused = isRefusalStatus(reading.status) && reading.exchange.intent.kind === 'invalid';
  if (!isRefused || !isJsonObject(reading.sent)) return undefined;
  const schema = resource.create?.requestBody?.content[0]?.schema;
  const malformed = new Set(schema?.validate(reading.sent).map(({ at }) => parsePointer(at)[0]));
  const known = memberNames(resource);
  const valid = Object.entries(reading.sent).filter(
    ([name]) => known.includes(name) && !malformed.has(name),
  );
  return valid.some(([name, value]) => isDistinctive(name, value, resource))
    ? Object.fromEntries(valid)
    : undefined;
}

/** Nobody else would send it: a free text of the length that tags have. */
function isDistinctive(name: string, value: JsonValue | undefined, resource: Resource): boolean {
  const shape = resource.item.shape().properties.get(name)?.shape();
  return (
    typeof value === 'string' &&
    value.length >= sampleTag.length &&
    shape?.values === undefined &&
    shape?.format === undefined
  );
}

function* judgeRefused(
  requirement: string,
  reading: Reading,
  sent: JsonObject,
  trails: ReadonlyMap<string, readonly Trail[]>,
  whole: readonly Listing[],
): Generator<Finding> {
  const { exchange, status } = reading;
  const [mark] = marksOf(sent);
  const trail = (trails.get(mark ?? '') ?? []).find(
    ({ item, first, listing }) =>
      !isBefore(first.reading.exchange, exchange) &&
      isBefore(exchange, listing.reading.exchange) &&
      holds(item.members, sent),
  );
  if (trail !== undefined) {
    const { index } = trail.listing.reading;
    const expected = `no trace of the body that was rejected with ${status}`;
    yield failed(requirement, index, expected, quote(trail.item.members), [reading.index]);
    return;
  }
  const proof = whole.find((listing) => isBefore(exchange, listing.reading.exchange));
  if (proof !== undefined) yield passed(requirement, proof.reading.index);
}

/** An item as a list showed it for the first time with these members. */
interface Trail {
  readonly item: Item;
  readonly listing: Listing;
  /** The first list that showed it at all. */
  readonly first: Listing;
}

/** The items of all lists by their distinctive members, each as it was first seen with them. */
function indexTrails({ listings, firstSeen }: Collection): ReadonlyMap<string, readonly Trail[]> {
  const trails = new Map<string, Trail[]>();
  for (const listing of listings) {
    for (const item of listing.items) {
      for (const mark of marksOf(item.members)) {
        const known = trails.get(mark) ?? [];
        trails.set(mark, known);
        if (!known.some((trail) => trail.item.id === item.id))
          known.push({ item, listing, first: firstSeen().get(item.id) ?? listing });
      }
    }
  }
  return trails;
}

function holds(item: JsonObject, sent: JsonObject): boolean {
  return Object.entries(sent).every(([name, value]) => {
    const stored = item[name];
    return value !== undefined && stored !== undefined && jsonEquals(stored, value);
  });
}

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
function* judgeUnexplained(collection: Collection): Generator<Finding> {
  const { exclusive } = collection.trace;
  for (const { before, listing, items, refused, failing } of appearancesOf(collection)) {
    const { index } = listing.reading;
    for (const [id, readings] of refused) {
      const [reading] = readings;
      if (reading === undefined) continue;
      const item = nearestItem(reading, items);
      const shown = `an item that no response explains: ${quote(item?.members ?? {})}`;
      if (exclusive && failing.has(id)) {
        const expected = `no item added by the request that got ${reading.status}`;
        const others = [before.reading.index, reading.index];
        yield failed(id, index, expected, shown, others);
      } else {
        const doubt = exclusive
          ? 'more than one request may have added it'
          : 'another client may have added it; --exclusive states that nobody else uses the target';
        yield unclear(id, index, `${shown}; ${doubt}`);
      }
    }
  }
}

/** The items that appeared unexplained; none where a list lacks items that it has to show. */
export function appearancesOf(collection: Collection): readonly Appearance[] {
  const { resource, listings, firstSeen } = collection;
  const whole = listings.filter(isWhole);
  if (resource.create === undefined || whole.length === 0 || !isComplete(collection, whole))
    return [];
  const known = accountedFor(collection);
  const sightings = [...firstSeen()].filter(([id]) => !known.ids.has(id));
  const found: Appearance[] = [];
  for (const [listing, seen] of Map.groupBy(sightings, ([, first]) => first)) {
    const { exchange } = listing.reading;
    const before = whole.findLast(({ reading }) => isBefore(reading.exchange, exchange));
    if (before === undefined) continue;
    const ids = new Set(seen.map(([id]) => id));
    const items = listing.items.filter(
      ({ id, members }) =>
        ids.has(id) &&
        collection.isUntouched(id, exchange) &&
        !marksOf(members).some((mark) => known.marks.has(mark)),
    );
    if (items.length > 0) found.push(explain(collection, before, listing, items));
  }
  return found;
}

/** Whether each whole list shows all that was listed or added before it, and each item has its own id. */
function isComplete(collection: Collection, whole: readonly Listing[]): boolean {
  const { additions, ownIds } = collection;
  if (ownIds().size < additions.length) return false;
  return whole.every(({ reading: { exchange }, ids }) => {
    const earlier = [
      ...whole.flatMap((each) => (isBefore(each.reading.exchange, exchange) ? [...each.ids] : [])),
      ...additions.flatMap(({ reading, answered }) =>
        isBefore(reading.exchange, exchange) ? answered.id : [],
      ),
    ];
    return earlier.every((id) => ids.has(id) || !collection.isUntouched(id, exchange));
  });
}

/**
 * What the run's own requests account for: the ids that they were answered, and the texts that they
 * sent, which are judged by themselves.
 */
function accountedFor({ trace, resource }: Collection): {
  readonly ids: ReadonlySet<string>;
  readonly marks: ReadonlySet<string>;
} {
  const others = trace.readings.filter(({ operation }) => operation.id !== resource.list.id);
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
  { trace, resource }: Collection,
  before: Listing,
  listing: Listing,
  items: readonly Item[],
): Appearance {
  const isLate = (exchange: Exchange): boolean => isBefore(listing.reading.exchange, exchange);
  const isBetween = (exchange: Exchange): boolean =>
    !isLate(exchange) && !isBefore(exchange, before.reading.exchange);
  const suspects = trace.of(resource.create).flatMap((reading) => {
    const id = notWrittenId(reading, trace);
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
