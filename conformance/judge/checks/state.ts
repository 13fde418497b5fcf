import {
  jsonEquals,
  requirementId,
  type JsonValue,
  type Resource,
} from '../../../contract/index.ts';
import type { Check } from '../trace/check.ts';
import { passed, failed, type Finding } from '../trace/finding.ts';
import { memberNames, readItem, type Item } from '../trace/item.ts';
import { additionsOf, changedItems, type Addition } from '../trace/ledger.ts';
import {
  firstSightings,
  isBefore,
  isReadable,
  listingsOf,
  passes,
  type Listing,
} from '../trace/population.ts';
import { itemOf, pathValueOf, type Reading, type Trace } from '../trace/trace.ts';
import { quote } from '../trace/words.ts';

/**
 * Judges what one request says about another: items are answered, listed and read as they were
 * added.
 */
export const stateCheck: Check = {
  id: 'state',
  *judge(trace) {
    for (const resource of trace.contract.resources) {
      const additions = additionsOf(trace, resource);
      const echoes = additions.flatMap((addition) => [...judgeEcho(addition, resource)]);
      yield* echoes;
      const lying = lyingMembers(echoes);
      const listings = listingsOf(trace, resource);
      const sightings = firstSightings(listings);
      const own = additions.filter((addition) => !isTaken(addition, sightings));
      const taken = new Set(
        additions
          .filter((addition) => isTaken(addition, sightings))
          .map(({ answered }) => answered.id),
      );
      const byId = uniqueById(
        own
          .map((addition) => trustEcho(addition, lying))
          .filter(({ answered }) => !taken.has(answered.id)),
      );
      for (const listing of listings) yield* judgeListed(listing, byId, listings, resource);
      const read = listings.flatMap((listing) => [...judgeListRead(listing, byId, resource)]);
      yield* read;
      const misread = new Set(
        read.flatMap((finding) => (finding.kind === 'failed' ? [finding.exchange] : [])),
      );
      const witnesses = firstSightings(
        listings.filter(({ reading }) => !misread.has(reading.exchange.index)),
      );
      yield* judgeReads(
        trace,
        byId,
        new Map([...witnesses].filter(([id]) => !taken.has(id))),
        resource,
      );
    }
  },
};

function* judgeEcho({ sent, answered, reading }: Addition, resource: Resource): Generator<Finding> {
  if (!reading.succeeded) return;
  for (const name of memberNames(resource)) {
    const received = answered.members[name];
    if (!Object.hasOwn(sent, name) || (received === undefined && !answered.valid)) continue;
    yield compare(
      requirementId.state(reading.operation.id, `echo.${name}`),
      name,
      [sent[name]],
      received,
      reading,
      [],
    );
  }
}

/**
 * Its identifier belonged to an item that a list had shown before: the identity check says so, and
 * nothing can be said of either.
 */
function isTaken(
  { answered, reading }: Addition,
  sightings: ReadonlyMap<string, Listing>,
): boolean {
  const seen = sightings.get(answered.id);
  return seen !== undefined && isBefore(seen.reading.exchange, reading.exchange);
}

/** The members that came back wrong at least once. */
function lyingMembers(echoes: readonly Finding[]): ReadonlySet<string> {
  return new Set(
    echoes.flatMap((finding) =>
      finding.kind === 'failed' ? [finding.requirement.split('.').at(-1) ?? ''] : [],
    ),
  );
}

/** Where a member came back wrong once, its echo is no witness for anything: what was sent is. */
function trustEcho(addition: Addition, failed: ReadonlySet<string>): Addition {
  const lying = [...failed].filter((name) => addition.sent[name] === undefined);
  if (lying.length === 0) return addition;
  const members = Object.fromEntries(
    Object.entries(addition.answered.members).filter(([name]) => !lying.includes(name)),
  );
  return { ...addition, answered: { ...addition.answered, members, valid: false } };
}

/** Compares what was received with the values that it may have, the first being the one to tell. */
function compare(
  id: string,
  name: string,
  expected: readonly (JsonValue | undefined)[],
  received: JsonValue | undefined,
  reading: Reading,
  others: readonly number[],
): Finding {
  const same = expected.some((each) =>
    each === undefined || received === undefined ? each === received : jsonEquals(each, received),
  );
  if (same) return passed(id, reading.exchange.index);
  return failed(
    id,
    reading.exchange.index,
    `\`${name}\` ${quote(expected[0])}`,
    `\`${name}\` ${quote(received)}`,
    others,
  );
}

/**
 * A later sight of an added item: each member as it was answered then, or, where that was wrong
 * already, as it was sent.
 */
function* judgeMembers(
  addition: Addition,
  item: Item,
  reading: Reading,
  resource: Resource,
): Generator<Finding> {
  for (const name of memberNames(resource)) {
    const { sent, answered } = addition;
    const values = [sent[name], answered.members[name]].filter((value) => value !== undefined);
    const received = item.members[name];
    const isUnsure =
      received === undefined &&
      (!item.valid || (answered.valid && answered.members[name] === undefined));
    if (values.length === 0 || isUnsure) continue;
    yield compare(
      requirementId.state(reading.operation.id, `read.${name}`),
      name,
      values,
      received,
      reading,
      [addition.reading.exchange.index],
    );
  }
}

