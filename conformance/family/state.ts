import { refusalStatus, refusalStatuses } from '../../contract/openapi/response.ts';
import { valueAt } from '../../contract/json/place.ts';
import { schemaAt } from '../../contract/resource/item-view.ts';
import {
  isJsonArray,
  isJsonObject,
  renderJson,
  type JsonObject,
  type JsonValue,
} from '../../contract/json/value.ts';
import {
  requirementId,
  type Draft,
  type Drafts,
  draftsOf,
  type Level,
  type StateFacet,
} from '../judge/trace/requirement.ts';
import {
  additionOf,
  type Resource,
  answersItem,
  idName,
  mayAdd,
  sentSchema,
  sentSchemas,
  shownSchema,
} from '../../contract/resource/resource.ts';
import { once } from '../../contract/memo/once.ts';
import { judgeNotWritten } from './state/not-written.ts';
import { judgeOwnParent, listOwnParent } from './state/own-parent.ts';
import { judgePresence, judgeSingles } from './state/single-resource.ts';
import {
  collectionsOf,
  filterId,
  firstSightings,
  hasRoomForAdded,
  isBefore,
  isReadable,
  isUnpaged,
  mayBeLate,
  type Addition,
  type Collection,
  type Listing,
  type Sighting,
} from '../judge/trace/collection.ts';
import { failed, judged, passed, unclear, type Finding } from '../judge/trace/finding.ts';
import { judgeIntents } from './intent.ts';
import {
  comesBack,
  isForbidden,
  isFreeText,
  isSame,
  isShownAsSent,
  isTrimmed,
  memberComesBack,
  memberPlace,
  memberSchema,
  ownMembers,
  shownNames,
  shownItem,
  trimEnds,
  type Item,
} from '../judge/trace/item.ts';
import {
  answeredItem,
  causeOfMissing,
  exactMembers,
  historyOf,
  isHiddenByDefault,
  isNew,
  isStillShown,
  isWrittenBy,
  keptMembers,
  lossOf,
  memberKey,
  notWrittenId,
  removalOfOther,
  sharedId,
  type History,
  type Observation,
  type ModelState,
  type MemberValue,
} from '../judge/trace/model.ts';
import { idIn, pathIdOf, renderPlain, type Reading, type Trace } from '../judge/trace/trace.ts';
import { countItems, describeResponse, quote } from '../judge/trace/words.ts';
import { sendsTakenId } from '../transport/exchange.ts';
import { announcesDenial } from './auth.ts';
import { memberNamed, plainName } from '../../contract/resource/names.ts';
import type { Contract } from '../../contract/contract.ts';
import { possibleDefault, type SchemaNode } from '../../contract/schema/schema-node.ts';
import type { Operation } from '../../contract/openapi/operation.ts';

/**
 * State requirements of one resource, across requests: no item is listed twice; each is found,
 * listed and echoed as sent, and has its own id; and nothing remains of what was removed or
 * refused.
 */
