import type { Addition } from './addition.ts';
import { hasRoom, isBefore, passes, type Listing } from './listing.ts';

/** What a list with room for all items says of the additions before it. */
export interface Expectation {
  readonly listing: Listing;
  /** The additions that it has to hold. */
  readonly expected: readonly Addition[];
  /** One that it does not hold and no earlier list held either; undefined for none. */
  readonly lost: Addition | undefined;
  /** It was added beside others and is in no list at all: it was never stored. */
  readonly isNeverStored: boolean;
}

/**
 * What each readable list with room for more had to hold. What it lacks of what earlier lists
 * showed is judged by `parameter`.
 */
export function expectationsOf(
  listings: readonly Listing[],
  byId: ReadonlyMap<string, Addition>,
): readonly Expectation[] {
  return listings.filter(hasRoom).map((listing) => readExpectation(listing, listings, byId));
}

function readExpectation(
  listing: Listing,
  listings: readonly Listing[],
  byId: ReadonlyMap<string, Addition>,
): Expectation {
  const { exchange } = listing.reading;
  const expected = [...byId.values()].filter(
    (addition) =>
      isBefore(addition.reading.exchange, exchange) &&
      passes(addition.answered, listing.filters) === true,
  );
  const witnesses = listings.filter(
    (other) =>
      isBefore(other.reading.exchange, exchange) &&
      (listing.filters.size > 0 || other.filters.size === 0),
  );
  const unseen = expected.filter(
    ({ answered: { id } }) => !listing.ids.has(id) && !witnesses.some(({ ids }) => ids.has(id)),
  );
  const lost = unseen.find((addition) => !isParallel(addition)) ?? unseen[0];
  const isNeverStored =
    lost !== undefined &&
    isParallel(lost) &&
    !listings.some(({ ids }) => ids.has(lost.answered.id));
  return { listing, expected, lost, isNeverStored };
}

/** Whether it was sent at the same time as other requests. */
export function isParallel({ reading }: Addition): boolean {
  return reading.exchange.group !== undefined;
}

/** Whether a list holds all that it has to. */
export function isComplete({ listing, expected }: Expectation): boolean {
  return expected.length > 0 && expected.every(({ answered }) => listing.ids.has(answered.id));
}
