import { isJsonObject, type JsonObject, type JsonValue } from '../../contract/json/value.ts';
import { requirementId } from '../../contract/requirement/requirement.ts';
import type { Resource } from '../../contract/resource/resource.ts';
import { judgeChanged } from './state/changed.ts';
import { judgeHeld } from './state/held.ts';
import { judgeNotWritten } from './state/not-written.ts';
import {
  changesOf,
  collectionsOf,
  echoesOf,
  firstSightings,
  type Addition,
  type Collection,
  type Listing,
} from './trace/collection.ts';
import { failed, judged, passed, unclear, type Finding } from './trace/finding.ts';
import { judgeIntents } from './intent.ts';
import { comesBack, isSame, memberNames, readItem, trimEnds, type Item } from './trace/item.ts';
import {
  answeredItem,
  exactMembers,
  isWrittenBy,
  memberKey,
  replay,
  witnessesOf,
  type ModelState,
} from './trace/model.ts';
import { itemOf, pathIdOf, renderPlain, type Reading, type Trace } from './trace/trace.ts';
import { quote } from './trace/words.ts';

type Findings = Generator<Finding>;

/**
 * Judges what one request says about another: items are answered, listed and read as added, with
 * identifiers of their own, and nothing of a refused request is stored.
 */
export function* judgeState(trace: Trace): Findings {
  yield* judgeIntents(trace, 'state');
  for (const collection of collectionsOf(trace)) {
    const { resource } = collection;
    for (const listing of collection.listings) yield* judgeDistinct(listing, resource);
    yield* judgeEchoes(collection);
    yield* judgeChangeEchoes(collection);
    yield* judgeHeld(collection, requirementId.state(resource.list.id, 'listed'), false);
    yield* judgeReads(collection);
  }
  for (const collection of collectionsOf(trace)) yield* judgeChanged(collection);
  for (const collection of collectionsOf(trace)) {
    yield* judgeIdentifiers(collection);
    yield* judgeNotWritten(collection);
  }
}

/** No list has an identifier twice. */
export function* judgeDistinct({ reading, items, ids }: Listing, resource: Resource): Findings {
  const id = requirementId.state(resource.list.id, 'distinct');
  if (items.length === 0) return;
  const received = `${items.length} items with ${ids.size} different values`;
  const expected = `no \`${resource.idProperty}\` twice`;
  yield judged(ids.size === items.length, id, reading.index, expected, received);
}

/** Judges the identifiers of added items: assigned by the service, and different from all others. */
function* judgeIdentifiers({ resource, additions, owners }: Collection): Findings {
  const { create, remove, idProperty } = resource;
  if (create === undefined) return;
  const unique = requirementId.state(create.id, 'id-unique');
  for (const [{ sent, answered, reading }, owner] of owners()) {
    const { index } = reading;
    const taken = `${answered.id}, which another item already had`;
    const others = owner === undefined ? [] : [owner.exchange];
    const expected = 'an identifier that no other item has';
    if (owner?.isTouched !== true)
      yield judged(owner === undefined, unique, index, expected, taken, others);
    const fresh = requirementId.state(create.id, 'id-fresh');
    if (remove !== undefined)
      yield judged(owner?.isTouched !== true, fresh, index, expected, taken, others);
    const hasTwin = additions.some(
      (each) => each.answered.id === answered.id && each.reading.index < index,
    );
    if (owner === undefined && hasTwin)
      yield unclear(unique, index, `${answered.id}, given twice at the same time`);
    const wished = sent[idProperty];
    if (wished === undefined) continue;
    const wish = renderPlain(wished);
    const assigned = requirementId.state(create.id, 'id-assigned');
    const own = 'an identifier assigned by the service';
    yield judged(answered.id !== wish, assigned, index, own, `${wish}, which the client sent`);
  }
}