export function* listStateRequirements(resource: Resource, contract: Contract): Drafts {
  const { list, create, get, replace, update, remove, item, itemPath, idPlace } = resource;
  const addition = additionOf(resource);
  const name = idName(resource);
  const own = ownMembers(contract, resource);
  const levelOf = (member: string): Level => (own.has(member) ? 'should' : 'must');
  if ((addition || itemPath !== undefined) && !repeatsIds(resource))
    yield draft(list, { facet: 'distinct' }, 'never returns an item twice in one list');
  yield* listOwnParent(resource, contract);
  if (addition) {
    const listed = `An item added by ${addition.id} is in a list that has room for all items.`;
    yield say(list, { facet: 'listed' }, listed, mayBeLate(list) ? 'should' : 'must');
    for (const member of shownNames(resource)(resource.list)) {
      const read = `returns \`${member}\` of an added item as ${addition.id} accepted it`;
      yield draft(list, { facet: 'read', member }, read, levelOf(member));
    }
  }
  if (create) {
    yield* listEchoes(create, resource);
    // If the request contains the id, the client chooses it.
    const body = sentSchema([resource], create);
    const sent = schemaAt(body, idPlace);
    if (sent === undefined || sent.shape().readOnly) {
      yield draft(create, { facet: 'id-unique' }, `gives each item a unique \`${name}\``);
      const fresh = `never reuses the \`${name}\` of a removed item`;
      if (remove) yield draft(create, { facet: 'id-fresh' }, fresh, 'should');
      const assigned = `assigns \`${name}\` itself and does not use one that the client sends`;
      if (body?.shape().types.includes('object'))
        yield draft(create, { facet: 'id-assigned' }, assigned);
    } else if (refusesConflicts(create)) {
      const level = refusesTaken(create) ? 'must' : 'should';
      const unique = `adds no item with a \`${name}\` that is taken`;
      yield draft(create, { facet: 'id-unique' }, unique, level);
    }
    const stored = `Later responses show what ${create.id} added.`;
    if (get) yield say(create, { facet: 'stored' }, stored);
    yield* listNotWritten(create, 'stores nothing', refuses);
  }
  if (get) {
    yield draft(get, { facet: 'readable' }, 'finds an item that was added or listed');
    for (const member of item.shape().properties.keys()) {
      const isId = member === idPlace[0];
      const shown = isId ? 'the requested item' : `\`${member}\` as it was added or listed`;
      if (isId || shownNames(resource)(get).has(member))
        yield draft(get, { facet: 'read', member }, `returns ${shown}`, levelOf(member));
    }
  }
  for (const change of [replace, update]) {
    if (!change) continue;
    // A POST does what the service wants with what it is sent (RFC 9110 section 9.3.3).
    const level = saysToChange(change) ? 'must' : 'should';
    if (answersItem(change, resource))
      for (const echo of listEchoes(change, resource))
        yield echo.level === 'must' ? { ...echo, level } : echo;
    const stored = `Later responses show what ${change.id} changed as it was sent.`;
    yield say(change, { facet: 'stored' }, stored, level);
    const kept = `does not change the \`${name}\` of the item`;
    yield draft(change, { facet: 'id-kept' }, kept, level);
    const created = 'returns 201 when it adds an item, and not when it replaces one';
    if (addsOrReplaces(change)) yield draft(change, { facet: 'created' }, created);
    const others = 'does not change members that are not sent';
    if (change === update) yield draft(change, { facet: 'others-kept' }, others);
    yield* listNotWritten(change, 'changes nothing');
  }
  // Without an addition, a removal may only change existing items.
  if (remove && addition) {
    const removed = `An item removed by ${remove.id} is in no later response.`;
    yield say(remove, { facet: 'removed' }, removed);
    yield draft(remove, { facet: 'others-kept' }, 'removes no other item');
    if (answersItem(remove, resource))
      yield draft(remove, { facet: 'id-kept' }, 'returns the item that it removes', 'should');
    yield* listNotWritten(remove, 'removes nothing');
  }
}

/** Whether an operation changes the item at its path: PUT and PATCH do, POST if its name says so. */
export function saysToChange({ method, id, summary }: Operation): boolean {
  return method !== 'POST' || /updat|edit|modif|chang|replac/i.test(`${id} ${summary}`);
}

/** Echo requirements: members that a request may contain are returned as sent. */
function* listEchoes(operation: Operation, resource: Resource): Drafts {
  const sent = membersSent(sentSchemas([resource], operation)[0]);
  for (const member of shownNames(resource)(operation)) {
    const node = sent.get(member);
    const answered = memberSchema(resource, member);
    if (!node || !answered || !isShownAsSent(node, answered, operation)) continue;
    const usual = operation === resource.create ? possibleDefault(node) : undefined;
    const end = usual === undefined ? '' : `, or else ${renderJson(usual)}`;
    yield draft(operation, { facet: 'echo', member }, `returns \`${member}\` as it was sent${end}`);
    const isFree = isFreeText(node.shape()) && node.shape().types.length === 1;
    const spaces = `keeps leading and trailing white space in \`${member}\``;
    if (isFree && !isTrimmed(resource, member))
      yield draft(operation, { facet: 'spaces', member }, spaces, 'should');
  }
}

/** The members of a request, and those of the alternatives of a union. */
function membersSent(node: SchemaNode | undefined): ReadonlyMap<string, SchemaNode> {
  const { properties = new Map<string, SchemaNode>(), alternatives = [] } = node?.shape() ?? {};
  return new Map([...alternatives.flatMap((one) => [...one.shape().properties]), ...properties]);
}

/** Documented refusals of a change, after which the item must be unchanged. */
function* listNotWritten(operation: Operation, effect: string, isListed = hasStatus): Drafts {
  for (const status of refusalStatuses)
    if (isListed(operation, status))
      yield draft(
        operation,
        { facet: 'not-written', status },
        `${effect} when it returns ${status}`,
      );
}

/**
 * Whether the document says that requests may get a status, by itself or through a range or
 * `default`.
 */
function refuses(operation: Operation, status: number): boolean {
  if (status !== 401) return hasStatus(operation, status) || refusalStatus(operation) === status;
  const isListed = operation.responses.some((one) => /^(401|4XX|default)$/i.test(one.status));
  return isListed && announcesDenial(operation);
}

function hasStatus({ responses }: Operation, status: number): boolean {
  return responses.some((response) => response.status === String(status));
}

