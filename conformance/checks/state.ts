import { jsonEquals, obligationId, type JsonObject, type JsonValue, type Resource } from '../../contract/index.ts';
import type { Check } from '../check.ts';
import { held, violated, type Finding } from '../finding.ts';
import { additionsOf, changedItems, type Addition } from '../ledger.ts';
import { isBefore, listingsOf, passes, type Listing } from '../population.ts';
import { idOf, itemOf, pathValueOf, renderPlain, type Reading, type Trace } from '../trace.ts';
import { quote } from '../words.ts';

/** Judges what one request says about another: items are answered, listed and read as they were added. */
export const stateCheck: Check = {
  id: 'state',
  *judge(trace) {
    for (const resource of trace.contract.resources) {
      const additions = additionsOf(trace, resource);
      for (const addition of additions) yield* judgeEcho(addition, resource);
      const listings = listingsOf(trace, resource);
      for (const listing of listings) {
        yield* judgeListed(listing, additions, listings, resource);
        yield* judgeListRead(listing, additions, resource);
      }
      yield* judgeReads(trace, additions, listings, resource);
    }
  },
};

/** The members that can be compared: those that the answer has in the right form. What is malformed is the business of the body check. */
function soundMembers(item: JsonObject, resource: Resource): readonly string[] {
  const spoiled = new Set(resource.item.validate(item).map((issue) => issue.at.split('/')[1] ?? ''));
  if (spoiled.has('')) return [];
  return [...resource.item.shape().properties.keys()].filter((name) => name !== resource.idProperty && !spoiled.has(name));
}

function* judgeEcho({ sent, answered, reading }: Addition, resource: Resource): Generator<Finding> {
  if (!reading.succeeded) return;
  for (const name of soundMembers(answered, resource)) {
    if (!Object.hasOwn(sent, name)) continue;
    const id = obligationId.state(reading.operation.id, `echo.${name}`);
    yield compare(id, name, sent[name], answered[name], reading, []);
  }
}

function compare(id: string, name: string, expected: JsonValue | undefined, received: JsonValue | undefined, reading: Reading, others: readonly number[]): Finding {
  const same = expected !== undefined && received !== undefined ? jsonEquals(expected, received) : expected === received;
  if (same) return held(id, reading.exchange.index);
  return violated(id, reading.exchange.index, `\`${name}\` ${quote(expected)}`, `\`${name}\` ${quote(received)}`, others);
}

/** What an added item is to look like later: as it was answered where that was in form, else as it was sent. */
function expectedValue(addition: Addition, name: string, sound: ReadonlySet<string>): JsonValue | undefined {
  return sound.has(name) && Object.hasOwn(addition.answered, name) ? addition.answered[name] : addition.sent[name];
}

function* judgeMembers(prefix: string, addition: Addition, item: JsonObject, reading: Reading, resource: Resource): Generator<Finding> {
  const sound = new Set(soundMembers(addition.answered, resource));
  for (const name of soundMembers(item, resource)) {
    const expected = expectedValue(addition, name, sound);
    if (expected === undefined) continue;
    const id = obligationId.state(reading.operation.id, `${prefix}.${name}`);
    yield compare(id, name, expected, item[name], reading, [addition.reading.exchange.index]);
  }
}

function* judgeListRead({ reading, items }: Listing, additions: readonly Addition[], resource: Resource): Generator<Finding> {
  const byId = uniqueById(additions);
  for (const item of items) {
    const addition = byId.get(idOf(item, resource));
    if (addition) yield* judgeMembers('read', addition, item, reading, resource);
  }
}

/** Additions by identifier, without those whose identifier was given twice. */
function uniqueById(additions: readonly Addition[]): ReadonlyMap<string, Addition> {
  const byId = new Map<string, Addition>();
  const twice = new Set<string>();
  for (const addition of additions) {
    if (byId.has(addition.id)) twice.add(addition.id);
    byId.set(addition.id, addition);
  }
  return new Map([...byId].filter(([id]) => !twice.has(id)));
}

