import { answersItem, type Resource } from '../../../contract/resource/resource.ts';
import type { SchemaNode } from '../../../contract/schema/schema-node.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { requirementId } from './requirement.ts';
import { statusOf, type Exchange } from '../../transport/exchange.ts';
import { once } from '../../memo/once.ts';
import {
  changesOf,
  hasRoom,
  isBefore,
  isRefusalStatus,
  type ChangeAct,
  type Collection,
  type Listing,
} from './collection.ts';
import { isSameMember, readItem, type Item } from './item.ts';
import { idIn, itemOf, pathIdOf, renderPlain, scopeOf, type Reading, type Trace } from './trace.ts';

/** What a resource has to hold by this run's own requests; others' items may come and go. */
export interface Model {
  readonly resource: Resource;
  /** Identifiers of items that this run added and that have to be there, oldest first. */
  readonly ours: () => readonly string[];
  /** Identifiers of items that this run removed. */
  readonly removed: () => readonly string[];
  /** What is known of an item; undefined where nothing is. */
  readonly stateOf: (id: string) => ModelState | undefined;
  /** Takes in a response. */
  readonly note: (reading: Reading) => void;
  /** Knows nothing of an item any more. */
  readonly forget: (id: string) => void;
}

/** What the last request that touched an item left of it, and which one that was. */
export type ModelState = ItemThere | { readonly kind: 'removed'; readonly by: Reading };

export interface ItemThere {
  readonly kind: 'there';
  readonly by: Reading;
  readonly act: Exclude<Act, 'remove'>;
  /** The members that are known: those that clients set. */
  readonly members: ReadonlyMap<string, KnownMember>;
  /** The requests since then that wanted to change or remove it and were refused. */
  readonly refused: readonly Reading[];
}

/** A member as later responses may show it. */
export interface KnownMember {
  /** As it was sent, and as the response to that had it. */
  readonly values: readonly JsonValue[];
  /** The request that sent it last, or else answered it first. */
  readonly setBy: Reading;
  /** The response to that request lacked it. */
  readonly isUnsure: boolean;
}

type Act = 'create' | ChangeAct;

/**
 * Creates the model of a resource of which nothing is known. `isRace`: the request was sent at the
 * same time as another about the same item; by default, as any other.
 */
export function createModel(
  resource: Resource,
  isRace: (reading: Reading) => boolean = ({ isAlone }) => !isAlone,
): Model {
  const states = new Map<string, ModelState>();
  const idsOf = (kind: ModelState['kind']): readonly string[] =>
    [...states].filter(([, state]) => state.kind === kind).map(([id]) => id);
  return {
    resource,
    ours: () => idsOf('there'),
    removed: () => idsOf('removed'),
    stateOf: (id) => states.get(id),
    note: (reading) => {
      const { operation } = reading;
      const isCreate = operation.id === resource.create?.id;
      const change = changesOf(resource).find((each) => each.operation.id === operation.id);
      if (!isCreate && change === undefined) return;
      const given = isCreate ? idIn(itemOf(reading), resource) : pathIdOf(reading, resource);
      if (given === undefined) return;
      const id = renderPlain(given);
      const act = change?.act ?? 'create';
      const isLost = act !== 'create' && isRace(reading);
      const next = isLost ? undefined : follow(states.get(id), act, id, reading, resource);
      if (next !== undefined) states.set(id, next);
      else states.delete(id);
    },
    forget: (id) => void states.delete(id),
  };
}

/** What an item is after a request; undefined: not known any more. */
function follow(
  before: ModelState | undefined,
  act: Act,
  id: string,
  reading: Reading,
  resource: Resource,
): ModelState | undefined {
  const { status, exchange } = reading;
  if (before?.kind === 'removed' && act !== 'create' && exchange.intent.kind === 'absent')
    return before;
  if (isRefusalStatus(status))
    return before?.kind === 'there' ? { ...before, refused: [...before.refused, reading] } : before;
  if (status >= 300 || status === 202 || !reading.isValid) return undefined;
  if (act === 'remove') return { kind: 'removed', by: reading };
  const saved = act === 'update' && before?.kind === 'there' ? before.members : undefined;
  const answered = answeredItem(reading, resource);
  if (answered !== undefined && answered.id !== id) return undefined;
  const members = readMembers(reading, resource, answered, act !== 'update', saved);
  return { kind: 'there', by: reading, act, members, refused: [] };
}

