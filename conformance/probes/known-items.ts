import type { Contract } from '../../contract/contract.ts';
import type { JsonObject, JsonValue } from '../../contract/json/value.ts';
import type { Resource } from '../../contract/resource/resource.ts';
import type { Exchange } from '../transport/exchange.ts';
import { isCarriedByPaths } from '../paths/identifier.ts';
import { isLeftover } from '../generate/tag.ts';
import { readItem } from '../judge/trace/item.ts';
import { readTrace } from '../family/read-trace.ts';
import { itemOf, itemsOf, pathIdOf, type Reading } from '../judge/trace/trace.ts';

/** What a run has learnt about the target's items; probes choose their requests by it. */
export interface KnownItems {
  readonly note: (exchange: Exchange) => void;
  /** Items that lists showed, by identifier. */
  readonly listed: (resource: Resource) => ReadonlyMap<string, JsonObject>;
  /** Of those the ones that no run added, as far as can be seen; all of them where there are none. */
  readonly found: (resource: Resource) => ReadonlyMap<string, JsonObject>;
  /** Items that this run added by valid requests, by identifier, with the exchange. */
  readonly added: (
    resource: Resource,
  ) => ReadonlyMap<string, { readonly item: JsonObject; readonly exchange: Exchange }>;
  /**
   * An item that this run added, for one purpose alone: the same until it is removed. Of those added
   * beside others one is left as it was. Undefined where none is free.
   */
  readonly own: (resource: Resource, purpose: Purpose) => string | undefined;
  /** Values that listed or added items have in a member: records that exist. */
  readonly references: (resource: Resource) => ReadonlyMap<string, JsonValue>;
  /** Whether any list or addition showed which records exist. */
  readonly knowsReferences: (resource: Resource) => boolean;
  /** Members for which the target took only records that exist. */
  readonly restricted: Set<string>;
}

/** What an item of the run's own is for: to be changed, to be removed, or to stay as it is. */
export type Purpose = 'replace' | 'update' | 'race' | 'remove' | 'stay';

/** Knows nothing at first but `given`: references that the user vouches for, by member. */
export function createKnownItems(
  contract: Contract,
  given: ReadonlyMap<string, JsonValue>,
): KnownItems {
  const listed = new Map<string, Map<string, JsonObject>>();
  const added = new Map<string, Map<string, { item: JsonObject; exchange: Exchange }>>();
  const claims = new Map<string, string>();
  const forget = (reading: Reading, resource: Resource): void => {
    const id = pathIdOf(reading, resource) ?? '';
    for (const known of [listed, added]) mapOf(known, resource).delete(id);
    for (const [claim, claimed] of claims)
      if (claimed === id && claim.startsWith(`${resource.collectionPath} `)) claims.delete(claim);
  };
  const own = (resource: Resource, purpose: Purpose): string | undefined => {
    const claim = `${resource.collectionPath} ${purpose}`;
    const taken = claims.get(claim);
    if (taken !== undefined) return taken;
    const all = [...mapOf(added, resource)];
    const beside = all.filter(([, { exchange }]) => exchange.group !== undefined).slice(0, -1);
    const alone = all.filter(([, { exchange }]) => exchange.group === undefined);
    // Another collection may have items with the same ids.
    const others = [...claims]
      .filter(([other]) => other.startsWith(`${resource.collectionPath} `))
      .map(([, id]) => id);
    const wanted = purpose === 'stay' ? [...alone, ...beside] : [...beside, ...alone];
    const found = wanted.find(([id]) => !others.includes(id))?.[0];
    if (found !== undefined) claims.set(claim, found);
    return found;
  };
  const note = (exchange: Exchange): void => {
    const [reading] = readTrace(contract, [exchange]).readings;
    if (reading === undefined) return;
    for (const resource of contract.resources) {
      const { id } = reading.operation;
      for (const value of id === resource.list.id ? (itemsOf(reading) ?? []) : []) {
        const item = readItem(value, resource);
        if (item !== undefined) mapOf(listed, resource).set(item.id, item.members);
      }
      if (id === resource.remove?.id && reading.response.status < 300) forget(reading, resource);
      const isAddition = id === resource.create?.id && exchange.intent.kind === 'valid';
      const item = isAddition ? readItem(itemOf(reading), resource) : undefined;
      if (item !== undefined && isCarriedByPaths(item.id))
        mapOf(added, resource).set(item.id, { item: item.members, exchange });
    }
  };
  const references = (resource: Resource): ReadonlyMap<string, JsonValue> => {
    const [seenFirst] = withoutLeftovers(mapOf(listed, resource)).values();
    const [addedFirst] = mapOf(added, resource).values();
    const first = seenFirst ?? addedFirst?.item;
    const seen = Object.entries(first ?? {}).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    );
    return new Map([...seen, ...given]);
  };
  return {
    note,
    listed: (resource) => mapOf(listed, resource),
    found: (resource) => withoutLeftovers(mapOf(listed, resource)),
    added: (resource) => mapOf(added, resource),
    own,
    references,
    knowsReferences: (resource) => given.size > 0 || references(resource).size > 0,
    restricted: new Set(),
  };
}

/**
 * The items without those of earlier runs, as far as their texts have a tag. Items without one that
 * are listed on the far side of a tagged one may be of earlier runs as well.
 */
function withoutLeftovers(
  listed: ReadonlyMap<string, JsonObject>,
): ReadonlyMap<string, JsonObject> {
  const all = [...listed];
  const first = all.findIndex(([, item]) => isLeftover(item));
  if (first === -1) return listed;
  const others =
    first > 0
      ? all.slice(0, first)
      : all.slice(all.findLastIndex(([, item]) => isLeftover(item)) + 1);
  return others.length === 0 ? listed : new Map(others);
}

function mapOf<T>(maps: Map<string, Map<string, T>>, resource: Resource): Map<string, T> {
  const found = maps.get(resource.collectionPath) ?? new Map<string, T>();
  maps.set(resource.collectionPath, found);
  return found;
}