/**
 * Whether an addition has 409, and 201 as its only success. Another success may be for an item that
 * was there before.
 */
function refusesConflicts(operation: Operation): boolean {
  const successes = operation.responses.filter(({ status }) => status.startsWith('2'));
  return hasStatus(operation, 409) && successes.length === 1 && successes[0]?.status === '201';
}

/** Whether the description of such a 409 says that it is for what exists. It may be for anything else. */
export function refusesTaken(operation: Operation): boolean {
  const conflict = operation.responses.find(({ status }) => status === '409');
  const isTaken = /already ?exists|taken|duplicate|in use/i.test(conflict?.description ?? '');
  return isTaken && refusesConflicts(operation);
}

/** Whether PUT documents 201 for creation, and another status for replacement. */
function addsOrReplaces(operation: Operation): boolean {
  return mayAdd(operation) && [200, 204].some((status) => hasStatus(operation, status));
}

/** `demand` completes the sentence that starts with the operation's id. */
function draft(operation: Operation, facet: StateFacet, demand: string, level?: Level): Draft {
  return say(operation, facet, `${operation.id} ${demand}.`, level);
}

function say(operation: Operation, facet: StateFacet, sentence: string, level?: Level): Draft {
  return draftsOf(operation)({ kind: 'state', ...facet }, sentence, operation.pointer, level);
}

type Findings = Generator<Finding>;

/**
 * Judges requests against each other: added items are returned, listed and read as sent, with
 * unique ids, and refused requests store nothing.
 */
export function* judgeState(trace: Trace): Findings {
  yield* judgeIntents(trace, 'state');
  const collections = collectionsOf(trace);
  for (const collection of collections) {
    yield* judgeAnswers(collection);
    yield* judgeHeld(collection, requirementId.state(collection.resource.list.id, 'listed'), false);
    yield* judgeLooks(collection);
    yield* judgeRead(collection);
  }
  for (const collection of collections) {
    yield* judgeIdentifiers(collection);
    yield* judgeTaken(collection);
    yield* judgeAssigned(collection);
    yield* judgeNotWritten(collection);
  }
  yield* judgeOwnParent(trace);
  yield* judgeSingles(trace);
  yield* judgePresence(trace);
}

/** Judges the items in each response on their own. */
export function* judgeShown(collection: Collection): Findings {
  yield* judgeAnswers(collection);
  yield* judgeRead(collection);
}

function* judgeAnswers(collection: Collection): Findings {
  for (const listing of collection.listings) yield* judgeDistinct(listing, collection.resource);
  for (const { reading, sent, answered } of collection.additions)
    if (reading.succeeded) yield* judgeEcho(reading, sent, answered, collection);
  yield* judgeChangeEchoes(collection);
}

/** Whether an example of the document itself lists an id twice. */
const repeatsIds = once(({ list, shown, idPlace }: Resource): boolean => {
  const { content, place = [] } = shown.get(list.id) ?? {};
  return (content?.examples ?? []).some(({ value }) => {
    const listed = valueAt(value, place);
    const ids = (isJsonArray(listed) ? listed : []).flatMap((item) => valueAt(item, idPlace) ?? []);
    return new Set(ids.map((id) => renderJson(id))).size < ids.length;
  });
});

/** No list contains an id twice. */
function* judgeDistinct({ reading, items, ids }: Listing, resource: Resource): Findings {
  const id = requirementId.state(resource.list.id, 'distinct');
  if (items.length === 0 || repeatsIds(resource)) return;
  const received = `${items.length} items with ${ids.size} different values`;
  const expected = `no \`${idName(resource)}\` twice`;
  yield judged(ids.size === items.length, id, reading.index, expected, received);
}

/** Judges ids of added items: assigned by the service, and unique. */
function* judgeIdentifiers({ resource, owners }: Collection): Findings {
  const { create, remove } = resource;
  if (create === undefined) return;
  const unique = requirementId.state(create.id, 'id-unique');
  for (const [{ answered, reading }, { owner, hasTwin }] of owners()) {
    const { index } = reading;
    const taken = `${answered.id}, which another item already had`;
    const others = owner === undefined ? [] : [owner.exchange];
    const expected = 'an identifier that no other item has';
    const place = {
      at: memberPlace(answered, ...resource.idPlace),
      // The identifiers of items that are not stored are free.
      because: requirementId.state(create.id, 'stored'),
    };
    if (owner?.isTouched !== true)
      yield judged(owner === undefined, unique, index, expected, taken, others, place);
    const fresh = requirementId.state(create.id, 'id-fresh');
    if (remove !== undefined)
      yield judged(owner?.isTouched !== true, fresh, index, expected, taken, others, place);
    if (owner === undefined && hasTwin)
      yield unclear(unique, index, `${answered.id}, given twice at the same time`);
  }
}

