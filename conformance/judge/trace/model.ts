import {
  answersItem,
  mayAdd,
  type Resource,
  shownSchema,
} from '../../../contract/resource/resource.ts';
import {
  isJsonObject,
  renderJson,
  type JsonObject,
  type JsonValue,
} from '../../../contract/json/value.ts';
import { isMergePatch } from '../../../contract/openapi/media-type.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import type { SchemaNode } from '../../../contract/schema/schema-node.ts';
import { isTimeOfChange, plainName } from '../../../contract/resource/names.ts';
import { requirementId } from './requirement.ts';
import { sendsTakenId, statusOf, type Exchange } from '../../transport/exchange.ts';
import { once } from '../../../contract/memo/once.ts';
import {
  changesOf,
  hasRoom,
  hasRoomForAdded,
  hidingMembersOf,
  isHidable,
  isBefore,
  isRefusalStatus,
  type ChangeAct,
  type Collection,
  type Listing,
} from './collection.ts';
import {
  comesBack,
  isForbidden,
  isSame,
  memberNames,
  shownNames,
  shownPart,
  memberSchema,
  settableNames,
  shownItem,
  type Item,
} from './item.ts';
import {
  idIn,
  isVaried,
  itemOf,
  pathIdOf,
  queryOf,
  renderPlain,
  scopeOf,
  type Reading,
  type Trace,
} from './trace.ts';

/** The state of an item after the last request that touched it, and which request that was. */
export type ModelState = ItemThere | ItemRemoved;

interface ItemRemoved {
  readonly kind: 'removed';
  readonly by: Reading;
  /** What was known of it before; undefined if nothing was. */
  readonly members: ItemThere['members'] | undefined;
}

export interface ItemThere {
  readonly kind: 'there';
  readonly by: Reading;
  readonly act: 'create' | Exclude<ChangeAct, 'remove'>;
  readonly members: ReadonlyMap<string, KnownMember>;
  /** The later requests that tried to change or remove it and were refused. */
  readonly refused: readonly Reading[];
}

export interface KnownMember {
  /** The value as sent, and as the response to that request had it. */
  readonly values: readonly JsonValue[];
  /** The request that last sent it, or else the first one whose response had it. */
  readonly setBy: Reading;
  /** The response to that request lacked it. */
  readonly isUnsure: boolean;
  /** The response to that request had exactly this value, so white space must not be lost later. */
  readonly isExact: boolean;
  /**
   * Clients set it, and it is neither null nor an object, which operations treat differently, nor
   * the time of the last change. Any other member may change with a request that does not send it.
   */
  readonly isPlain: boolean;
  /** An object that a change sent: it is shown with what was sent, whether merged or replaced. */
  readonly isSentObject: boolean;
}

/**
 * The expected items of a resource, according to this run's own requests. Items of others may come
 * and go.
 */
class Model {
  readonly states = new Map<string, ModelState>();
  readonly #resource: Resource;
  readonly #settable: ReadonlySet<string>;

  constructor(resource: Resource) {
    this.#resource = resource;
    this.#settable = settableNames(resource);
  }

