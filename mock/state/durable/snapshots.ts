import type { Bucket } from '../../rate-limit/limiter.ts';
import type { Snapshot } from '../../sandbox/sandbox.ts';
import type { Service } from '../../sandbox/service.ts';
import type { Collection } from '../../store/collection.ts';
import { Partition } from '../../store/entities/partition.ts';
import { Inventory, type StoredItem } from '../../store/inventory.ts';
import { type ItemId, standingIds } from '../../store/item-id.ts';
import { isJsonObject, parseJson } from '../../../contract/index.ts';
import type { StoredSnapshot } from './facts.ts';

/** `document`: the one that is served. A snapshot of another document stays one of that document. */
export function storeSnapshot(snapshot: Snapshot, document: string): StoredSnapshot {
  const { state, entities, clock, choices, limits, buckets, service } = snapshot;
  return {
    document: service instanceof ForeignDocument ? service.name : document,
    collections: [...state].map(([path, { items, position }]) => {
      return { path, items: items.map(({ id, text }) => ({ id, text })), position };
    }),
    entities: [...entities].map(([path, { parts }]) => {
      const { isOrphaned, isDisclosed, made, version } = parts;
      return {
        path,
        isOrphaned,
        isDisclosed,
        made,
        version,
        entities: [...parts.entities.values()].map((entity) => {
          return { ...entity, absent: [...entity.absent] };
        }),
        aliases: [...parts.aliases].map(([name, key]) => ({ name, key })),
        removed: [...parts.removed],
      };
    }),
    clock,
    choices,
    limits,
    buckets: [...buckets].map(([key, bucket]) => ({ key, bucket })),
  };
}

/** Stands for a document that is not served here, so that items are converted. */
class ForeignDocument {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** `service`: the one for the choices of the snapshot; undefined if the document has no such choices. */
export function openSnapshot(
  stored: StoredSnapshot,
  document: string,
  service: Service | undefined,
): Snapshot {
  const { clock, choices, limits } = stored;
  const own = stored.document === document ? service : undefined;
  const state = stored.collections.map(({ path, items, position }): [string, Inventory] => {
    const collection = own?.collections.find((one) => one.path === path);
    const inventory = collection?.form.open() ?? formerInventory(position);
    for (const { id, text } of items)
      inventory.put((collection && storedItem(collection, text)) ?? bareItem(id, text));
    inventory.position = position;
    return [path, inventory];
  });
  const entities = stored.entities.map(({ path, ...parts }): [string, Partition] => [
    path,
    Partition.of({
      ...parts,
      entities: new Map(
        parts.entities.map((one) => [one.key, { ...one, absent: new Set(one.absent) }]),
      ),
      aliases: new Map(parts.aliases.map(({ name, key }) => [name, key])),
      removed: new Set(parts.removed),
    }),
  ]);
  return {
    service: own ?? new ForeignDocument(stored.document),
    state: new Map(state),
    entities: new Map(entities),
    clock,
    choices,
    limits,
    buckets: new Map(stored.buckets.map(({ key, bucket }): [string, Bucket] => [key, bucket])),
  };
}

/** An item in the form of its collection; undefined if it does not fit. */
export function storedItem({ form }: Collection, text: string): StoredItem | undefined {
  const value = parseJson(text);
  return isJsonObject(value) ? form.render(value) : undefined;
}

/** An item that is not in the form of a collection yet. */
export function bareItem(id: ItemId, text: string): StoredItem {
  return { id, text, sortKey: id, indexedValues: [] };
}

/** An inventory of a collection that the document may not have: only its next id is known. */
export function formerInventory(position: number | bigint): Inventory {
  return new Inventory(0, 'ascending', standingIds(position));
}
