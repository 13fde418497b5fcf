import { schemaAt } from '../../contract/resource/item-view.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEquals,
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
} from '../../contract/resource/resource.ts';
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
} from '../judge/trace/collection.ts';
import { failed, judged, passed, unclear, type Finding } from '../judge/trace/finding.ts';
import { judgeIntents } from './intent.ts';
import {
  comesBack,
  isSameMember,
  memberComesBack,
  ownMembers,
  memberNames,
  readItem,
  trimEnds,
  type Item,
} from '../judge/trace/item.ts';
import {
  answeredItem,
  exactMembers,
  isOneWay,
  isWrittenBy,
  memberKey,
  replay,
  witnessesOf,
  type ModelState,
} from '../judge/trace/model.ts';
import {
  idIn,
  itemOf,
  pathIdOf,
  renderPlain,
  type Reading,
  type Trace,
} from '../judge/trace/trace.ts';
import { quote } from '../judge/trace/words.ts';
import { announcesDenial } from './auth.ts';
import { refusalStatus, refusalStatuses } from '../../contract/openapi/refusal.ts';
import { jsonContent } from '../../contract/openapi/media-type.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { SchemaNode, Shape } from '../../contract/schema/schema-node.ts';

/** What holds for lists: no item twice, and every added item in them as it was added. */
export function* listListState(resource: Resource, contract: Contract): Drafts {
  const { list, itemPath } = resource;
  const addition = additionOf(resource);
  const draft = stateOf(list);
  if (addition === undefined && itemPath === undefined) return;
  yield draft({ facet: 'distinct' }, `${list.id} never returns an item twice in one list.`);
  if (!addition) return;
  const listed = `An item added by ${addition.id} is in a list that has room for all items.`;
  yield draft({ facet: 'listed' }, listed);
  const own = ownMembers(contract)(resource);
  for (const member of memberNames(resource)) {
    const sentence = `${list.id} returns \`${member}\` of an added item as ${addition.id} accepted it.`;
    yield draft({ facet: 'read', member }, sentence, own.has(member) ? 'should' : 'must');
  }
}

/** What holds for additions: echoed as sent, an id of their own, no trace of refused ones. */
export function* listCreateState(resource: Resource): Drafts {
  const { create, remove } = resource;
  if (!create) return;
  const { id } = create;
  const draft = stateOf(create);
  yield* listEchoes(create, resource);
  if (!isGivenByClients(create, resource)) {
    const name = idName(resource);
    yield draft({ facet: 'id-unique' }, `${id} gives each item a unique \`${name}\`.`);
    const fresh = `${id} never reuses the \`${name}\` of a removed item.`;
    if (remove) yield draft({ facet: 'id-fresh' }, fresh, 'should');
    const assigned = `${id} assigns \`${name}\` itself and does not use one that the client sends.`;
    yield draft({ facet: 'id-assigned' }, assigned);
  }
  yield* listNotWritten(create, 'stores nothing', refuses);
}

/** The request names the item itself: who gives which identifier is up to the client. */
function isGivenByClients({ requestBody }: Operation, { idPlace }: Resource): boolean {
  const sent = schemaAt(jsonContent(requestBody?.content ?? [])?.schema, idPlace);
  return sent !== undefined && !sent.shape().readOnly;
}

/** Whether the document says that a request may be refused with a status, also in general terms. */
function refuses(operation: Operation, status: number): boolean {
  if (status !== 401) return hasStatus(operation, status) || refusalStatus(operation) === status;
  const isListed = operation.responses.some((one) => /^(401|4XX|default)$/i.test(one.status));
  return isListed && announcesDenial(operation);
}

function hasStatus({ responses }: Operation, status: number): boolean {
  return responses.some((response) => response.status === String(status));
}

/** Nothing is said of the characters of the text. */
function isFreeText(node: SchemaNode): boolean {
  const { types, values, format, pattern } = node.shape();
  const isOpen = values === undefined && format === undefined && pattern === undefined;
  return types.includes('string') && types.length === 1 && isOpen;
}

/** What holds for single reads: an item is found, and as it was added or listed. */
export function* listGetState(resource: Resource, contract: Contract): Drafts {
  const own = ownMembers(contract)(resource);
  const { get, item, idPlace } = resource;
  if (!get) return;
  const shown = new Set([...memberNames(resource), idPlace[0]]);
  const draft = stateOf(get);
  yield draft({ facet: 'readable' }, `${get.id} finds an item that was added or listed.`);
  for (const member of item.shape().properties.keys()) {
    if (!shown.has(member)) continue;
    const answer =
      member === idPlace[0] ? 'the requested item' : `\`${member}\` as it was added or listed`;
    const level = own.has(member) ? 'should' : 'must';
    yield draft({ facet: 'read', member }, `${get.id} returns ${answer}.`, level);
  }
}