  /** `isRace`: the request was concurrent with another one that may have changed the same item. */
  note(reading: Reading, isRace: boolean): void {
    const { operation, exchange, sent, succeeded } = reading;
    const change = changesOf(this.#resource).find((each) => each.operation.id === operation.id);
    if (change === undefined && operation.id !== this.#resource.create?.id) return;
    const shown = idIn(itemOf(reading), this.#resource);
    // An addition that shows no item may have replaced the one whose identifier it sent.
    const isBlind = change === undefined && succeeded && shown === undefined;
    const own = change === undefined ? shown : pathIdOf(reading, this.#resource);
    const given = isBlind ? idIn(sent, this.#resource) : own;
    if (given === undefined) return;
    const id = renderPlain(given);
    const isLost = isBlind || isRace || isVaried(reading) || sendsTakenId(exchange);
    const next = isLost ? undefined : this.#follow(change?.act ?? 'create', id, reading);
    if (next !== undefined) this.states.set(id, next);
    else this.states.delete(id);
  }

  /** The state of an item after a request; undefined if unknown. */
  #follow(act: 'create' | ChangeAct, id: string, reading: Reading): ModelState | undefined {
    const { status, exchange } = reading;
    const before = this.states.get(id);
    if (before?.kind === 'removed' && act !== 'create' && exchange.intent.kind === 'absent')
      return before;
    if (isRefusalStatus(status))
      return before?.kind === 'there'
        ? { ...before, refused: [...before.refused, reading] }
        : before;
    // If the response to an addition contains an item, the item exists, whatever the status.
    const isDone =
      act === 'create' ? exchange.intent.kind !== 'invalid' : status !== 202 && reading.isValid;
    if (status >= 300 || !isDone) return undefined;
    if (act === 'remove') return { kind: 'removed', by: reading, members: before?.members };
    const answered =
      act === 'create' ? shownItem(reading, this.#resource) : answeredItem(reading, this.#resource);
    if (answered !== undefined && answered.id !== id) return undefined;
    const saved = act === 'update' && before?.kind === 'there' ? before.members : undefined;
    const members = this.#readMembers(act, reading, answered, saved);
    return { kind: 'there', by: reading, act, members, refused: [] };
  }

  /** `saved`: the known members that an update does not send. */
  #readMembers(
    act: ItemThere['act'],
    reading: Reading,
    answered: Item | undefined,
    saved: ItemThere['members'] | undefined,
  ): ItemThere['members'] {
    const sent = isJsonObject(reading.sent) ? reading.sent : {};
    const members = new Map<string, KnownMember>();
    for (const name of memberNames(this.#resource)) {
      const node = memberSchema(this.#resource, name);
      const part = Object.hasOwn(sent, name) ? shownPart(node, sent[name]) : undefined;
      const isSent = part !== undefined;
      const before = Object.hasOwn(sent, name) ? undefined : saved?.get(name);
      const isShown = shownNames(this.#resource)(reading.operation).has(name);
      const received = isShown ? answered?.members[name] : undefined;
      const isSentObject = act !== 'create' && isJsonObject(part) && isExact(sent[name]);
      const known = isSent ? [part] : (before?.values ?? []);
      const values = (isSentObject ? known : [...known, received]).filter(
        (value) => value !== undefined,
      );
      const { format } = node?.shape() ?? {};
      const isSettable = this.#settable.has(name) && !isTimeOfChange(name, format);
      const isPlain = isSettable && values.every(isScalarOrArray);
      const isKnown = act === 'create' || isPlain || (isSettable && isSentObject);
      if (values.length === 0 || !isKnown) continue;
      if (act === 'update' && !isSent && before?.isPlain !== true) continue;
      members.set(name, {
        values,
        setBy: before?.setBy ?? reading,
        isUnsure: isShown && answered?.valid === true && received === undefined,
        isExact: !isSentObject && isSame(values[0], received, node),
        isPlain,
        isSentObject,
      });
    }
    return members;
  }
}

/**
 * Whether a later response shows a member as it was sent or first shown. An object that was shown
 * with more members than were sent, also one in a list, may have others of these later.
 */
export function isStillShown(
  { values, isExact }: Pick<KnownMember, 'values' | 'isExact'>,
  received: JsonValue | undefined,
  node: SchemaNode | undefined,
): boolean {
  const matches = isExact ? isSame : comesBack;
  return values.some((value) => matches(value, received, node));
}

function isScalarOrArray(value: JsonValue): boolean {
  return value !== null && !isJsonObject(value);
}

/** The item in the response to an addition or a change; undefined if there is none. */
export function answeredItem(reading: Reading, resource: Resource): Item | undefined {
  return answersItem(reading.operation, resource) ? shownItem(reading, resource) : undefined;
}

/**
 * The members that are shown after a request as they were sent. Operations other than merge patches
 * differ in what they do with null, so members with one are dropped.
 */
export function exactMembers(sent: JsonObject, operation?: Operation): JsonObject {
  const isMerge = operation !== undefined && isMergePatch(operation);
  const isKept = (value: JsonValue = null) => (isMerge && value === null) || isExact(value);
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => isKept(value)));
}

/** Whether a value is not null, and no object in it has a member that is null. */
function isExact(value: JsonValue | undefined): boolean {
  return value !== null && (!isJsonObject(value) || Object.values(value).every(isExact));
}

/** The value of a known member in one response. */
export interface MemberValue {
  readonly name: string;
  readonly known: KnownMember;
  readonly received: JsonValue | undefined;
  /** Undefined if the earlier or the current value is not reliable. */
  readonly isKept: boolean | undefined;
}

/** What a response shows of an item after this run's requests about it. */
export interface Observation {
  readonly reading: Reading;
  readonly id: string;
  readonly state: ModelState;
  /** Undefined if the response shows that the item does not exist. */
  readonly item: Item | undefined;
  /** The known members in the response, or missing from it, if the item exists. */
  readonly memberValues: readonly MemberValue[];
  readonly isSingle: boolean;
  /** If a list lacks the item, the properties that it was filtered by; else empty. */
  readonly filters: readonly string[];
}

/** What responses show of the items that the run added, changed and removed. */
export interface History {
  /** By request for a single item, the state of the item before it, if known. */
  readonly before: ReadonlyMap<Reading, ModelState>;
  /**
   * The observations of one item between two requests that touched it, in the order of their responses.
   */
  readonly periods: readonly (readonly Observation[])[];
  /** Ids of removed items that a later response shows with a mark of it. */
  readonly marked: ReadonlySet<string>;
  /** Reads of a member, by requirement, that were wrong once while another response was right. */
  readonly wrongReads: ReadonlySet<string>;
  /** The members, by `memberKey`, that no response showed as they were sent. */
  readonly unstored: ReadonlySet<string>;
  /** The same for members that a request sent alone, as operation and member: `putBook title`. */
  readonly unstoredAlone: ReadonlySet<string>;
}

export function memberKey({ index }: Reading, name: string): string {
  return `${index} ${name}`;
}

/** Whether no request since its addition has touched an item. */
export function isNew(state: ModelState): state is ItemThere {
  return state.kind === 'there' && state.act === 'create' && state.refused.length === 0;
}

/** Replays the responses of a collection in their order. */
export const historyOf = once((collection: Collection): History => {
  const { trace, resource, scope } = collection;
  const model = new Model(resource);
  const listings = new Map(collection.listings.map((each) => [each.reading, each]));
  const before = new Map<Reading, ModelState>();
  const observations: Observation[] = [];
  const operations = new Set(changesOf(resource).map(({ operation }) => operation.id));
  // The effect of requests without a response, and of operations outside of resources, is unknown.
  const unclear = [...collection.attempts()]
    .flatMap(([id, attempts]) =>
      attempts
        .filter((each) => statusOf(each) === undefined || !operations.has(each.request.operation))
        .map(({ index }) => ({ id, index })),
    )
    .toSorted((one, other) => one.index - other.index);
  let next = 0;
  for (const reading of trace.readings) {
    for (let each = unclear[next]; each && each.index < reading.index; each = unclear[(next += 1)])
      if (each.id === '') model.states.clear();
      else model.states.delete(each.id);
    if (scopeOf(resource, reading) !== scope) continue;
    observations.push(...observationsIn(reading, listings.get(reading), model, collection));
    const id = pathIdOf(reading, resource) ?? '';
    const state = model.states.get(id);
    if (state !== undefined) before.set(reading, state);
    const { exchange } = reading;
    const isRace = (collection.attempts().get(id) ?? []).some(
      (each) => each !== exchange && each.group === exchange.group,
    );
    model.note(reading, isRace && !reading.isAlone);
  }
  const periods = [
    ...Map.groupBy(observations, ({ id, state }) => `${state.by.index} ${id}`).values(),
  ];
  return { before, periods, marked: listMarked(observations), ...readWitnesses(periods) };
});

/** Names of members, and values of `status` or `state`, by which services mark what is removed. */
const removedWord =
  /^(?:is)?(?:deleted|removed|archived|trashed|cancell?ed|disabled|inactive)(?:at|on|by)?/;

/** Values of members with such a name that mark nothing, as JSON. */
const noMarks: ReadonlySet<string> = new Set(['null', 'false', '0', '""', '[]', '{}']);

/** Ids of removed items that are shown with a mark that no response had before. */
function listMarked(observations: readonly Observation[]): ReadonlySet<string> {
  const marked = new Set<string>();
  const earlier = new Map<string, Item[]>();
  for (const { id, state, item } of observations) {
    if (item === undefined) continue;
    const before = earlier.get(id) ?? [];
    earlier.set(id, before);
    const isNewMark = ([name, value = null]: readonly [string, JsonValue | undefined]): boolean => {
      if (!isMark(name, value)) return false;
      const known = state.members?.get(name)?.values ?? [];
      return ![...known, ...before.map(({ members }) => members[name])].some((one) =>
        isSame(one, value),
      );
    };
    if (state.kind === 'there') before.push(item);
    else if (Object.entries(item.members).some(isNewMark)) marked.add(id);
  }
  return marked;
}

/**
 * Whether a list shows an item with a mark of its removal although the document hides such items by
 * default: it has a parameter such as `includeDeleted`, which was not sent.
 */
export function isHiddenByDefault(
  { exchange }: Reading,
  { members }: Item,
  resource: Resource,
): boolean {
  return hidingMembersOf(resource).some(({ property, parameter }) => {
    if (parameter === undefined || !isMark(property, members[property] ?? null)) return false;
    const { name, schema } = parameter;
    const isSent = queryOf(exchange, name) !== undefined;
    return /^(?:include|show|with)/i.test(name) && schema.shape().default === false && !isSent;
  });
}

/** Whether any member says that an item was removed. */
export function isMarked(item: JsonObject): boolean {
  return Object.entries(item).some(([name, value = null]) => isMark(name, value));
}

function isMark(name: string, value: JsonValue): boolean {
  const word = plainName(name);
  return /^(status|state)$/.test(word)
    ? removedWord.test(plainName(renderPlain(value)))
    : removedWord.exec(word)?.[0] === word && !noMarks.has(renderJson(value));
}

/** The members that some response of a period shows with the expected value. */
export function keptMembers(period: readonly Observation[]): ReadonlySet<string> {
  const values = period.flatMap(({ memberValues }) => memberValues);
  return new Set(values.flatMap(({ name, isKept }) => (isKept ? name : [])));
}

function readWitnesses(
  periods: History['periods'],
): Pick<History, 'wrongReads' | 'unstored' | 'unstoredAlone'> {
  const wrongReads = new Set<string>();
  const unstored = new Set<string>();
  const unstoredAlone = new Set<string>();
  for (const period of periods) {
    const shown = keptMembers(period);
    for (const { reading, state, memberValues } of period)
      for (const { name, known, isKept } of memberValues) {
        if (isKept !== false) continue;
        if (shown.has(name))
          wrongReads.add(requirementId.state(reading.operation.id, `read.${name}`));
        if (shown.has(name) || known.setBy !== state.by) continue;
        unstored.add(memberKey(known.setBy, name));
        if (state.by.isAlone) unstoredAlone.add(`${state.by.operation.id} ${name}`);
      }
  }
  return { wrongReads, unstored, unstoredAlone };
}

/** What one response shows of items, compared with the state before it (`model`). */
function* observationsIn(
  reading: Reading,
  listing: Listing | undefined,
  { states }: Model,
  collection: Collection,
): Generator<Observation> {
  const { resource, trusted, attempts } = collection;
  const observe = (
    id: string,
    item: Item | undefined,
    filters: readonly string[] = [],
  ): readonly Observation[] => {
    const state = states.get(id);
    if (state === undefined) return [];
    const isFresh = isNew(state) && collection.isUntouched(id, reading.exchange);
    // Concurrent lists and reads are reliable for an item that nothing has touched.
    const isKnown =
      isFresh && item !== undefined ? trusted().has(id) : attempts().has(id) && reading.isAlone;
    if (!isKnown) return [];
    const { operation } = reading;
    const isSingle = operation.id !== resource.list.id;
    const memberValues = memberValuesOf(id, state, item, operation, isSingle, collection);
    return [{ reading, id, state, item, memberValues, isSingle, filters }];
  };
  const single = singleId(reading, resource);
  const shown = single === undefined ? undefined : shownItem(reading, resource);
  if (single !== undefined && (reading.status === 404 || shown?.id === single))
    yield* observe(single, shown);
  if (listing === undefined) return;
  for (const item of listing.items) yield* observe(item.id, item);
  if (!hasRoom(listing)) return;
  const filters = [...listing.filters.keys()];
  for (const [id, state] of states) {
    const isWanted = state.kind === 'there' || filters.length === 0;
    if (
      attempts().has(id) &&
      isWanted &&
      !listing.ids.has(id) &&
      isExpected(state, listing, resource)
    )
      yield* observe(id, undefined, filters);
  }
}

function memberValuesOf(
  id: string,
  state: ModelState,
  item: Item | undefined,
  operation: Operation,
  isSingle: boolean,
  collection: Collection,
): readonly MemberValue[] {
  if (state.kind !== 'there' || item === undefined) return [];
  const untrusted = isNew(state) ? collection.trusted().get(id)?.untrusted : undefined;
  const shown = shownSchema(collection.resource, operation).shape().properties;
  return [...state.members].flatMap(([name, known]) => {
    if (!shownNames(collection.resource)(operation).has(name)) return [];
    const received = item.members[name];
    const own = shown.get(name);
    const values = known.values
      .map((value) => (isSingle ? value : collection.listedPart({ [name]: value })[name]))
      .filter((value) => value !== undefined)
      // One response with an item may not allow a value that the others do.
      .filter((value) => own !== undefined && !isForbidden(own, value));
    if (values.length === 0 || !(known.isPlain || known.isSentObject || isNew(state))) return [];
    const node = memberSchema(collection.resource, name);
    const isSeen = received !== undefined || (item.valid && !known.isUnsure);
    const isKept =
      isSeen && untrusted?.includes(name) !== true
        ? isStillShown({ ...known, values }, received, node)
        : undefined;
    return [{ name, known, received, isKept }];
  });
}

/** Whether a list must show an item, according to what is known about it. */
function isExpected(state: ModelState, listing: Listing, resource: Resource): boolean {
  if (state.kind !== 'there') return true;
  if (isHidable(listing, (name) => state.members.get(name)?.values.at(-1), resource)) return false;
  return [...listing.filters].every(([property, wanted]) => {
    const known = state.members.get(property);
    return (
      known?.isUnsure === false && known.values.every((value) => renderPlain(value) === wanted)
    );
  });
}

/** The id that a request with the key read alone; undefined for any other request. */
function singleId(reading: Reading, resource: Resource): string | undefined {
  const { operation, status } = reading;
  const isChange = changesOf(resource).some((each) => each.operation.id === operation.id);
  const isShown = operation.id === resource.get?.id || (isChange && status === 404);
  return isShown && reading.hasKey ? pathIdOf(reading, resource) : undefined;
}

/** Whether a refused request sent this value of a member, or an equivalent one. */
export function isWrittenBy(
  { sent }: Reading,
  name: string,
  received: JsonValue | undefined,
): boolean {
  const wanted = isJsonObject(sent) ? sent[name] : undefined;
  return (
    wanted !== undefined && received !== undefined && renderPlain(wanted) === renderPlain(received)
  );
}

/**
 * The requirement that explains why a response lacks an item that the run added or changed: it was
 * never stored, or the change lost it, or a refused removal or that of another item removed it.
 */
export function causeOfMissing(
  collection: Collection,
  id: string,
  reading: Reading,
  period = historyOf(collection).periods.find((each) =>
    each.some((seen) => seen.id === id && seen.reading === reading),
  ),
): string | undefined {
  const seen = period?.find((each) => each.reading === reading);
  // A list alone may leave it out for another reason.
  const isGone = !period || period.some((each) => each.isSingle && each.item === undefined);
  return (
    lossOf(collection, id) ??
    (seen && causeOfLoss(seen, period ?? [], collection)) ??
    (isGone ? removalOfOther(collection, id, reading.exchange) : undefined)
  );
}

/** A change lost the item, or a refused removal removed it. Undefined if another response shows it. */
function causeOfLoss(
  { state }: Observation,
  period: readonly Observation[],
  { resource: { remove }, trace }: Collection,
): string | undefined {
  if (state.kind !== 'there') return undefined;
  const [first] = state.refused;
  // If it was seen before the first refused change, that change may have lost it.
  const isShown = period.some(
    ({ item, reading: { index } }) =>
      item !== undefined && index > state.by.index && index >= (first?.index ?? 0),
  );
  if (isShown) return undefined;
  const wasThere = state.act === 'create' || period.some(({ item }) => item !== undefined);
  const removal = state.refused.findLast(({ operation }) => operation.id === remove?.id);
  // A body that was read after the refused removal shows that the item still existed.
  const later = state.refused.findLast(({ status }) => status === 400 || status === 422);
  const isLater = (later?.index ?? -1) > (removal?.index ?? -1);
  const refused =
    isLater && wasThere ? later : (removal ?? (wasThere ? state.refused.at(-1) : undefined));
  if (refused !== undefined) return notWrittenId(refused, trace);
  return state.act === 'create' ? undefined : requirementId.state(state.by.operation.id, 'stored');
}

/**
 * The requirement that explains why no response shows an item which the run added, if the first
 * request for it, or for a similar one, got a 404: that of the addition if lists lack such items
 * too, else that of single reads. Undefined if a request about the item may have lost it.
 */
export function lossOf(collection: Collection, id: string): string | undefined {
  return lossesOf(collection).get(id);
}

const lossesOf = once((collection: Collection): ReadonlyMap<string, string> => {
  const { resource, listings } = collection;
  const { create, get } = resource;
  const requests = [get, ...changesOf(resource).map(({ operation }) => operation)]
    .flatMap((operation) => collection.of(operation))
    .toSorted((one, other) => one.index - other.index);
  const byId = Map.groupBy(requests, (reading) => pathIdOf(reading, resource) ?? '');
  const isDenied = (id: string): boolean => {
    const [first] = byId.get(id) ?? [];
    return first?.status === 404 && first.hasKey;
  };
  const listed = [...collection.firstSeen().keys()];
  // If reads do not find items that lists show, that says nothing about additions.
  if (create === undefined || get === undefined || listed.some(isDenied)) return new Map();
  const found = requests.filter(({ isServed, operation }) => isServed && !mayAdd(operation));
  const shown = new Set([...listed, ...found.map((each) => pathIdOf(each, resource))]);
  const added = collection.of(create).flatMap((reading) => {
    const id = shownItem(reading, resource)?.id;
    const isMeant = reading.exchange.intent.kind !== 'invalid';
    return isMeant && id !== undefined ? [{ id, reading }] : [];
  });
  const unseen = added.filter(({ id }) => !shown.has(id));
  const lost = unseen.filter(({ id }) => isDenied(id));
  const isMissed = ({ reading }: (typeof added)[number]): boolean =>
    listings.some(
      (each) =>
        each.filters.size === 0 &&
        hasRoomForAdded(each) &&
        isBefore(reading.exchange, each.reading.exchange),
    );
  const alone = unseen.filter(({ reading }) => reading.isAlone);
  const isNoneStored =
    unseen.length === added.length &&
    lost.length > 0 &&
    alone.some((each) => lost.includes(each) || isMissed(each));
  const cause = unseen.some(isMissed)
    ? requirementId.state(create.id, 'stored')
    : requirementId.state(get.id, 'readable');
  return new Map(
    (isNoneStored ? unseen : lost).map(({ id, reading }) => [
      id,
      reading.isAlone || isNoneStored ? cause : requirementId.concurrency(create.id, 'stored'),
    ]),
  );
});

/**
 * The requirement that a removal removes no other item, if a missing item was seen before the last
 * removal of another one, and nothing has touched it since. Undefined without evidence for that.
 */
export function removalOfOther(
  collection: Collection,
  id: string,
  exchange: Exchange,
): string | undefined {
  const { resource } = collection;
  const { remove, get, replace, update } = resource;
  const isOfItem = (each: Reading): boolean => pathIdOf(each, resource) === id;
  const isEarlier = (each: Reading): boolean => each.succeeded && isBefore(each.exchange, exchange);
  const seen = [get, replace, update]
    .flatMap((each) => collection.of(each).findLast((one) => isEarlier(one) && isOfItem(one)) ?? [])
    .toSorted((one, other) => other.index - one.index)[0];
  const removal = collection.of(remove).findLast((each) => isEarlier(each) && !isOfItem(each));
  if (remove === undefined || seen === undefined || removal === undefined) return undefined;
  const isLeft = collection.isUntouched(id, exchange, seen.exchange);
  return isLeft && isBefore(seen.exchange, removal.exchange)
    ? requirementId.state(remove.id, 'others-kept')
    : undefined;
}

/** The requirement that identifiers are unique, if other items had this one. */
export function sharedId(
  id: string,
  { resource, additions, trusted }: Collection,
): string | undefined {
  const isShared = additions.some(({ answered }) => answered.id === id) && !trusted().has(id);
  return resource.create && isShared
    ? requirementId.state(resource.create.id, 'id-unique')
    : undefined;
}

/** The requirement that a refused request has no effect; undefined if there is none. */
export function notWrittenId(
  { operation, status }: Reading,
  { requirements }: Trace,
): string | undefined {
  const id = requirementId.state(operation.id, `not-written.${status}`);
  return requirements.get(id)?.id;
}