function* judgeListRead(
  { reading, items }: Listing,
  byId: ReadonlyMap<string, Addition>,
  resource: Resource,
): Generator<Finding> {
  for (const item of items) {
    const addition = byId.get(item.id);
    if (addition) yield* judgeMembers(addition, item, reading, resource);
  }
}

/** Additions by identifier, without those whose identifier was given twice. */
function uniqueById(additions: readonly Addition[]): ReadonlyMap<string, Addition> {
  const byId = new Map<string, Addition>();
  const twice = new Set<string>();
  for (const addition of additions) {
    if (byId.has(addition.answered.id)) twice.add(addition.answered.id);
    byId.set(addition.answered.id, addition);
  }
  return new Map([...byId].filter(([id]) => !twice.has(id)));
}

/**
 * A list with room to spare has to hold what was added before it. One that lacks what other lists
 * showed is the list check's.
 */
function* judgeListed(
  listing: Listing,
  byId: ReadonlyMap<string, Addition>,
  listings: readonly Listing[],
  resource: Resource,
): Generator<Finding> {
  const { reading, size, asked, filters } = listing;
  if (!isReadable(listing) || asked === undefined || size >= asked) return;
  const expected = [...byId.values()].filter(
    (addition) =>
      isBefore(addition.reading.exchange, reading.exchange) &&
      passes(addition.answered, listing.filters) === true,
  );
  const missing = expected.filter(({ answered }) => !listing.ids.has(answered.id));
  const { index } = reading.exchange;
  const whole = requirementId.state(resource.list.id, 'listed');
  const stored = requirementId.concurrency(resource.create?.id ?? '', 'stored');
  if (missing.length === 0) {
    if (expected.length > 0) yield passed(whole, index);
    if (expected.some(isParallel)) yield passed(stored, index);
    return;
  }
  const earlier = listings.filter((other) => isBefore(other.reading.exchange, reading.exchange));
  const witnesses =
    filters.size === 0 ? earlier.filter((other) => other.filters.size === 0) : earlier;
  const unseen = missing.filter(
    ({ answered }) => !witnesses.some(({ ids }) => ids.has(answered.id)),
  );
  const lost = unseen.find((addition) => !isParallel(addition)) ?? unseen[0];
  if (!lost) return;
  const received = `${size} items without it, with room for ${asked}`;
  const isLost = isParallel(lost) && !listings.some(({ ids }) => ids.has(lost.answered.id));
  yield failed(
    isLost ? stored : whole,
    index,
    `an item ${quote(lost.answered.members)}`,
    received,
    [lost.reading.exchange.index],
  );
}

function isParallel({ reading }: Addition): boolean {
  return reading.exchange.group !== undefined;
}

function* judgeReads(
  trace: Trace,
  byId: ReadonlyMap<string, Addition>,
  listed: ReadonlyMap<string, Listing>,
  resource: Resource,
): Generator<Finding> {
  const changed = changedItems(trace, resource);
  for (const reading of trace.readings) {
    const wanted =
      reading.operation.id === resource.get?.id
        ? pathValueOf(reading, resource.idParameter?.name ?? '')
        : undefined;
    const item =
      reading.succeeded && reading.exchange.intent.kind === 'valid'
        ? readItem(itemOf(reading), resource)
        : undefined;
    if (wanted === undefined || !item) continue;
    yield judgeIdentity(reading, item, wanted, resource);
    if (item.id !== wanted) continue;
    const addition = byId.get(wanted);
    if (addition) yield* judgeMembers(addition, item, reading, resource);
    else if (!changed.has(wanted))
      yield* judgeAgainstList(reading, item, listed.get(item.id), resource);
  }
}

function judgeIdentity(reading: Reading, item: Item, wanted: string, resource: Resource): Finding {
  const requirement = requirementId.state(reading.operation.id, `read.${resource.idProperty}`);
  if (item.id === wanted) return passed(requirement, reading.exchange.index);
  return failed(
    requirement,
    reading.exchange.index,
    `\`${resource.idProperty}\` ${wanted}`,
    `\`${resource.idProperty}\` ${item.id}`,
  );
}

/**
 * An item that was there before the run is read as the list showed it. A filter's property may have
 * changed since: nobody said that it stays.
 */
function* judgeAgainstList(
  reading: Reading,
  item: Item,
  listing: Listing | undefined,
  resource: Resource,
): Generator<Finding> {
  const seen = listing?.items.find(({ id }) => id === item.id);
  if (!listing || !seen) return;
  const mutable = new Set(resource.filters.map((filter) => filter.property));
  for (const name of memberNames(resource)) {
    const expected = seen.members[name];
    const received = item.members[name];
    if (
      mutable.has(name) ||
      (expected === undefined && !seen.valid) ||
      (received === undefined && !item.valid)
    )
      continue;
    yield compare(
      requirementId.state(reading.operation.id, `read.${name}`),
      name,
      [expected],
      received,
      reading,
      [listing.reading.exchange.index],
    );
  }
}