/** What holds for changes: answered and stored as sent, the identifier kept, no trace of refused ones. */
export function* listChangeState(resource: Resource): Drafts {
  const { replace, update } = resource;
  for (const operation of [replace, update]) {
    if (!operation) continue;
    const { id } = operation;
    const draft = stateOf(operation);
    if (answersItem(operation, resource)) yield* listEchoes(operation, resource);
    yield draft({ facet: 'stored' }, `Later responses show what ${id} changed as it was sent.`);
    yield draft(
      { facet: 'id-kept' },
      `${id} does not change the \`${idName(resource)}\` of the item.`,
    );
    const created = `${id} returns 201 when it adds an item, and not when it replaces one.`;
    if (addsOrReplaces(operation)) yield draft({ facet: 'created' }, created);
    const others = `${id} does not change members that are not sent.`;
    if (operation === update) yield draft({ facet: 'others-kept' }, others);
    yield* listNotWritten(operation, 'changes nothing');
  }
}

/** It documents 201 for what it adds, and another status for what it replaces. */
function addsOrReplaces(operation: Operation): boolean {
  return mayAdd(operation) && [200, 204].some((status) => hasStatus(operation, status));
}

/** What holds for removals. */
export function* listRemoveState(resource: Resource): Drafts {
  const { remove } = resource;
  // Where nothing is added, a removal may be no more than a change of what is there.
  if (!remove || !additionOf(resource)) return;
  const sentence = `An item removed by ${remove.id} is in no later response.`;
  yield stateOf(remove)({ facet: 'removed' }, sentence);
  yield stateOf(remove)({ facet: 'others-kept' }, `${remove.id} removes no other item.`);
  yield* listNotWritten(remove, 'removes nothing');
}

/** The refusals of a change that leave the item as it is, of those that the document has. */
function* listNotWritten(operation: Operation, effect: string, isListed = hasStatus): Drafts {
  for (const status of refusalStatuses)
    if (isListed(operation, status))
      yield stateOf(operation)(
        { facet: 'not-written', status },
        `${operation.id} ${effect} when it returns ${status}.`,
      );
}

/** The members of an item that a request may hold are answered as they were sent. */
function* listEchoes(operation: Operation, resource: Resource): Drafts {
  const sent = operation.requestBody?.content[0]?.schema?.shape().properties;
  const draft = stateOf(operation);
  for (const member of memberNames(resource)) {
    const node = sent?.get(member);
    const answered = resource.item.shape().properties.get(member);
    if (!node || [node, answered].some(isOneWay)) continue;
    if (answered && !isAlike(node, answered)) continue;
    // A null that no response can show, but for a patch, where it removes the member.
    if (operation.method !== 'PATCH' && answered && takesNull(node) && !takesNull(answered))
      continue;
    const { id } = operation;
    yield draft({ facet: 'echo', member }, `${id} returns \`${member}\` as it was sent.`);
    const kept = `${id} keeps leading and trailing white space in \`${member}\`.`;
    if (isFreeText(node)) yield draft({ facet: 'spaces', member }, kept, 'should');
  }
}

function stateOf(operation: Operation) {
  return (facet: StateFacet, sentence: string, level?: Level): Draft =>
    draftsOf(operation)({ kind: 'state', ...facet }, sentence, operation.pointer, level);
}

/** Deepest nesting that is compared. */
const deepest = 4;

/** Whether what one schema takes can come back by the other: members of both have the same form. */
function isAlike(one: SchemaNode, other: SchemaNode, depth = 0): boolean {
  if (one.pointer === other.pointer || depth > deepest) return true;
  const [left, right] = [one.shape(), other.shape()];
  if (left.alternatives.length > 0 && right.alternatives.length > 0)
    return left.alternatives.every((sent) =>
      right.alternatives.some((shown) => isAlike(sent, shown, depth + 1)),
    );
  if (left.alternatives.length > 0 || right.alternatives.length > 0) return true;
  if (renderTypes(left) !== renderTypes(right)) return false;
  // What has more in responses does not come back as it was sent.
  if (!right.required.isSubsetOf(left.required)) return false;
  if (!jsonEquals(left.values ?? null, right.values ?? null)) return false;
  if (left.items && right.items && !isAlike(left.items, right.items, depth + 1)) return false;
  return [...left.properties].every(([name, member]) => {
    const same = right.properties.get(name);
    return same === undefined || isAlike(member, same, depth + 1);
  });
}

