import { requirementId } from '../../judge/trace/requirement.ts';
import {
  firstSightings,
  hasRoom,
  isBefore,
  isReadable,
  isUnpaged,
  passes,
  type Addition,
  type Collection,
  type Listing,
} from '../../judge/trace/collection.ts';
import { failed, passed, unclear, type Finding } from '../../judge/trace/finding.ts';
import { removalOfOther } from '../../judge/trace/model.ts';
import { countItems, quote } from '../../judge/trace/words.ts';

/**
 * Judges that each readable list with room for more holds the additions before it. What it lacks of
 * what earlier lists showed is judged by `parameter`. `isRace`: only what was added beside others,
 * and is in no list at all, is missed; else only the rest.
 */
export function* judgeHeld(
  collection: Collection,
  requirement: string,
  isRace: boolean,
): Generator<Finding> {
  const { resource, listings } = collection;
  const additions = [...collection.trusted().values()];
  const isSeen = createSight(collection);
  for (const listing of listings) {
    const { exchange, index } = listing.reading;
    const expected = additions.filter(
      ({ answered, reading }) =>
        isBefore(reading.exchange, exchange) && passes(answered, listing.filters) === true,
    );
    const untouched = expected.filter(({ answered }) =>
      collection.isUntouched(answered.id, exchange),
    );
    // Where nobody knows how long a list may be, an empty one has room, unless it was asked to be empty.
    const isEmpty = listing.size === 0 && listing.filters.size === 0 && (listing.asked ?? 1) > 0;
    const mayBeCut = !hasRoom(listing) && !(isEmpty && isReadable(listing));
    if (mayBeCut && !(isUnpaged(resource) && isReadable(listing))) {
      const isPreset = listing.asked === undefined && listing.size < (listing.limit ?? 0);
      if (isPreset && isReadable(listing) && listing.filters.size === 0)
        yield* doubtList(untouched, listing, requirement, isRace);
      continue;
    }
    const missing = untouched.filter(({ answered }) => !listing.ids.has(answered.id));
    const unseen = missing.filter((addition) => !isSeen(addition, listing));
    const lost = unseen.find(({ reading }) => reading.isAlone) ?? unseen[0];
    if (untouched.length > 0 && missing.length === 0) {
      if (!isRace || untouched.some(({ reading }) => !reading.isAlone))
        yield passed(requirement, index);
      const isAfterRemoval = collection
        .of(resource.remove)
        .some((each) => each.succeeded && isBefore(each.exchange, exchange));
      if (!isRace && isAfterRemoval)
        yield passed(requirementId.state(resource.remove?.id ?? '', 'others-kept'), index);
    } else if (
      !mayBeCut &&
      lost !== undefined &&
      (!lost.reading.isAlone && !isSeen(lost)) === isRace
    ) {
      const cause = removalOfOther(collection, lost.answered.id, exchange) ?? requirement;
      const item = `an item ${quote(lost.answered.members)}`;
      const room = listing.asked === undefined ? '' : `, with room for ${listing.asked}`;
      const received = `${countItems(listing.size)} without it${room}`;
      yield failed(cause, index, item, received, [lost.reading.index]);
    } else if (listing.filters.size === 0) yield* doubtList(missing, listing, requirement, isRace);
  }
}

/** An item that a list lacks for a reason that another requirement names. */
function* doubtList(
  expected: readonly Addition[],
  { ids, reading: { index } }: Listing,
  requirement: string,
  isRace: boolean,
): Generator<Finding> {
  const example = expected.find(
    ({ answered, reading }) => !ids.has(answered.id) && !(isRace && reading.isAlone),
  );
  if (example !== undefined)
    yield unclear(requirement, index, `a list without ${example.answered.id}, for another reason`);
}

/** Whether a list showed an item: any, or one before a list whose filters accept the same. */
type Sight = (addition: Addition, before?: Listing) => boolean;

/** Looks through the lists once, however many additions are looked for. */
function createSight({ listings, firstSeen }: Collection): Sight {
  const unfiltered = listings.filter(({ filters }) => filters.size === 0);
  const firstUnfiltered = firstSightings(unfiltered);
  return ({ answered: { id } }, before) => {
    if (before === undefined) return firstSeen().has(id);
    const { exchange } = before.reading;
    const [all, sightings] =
      before.filters.size > 0 ? [listings, firstSeen()] : [unfiltered, firstUnfiltered];
    const seen = sightings.get(id)?.reading.exchange;
    if (seen === undefined || seen.index > exchange.index) return false;
    // The first list may have been under way together with this one, and another one was not.
    return (
      isBefore(seen, exchange) ||
      all.some(({ ids, reading }) => isBefore(reading.exchange, exchange) && ids.has(id))
    );
  };
}
