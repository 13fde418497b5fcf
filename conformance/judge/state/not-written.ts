import {
  isJsonObject,
  jsonEquals,
  type JsonObject,
  type JsonValue,
} from '../../../contract/json/value.ts';
import { parsePointer } from '../../../contract/json/pointer.ts';
import type { Resource } from '../../../contract/resource/resource.ts';
import { passed, failed, type Finding } from '../trace/finding.ts';
import { firstSightings, isBefore, listingsOf, type Listing } from '../trace/listing.ts';
import { notWrittenId } from '../trace/missing-item.ts';
import { isRefusal } from '../trace/model.ts';
import { memberNames, type Item } from '../trace/item.ts';
import type { Reading, Trace } from '../trace/trace.ts';
import { sampleTag } from '../../generate/tag.ts';
import { quote } from '../trace/words.ts';
import { isWhole, judgeUnexplained, marksOf } from './unexplained.ts';

/**
 * Judges that refused requests leave nothing behind: no later list shows what they sent, nor items that
 * nothing else accounts for.
 */
export function* judgeNotWritten(trace: Trace, resource: Resource): Generator<Finding> {
  const listings = listingsOf(trace, resource);
  const trails = indexTrails(listings);
  const whole = listings.filter(isWhole);
  // What valid bodies hold as well tells no item of a refused one.
  const valid = new Set(
    trace.readings.flatMap(({ sent, succeeded }) =>
      succeeded && isJsonObject(sent) ? marksOf(sent) : [],
    ),
  );
  for (const reading of trace.readings) {
    const isCreate = reading.operation.id === resource.create?.id;
    const sent = isCreate ? refusedBody(reading, resource) : undefined;
    const requirement = notWrittenId(reading, trace.contract);
    if (sent === undefined || requirement === undefined) continue;
    if (!marksOf(sent).every((mark) => valid.has(mark)))
      yield* judgeRefused(requirement, reading, sent, trails, whole);
  }
  yield* judgeUnexplained(trace, resource);
}

/** The members by which an item of a refused body would be known again; undefined for none. */
function refusedBody(reading: Reading, resource: Resource): JsonObject | undefined {
  if (
    !isRefusal(reading) ||
    reading.exchange.intent.kind !== 'invalid' ||
    !isJsonObject(reading.sent)
  )
    return undefined;
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
  const { exchange, response } = reading;
  const [mark] = marksOf(sent);
  const trail = (trails.get(mark ?? '') ?? []).find(
    ({ item, first, listing }) =>
      !isBefore(first.reading.exchange, exchange) &&
      isBefore(exchange, listing.reading.exchange) &&
      holds(item.members, sent),
  );
  if (trail !== undefined) {
    const { index } = trail.listing.reading.exchange;
    const expected = `no trace of the body that was rejected with ${response.status}`;
    yield failed(requirement, index, expected, quote(trail.item.members), [exchange.index]);
    return;
  }
  const proof = whole.find((listing) => isBefore(exchange, listing.reading.exchange));
  if (proof !== undefined) yield passed(requirement, proof.reading.exchange.index);
}

/** An item as a list showed it for the first time with these members. */
interface Trail {
  readonly item: Item;
  readonly listing: Listing;
  /** The first list that showed it at all. */
  readonly first: Listing;
}

/** The items of all lists by their distinctive members, each as it was first seen with them. */
function indexTrails(listings: readonly Listing[]): ReadonlyMap<string, readonly Trail[]> {
  const first = firstSightings(listings);
  const trails = new Map<string, Trail[]>();
  for (const listing of listings) {
    for (const item of listing.items) {
      for (const mark of marksOf(item.members)) {
        const known = trails.get(mark) ?? [];
        trails.set(mark, known);
        if (!known.some((trail) => trail.item.id === item.id))
          known.push({ item, listing, first: first.get(item.id) ?? listing });
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