/** A list with room to spare has to hold what was added before it. One that lacks what earlier lists showed is the list check's. */
function* judgeListed(listing: Listing, additions: readonly Addition[], listings: readonly Listing[], resource: Resource): Generator<Finding> {
  const { reading, items, asked, more } = listing;
  if (more || asked === undefined || items.length >= asked) return;
  const expected = [...uniqueById(additions).values()].filter(
    (addition) => isBefore(addition.reading.exchange, reading.exchange) && passes(addition.answered, listing.filters) === true,
  );
  const missing = expected.filter((addition) => !listing.ids.has(addition.id));
  const unseen = missing.filter((addition) => !listings.some((other) => other.ids.has(addition.id)));
  const { index } = reading.exchange;
  const alone = unseen.find((addition) => addition.reading.exchange.group === undefined);
  const listed = obligationId.state(resource.list.id, 'listed');
  const stored = obligationId.concurrency(resource.create?.id ?? '', 'stored');
  if (missing.length === 0) {
    if (expected.length > 0) yield held(listed, index);
    if (expected.some((addition) => addition.reading.exchange.group !== undefined)) yield held(stored, index);
  } else if (alone) yield violated(listed, index, `an item ${quote(alone.answered)}`, `${items.length} items without it, with room for ${asked}`, [alone.reading.exchange.index]);
  else if (unseen[0]) yield violated(stored, index, `an item ${quote(unseen[0].answered)}`, `${items.length} items without it, with room for ${asked}`, [unseen[0].reading.exchange.index]);
}

function* judgeReads(trace: Trace, additions: readonly Addition[], listings: readonly Listing[], resource: Resource): Generator<Finding> {
  const byId = uniqueById(additions);
  const changed = changedItems(trace, resource);
  for (const reading of trace.readings) {
    const wanted = reading.operation.id === resource.get?.id ? pathValueOf(reading, resource.idParameter?.name ?? '') : undefined;
    const item = reading.succeeded && reading.exchange.intent.kind === 'valid' ? itemOf(reading) : undefined;
    if (wanted === undefined || !item) continue;
    yield* judgeIdentity(reading, item, wanted, resource);
    if (idOf(item, resource) !== wanted) continue;
    const addition = byId.get(wanted);
    if (addition) yield* judgeMembers('read', addition, item, reading, resource);
    else if (!changed.has(wanted)) yield* judgeAgainstList(reading, item, wanted, listings, resource);
  }
}

function* judgeIdentity(reading: Reading, item: JsonObject, wanted: string, resource: Resource): Generator<Finding> {
  const id = item[resource.idProperty];
  if (id === undefined || resource.item.validate(item).some((issue) => issue.at === `/${resource.idProperty}`)) return;
  const obligation = obligationId.state(reading.operation.id, `read.${resource.idProperty}`);
  if (renderPlain(id) === wanted) yield held(obligation, reading.exchange.index);
  else yield violated(obligation, reading.exchange.index, `\`${resource.idProperty}\` ${wanted}`, `\`${resource.idProperty}\` ${quote(id)}`);
}

/** An item that was there before the run is read as the list showed it. A filter's property may have changed since: nobody said that it stays. */
function* judgeAgainstList(reading: Reading, item: JsonObject, wanted: string, listings: readonly Listing[], resource: Resource): Generator<Finding> {
  const seen = listings.flatMap((listing) => listing.items.map((each) => ({ each, listing }))).find(({ each }) => idOf(each, resource) === wanted);
  if (!seen) return;
  const sound = new Set(soundMembers(seen.each, resource));
  const mutable = new Set(resource.filters.map((filter) => filter.property));
  for (const name of soundMembers(item, resource)) {
    if (!sound.has(name) || mutable.has(name)) continue;
    const id = obligationId.state(reading.operation.id, `read.${name}`);
    yield compare(id, name, seen.each[name], item[name], reading, [seen.listing.reading.exchange.index]);
  }
}