/** False where a schema excludes null at its top. */
function takesNull(node: SchemaNode, depth = 0): boolean {
  const { types, alternatives } = node.shape();
  if (!types.includes('null') || depth > deepest) return false;
  return alternatives.length === 0 || alternatives.some((one) => takesNull(one, depth + 1));
}

/** The types but null, in one order. */
function renderTypes({ types }: Shape): string {
  return types
    .filter((type) => type !== 'null')
    .toSorted()
    .join();
}

type Findings = Generator<Finding>;

/**
 * Judges what one request says about another: items are answered, listed and read as added, with
 * identifiers of their own, and nothing of a refused request is stored.
 */
export function* judgeState(trace: Trace): Findings {
  yield* judgeIntents(trace, 'state');
  for (const collection of collectionsOf(trace)) {
    const { list } = collection.resource;
    yield* judgeAnswers(collection);
    yield* judgeHeld(collection, requirementId.state(list.id, 'listed'), false);
    yield* judgeReads(collection);
  }
  for (const collection of collectionsOf(trace)) yield* judgeChanged(collection);
  for (const collection of collectionsOf(trace)) {
    yield* judgeIdentifiers(collection);
    yield* judgeAssigned(collection);
    yield* judgeNotWritten(collection);
  }
}

/** Judges what one response shows of items by itself. */
export function* judgeShown(trace: Trace): Findings {
  for (const collection of collectionsOf(trace)) {
    yield* judgeAnswers(collection);
    yield* judgeReads(collection);
  }
}

function* judgeAnswers(collection: Collection): Findings {
  for (const listing of collection.listings) yield* judgeDistinct(listing, collection.resource);
  yield* judgeEchoes(collection);
  yield* judgeChangeEchoes(collection);
}

/** No list has an identifier twice. */
function* judgeDistinct({ reading, items, ids }: Listing, resource: Resource): Findings {
  const id = requirementId.state(resource.list.id, 'distinct');
  if (items.length === 0) return;
  const received = `${items.length} items with ${ids.size} different values`;
  const expected = `no \`${idName(resource)}\` twice`;
  yield judged(ids.size === items.length, id, reading.index, expected, received);
}

/** Judges the identifiers of added items: assigned by the service, and different from all others. */
function* judgeIdentifiers({ resource, additions, owners }: Collection): Findings {
  const { create, remove } = resource;
  if (create === undefined) return;
  const unique = requirementId.state(create.id, 'id-unique');
  for (const [{ answered, reading }, owner] of owners()) {
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
  }
}

/** Judges that no addition got the identifier that the client sent. */
function* judgeAssigned(collection: Collection): Findings {
  const { resource } = collection;
  const { create } = resource;
  for (const reading of collection.of(create)) {
    const given = readItem(itemOf(reading), resource)?.id;
    const wished = isJsonObject(reading.sent) ? idIn(reading.sent, resource) : undefined;
    if (create === undefined || given === undefined || wished === undefined) continue;
    const wish = renderPlain(wished);
    const assigned = requirementId.state(create.id, 'id-assigned');
    const own = 'an identifier assigned by the service';
    yield judged(given !== wish, assigned, reading.index, own, `${wish}, which the client sent`);
  }
}