/** The item that an addition or a change answered; undefined where it has none to answer. */
export function answeredItem(reading: Reading, resource: Resource): Item | undefined {
  return answersItem(reading.operation, resource) ? readItem(itemOf(reading), resource) : undefined;
}

/**
 * The members that are known after a request. `isWhole`: it left nothing of what was before; else
 * `saved` is what is known of that.
 */
function readMembers(
  reading: Reading,
  resource: Resource,
  answered: Item | undefined,
  isWhole: boolean,
  saved: ItemThere['members'] | undefined,
): ItemThere['members'] {
  const sent = isJsonObject(reading.sent) ? reading.sent : {};
  const exact = exactMembers(sent);
  const members = new Map<string, KnownMember>();
  for (const name of settableNames(resource)) {
    const isSent = Object.hasOwn(sent, name);
    const before = saved?.get(name);
    if (isSent ? exact[name] === undefined : !isWhole && before === undefined) continue;
    const received = answered?.members[name];
    const values = [...(isSent ? [exact[name]] : (before?.values ?? [])), received].filter(
      (value) => value !== undefined,
    );
    const isUnsure = answered?.valid === true && received === undefined;
    const setBy = isSent ? reading : (before?.setBy ?? reading);
    if (values.length > 0) members.set(name, { values, setBy, isUnsure });
  }
  return members;
}

/** The members of a body; of null and objects nothing is known, as operations differ there. */
export function exactMembers(sent: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(sent).filter(([, value]) => value !== null && !isJsonObject(value)),
  );
}

/** The members that a client may set, and see: the service may change all others as it likes. */
function settableNames(resource: Resource): readonly string[] {
  const { create, replace, update, item } = resource;
  const shown = item.shape().properties;
  const nodes = [create, replace, update].flatMap(
    (operation) => operation?.requestBody?.content.flatMap(({ schema }) => schema ?? []) ?? [],
  );
  const names = nodes.flatMap((node) =>
    [...node.shape().properties].flatMap(([name, member]) =>
      name === resource.idPlace[0] || [member, shown.get(name)].some(isOneWay) ? [] : [name],
    ),
  );
  return [...new Set(names)];
}

/** Whether a member is in requests only, or in responses only. */
export function isOneWay(member: SchemaNode | undefined): boolean {
  const { readOnly = false, writeOnly = false } = member?.shape() ?? {};
  return readOnly || writeOnly;
}

/** The responses of a run in turn, each with the model as it was before. */
export function* replay(
  collection: Collection,
): Generator<{ readonly reading: Reading; readonly model: Model }> {
  const { trace, resource, scope } = collection;
  const model = createModel(resource, listRaces(collection));
  const known = new Set(changesOf(resource).map(({ operation }) => operation.id));
  // What came of a request without a response, or of an operation outside of resources, is unknown.
  const unclear = [...collection.attempts()]
    .flatMap(([id, attempts]) =>
      attempts
        .filter((each) => statusOf(each) === undefined || !known.has(each.request.operation))
        .map(({ index }) => ({ id, index })),
    )
    .toSorted((one, other) => one.index - other.index);
  let next = 0;
  for (const reading of trace.readings) {
    for (let each = unclear[next]; each && each.index < reading.index; each = unclear[(next += 1)])
      for (const id of each.id === '' ? [...model.ours(), ...model.removed()] : [each.id])
        model.forget(id);
    if (scopeOf(resource, reading) !== scope) continue;
    yield { reading, model };
    model.note(reading);
  }
}

/** Whether a request was sent beside another one about the same item. */
function listRaces({ trace, resource }: Collection): (reading: Reading) => boolean {
  const keyOf = (reading: Reading): string =>
    `${reading.exchange.group} ${pathIdOf(reading, resource) ?? ''}`;
  const groups = Map.groupBy(
    trace.readings.filter(({ isAlone }) => !isAlone),
    keyOf,
  );
  return (reading) => (groups.get(keyOf(reading))?.length ?? 0) > 1;
}

