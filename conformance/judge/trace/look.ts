import { isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { requirementId } from '../../../contract/requirement/requirement.ts';
import type { Resource } from '../../../contract/resource/resource.ts';
import { changesOf, isEverTouched, withLostChanges } from './change.ts';
import { isSame, readItem, type Item } from './item.ts';
import { hasRoom, listedPart, listingsOf, type Listing } from './listing.ts';
import { createModel, type ItemThere, type KnownMember, type ModelState } from './model.ts';
import { once } from '../../memo/once.ts';
import { itemOf, pathIdOf, renderPlain, type Reading, type Trace } from './trace.ts';

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
export function periodsOf(trace: Trace, resource: Resource): readonly Period[] {
  return readPeriods(trace)(resource);
}

const readPeriods = once((trace: Trace) =>
  once((resource: Resource): readonly Period[] => {
    if (changesOf(resource).length === 0) return [];
    const looks = [...looksOf(trace, resource)];
    return [...Map.groupBy(looks, ({ id, state }) => `${state.by.exchange.index} ${id}`).values()];
  }),
);

function* looksOf(trace: Trace, resource: Resource): Generator<Look> {
  const { stateOf, note, ours, removed, forget } = createModel(resource, racesOf(trace)(resource));
  const listings = new Map(listingsOf(trace, resource).map((each) => [each.reading, each]));
  const inList = listedPart(trace, resource);
  for (const { reading, lost } of withLostChanges(trace, resource)) {
    for (const id of lost) forget(id);
    const isAlone = reading.exchange.group === undefined;
    const look = (
      id: string,
      item: Item | undefined,
      isSingle: boolean,
      filters: readonly string[] = [],
    ): readonly Look[] => {
      const state = stateOf(id);
      const isOfInterest = state !== undefined && isEverTouched(trace, resource, id);
      const shows = isSingle ? whole : inList;
      return isOfInterest ? [{ reading, id, state, item, shows, isSingle, filters }] : [];
    };
    const id = isAlone ? singleId(reading, resource) : undefined;
    const shown = id === undefined ? undefined : readItem(itemOf(reading), resource);
    if (id !== undefined && (reading.response.status === 404 || shown?.id === id))
      yield* look(id, shown, true);
    const listing = isAlone ? listings.get(reading) : undefined;
    for (const item of listing?.items ?? []) yield* look(item.id, item, false);
    if (listing !== undefined && hasRoom(listing)) {
      const filters = [...listing.filters.keys()];
      const missing = [...ours(), ...(filters.length === 0 ? removed() : [])].filter(
        (each) => !listing.ids.has(each) && isExpected(stateOf(each), listing.filters),
      );
      for (const each of missing) yield* look(each, undefined, false, filters);
    }
    note(reading);
  }
}

function whole(item: JsonObject): JsonObject {
  return item;
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
  const { operation, response, exchange } = reading;
  const isGet = operation.id === resource.get?.id;
  const isChange = changesOf(resource).some((each) => each.operation.id === operation.id);
  const isTold = isGet || (isChange && response.status === 404);
  return isTold && exchange.request.credential === 'valid'
    ? pathIdOf(reading, resource)
    : undefined;
}

/** Whether a request was sent beside another one about the same item. */
const racesOf = once((trace: Trace) =>
  once((resource: Resource): ((reading: Reading) => boolean) => {
    const together = trace.readings.filter(({ exchange }) => exchange.group !== undefined);
    const keyOf = (reading: Reading): string =>
      `${reading.exchange.group} ${pathIdOf(reading, resource) ?? ''}`;
    const groups = Map.groupBy(together, keyOf);
    return (reading) => (groups.get(keyOf(reading))?.length ?? 0) > 1;
  }),
);

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
export function sightsOf(look: Look): readonly Sight[] {
  const { state, item, shows } = look;
  if (state.kind !== 'there' || item === undefined) return [];
  return [...state.members].flatMap(([name, known]) => {
    const received = item.members[name];
    if (received === undefined && (!item.valid || known.isUnsure)) return [];
    const values = known.values
      .map((value) => shows({ [name]: value })[name])
      .filter((value) => value !== undefined);
    if (values.length === 0) return [];
    const isKept = values.some((value) => isSame(value, received));
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
export function memberKey({ exchange }: Reading, name: string): string {
  return `${exchange.index} ${name}`;
}

/** Looks at all looks at once. */
export function readWitnesses(trace: Trace, resource: Resource): Witnesses {
  return witnessesOf(trace)(resource);
}

const witnessesOf = once((trace: Trace) =>
  once((resource: Resource): Witnesses => {
    const liars = new Set<string>();
    const unstored = new Set<string>();
    for (const period of periodsOf(trace, resource)) {
      const byName = Map.groupBy(period.flatMap(sightsOf), ({ name }) => name);
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
  }),
);
