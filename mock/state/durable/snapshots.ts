import type { Bucket } from '../../rate-limit/limiter.ts';
import type { Snapshot } from '../../sandbox/sandbox.ts';
import type { Service } from '../../sandbox/service.ts';
import type { Collection } from '../../items/collection.ts';
import { Inventory } from '../../items/store/inventory.ts';
import { type Item, type ItemId, openItem } from '../../items/store/item.ts';
import { isJsonObject, parseJson, renderJson } from '../../../contract/index.ts';
import { type StoredSnapshot, unreadable } from './facts.ts';

/** `document`: the one that is served. A snapshot of another document stays one of that document. */
export function storeSnapshot(snapshot: Snapshot, document: string): StoredSnapshot {
  const { state, clock, choices, limits, buckets, service, rules } = snapshot;
  const inventories = [...state];
  return {
    document: service instanceof ForeignDocument ? service.name : document,
    collections: inventories.flatMap(([path, { form, items, position }]) =>
      form.isCertain
        ? [{ path, items: items.map(({ id, text }) => ({ id, text })), position }]
        : [],
    ),
    entities: inventories.flatMap(([path, { form, items, facts, position }]) =>
      form.isCertain
        ? []
        : [
            {
              path,
              isOrphaned: facts.isOrphaned,
              isDisclosed: facts.isDisclosed,
              made: position,
              entities: items.map(storeEntity),
              aliases: [...facts.aliases].map(([name, id]) => ({ name, key: `${id}` })),
              removed: [...facts.removed].map(String),
            },
          ],
    ),
    clock,
    choices,
    limits,
    buckets: [...buckets].map(([key, bucket]) => ({ key, bucket })),
    rules,
  };
}

type StoredEntity = StoredSnapshot['entities'][number]['entities'][number];

/** An item that is only inferred, as it is stored. */
export function storeEntity(item: Item): StoredEntity {
  const { absent, ...entity } = openItem(item);
  return { ...entity, absent: [...absent] };
}

/** `place` grows in the order of its partition. */
export function openEntity(
  { key, members, made, absent, createdAt, changedAt }: StoredEntity,
  place: number,
): Item {
  return {
    id: key,
    sortKey: place,
    indexedValues: [],
    text: renderJson(members),
    facts: { made, absent: new Set(absent), createdAt, changedAt },
  };
}

/** What a partition of inferred items is made of. */
interface StoredPartition {
  readonly items: readonly Item[];
  readonly aliases: ReadonlyMap<string, string>;
  readonly removed: ReadonlySet<string>;
  readonly isOrphaned: boolean;
  readonly isDisclosed: boolean;
  readonly made: number | bigint;
}

export function openPartition({ items, made, ...facts }: StoredPartition): Inventory {
  const inventory = new Inventory({ indexed: 0, order: 'ascending', isCertain: false });
  for (const item of items) inventory.put(item);
  inventory.facts = facts;
  inventory.position = made;
  return inventory;
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
  const { clock, choices, limits, rules = '' } = stored;
  const own = stored.document === document ? service : undefined;
  const state = stored.collections.map(({ path, items, position }): [string, Inventory] => {
    const collection = own?.collections.certain.find((one) => one.path === path);
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
  const partitions = stored.entities.map(
    ({ path, entities, aliases, removed, ...facts }): [string, Inventory] => [
      path,
      openPartition({
        ...facts,
        items: entities.map((entity, place) => openEntity(entity, place + 1)),
        aliases: new Map(aliases.map(({ name, key }) => [name, key])),
        removed: new Set(removed),
      }),
    ],
  );
  return {
    service: own ?? new ForeignDocument(stored.document),
    state: new Map([...state, ...partitions]),
    clock,
    choices,
    limits,
    buckets: new Map(stored.buckets.map(({ key, bucket }): [string, Bucket] => [key, bucket])),
    rules,
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
function storedItem({ certain }: Collection, text: string): Item | undefined {
  const value = parseJson(text);
  return isJsonObject(value) ? certain?.close(value) : undefined;
}

/** An item that is not in the form of a collection yet. */
export function bareItem(id: ItemId, text: string): Item {
  return { id, text, sortKey: id, indexedValues: [], facts: undefined };
}

/** An inventory of a collection that the document may not have: only its next id is known. */
export function formerInventory(position: number | bigint): Inventory {
  const inventory = new Inventory({ indexed: 0, order: 'ascending', isCertain: true });
  inventory.position = position;
  return inventory;
}