/** Judges that no item is added with the identifier of another one. */
function* judgeTaken({ resource, trace, additions }: Collection): Findings {
  const { create } = resource;
  for (const reading of trace.of(create)) {
    if (create === undefined || !sendsTakenId(reading.exchange)) continue;
    const id = shownItem(reading, resource)?.id ?? renderPlain(idIn(reading.sent, resource) ?? '');
    const owner = additions.find(({ answered }) => answered.id === id);
    const others = owner === undefined ? [] : [owner.reading.index];
    const unique = requirementId.state(create.id, 'id-unique');
    const expected = '409: another item has this identifier';
    const received = describeResponse(reading.response);
    // The identifiers of items that are not stored are free.
    const because = requirementId.state(create.id, 'stored');
    const isRefused = !reading.succeeded || !owner;
    yield judged(isRefused, unique, reading.index, expected, received, others, { because });
  }
}

/** Judges that no new item has the id that the client sent. */
function* judgeAssigned(collection: Collection): Findings {
  const { resource } = collection;
  const { create } = resource;
  for (const reading of collection.of(create)) {
    const item = shownItem(reading, resource);
    const wished = isJsonObject(reading.sent) ? idIn(reading.sent, resource) : undefined;
    if (create === undefined || item === undefined || wished === undefined) continue;
    const wish = renderPlain(wished);
    const assigned = requirementId.state(create.id, 'id-assigned');
    const own = 'an identifier assigned by the service';
    const received = `${wish}, which the client sent`;
    yield judged(item.id !== wish, assigned, reading.index, own, received, [], {
      at: memberPlace(item, ...resource.idPlace),
    });
  }
}

/**
 * Judges that responses to additions and changes echo members as sent, including white space around
 * texts.
 */
function* judgeEcho(
  reading: Reading,
  sent: JsonObject,
  item: Item,
  { resource, trace }: Collection,
): Findings {
  const { index, operation } = reading;
  for (const [name, value = null] of [
    ...Object.entries(sent),
    ...(operation === resource.create ? listDefaults(reading, sent, item, resource) : []),
  ]) {
    const echo = requirementId.state(operation.id, `echo.${name}`);
    const received = item.members[name];
    // What a form has is unclear where the reading has null.
    const isUnclear = value === null && (valueAt(reading.body, [name]) ?? null) !== null;
    if (!trace.requirements.has(echo) || isUnclear) continue;
    // For example a text that is not an address, if responses have an address or null.
    const node = memberSchema(resource, name);
    const isKept = memberComesBack(name, [value, received], operation, resource);
    if (!isKept && node !== undefined && isForbidden(node, value)) continue;
    if (received === undefined && !item.valid) {
      yield doubt(echo, name, reading);
      continue;
    }
    const [expected, shown] = [value, received].map((each) => `\`${name}\` ${quote(each)}`);
    const places = { at: memberPlace(item, name) };
    yield judged(isKept, echo, index, expected ?? '', shown ?? '', [], places);
    if (typeof value !== 'string' || trimEnds(value) === value || !comesBack(value, received))
      continue;
    const spaces = requirementId.state(operation.id, `spaces.${name}`);
    yield judged(value === received, spaces, index, expected ?? '', shown ?? '', [], places);
  }
}

/** The members that an addition did not send, and the response shows, with their defaults. */
function listDefaults(
  { operation }: Reading,
  sent: JsonObject,
  { members }: Item,
  resource: Resource,
) {
  const properties = sentSchema([resource], operation)?.shape().properties ?? [];
  return [...properties].flatMap(([name, node]) => {
    const usual = Object.hasOwn(sent, name) ? undefined : possibleDefault(node);
    return usual === undefined || (members[name] ?? null) === null ? [] : [[name, usual] as const];
  });
}

function doubt(id: string, name: string, { index }: Reading): Finding {
  const reason = 'is malformed here, cut off with the key, or was wrong in an earlier response';
  return unclear(id, index, `\`${name}\` ${reason}`);
}

/** PUT returns 201 if and only if the item did not exist. */
function* judgeCreated(reading: Reading, before: ModelState | undefined): Findings {
  const { operation, exchange, index, status, isAlone } = reading;
  const { intent } = exchange;
  const id = requirementId.state(operation.id, 'created');
  const isMeant = intent.kind === 'valid' && intent.exercises.includes(id);
  if (!addsOrReplaces(operation) || !(isAlone || isMeant) || (before === undefined && !isMeant))
    return;
  const wasThere = before?.kind === 'there';
  const expected = wasThere
    ? 'another status than 201: the item was there'
    : '201: nothing was there';
  const others = before === undefined ? [] : [before.by.index];
  const because = requirementId.state(operation.id, 'stored');
  yield judged((status === 201) !== wasThere, id, index, expected, String(status), others, {
    because,
  });
}

