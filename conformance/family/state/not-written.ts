import { parsePointer } from '../../../contract/json/pointer.ts';
import {
  isJsonObject,
  jsonEquals,
  renderJson,
  type JsonObject,
  type JsonValue,
} from '../../../contract/json/value.ts';
import { type Resource, sentSchemas } from '../../../contract/resource/resource.ts';
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
import {
  isSame,
  shownNames,
  memberPlace,
  memberSchema,
  type Item,
} from '../../judge/trace/item.ts';
import { notWrittenId } from '../../judge/trace/model.ts';
import { idOf, itemOf, type Reading } from '../../judge/trace/trace.ts';
import { quote } from '../../judge/trace/words.ts';

/**
 * Judges that refused requests store nothing: no later list shows what they sent, or items that
 * nothing else explains.
 */
export function* judgeNotWritten(collection: Collection): Generator<Finding> {
  const { trace, resource, listings, firstSeen } = collection;
  // A text that valid requests sent too cannot identify the item of a refused request.
  const valid = new Set(
    trace.readings.flatMap(({ sent, succeeded }) => (succeeded ? marksOf(sent) : [])),
  );
  for (const reading of collection.of(resource.create)) {
    const { exchange, index, status } = reading;
    const sent = refusedBody(reading, resource);
    const id = notWrittenId(reading, trace);
    if (sent === undefined || id === undefined || marksOf(sent).every((each) => valid.has(each)))
      continue;
    const sighting = firstSeen()
      .values()
      .find(
        ({ item, listing }) =>
          !isBefore(listing.reading.exchange, exchange) &&
          Object.entries(sent).every(([name, value]) =>
            isSame(item.members[name], value, memberSchema(resource, name)),
          ),
      );
    const proof = listings.find(
      (each) => isWhole(each) && isBefore(exchange, each.reading.exchange),
    );
    if (sighting !== undefined) {
      const expected = `no trace of the body that was rejected with ${status}`;
      const shown = quote(sighting.item.members);
      const at = memberPlace(sighting.item, ...resource.idPlace);
      yield failed(id, sighting.listing.reading.index, expected, shown, [index], { at });
    } else if (proof !== undefined) yield passed(id, proof.reading.index);
  }
  yield* judgeUnexplained(collection);
}

/** The members that would identify an item stored from a refused body; undefined if none would. */
function refusedBody(reading: Reading, resource: Resource): JsonObject | undefined {
  const isRefused = isRefusalStatus(reading.status) && reading.exchange.intent.kind === 'invalid';
  if (!isRefused || !isJsonObject(reading.sent)) return undefined;
  const [schema] = sentSchemas([resource], resource.create);
  const malformed = new Set(schema?.validate(reading.sent).map(({ at }) => parsePointer(at)[0]));
  const known = shownNames(resource)(resource.list);
  const valid = Object.entries(reading.sent).filter(
    ([name]) => known.has(name) && !malformed.has(name),
  );
  // A free text as long as a tag, which no other client is likely to send.
  const isDistinctive = valid.some(([name, value]) => {
    const { values, format } = memberSchema(resource, name)?.shape() ?? {};
    return isLong(value) && values === undefined && format === undefined;
  });
  return isDistinctive ? Object.fromEntries(valid) : undefined;
}

function isLong(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value.length >= sampleTag.length;
}

/** The members of an object that are long enough to be a tag, each as one text. */
function marksOf(members: JsonValue | undefined): readonly string[] {
  return Object.entries(isJsonObject(members) ? members : {}).flatMap(([name, value]) =>
    isLong(value) ? [`${name} ${renderJson(value)}`] : [],
  );
}

/** Items that a list shows, and that no response of the run accounts for. */
export interface Appearance {
  readonly before: Listing;
  readonly listing: Listing;
  /**
   * The refused requests in between, which must not store anything, by id of the requirement. Those
   * that most resemble one of the items come first.
   */
  readonly refused: ReadonlyMap<string, readonly Suspect[]>;
  /** The ids of the requirements that fail, if only this run adds items. */
  readonly failing: ReadonlySet<string>;
}

interface Suspect {
  readonly id: string;
  readonly reading: Reading;
  readonly item: Item;
  readonly resemblance: number;
}

/**
 * Judges new items that no response explains. If nobody else adds items, a refused request stored
 * them; otherwise their origin is unknown.
 */