/** Judges that an addition answers each member as it was sent. */
function* judgeEchoes({ additions, resource }: Collection): Findings {
  for (const addition of additions) {
    const { reading, sent, answered } = addition;
    const idOfEcho = (name: string): string =>
      requirementId.state(reading.operation.id, `echo.${name}`);
    for (const echo of echoesOf(addition, resource)) {
      const { name, received } = echo;
      yield compare(idOfEcho(name), name, [echo.sent], received, reading, [], resource);
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
  resource: Resource,
  matches: typeof isSameMember = memberComesBack,
): Finding {
  if (expected.some((each) => matches(resource, name, each, received))) return passed(id, index);
  const wanted = `\`${name}\` ${quote(expected[0])}`;
  return failed(id, index, wanted, `\`${name}\` ${quote(received)}`, others);
}

/** Judges what changes answer: the same identifier, what was sent, and all else as it was. */
function* judgeChangeEchoes(collection: Collection): Findings {
  const { resource } = collection;
  const changes = changesOf(resource).filter(({ act }) => act !== 'remove');
  if (changes.length === 0) return;
  for (const { reading, model } of replay(collection)) {
    const isChange = changes.some(({ operation }) => operation.id === reading.operation.id);
    if (!reading.isServed || !isChange) continue;
    const id = pathIdOf(reading, resource) ?? '';
    const before = model.stateOf(id);
    yield* judgeCreated(reading, before);
    yield* judgeChangeEcho(reading, id, before, collection);
  }
}

/** A PUT returns 201 where nothing had its identifier, and only there. */
function* judgeCreated(reading: Reading, before: ModelState | undefined): Findings {
  const { operation, exchange, index, status, isAlone } = reading;
  const { intent } = exchange;
  const id = requirementId.state(operation.id, 'created');
  const isNew = intent.kind === 'valid' && intent.exercises.includes(id);
  if (!addsOrReplaces(operation) || !(isAlone || isNew) || (before === undefined && !isNew)) return;
  const wasThere = before?.kind === 'there';
  const expected = wasThere
    ? 'another status than 201: the item was there'
    : '201: nothing was there';
  const others = before === undefined ? [] : [before.by.index];
  yield judged((status === 201) !== wasThere, id, index, expected, String(status), others);
}

function* judgeChangeEcho(
  reading: Reading,
  id: string,
  before: ModelState | undefined,
  collection: Collection,
): Findings {
  const { index, operation, sent } = reading;
  const { resource, trace } = collection;
  const name = idName(resource);
  const answered = answeredItem(reading, resource);
  if (answered === undefined) return;
  const kept = requirementId.state(operation.id, 'id-kept');
  const received = `\`${name}\` ${answered.id}`;
  yield judged(answered.id === id, kept, index, `\`${name}\` ${id}`, received);
  if (answered.id !== id || !isJsonObject(sent)) return;
  for (const [name, value] of Object.entries(exactMembers(sent))) {
    const echo = requirementId.state(operation.id, `echo.${name}`);
    const answer = answered.members[name];
    if (!trace.requirements.has(echo)) continue;
    if (answer === undefined && !answered.valid) continue;
    yield compare(echo, name, [value], answer, reading, [], resource);
    yield* judgeSpaces(name, value, answer, reading);
  }
  if (operation.id !== resource.update?.id || before?.kind !== 'there' || !reading.isAlone) return;
  const others = requirementId.state(operation.id, 'others-kept');
  const { unstored } = witnessesOf(collection);
  const own = ownMembers(trace.contract)(resource);
  for (const [name, { values, isUnsure, setBy }] of before.members) {
    const answer = answered.members[name];
    if (Object.hasOwn(sent, name) || unstored.has(memberKey(setBy, name)) || own.has(name))
      continue;
    if (answer === undefined && (!answered.valid || isUnsure)) continue;
    const isWritten = before.refused.some((refused) => isWrittenBy(refused, name, answer));
    if (values.some((value) => isSameMember(resource, name, value, answer)))
      yield passed(others, index);
    else if (!isWritten) {
      const expected = `\`${name}\` ${quote(values[0])}, which was not sent`;
      yield failed(others, index, expected, `\`${name}\` ${quote(answer)}`, [before.by.index]);
    }
  }
}

/** Judges that lists and single reads show each member as it was added, or listed before. */
function* judgeReads(collection: Collection): Findings {
  const { resource, trusted, sharedIds } = collection;
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
  for (const reading of collection.of(resource.get)) {
    const item = reading.isServed ? readItem(itemOf(reading), resource) : undefined;
    const wanted = pathIdOf(reading, resource);
    if (wanted === undefined || item === undefined) continue;
    const name = idName(resource);
    const id = requirementId.state(reading.operation.id, `read.${resource.idPlace[0]}`);
    const received = `\`${name}\` ${item.id}`;
    yield judged(item.id === wanted, id, reading.index, `\`${name}\` ${wanted}`, received);
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
    const isKept = isSameMember(resource, name, values[0], answered.members[name]);
    const matches = isKept ? isSameMember : memberComesBack;
    if (isUnsure || values.length === 0) yield doubt(id, name, reading);
    else yield compare(id, name, values, received, reading, [added.index], resource, matches);
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
      : compare(id, name, [expected], received, reading, others, resource, isSameMember);
  }
}