/** Judges that an addition answers each member as it was sent. */
export function* judgeEchoes({ additions, resource }: Collection): Findings {
  for (const addition of additions) {
    const { reading, sent, answered } = addition;
    const idOfEcho = (name: string): string =>
      requirementId.state(reading.operation.id, `echo.${name}`);
    for (const echo of echoesOf(addition, resource)) {
      const { name, received } = echo;
      yield compare(idOfEcho(name), name, [echo.sent], received, reading, []);
      yield* judgeSpaces(name, echo.sent, received, reading);
    }
    for (const name of Object.keys(sent))
      if (reading.succeeded && !answered.valid && answered.members[name] === undefined)
        yield doubt(idOfEcho(name), name, reading);
  }
}

/** Whether a text that begins or ends with white space kept it. */
function* judgeSpaces(
  name: string,
  sent: JsonValue | undefined,
  received: JsonValue | undefined,
  { operation, index }: Reading,
): Findings {
  if (typeof sent !== 'string' || trimEnds(sent) === sent || !comesBack(sent, received)) return;
  const id = requirementId.state(operation.id, `spaces.${name}`);
  const expected = `\`${name}\` ${quote(sent)}`;
  yield judged(sent === received, id, index, expected, `\`${name}\` ${quote(received)}`);
}

function doubt(id: string, name: string, { index }: Reading): Finding {
  const reason = 'is malformed here, cut off with the key, or was wrong in an earlier response';
  return unclear(id, index, `\`${name}\` ${reason}`);
}

/** Compares what was received with the values that it may have, the first being the one to report. */
function compare(
  id: string,
  name: string,
  expected: readonly (JsonValue | undefined)[],
  received: JsonValue | undefined,
  { index }: Reading,
  others: readonly number[],
  matches: typeof isSame = comesBack,
): Finding {
  if (expected.some((each) => matches(each, received))) return passed(id, index);
  const wanted = `\`${name}\` ${quote(expected[0])}`;
  return failed(id, index, wanted, `\`${name}\` ${quote(received)}`, others);
}

/** Judges what changes answer: the same identifier, what was sent, and all else as it was. */
export function* judgeChangeEchoes(collection: Collection): Findings {
  const { resource } = collection;
  const changes = changesOf(resource).filter(({ act }) => act !== 'remove');
  if (changes.length === 0) return;
  for (const { reading, model } of replay(collection)) {
    const isChange = changes.some(({ operation }) => operation.id === reading.operation.id);
    if (!reading.isServed || !isChange) continue;
    const id = pathIdOf(reading, resource) ?? '';
    yield* judgeChangeEcho(reading, id, model.stateOf(id), collection);
  }
}

function* judgeChangeEcho(
  reading: Reading,
  id: string,
  before: ModelState | undefined,
  collection: Collection,
): Findings {
  const { index, operation, sent } = reading;
  const { resource, trace } = collection;
  const { idProperty } = resource;
  const answered = answeredItem(reading, resource);
  if (answered === undefined) return;
  const kept = requirementId.state(operation.id, 'id-kept');
  const received = `\`${idProperty}\` ${answered.id}`;
  yield judged(answered.id === id, kept, index, `\`${idProperty}\` ${id}`, received);
  if (answered.id !== id || !isJsonObject(sent)) return;
  for (const [name, value] of Object.entries(exactMembers(sent))) {
    const echo = requirementId.state(operation.id, `echo.${name}`);
    const answer = answered.members[name];
    if (trace.contract.requirementOf(echo) === undefined) continue;
    if (answer === undefined && !answered.valid) continue;
    yield compare(echo, name, [value], answer, reading, []);
    yield* judgeSpaces(name, value, answer, reading);
  }
  if (operation.id !== resource.update?.id || before?.kind !== 'there' || !reading.isAlone) return;
  const others = requirementId.state(operation.id, 'others-kept');
  const { unstored } = witnessesOf(collection);
  for (const [name, { values, isUnsure, setBy }] of before.members) {
    const answer = answered.members[name];
    if (Object.hasOwn(sent, name) || unstored.has(memberKey(setBy, name))) continue;
    if (answer === undefined && (!answered.valid || isUnsure)) continue;
    const isWritten = before.refused.some((refused) => isWrittenBy(refused, name, answer));
    if (values.some((value) => isSame(value, answer))) yield passed(others, index);
    else if (!isWritten) {
      const expected = `\`${name}\` ${quote(values[0])}, which was not sent`;
      yield failed(others, index, expected, `\`${name}\` ${quote(answer)}`, [before.by.index]);
    }
  }
}

