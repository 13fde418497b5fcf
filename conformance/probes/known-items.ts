import type { Contract, JsonObject, JsonValue, Resource } from '../../contract/index.ts';
import type { Exchange } from '../transport/exchange.ts';
import { readItem } from '../judge/trace/item.ts';
import { itemOf, itemsOf, readTrace } from '../judge/trace/trace.ts';

/** What a run has learnt about the target's items; probes choose their requests by it. */
export interface KnownItems {
  readonly note: (exchange: Exchange) => void;
  /** Items that lists showed, by identifier. */
  readonly listed: (resource: Resource) => ReadonlyMap<string, JsonObject>;
  /** Items that this run added by lawful requests, by identifier, with the exchange. */
  readonly added: (
    resource: Resource,
  ) => ReadonlyMap<string, { readonly item: JsonObject; readonly exchange: Exchange }>;
  /** Values that listed or added items have in a member: records that exist. */
  readonly references: (resource: Resource) => ReadonlyMap<string, JsonValue>;
  /** Whether any list or addition showed which records exist. */
  readonly knowsReferences: (resource: Resource) => boolean;
  /** Members for which the target took only records that exist. */
  readonly restricted: Set<string>;
}

/** Knows nothing at first but `given`: references that the user vouches for, by member. */
export function createKnownItems(
  contract: Contract,
  given: ReadonlyMap<string, JsonValue>,
): KnownItems {
  const listed = new Map<string, Map<string, JsonObject>>();
  const added = new Map<string, Map<string, { item: JsonObject; exchange: Exchange }>>();
  const note = (exchange: Exchange): void => {
    const [reading] = readTrace(contract, [exchange]).readings;
    if (reading === undefined) return;
    for (const resource of contract.resources) {
      const { id } = reading.operation;
      for (const value of id === resource.list.id ? (itemsOf(reading) ?? []) : []) {
        const item = readItem(value, resource);
        if (item !== undefined) mapOf(listed, resource).set(item.id, item.members);
      }
      const isAddition = id === resource.create?.id && exchange.intent.kind === 'valid';
      const item = isAddition ? readItem(itemOf(reading), resource) : undefined;
      if (item !== undefined) mapOf(added, resource).set(item.id, { item: item.members, exchange });
    }
  };
  const references = (resource: Resource): ReadonlyMap<string, JsonValue> => {
    const [seenFirst] = mapOf(listed, resource).values();
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
    added: (resource) => mapOf(added, resource),
    references,
    knowsReferences: (resource) => given.size > 0 || references(resource).size > 0,
    restricted: new Set(),
  };
}

function mapOf<T>(maps: Map<string, Map<string, T>>, resource: Resource): Map<string, T> {
  const found = maps.get(resource.collectionPath) ?? new Map<string, T>();
  maps.set(resource.collectionPath, found);
  return found;
}