/** The accepted changes and removals. */
function changesIn(collection: Collection): readonly Reading[] {
  const { replace, update, remove } = collection.resource;
  const changes = [replace, update, remove].flatMap((each) => collection.of(each));
  return changes.filter(({ isServed }) => isServed);
}

/**
 * Judges responses to changes and removals: the same id, the sent members, and everything else
 * unchanged.
 */
function* judgeChangeEchoes(collection: Collection): Findings {
  const { resource } = collection;
  for (const reading of changesIn(collection)) {
    const { index, operation, sent } = reading;
    const { before: states, unstored } = historyOf(collection);
    const before = states.get(reading);
    const id = pathIdOf(reading, resource);
    yield* judgeCreated(reading, before);
    const name = idName(resource);
    const answered = answeredItem(reading, resource);
    if (answered === undefined) continue;
    const kept = requirementId.state(operation.id, 'id-kept');
    const received = `\`${name}\` ${answered.id}`;
    yield judged(answered.id === id, kept, index, `\`${name}\` ${id}`, received, [], {
      at: memberPlace(answered, ...resource.idPlace),
    });
    if (answered.id !== id || !isJsonObject(sent)) continue;
    yield* judgeEcho(reading, exactMembers(sent, operation), answered, collection);
    if (operation.id !== resource.update?.id || before?.kind !== 'there' || !reading.isAlone)
      continue;
    const others = requirementId.state(operation.id, 'others-kept');
    const { properties } = shownSchema(resource, operation).shape();
    for (const [name, known] of before.members) {
      const { values, isUnsure, isPlain, setBy } = known;
      const answer = answered.members[name];
      if (!isPlain || Object.hasOwn(sent, name) || unstored.has(memberKey(setBy, name))) continue;
      const isOpen = !answered.valid || isUnsure || !properties.has(name);
      if (answer === undefined && isOpen) continue;
      const isKept = isStillShown(known, answer, memberSchema(resource, name));
      if (!isKept && before.refused.some((refused) => isWrittenBy(refused, name, answer))) continue;
      const expected = `\`${name}\` ${quote(values[0])}, which was not sent`;
      const shown = `\`${name}\` ${quote(answer)}`;
      const at = memberPlace(answered, name);
      const because =
        echoOf({ name, known, received: answer, isKept }, resource) ??
        requirementId.state(operation.id, `echo.${name}`);
      yield judged(isKept, others, index, expected, shown, [before.by.index], { at, because });
    }
  }
}

/** Judges that single reads return the requested item, as it was listed before. */
function* judgeRead(collection: Collection): Findings {
  const { resource, ownIds } = collection;
  const name = idName(resource);
  const isFixed = [resource.replace, resource.update, resource.remove].every((each) => !each);
  const hasBoth = collection.listings.length > 0 && collection.of(resource.get).length > 0;
  const listed = isFixed && hasBoth ? firstSightings(listWitnesses(collection)) : undefined;
  for (const reading of collection.of(resource.get)) {
    const item = reading.isServed ? shownItem(reading, resource) : undefined;
    const wanted = pathIdOf(reading, resource);
    if (wanted === undefined || item === undefined) continue;
    const id = requirementId.state(reading.operation.id, `read.${resource.idPlace[0]}`);
    const received = `\`${name}\` ${item.id}`;
    // Some services find an item by another of its members, which the path names: `file_id`.
    const other = memberNamed(Object.keys(item.members), [
      plainName(resource.idParameter?.name ?? ''),
    ]);
    const isOther = other !== undefined && renderPlain(item.members[other] ?? null) === wanted;
    const isRequested = item.id === wanted || isOther;
    yield judged(isRequested, id, reading.index, `\`${name}\` ${wanted}`, received, [], {
      at: memberPlace(item, ...resource.idPlace),
      because: isRequested ? undefined : renamedBy(wanted, collection),
    });
    const seen = listed?.get(wanted);
    if (item.id === wanted && seen !== undefined && !ownIds().has(wanted))
      if (collection.isUntouched(wanted, reading.exchange))
        yield* judgeListedMembers(reading, item, seen, collection);
  }
}

/** The requirement that a change of an item keeps its identifier, if the response had another one. */
function renamedBy(wanted: string, collection: Collection): string | undefined {
  const { resource } = collection;
  const change = changesIn(collection).find((reading) => {
    const answered = answeredItem(reading, resource);
    return pathIdOf(reading, resource) === wanted && answered && answered.id !== wanted;
  });
  return change && requirementId.state(change.operation.id, 'id-kept');
}

/**
 * The lists that show the run's items as they were added, and so are trusted about other items too.
 */
