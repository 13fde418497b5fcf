import { isJsonObject, jsonEquals, obligationId, type JsonObject, type JsonValue, type Resource } from '../../contract/index.ts';
import type { Check } from '../check.ts';
import { held, violated, type Finding } from '../finding.ts';
import { isBefore, isReadable, listingsOf, type Listing } from '../population.ts';
import type { Reading } from '../trace.ts';
import { quote } from '../words.ts';

/** Judges that refused requests leave nothing behind: no later list shows what they sent. */
export const notWrittenCheck: Check = {
  id: 'not-written',
  *judge(trace) {
    for (const resource of trace.contract.resources) {
      const listings = listingsOf(trace, resource);
      for (const reading of trace.readings) {
        const sent = reading.operation.id === resource.create?.id ? refusedBody(reading, resource) : undefined;
        if (sent) yield* judgeRefused(reading, sent, listings);
      }
    }
  },
};

/** The members of a refused body by which the item would be known again; undefined if there is nothing to know it by. */
function refusedBody(reading: Reading, resource: Resource): JsonObject | undefined {
  const refused = reading.answer.status === 400 || reading.answer.status === 401;
  if (!refused || !isJsonObject(reading.sent)) return undefined;
  const spoiled = new Set(resource.create?.requestBody?.content[0]?.schema?.validate(reading.sent).map((issue) => issue.at.split('/')[1]));
  const known = [...resource.item.shape().properties.keys()].filter((name) => name !== resource.idProperty);
  const sound = Object.entries(reading.sent).filter(([name]) => known.includes(name) && !spoiled.has(name));
  return sound.some(([, value]) => isDistinctive(value)) ? Object.fromEntries(sound) : undefined;
}

/** Nobody else would send it: a text of some length with a digit, as tags have, or an integer beyond 32 bits. */
function isDistinctive(value: JsonValue | undefined): boolean {
  if (typeof value === 'string') return value.length >= 8 && /\d/.test(value);
  return typeof value === 'bigint' || (typeof value === 'number' && Math.abs(value) > 2 ** 32);
}

function* judgeRefused(reading: Reading, sent: JsonObject, listings: readonly Listing[]): Generator<Finding> {
  const obligation = obligationId.state(reading.operation.id, `not-written.${reading.answer.status}`);
  const earlier = new Set(listings.filter((each) => isBefore(each.reading.exchange, reading.exchange)).flatMap((each) => [...each.ids]));
  for (const listing of listings) {
    if (!isBefore(reading.exchange, listing.reading.exchange)) continue;
    const { index } = listing.reading.exchange;
    const trail = listing.items.find((item) => !earlier.has(item.id) && holds(item.members, sent));
    if (trail) {
      yield violated(obligation, index, `nothing of the body that was answered ${reading.answer.status}`, quote(trail.members), [reading.exchange.index]);
      return;
    }
    if (isWhole(listing)) yield held(obligation, index);
  }
}

function holds(item: JsonObject, sent: JsonObject): boolean {
  return Object.entries(sent).every(([name, value]) => {
    const stored = item[name];
    return value !== undefined && stored !== undefined && jsonEquals(stored, value);
  });
}

function isWhole(listing: Listing): boolean {
  return listing.filters.size === 0 && isReadable(listing) && listing.asked !== undefined && listing.size < listing.asked;
}
