import { requirementId } from '../../../contract/requirement/requirement.ts';
import type { JsonObject, JsonValue } from '../../../contract/json/value.ts';
import type { Resource } from '../../../contract/resource/resource.ts';
import { additionsOf, type Addition } from '../trace/addition.ts';
import { changesOf, isUntouched } from '../trace/change.ts';
import { passed, failed, unclear, type Finding } from '../trace/finding.ts';
import { comesBack, isSame, memberNames, readItem, type Item } from '../trace/item.ts';
import { firstSightings, listedPart, listingsOf, type Listing } from '../trace/listing.ts';
import { echoesOf, trustedAdditions } from '../trace/trusted-addition.ts';
import { itemOf, pathIdOf, type Reading, type Trace } from '../trace/trace.ts';
import { quote } from '../trace/words.ts';
import { judgeSpaces } from './spaces.ts';

/** Judges that an addition answers each member as it was sent. */
export function* judgeEchoes(trace: Trace, resource: Resource): Generator<Finding> {
  for (const addition of additionsOf(trace, resource)) {
    const { reading } = addition;
    for (const { name, sent, received } of echoesOf(addition, resource)) {
      const id = requirementId.state(reading.operation.id, `echo.${name}`);
      yield compare(id, name, [sent], received, reading, []);
      yield* judgeSpaces(name, sent, received, reading);
    }
    for (const name of unreadableMembers(addition)) {
      const id = requirementId.state(reading.operation.id, `echo.${name}`);
      if (reading.succeeded) yield doubt(id, name, reading);
    }
  }
}

/** The members that were sent and cannot be read in the response. */
function unreadableMembers({ sent, answered: { members, valid } }: Addition): readonly string[] {
  return Object.keys(sent).filter((name) => !valid && members[name] === undefined);
}

function doubt(id: string, name: string, { exchange: { index } }: Reading): Finding {
  return unclear(
    id,
    index,
    `\`${name}\` is malformed here, cut off with the key, or was wrong in an earlier response`,
  );
}

/** Judges that lists and single reads show each member as it was added, or listed before. */
export function* judgeReads(trace: Trace, resource: Resource): Generator<Finding> {
  const { byId, shared } = trustedAdditions(trace, resource);
  const isAsAdded = (id: string, { exchange }: Reading): boolean =>
    isUntouched(trace, resource, id, exchange);
  const witnesses: Listing[] = [];
  const inList = listedPart(trace, resource);
  for (const listing of listingsOf(trace, resource)) {
    const findings = listing.items.flatMap((item) => {
      const addition = byId.get(item.id);
      return addition !== undefined && isAsAdded(item.id, listing.reading)
        ? [...judgeMembers(listedAddition(addition, inList), item, listing.reading, resource)]
        : [];
    });
    yield* findings;
    if (findings.every(({ kind }) => kind !== 'failed')) witnesses.push(listing);
  }
  const listed = firstSightings(witnesses);
  for (const reading of trace.readings) {
    if (reading.operation.id !== resource.get?.id) continue;
    const isServed = reading.succeeded && reading.exchange.intent.kind === 'valid';
    const item = isServed ? readItem(itemOf(reading), resource) : undefined;
    const wanted = pathIdOf(reading, resource);
    if (wanted === undefined || item === undefined) continue;
    const { idProperty } = resource;
    const id = requirementId.state(reading.operation.id, `read.${idProperty}`);
    if (item.id !== wanted) {
      const received = `\`${idProperty}\` ${item.id}`;
      yield failed(id, reading.exchange.index, `\`${idProperty}\` ${wanted}`, received);
      continue;
    }
    yield passed(id, reading.exchange.index);
    if (!isAsAdded(wanted, reading)) continue;
    const addition = byId.get(wanted);
    const listing = shared.has(wanted) ? undefined : listed.get(wanted);
    if (addition !== undefined) yield* judgeMembers(addition, item, reading, resource);
    else if (listing !== undefined && changesOf(resource).length === 0)
      yield* judgeListedMembers(
        reading,
        { ...item, members: inList(item.members) },
        listing,
        resource,
      );
  }
}

/** An addition as lists show it. */
function listedAddition(addition: Addition, inList: (item: JsonObject) => JsonObject): Addition {
  const { sent, answered } = addition;
  return {
    ...addition,
    sent: inList(sent),
    answered: { ...answered, members: inList(answered.members) },
  };
}

/** A later sight of an added item: each member as it was answered then, or as it was sent. */
function* judgeMembers(
  { sent, answered, untrusted = [], reading: { exchange: added } }: Addition,
  item: Item,
  reading: Reading,
  resource: Resource,
): Generator<Finding> {
  for (const name of memberNames(resource)) {
    const values = [sent[name], answered.members[name]].filter((value) => value !== undefined);
    const received = item.members[name];
    const isUnsure =
      received === undefined &&
      (!item.valid || (answered.valid && answered.members[name] === undefined));
    if (values.length === 0 && !untrusted.includes(name)) continue;
    const id = requirementId.state(reading.operation.id, `read.${name}`);
    // White space that the addition kept is not lost later.
    const [first] = values;
    const isKept = isSame(first, answered.members[name]);
    const matches = isKept ? isSame : comesBack;
    if (isUnsure || values.length === 0) yield doubt(id, name, reading);
    else yield compare(id, name, values, received, reading, [added.index], matches);
  }
}

/** An item from before the run, which nobody can change, is read as listed; a filter's property may change. */
function* judgeListedMembers(
  reading: Reading,
  item: Item,
  listing: Listing,
  resource: Resource,
): Generator<Finding> {
  const seen = listing.items.find(({ id }) => id === item.id);
  if (seen === undefined) return;
  const mutable = new Set(resource.filters.map((filter) => filter.property));
  for (const name of memberNames(resource)) {
    const expected = seen.members[name];
    const received = item.members[name];
    const isUnsure =
      (expected === undefined && !seen.valid) || (received === undefined && !item.valid);
    if (mutable.has(name)) continue;
    const id = requirementId.state(reading.operation.id, `read.${name}`);
    if (isUnsure) yield doubt(id, name, reading);
    else {
      const others = [listing.reading.exchange.index];
      yield compare(id, name, [expected], received, reading, others, isSame);
    }
  }
}

/** Compares what was received with the values that it may have, the first being the one to tell. */
function compare(
  id: string,
  name: string,
  expected: readonly (JsonValue | undefined)[],
  received: JsonValue | undefined,
  { exchange: { index } }: Reading,
  others: readonly number[],
  matches: typeof isSame = comesBack,
): Finding {
  if (expected.some((each) => matches(each, received))) return passed(id, index);
  const wanted = `\`${name}\` ${quote(expected[0])}`;
  return failed(id, index, wanted, `\`${name}\` ${quote(received)}`, others);
}