/** What a response shows of an item after this run's own requests about it. */
export interface Look {
  readonly reading: Reading;
  readonly id: string;
  /** What the item has to be by then. */
  readonly state: ModelState;
  /** Undefined where the response shows that it is not there. */
  readonly item: Item | undefined;
  /** What of an item such a response shows. */
  readonly shows: (item: JsonObject) => JsonObject;
  /** It was asked for alone, not in a list. */
  readonly isSingle: boolean;
  /** The properties that the list was filtered by, which lacks the item; else none. */
  readonly filters: readonly string[];
}

/** Looks at one item between two requests that touched it, in the order of their responses. */
export type Period = readonly Look[];

/**
 * The looks at items that the run changed or removed, or tried to, without those of requests sent
 * at the same time.
 */
export const periodsOf = once((collection: Collection): readonly Period[] => {
  if (changesOf(collection.resource).length === 0) return [];
  const looks = [...looksOf(collection)];
  return [...Map.groupBy(looks, ({ id, state }) => `${state.by.index} ${id}`).values()];
});

function* looksOf(collection: Collection): Generator<Look> {
  const { resource } = collection;
  const listings = new Map(collection.listings.map((each) => [each.reading, each]));
  for (const { reading, model } of replay(collection)) {
    if (!reading.isAlone) continue;
    const look = (
      id: string,
      item: Item | undefined,
      isSingle: boolean,
      filters: readonly string[] = [],
    ): readonly Look[] => {
      const state = model.stateOf(id);
      const shows = (all: JsonObject): JsonObject => (isSingle ? all : collection.listedPart(all));
      return state === undefined || !collection.attempts().has(id)
        ? []
        : [{ reading, id, state, item, shows, isSingle, filters }];
    };
    const id = singleId(reading, resource);
    const shown = id === undefined ? undefined : readItem(itemOf(reading), resource);
    if (id !== undefined && (reading.status === 404 || shown?.id === id))
      yield* look(id, shown, true);
    const listing = listings.get(reading);
    if (listing === undefined) continue;
    for (const item of listing.items) yield* look(item.id, item, false);
    if (!hasRoom(listing)) continue;
    const filters = [...listing.filters.keys()];
    for (const each of [...model.ours(), ...(filters.length === 0 ? model.removed() : [])])
      if (!listing.ids.has(each) && isExpected(model.stateOf(each), listing.filters))
        yield* look(each, undefined, false, filters);
  }
}

/** Whether an item passes filters for sure by what is known of it. */
function isExpected(state: ModelState | undefined, filters: Listing['filters']): boolean {
  if (state?.kind !== 'there') return true;
  return [...filters].every(([property, wanted]) => {
    const known = state.members.get(property);
    return (
      known?.isUnsure === false && known.values.every((value) => renderPlain(value) === wanted)
    );
  });
}

/** The identifier that a request with the key asked for alone; undefined for any other request. */
function singleId(reading: Reading, resource: Resource): string | undefined {
  const { operation, status } = reading;
  const isChange = changesOf(resource).some((each) => each.operation.id === operation.id);
  const isShown = operation.id === resource.get?.id || (isChange && status === 404);
  return isShown && reading.hasKey ? pathIdOf(reading, resource) : undefined;
}

/** A known member at one look, and as it was shown. */
export interface Sight {
  readonly look: Look;
  readonly state: ItemThere;
  readonly name: string;
  readonly known: KnownMember;
  readonly received: JsonValue | undefined;
  readonly isKept: boolean;
}

/** The known members that one look shows or lacks, without those that say nothing. */
export function sightsOf(look: Look, resource: Resource): readonly Sight[] {
  const { state, item, shows } = look;
  if (state.kind !== 'there' || item === undefined) return [];
  return [...state.members].flatMap(([name, known]) => {
    const received = item.members[name];
    if (received === undefined && (!item.valid || known.isUnsure)) return [];
    const values = known.values
      .map((value) => shows({ [name]: value })[name])
      .filter((value) => value !== undefined);
    if (values.length === 0) return [];
    const isKept = values.some((value) => isSameMember(resource, name, value, received));
    return [{ look, state, name, known, received, isKept }];
  });
}