/** Judges that lists and single reads show each member as it was added, or listed before. */
export function* judgeReads(collection: Collection): Findings {
  const { trace, resource, trusted, sharedIds } = collection;
  const inList = (item: JsonObject): JsonObject => collection.listedPart(item);
  const findAddition = (id: string, { exchange }: Reading): Addition | undefined =>
    collection.isUntouched(id, exchange) ? trusted().get(id) : undefined;
  const witnesses: Listing[] = [];
  for (const listing of collection.listings) {
    const findings = listing.items.flatMap((item) => {
      const addition = findAddition(item.id, listing.reading);
      if (addition === undefined) return [];
      const { sent, answered } = addition;
      const members = inList(answered.members);
      const listed = { ...addition, sent: inList(sent), answered: { ...answered, members } };
      return [...judgeMembers(listed, item, listing.reading, resource)];
    });
    yield* findings;
    if (findings.every(({ kind }) => kind !== 'failed')) witnesses.push(listing);
  }
  const listed = firstSightings(witnesses);
  for (const reading of trace.of(resource.get)) {
    const item = reading.isServed ? readItem(itemOf(reading), resource) : undefined;
    const wanted = pathIdOf(reading, resource);
    if (wanted === undefined || item === undefined) continue;
    const { idProperty } = resource;
    const id = requirementId.state(reading.operation.id, `read.${idProperty}`);
    const received = `\`${idProperty}\` ${item.id}`;
    yield judged(item.id === wanted, id, reading.index, `\`${idProperty}\` ${wanted}`, received);
    if (item.id !== wanted || !collection.isUntouched(wanted, reading.exchange)) continue;
    const addition = trusted().get(wanted);
    const listing = sharedIds().has(wanted) ? undefined : listed.get(wanted);
    const part = { ...item, members: inList(item.members) };
    if (addition !== undefined) yield* judgeMembers(addition, item, reading, resource);
    else if (listing !== undefined && changesOf(resource).length === 0)
      yield* judgeListedMembers(reading, part, listing, resource);
  }
}

/** A later sight of an added item: each member as it was answered then, or as it was sent. */
function* judgeMembers(
  { sent, answered, untrusted, reading: added }: Addition,
  item: Item,
  reading: Reading,
  resource: Resource,
): Findings {
  for (const name of memberNames(resource)) {
    const values = [sent[name], answered.members[name]].filter((value) => value !== undefined);
    const received = item.members[name];
    const isUnsure =
      received === undefined &&
      (!item.valid || (answered.valid && answered.members[name] === undefined));
    if (values.length === 0 && !untrusted.includes(name)) continue;
    const id = requirementId.state(reading.operation.id, `read.${name}`);
    // White space that the addition kept is not lost later.
    const matches = isSame(values[0], answered.members[name]) ? isSame : comesBack;
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
): Findings {
  const seen = listing.items.find(({ id }) => id === item.id);
  if (seen === undefined) return;
  const mutable = new Set(resource.filters.map(({ property }) => property));
  for (const name of memberNames(resource)) {
    if (mutable.has(name)) continue;
    const expected = seen.members[name];
    const received = item.members[name];
    const isUnsure =
      (expected === undefined && !seen.valid) || (received === undefined && !item.valid);
    const id = requirementId.state(reading.operation.id, `read.${name}`);
    const others = [listing.reading.index];
    yield isUnsure
      ? doubt(id, name, reading)
      : compare(id, name, [expected], received, reading, others, isSame);
  }
}