function* judgeUnexplained(collection: Collection): Generator<Finding> {
  const { exclusive } = collection.trace;
  for (const { before, listing, refused, failing } of appearancesOf(collection)) {
    const { index } = listing.reading;
    for (const [id, [suspect]] of refused) {
      if (suspect === undefined) continue;
      const { reading, item } = suspect;
      const shown = `an item that no response explains: ${quote(item.members)}`;
      if (exclusive && failing.has(id)) {
        const expected = `no item added by the request that got ${reading.status}`;
        const others = [before.reading.index, reading.index];
        const at = memberPlace(item, ...collection.resource.idPlace);
        yield failed(id, index, expected, shown, others, { at });
      } else {
        const doubt = exclusive
          ? 'more than one request may have added it'
          : 'another client may have added it; --exclusive states that nobody else uses the target';
        yield unclear(id, index, `${shown}; ${doubt}`);
      }
    }
  }
}

/**
 * The items that appeared without an explanation; empty if a list lacks items that it must show.
 */
export function appearancesOf(collection: Collection): readonly Appearance[] {
  const { resource, listings, firstSeen, trace } = collection;
  const whole = listings.filter(isWhole);
  if (resource.create === undefined || whole.length === 0 || !isComplete(collection, whole))
    return [];
  // The ids that the run's own requests received, and the texts that they sent, are judged
  // elsewhere.
  const others = trace.readings.filter(({ operation }) => operation.id !== resource.list.id);
  const known = new Set(others.map((reading) => idOf(itemOf(reading) ?? {}, resource)));
  const marks = new Set(others.flatMap(({ sent }) => marksOf(sent)));
  const found: Appearance[] = [];
  for (const [listing, firsts] of Map.groupBy(firstSeen().values(), (each) => each.listing)) {
    const { exchange } = listing.reading;
    const before = whole.findLast(({ reading }) => isBefore(reading.exchange, exchange));
    const items = firsts.flatMap(({ item }) => {
      const isKnown = known.has(item.id) || marksOf(item.members).some((mark) => marks.has(mark));
      return isKnown || !collection.isUntouched(item.id, exchange) ? [] : item;
    });
    if (before !== undefined && items.length > 0)
      found.push(explain(collection, before, listing, items));
  }
  return found;
}

/** Whether whole lists show all that was listed or added before, and each item has its own id. */
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

/** A requirement fails if all other requests together cannot have added that many items. */
function explain(
  collection: Collection,
  before: Listing,
  listing: Listing,
  items: readonly Item[],
): Appearance {
  const { trace, resource } = collection;
  const isLate = (exchange: Exchange): boolean => isBefore(listing.reading.exchange, exchange);
  const isBetween = (exchange: Exchange): boolean =>
    !isLate(exchange) && !isBefore(exchange, before.reading.exchange);
  const suspects = collection.of(resource.create).flatMap((reading): readonly Suspect[] => {
    const id = notWrittenId(reading, trace);
    if (id === undefined || !isBetween(reading.exchange)) return [];
    const sent = Object.entries(isJsonObject(reading.sent) ? reading.sent : {});
    let closest: Suspect | undefined;
    for (const item of items) {
      const resemblance = compare(sent, item);
      if (closest === undefined || resemblance > closest.resemblance)
        closest = { id, reading, item, resemblance };
    }
    return closest === undefined ? [] : [closest];
  });
  const isSuspect = new Set(suspects.map(({ reading }) => reading.exchange));
  const answered = new Map(trace.readings.map((reading) => [reading.exchange, reading]));
  let most = 0;
  for (const each of trace.exchanges)
    if (!isLate(each) && !isSuspect.has(each))
      most += maxAdded(each, answered.get(each), resource, isBetween(each));
  const refused = Map.groupBy(suspects.toSorted(byResemblance), ({ id }) => id);
  const failing = [...refused].flatMap(([id, group]) =>
    items.length > most + suspects.length - group.length ? [id] : [],
  );
  return { before, listing, refused, failing: new Set(failing) };
}

function byResemblance(one: Suspect, other: Suspect): number {
  return other.resemblance - one.resemblance;
}

/** How many items a request may have added without a response that shows them. */
function maxAdded(
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

/** Resemblance: one point for each member as sent, minus 100 for each that differs. */
function compare(
  sent: readonly (readonly [string, JsonValue | undefined])[],
  { members }: Item,
): number {
  let sum = 0;
  for (const [name, value] of sent) {
    const stored = members[name];
    if (value !== undefined && stored !== undefined) sum += jsonEquals(stored, value) ? 1 : -100;
  }
  return sum;
}
