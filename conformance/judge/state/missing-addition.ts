import { requirementId } from '../../../contract/requirement/requirement.ts';
import type { Resource } from '../../../contract/resource/resource.ts';
import { isParallel, type Addition } from '../trace/addition.ts';
import { isUntouched } from '../trace/change.ts';
import { failed, passed, unclear, type Finding } from '../trace/finding.ts';
import {
  firstSightings,
  hasRoom,
  isBefore,
  isReadable,
  listingsOf,
  passes,
  type Listing,
} from '../trace/listing.ts';
import { removalOfOther } from '../trace/missing-item.ts';
import type { Trace } from '../trace/trace.ts';
import { trustedAdditions } from '../trace/trusted-addition.ts';
import { quote } from '../trace/words.ts';

/**
 * Judges that each readable list with room for more holds the additions before it. What it lacks of
 * what earlier lists showed is judged by `parameter`. `isRace`: only what was added beside others,
 * and is in no list at all, is missed; else only the rest.
 */
export function* judgeHeld(
  trace: Trace,
  resource: Resource,
  requirement: string,
  isRace: boolean,
): Generator<Finding> {
  const listings = listingsOf(trace, resource);
  const additions = [...trustedAdditions(trace, resource).byId.values()];
  const isSeen = createSight(listings);
  for (const listing of listings.filter(hasRoom)) {
    const { index } = listing.reading.exchange;
    const expected = additions.filter(
      (addition) =>
        isExpected(addition, listing) &&
        isUntouched(trace, resource, addition.answered.id, listing.reading.exchange),
    );
    const missing = expected.filter(({ answered }) => !listing.ids.has(answered.id));
    const lost = findLost(missing, listing, isSeen);
    if (expected.length > 0 && missing.length === 0) {
      if (!isRace || expected.some(isParallel)) yield passed(requirement, index);
      if (!isRace && isAfterRemoval(trace, resource, listing))
        yield passed(requirementId.state(resource.remove?.id ?? '', 'others-kept'), index);
    } else if (lost !== undefined && (isParallel(lost) && !isSeen(lost)) === isRace) {
      const { exchange } = listing.reading;
      const cause = removalOfOther(trace, resource, lost.answered.id, exchange) ?? requirement;
      const item = `an item ${quote(lost.answered.members)}`;
      const received = `${listing.size} items without it, with room for ${listing.asked}`;
      yield failed(cause, index, item, received, [lost.reading.exchange.index]);
    } else if (listing.filters.size === 0) yield* doubtList(missing, listing, requirement, isRace);
  }
  for (const listing of listings) {
    const isPreset = listing.asked === undefined && listing.size < (listing.limit ?? 0);
    if (!isPreset || !isReadable(listing) || listing.filters.size > 0) continue;
    const expected = additions.filter((addition) => isExpected(addition, listing));
    yield* doubtList(expected, listing, requirement, isRace);
  }
}

/** An item that a list lacks for a reason that another requirement names. */
function* doubtList(
  expected: readonly Addition[],
  { ids, reading: { exchange } }: Listing,
  requirement: string,
  isRace: boolean,
): Generator<Finding> {
  const missing = expected.filter(({ answered }) => !ids.has(answered.id));
  const example = missing.find((addition) => !isRace || isParallel(addition))?.answered.id;
  if (example !== undefined)
    yield unclear(requirement, exchange.index, `a list without ${example}, for another reason`);
}

/** Whether an item was removed before a list was asked for. */
function isAfterRemoval(trace: Trace, { remove }: Resource, { reading }: Listing): boolean {
  return trace.readings.some(
    (each) =>
      each.operation.id === remove?.id &&
      each.succeeded &&
      isBefore(each.exchange, reading.exchange),
  );
}

function isExpected({ answered, reading }: Addition, listing: Listing): boolean {
  return (
    isBefore(reading.exchange, listing.reading.exchange) &&
    passes(answered, listing.filters) === true
  );
}

/** Whether a list showed an item: any, or one before a list whose filters take the same. */
type Sight = (addition: Addition, before?: Listing) => boolean;

/** Looks through the lists once, however many additions are looked for. */
function createSight(listings: readonly Listing[]): Sight {
  const unfiltered = listings.filter(({ filters }) => filters.size === 0);
  const [first, firstUnfiltered] = [firstSightings(listings), firstSightings(unfiltered)];
  return ({ answered: { id } }, before) => {
    if (before === undefined) return first.has(id);
    const { exchange } = before.reading;
    const [all, sightings] =
      before.filters.size > 0 ? [listings, first] : [unfiltered, firstUnfiltered];
    const seen = sightings.get(id)?.reading.exchange;
    if (seen === undefined || seen.index > exchange.index) return false;
    // The first list may have been under way together with this one, and another one was not.
    return (
      isBefore(seen, exchange) ||
      all.some(({ ids, reading }) => isBefore(reading.exchange, exchange) && ids.has(id))
    );
  };
}

/** One that no earlier list held either; undefined for none. */
function findLost(
  missing: readonly Addition[],
  listing: Listing,
  isSeen: Sight,
): Addition | undefined {
  const isUnseen = (addition: Addition): boolean => !isSeen(addition, listing);
  return (
    missing.find((addition) => !isParallel(addition) && isUnseen(addition)) ??
    missing.find(isUnseen)
  );
}