function listWitnesses(collection: Collection): readonly Listing[] {
  const wrong = new Set(
    historyOf(collection).periods.flatMap((period) =>
      period.flatMap(({ reading, memberValues }) =>
        memberValues.some(({ isKept }) => isKept === false) ? reading : [],
      ),
    ),
  );
  return collection.listings.filter(({ reading }) => !wrong.has(reading));
}

/**
 * Items older than the run that nobody can change read as listed. Members with a filter may differ.
 */
function* judgeListedMembers(
  reading: Reading,
  item: Item,
  { item: seen, listing }: Sighting,
  collection: Collection,
): Findings {
  const { resource } = collection;
  const mutable = new Set(resource.filters.map(({ property }) => property));
  const shown = collection.listedPart(item.members);
  for (const name of shownNames(resource)(resource.list)) {
    if (mutable.has(name) || !shownNames(resource)(reading.operation).has(name)) continue;
    const [expected, received] = [seen.members[name], shown[name]];
    const isUnsure =
      (expected === undefined && !seen.valid) || (received === undefined && !item.valid);
    const id = requirementId.state(reading.operation.id, `read.${name}`);
    const isKept = isSame(expected, received, memberSchema(resource, name));
    const wanted = `\`${name}\` ${quote(expected)}`;
    const others = [listing.reading.index];
    const places = { at: memberPlace(item, name), before: memberPlace(seen, name) };
    yield isUnsure
      ? doubt(id, name, reading)
      : judged(isKept, id, reading.index, wanted, `\`${name}\` ${quote(received)}`, others, places);
  }
}

/**
 * Judges that each readable list with room for more contains the items added before it. Items of
 * earlier lists that are missing are judged by `parameter`. `isRace`: judges only items that were
 * added concurrently and are in no list; otherwise only the others.
 */
export function* judgeHeld(collection: Collection, requirement: string, isRace: boolean): Findings {
  const { resource, listings, firstSeen } = collection;
  for (const listing of listings) {
    const { exchange, index } = listing.reading;
    const untouched = collection.expectedIn(listing);
    const mayBeCut = !hasRoomForAdded(listing);
    if (mayBeCut && !(isUnpaged(resource) && isReadable(listing))) {
      const isPreset = listing.asked === undefined && listing.size < (listing.limit ?? 0);
      if (isPreset && isReadable(listing) && listing.filters.size === 0)
        yield* doubtList(untouched, listing, requirement, isRace);
      continue;
    }
    const missing = untouched.filter(({ answered }) => !listing.ids.has(answered.id));
    const unseen = missing.filter(({ answered }) => !wasListed(answered.id, listing, collection));
    const lost = unseen.find(({ reading }) => reading.isAlone) ?? unseen[0];
    if (untouched.length > 0 && missing.length === 0) {
      if (!isRace || untouched.some(({ reading }) => !reading.isAlone))
        yield passed(requirement, index);
      if (!isRace) yield* passAfterRemoval(listing.reading, collection);
    } else if (
      !mayBeCut &&
      lost !== undefined &&
      (!lost.reading.isAlone && !firstSeen().has(lost.answered.id)) === isRace
    ) {
      const { id } = lost.answered;
      const cause =
        removalOfOther(collection, id, exchange) ?? lossOf(collection, id) ?? requirement;
      const item = `an item ${quote(lost.answered.members)}`;
      const room = listing.asked === undefined ? '' : `, with room for ${listing.asked}`;
      const received = `${countItems(listing.size)} without it${room}`;
      const because =
        listing.ids.size < listing.items.length
          ? requirementId.state(resource.list.id, 'distinct')
          : undefined;
      yield failed(cause, index, item, received, [lost.reading.index], { because });
    } else if (listing.filters.size === 0) yield* doubtList(missing, listing, requirement, isRace);
  }
}

/** Items that are there after a removal were not removed by it. */
function* passAfterRemoval({ exchange, index }: Reading, collection: Collection): Findings {
  const { remove } = collection.resource;
  const isEarlier = (each: Reading): boolean => each.succeeded && isBefore(each.exchange, exchange);
  if (remove !== undefined && collection.of(remove).some(isEarlier))
    yield passed(requirementId.state(remove.id, 'others-kept'), index);
}

/** An item is missing from a list for a reason that another requirement covers. */
function* doubtList(
  expected: readonly Addition[],
  { ids, reading: { index } }: Listing,
  requirement: string,
  isRace: boolean,
): Findings {
  const example = expected.find(
    ({ answered, reading }) => !ids.has(answered.id) && !(isRace && reading.isAlone),
  );
  if (example !== undefined)
    yield unclear(requirement, index, `a list without ${example.answered.id}, for another reason`);
}

