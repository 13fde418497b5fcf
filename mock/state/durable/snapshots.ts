import type { Bucket } from '../../rate-limit/limiter.ts';
import type { Snapshot } from '../../sandbox/sandbox.ts';
import type { Service } from '../../sandbox/service.ts';
import type { Collection } from '../../store/collection.ts';
import { Partition } from '../../store/entities/partition.ts';
import { Inventory, type StoredItem } from '../../store/inventory.ts';
import { type ItemId, standingIds } from '../../store/item-id.ts';
import { isJsonObject, parseJson } from '../../../contract/index.ts';
import { type StoredSnapshot, unreadable } from './facts.ts';

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

/**
 * `service`: the one for the choices of the snapshot; undefined if the document has no such choices.
 * `similar`: an inventory that probably has most of the same items, which are shared with it.
 */
export function openSnapshot(
  stored: StoredSnapshot,
  document: string,
  service: Service | undefined,
  similar: (collection: Collection, service: Service) => Inventory,
): Snapshot {
  const { clock, choices, limits } = stored;
  const own = stored.document === document ? service : undefined;
  const state = stored.collections.map(({ path, items, position }): [string, Inventory] => {
    const collection = own?.collections.find((one) => one.path === path);
    if (own !== undefined && collection !== undefined) {
      const base = similar(collection, own);
      const texts = new Map(items.map(({ id, text }) => [id, text]));
      if (isFilled(base, texts) && base.position === position) return [path, base];
      const copy = base.copy();
      fill(copy, collection, texts);
      copy.position = position;
      return [path, copy];
    }
    const inventory = formerInventory(position);
    for (const { id, text } of items) inventory.put(bareItem(id, text));
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

/** Its items are those that are stored. */
function isFilled(inventory: Inventory, stored: ReadonlyMap<ItemId, string>): boolean {
  return (
    inventory.size === stored.size &&
    inventory.items.every(({ id, text }) => stored.get(id) === text)
  );
}

/** Makes the items of a collection those that are stored. `similar`: may have some of them. */
export function fill(
  inventory: Inventory,
  collection: Collection,
  stored: ReadonlyMap<ItemId, string>,
  similar?: Inventory,
): void {
  for (const { id } of inventory.items.filter((item) => stored.get(item.id) !== item.text))
    inventory.remove(id);
  for (const [id, text] of stored) {
    if (inventory.has(id)) continue;
    const known = similar?.get(id);
    const item = known?.text === text ? known : storedItem(collection, text);
    if (item === undefined) throw unreadable(new Error(`${text} is not an item`));
    inventory.put(item);
  }
}

/** An item in the form of its collection; undefined if it does not fit. */
function storedItem({ form }: Collection, text: string): StoredItem | undefined {
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