/** Whether a refused request sent this value of a member, or what reads like it. */
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

/** What the looks at changed items say of the operations as a whole. */
export interface Witnesses {
  /** Reads of a member, by their requirement, that once were wrong where another response was right. */
  readonly liars: ReadonlySet<string>;
  /** The members, as `memberKey` names them, that no response showed as a request had sent them. */
  readonly unstored: ReadonlySet<string>;
}

/** Names a member that a request sent. */
export function memberKey({ index }: Reading, name: string): string {
  return `${index} ${name}`;
}

/** Looks at all looks at once. */
export const witnessesOf = once((collection: Collection): Witnesses => {
  const liars = new Set<string>();
  const unstored = new Set<string>();
  for (const period of periodsOf(collection)) {
    const byName = Map.groupBy(
      period.flatMap((look) => sightsOf(look, collection.resource)),
      ({ name }) => name,
    );
    for (const [name, sights] of byName) {
      const wrong = sights.filter(({ isKept }) => !isKept);
      const isShown = wrong.length < sights.length;
      for (const { look, state, known } of wrong) {
        if (isShown) liars.add(requirementId.state(look.reading.operation.id, `read.${name}`));
        else if (known.setBy === state.by) unstored.add(memberKey(known.setBy, name));
      }
    }
  }
  return { liars, unstored };
});

/**
 * The id of the requirement that an item is not there for after the run changed it, or tried to:
 * the change lost it, or a refused removal removed it. Undefined where another response shows it.
 */
export function causeOfMissing(collection: Collection, reading: Reading): string | undefined {
  for (const period of periodsOf(collection)) {
    const look = period.find((each) => each.reading === reading && each.isSingle);
    if (look !== undefined) return causeOfLoss(look, period, collection);
  }
  return undefined;
}

/** As `causeOfMissing`, for one of the looks at an item. */
export function causeOfLoss(
  { state }: Look,
  period: Period,
  { resource: { remove }, trace }: Collection,
): string | undefined {
  if (state.kind !== 'there') return undefined;
  const [first] = state.refused;
  // Where it was seen before the first refused change, that may be what lost it.
  const isShown = period.some(
    ({ item, reading: { index } }) =>
      item !== undefined && index > state.by.index && index >= (first?.index ?? 0),
  );
  if (isShown) return undefined;
  const wasThere = state.act === 'create' || period.some(({ item }) => item !== undefined);
  const removal = state.refused.findLast(({ operation }) => operation.id === remove?.id);
  // A body that was read after the removal was refused shows that the item was still there.
  const later = state.refused.findLast(({ status }) => status === 400 || status === 422);
  const isLater = (later?.index ?? -1) > (removal?.index ?? -1);
  const refused =
    isLater && wasThere ? later : (removal ?? (wasThere ? state.refused.at(-1) : undefined));
  if (refused !== undefined) return notWrittenId(refused, trace);
  return state.act === 'create' ? undefined : requirementId.state(state.by.operation.id, 'stored');
}

/**
 * The id of the requirement that a removal removes no other item, where an item that is missing now
 * was read before the last removal of another one. Undefined where nothing speaks for that.
 */
export function removalOfOther(
  collection: Collection,
  id: string,
  exchange: Exchange,
): string | undefined {
  const { resource } = collection;
  const { remove, get } = resource;
  if (remove === undefined || !collection.isUntouched(id, exchange)) return undefined;
  const isEarlier = (each: Reading): boolean => each.succeeded && isBefore(each.exchange, exchange);
  const seen = collection
    .of(get)
    .findLast((each) => isEarlier(each) && pathIdOf(each, resource) === id);
  const removal = collection.of(remove).findLast(isEarlier);
  return seen !== undefined && removal !== undefined && isBefore(seen.exchange, removal.exchange)
    ? requirementId.state(remove.id, 'others-kept')
    : undefined;
}

/** The requirement that a refused request writes nothing; undefined where there is none. */
export function notWrittenId(
  { operation, status }: Reading,
  { requirements }: Trace,
): string | undefined {
  const id = requirementId.state(operation.id, `not-written.${status}`);
  return requirements.get(id)?.id;
}