/** Whether an earlier list showed an item, with filters that the later list also has. */
function wasListed(id: string, { filters, reading }: Listing, { listings }: Collection): boolean {
  return listings.some(
    (earlier) =>
      isBefore(earlier.reading.exchange, reading.exchange) &&
      (filters.size > 0 || earlier.filters.size === 0) &&
      earlier.ids.has(id),
  );
}

/** Judges later responses about the items that were added, changed and removed, or nearly so. */
function* judgeLooks(collection: Collection): Findings {
  for (const period of historyOf(collection).periods) {
    yield* judgeRemoved(period, collection);
    yield* judgeMembers(period, collection);
    yield* judgeRefused(period, collection);
    yield* judgeMissing(period, collection);
  }
}

type Period = History['periods'][number];

/**
 * If all later responses show the item, it was not removed; if only some do, those responses are
 * wrong.
 */
function* judgeRemoved(period: Period, collection: Collection): Findings {
  const { resource, trace } = collection;
  const observations = period.filter(({ state }) => state.kind === 'removed');
  const removed = requirementId.state(resource.remove?.id ?? '', 'removed');
  const isGone = observations.some(({ item }) => item === undefined);
  for (const seen of observations) {
    const { reading, item, isSingle, state } = seen;
    const { index } = reading;
    const absent = requirementId.status(reading.operation.id, 404);
    if (item === undefined) {
      yield passed(removed, index);
      if (isSingle) yield passed(absent, index);
      continue;
    }
    if (!isSingle && mayBeLate(reading.operation)) continue;
    const isMarked = historyOf(collection).marked.has(seen.id);
    const isAnnounced = hasStatus(reading.operation, 410);
    if (isMarked && !isAnnounced && (isSingle || !isHiddenByDefault(reading, item, resource))) {
      yield passed(removed, index);
      continue;
    }
    const expected = 'no trace of an item that was removed';
    const id = isSingle && isGone && trace.requirements.has(absent) ? absent : removed;
    const at = memberPlace(item, ...resource.idPlace);
    yield failed(id, index, expected, quote(item.members), [state.by.index], { at });
  }
}

/**
 * If no later response shows the expected value, it was not stored; otherwise the others are wrong.
 */
function* judgeMembers(period: Period, collection: Collection): Findings {
  const { wrongReads, unstored } = historyOf(collection);
  const { resource, trace } = collection;
  const own = ownMembers(trace.contract, resource);
  const shown = keptMembers(period);
  for (const seen of period) {
    const { state, reading, memberValues } = seen;
    if (state.kind !== 'there') continue;
    const { by, act } = state;
    const { index } = reading;
    const isSpoilt = writersOf(seen, collection).length > 0;
    for (const value of memberValues) {
      const { name, known, received, isKept } = value;
      const read = requirementId.state(reading.operation.id, `read.${name}`);
      const change = changeId(value, seen, collection);
      // Members that the service sets may change with any request.
      const isOvertaken = (): boolean =>
        isKept === false && collection.isOvertaken(seen.id, by.exchange, reading.exchange);
      if (own.has(name) && (!isNew(state) || isOvertaken())) continue;
      if (isKept === undefined) {
        if (isNew(state)) yield doubt(read, name, reading);
      } else if (isKept) {
        yield passed(read, index);
        if (change !== undefined) yield passed(change, index);
      } else if (act === 'create' || !mayBeLate(reading.operation)) {
        const isOlder = known.setBy !== by && unstored.has(memberKey(known.setBy, name));
        if (isSpoilt || isOlder) continue;
        const isWrongRead = shown.has(name) || wrongReads.has(read);
        const expected = `\`${name}\` ${quote(known.values[0])}${act === 'create' ? '' : ', as it was changed'}`;
        const id = isWrongRead ? read : (change ?? read);
        const [at, before] = [seen.item, shownItem(by, resource)].map(
          (each) => each && memberPlace(each, name),
        );
        const because = echoOf(value, resource);
        yield failed(id, index, expected, `\`${name}\` ${quote(received)}`, [by.index], {
          at,
          before,
          because,
        });
      }
    }
  }
}

/**
 * The requirement on the response to a request, if a later one shows a member as it was sent, or
 * only that response had it.
 */
function echoOf(
  { name, known, received = null }: MemberValue,
  resource: Resource,
): string | undefined {
  const { sent, operation } = known.setBy;
  const value = isJsonObject(sent) ? sent[name] : undefined;
  return value === undefined || comesBack(value, received, memberSchema(resource, name))
    ? requirementId.state(operation.id, `echo.${name}`)
    : undefined;
}

/** The requirement for a member after the last change of an item; undefined after an addition. */
function changeId(
  { known, name }: MemberValue,
  { state }: Observation,
  collection: Collection,
): string | undefined {
  if (state.kind !== 'there' || state.act === 'create') return undefined;
  const { act, by } = state;
  const { id } = by.operation;
  if (act === 'update' && known.setBy !== by) return requirementId.state(id, 'others-kept');
  const isLostAlone = historyOf(collection).unstoredAlone.has(`${id} ${name}`);
  return by.isAlone || isLostAlone
    ? requirementId.state(id, 'stored')
    : requirementId.concurrency(id, 'stored');
}

/**
 * The refused request that explains most of the differences in a later response; none if there are
 * no differences.
 */
function writersOf({ state, memberValues }: Observation, { trace }: Collection) {
  if (state.kind !== 'there') return [];
  const wrong = memberValues.filter(({ isKept }) => isKept === false);
  const written = state.refused.flatMap((writer) => {
    const id = notWrittenId(writer, trace);
    const own = wrong.filter(({ name, received }) => isWrittenBy(writer, name, received));
    return id === undefined || own.length === 0 ? [] : [{ writer, memberValues: own, id }];
  });
  return written.toSorted((a, b) => b.memberValues.length - a.memberValues.length).slice(0, 1);
}

/**
 * Nothing that a refused request sent may appear later, and what it tried to remove must still be
 * there.
 */
function* judgeRefused(period: Period, collection: Collection): Findings {
  for (const seen of period) {
    const { item, state, reading } = seen;
    if (state.kind !== 'there' || item === undefined) continue;
    const { index } = reading;
    const { resource } = collection;
    const written = writersOf(seen, collection);
    for (const { memberValues, writer, id } of written) {
      const expected = `no trace of the body that was rejected with ${writer.status}`;
      const shown = memberValues
        .map(({ name, received }) => `\`${name}\` ${quote(received)}`)
        .join(', ');
      const [first] = memberValues.map(({ name }) => ({
        at: memberPlace(item, name),
        because: requirementId.state(reading.operation.id, `read.${name}`),
      }));
      yield failed(id, index, expected, shown, [writer.index], first);
    }
    for (const refused of state.refused) {
      const id = notWrittenId(refused, collection.trace);
      const isWritten = written.some(({ writer }) => writer === refused);
      if (id !== undefined && !isWritten && wouldShow(refused, seen, item, resource))
        yield passed(id, index);
    }
  }
}

/**
 * Whether the effect of the refused request would be visible: it is a removal, or sent another
 * value for a member that still has the old one.
 */
function wouldShow(
  { operation, sent }: Reading,
  { state }: Observation,
  item: Item,
  resource: Resource,
): boolean {
  if (operation.method === 'DELETE') return true;
  if (!isJsonObject(sent) || state.kind !== 'there') return false;
  return Object.entries(sent).some(([name, value]) => {
    const known = state.members.get(name)?.values ?? [];
    const isAmong = (one: JsonValue | undefined): boolean =>
      known.some((each) => comesBack(each, one, memberSchema(resource, name)));
    return isAmong(item.members[name]) && !isAmong(value);
  });
}

/** An item is missing. Missing single reads without such a cause are judged in `intent.ts`. */
function* judgeMissing(period: Period, collection: Collection): Findings {
  const { resource } = collection;
  const listed = requirementId.state(resource.list.id, 'listed');
  for (const seen of period) {
    const { state, item, isSingle, reading, filters } = seen;
    if (state.kind !== 'there') continue;
    const { index } = reading;
    if (item !== undefined) {
      const { operation } = state.by;
      const kept = state.act === 'create' ? 'stored' : 'id-kept';
      yield passed(requirementId.state(operation.id, kept), index);
      if (isSingle || isNew(state)) continue;
      yield passed(listed, index);
      yield* passAfterRemoval(reading, collection);
      continue;
    }
    const [filter] = filters;
    const usual = filter === undefined ? listed : filterId(resource, filter);
    const { id } = seen;
    const isLate = !isSingle && mayBeLate(reading.operation);
    const loss =
      filter === undefined && !isLate ? causeOfMissing(collection, id, reading, period) : undefined;
    const isLeft = isSingle && (loss === undefined || loss === lossOf(collection, id));
    if (filter === undefined ? isLeft : !keptMembers(period).has(filter)) continue;
    const where = isSingle
      ? describeResponse(reading.response)
      : 'a list with room for it, without it';
    const expected = `the item ${id}${filter === undefined ? '' : `, which passes the filter by ${filter}`}`;
    const because = isSingle
      ? resource.get && requirementId.state(resource.get.id, 'readable')
      : (sharedId(id, collection) ?? listed);
    yield failed(loss ?? usual, index, expected, where, [state.by.index], { because });
  }
}
